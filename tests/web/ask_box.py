"""The box for asking as a person meets it in a browser."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.web.tabs import Tabs


@dataclass
class AskBox:
    page: Page
    troubles: list[str]

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog", name="Search or ask the documentation")

    @property
    def field(self) -> Locator:
        return self.page.get_by_role("combobox", name="Search or ask the documentation")

    @property
    def rows(self) -> Locator:
        return self.page.get_by_role("listbox", name="Results").get_by_role("option")

    @property
    def marked(self) -> Locator:
        return self.page.locator("lore-ask [role=option][aria-selected=true]")

    @property
    def turns(self) -> Locator:
        return self.page.locator("lore-ask .turn")

    def button(self, name: str) -> Locator:
        return self.dialog.get_by_role("button", name=name, exact=True)

    def open(self) -> "AskBox":
        self.page.keyboard.press("Control+k")
        expect(self.field).to_be_focused()
        return self

    def ask(self, question: str) -> None:
        """Types a question and asks it: Enter on a finished question asks a model."""
        self.field.fill(question)
        self.field.press("Enter")


@dataclass
class Visits:
    """Pages with a box for asking; whatever a page complains of is kept."""

    tabs: Tabs

    def visit(self, address: str, **settings: Any) -> AskBox:
        return self.follow(self.tabs.take(**settings), address)

    def follow(self, page: Page, address: str) -> AskBox:
        troubles: list[str] = []
        page.on("console", lambda heard: troubles.append(heard.text) if heard.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(address)
        return AskBox(page, troubles)
