"""Pages of one browser that tests take in turn: one that is warm opens in a fifth of the time of a new one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize
from playwright.sync_api import Error as BrowserError
from tests.pace import STRETCH

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


@dataclass
class Tabs:
    browser: Browser
    free: list[Page] = field(default_factory=list)
    taken: list[Page] = field(default_factory=list)
    strange: list[Page] = field(default_factory=list)

    def take(
        self,
        *,
        viewport: ViewportSize = LAPTOP,
        color_scheme: Any = "light",
        reduced_motion: Any = "no-preference",
        permissions: Sequence[str] = (),
    ) -> Page:
        """A page that shows nothing and remembers nothing."""
        page = self.free.pop() if self.free else _patient(self.browser.new_context().new_page())
        self.taken.append(page)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.context.grant_permissions(list(permissions))
        return page

    def make(self, **settings: Any) -> Page:
        """A page for one test alone: of settings of its own, or left with what cannot be taken out of it."""
        self.strange.append(_patient(self.browser.new_context(**{"viewport": LAPTOP, **settings}).new_page()))
        return self.strange[-1]

    def give_back(self) -> None:
        for page in self.taken:
            if _forgets(page):
                self.free.append(page)
            else:
                self.strange.append(page)
        for page in self.strange:
            page.context.close()
        self.taken.clear()
        self.strange.clear()


def _patient(page: Page) -> Page:
    page.set_default_timeout(30_000 * STRETCH)
    return page


def _forgets(page: Page) -> bool:
    """Whether nothing of a test is left in it: where its server has gone, it cannot be asked to forget."""
    try:
        page.unroute_all(behavior="ignoreErrors")
        page.evaluate(FORGET)
        page.context.clear_cookies()
        page.context.clear_permissions()
        page.goto("about:blank")
    except BrowserError:
        return False
    return page.context.pages == [page]
