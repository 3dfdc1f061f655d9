"""The box for asking as a person meets it in a browser."""

from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect


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
    """Pages in contexts of their own; whatever a page complains of is kept."""

    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)

    def visit(self, address: str, **settings: object) -> AskBox:
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **settings})
        self.contexts.append(context)
        return self.follow(context.new_page(), address)

    def follow(self, page: Page, address: str) -> AskBox:
        troubles: list[str] = []
        page.on("console", lambda heard: troubles.append(heard.text) if heard.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(address)
        return AskBox(page, troubles)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
