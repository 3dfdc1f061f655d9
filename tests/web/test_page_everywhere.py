"""What holds at every address of the page: nobody is kept out, nothing is too wide or too heavy, no way ends."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.examples import DEEP
from tests.web.conftest import Watch
from tests.web.looking import OF_COLOURS, findings
from tests.web.tabs import Tabs

NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
    .filter((each) => each.checkVisibility())
    .filter((each) => !(each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.labels?.length
        || each.textContent.trim() || each.title))
    .map((each) => each.outerHTML)"""
# As a link of the page does, without loading all of it anew.
GO_TO = "(to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }"
WIDTH = "Math.max(document.documentElement.scrollWidth, document.getElementById('main').scrollWidth)"
HEAVIEST = 300_000  # bytes as they travel
PLACES = ("", "ask", "memory", "routes", "studio")
VIEWS = {  # and what is there when all of them is
    "/": ".graph-cards li",
    "/g/demo/map": "[data-settled=true]",
    "/g/demo/map?n=skill:index": "#inspector h2",
    "/g/demo/read/index": ".read-article h1",
    "/g/demo/list": ".list tbody tr",
    "/g/demo/health": ".big-score",
    "/g/demo/history": ".change-sheet",
    "/ask": ".welcome",
    "/ask?graph=demo&q=how+do+thoughts+change+moods": "article[aria-busy=false]",
    "/memory": "text=Nothing is remembered yet",
    "/memory/all?m=new": "text=newest first",
    "/memory/trash": "text=The trash is empty",
    "/memory/history": "text=Nothing has happened yet",
    "/routes": ".routes-graphs",
    "/studio": ".studio-doors",
}


def settle(page: Page) -> None:
    """Until the place is there and nothing more is on its way."""
    expect(page.get_by_role("main")).not_to_contain_text("Opening…")
    page.wait_for_load_state("networkidle")


@pytest.mark.timeout(300)
@pytest.mark.holds("page.shell.everybody", "page.shell.narrow", "page.library.axe")
def test_every_view_is_open_to_everybody_in_both_themes_and_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")
    settle(page)
    for address, sign in VIEWS.items():
        page.evaluate(GO_TO, address)
        expect(page.locator(sign).first).to_be_attached()
        for scheme, width, only in (("dark", 390, None if DEEP else OF_COLOURS), ("light", 1280, None)):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            page.set_viewport_size({"width": width, "height": 844})
            assert findings(page, only) == [], f"{address}, {scheme}, {width}"
            assert page.evaluate(NAMELESS) == [], address
            assert page.evaluate(WIDTH) <= width, f"{address} is too wide for {width}"


@pytest.mark.holds("page.shell.narrow")
def test_a_long_name_leaves_the_top_of_a_phone_on_one_line(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    name = "a-name-that-is-longer-than-a-phone-is-wide"
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": (f"{name}.zip", zipped({"a.md": "# A"}))})
    for address in (f"g/{name}/list", f"ask?graph={name}"):
        page = open_page(address, viewport={"width": 390, "height": 844})
        called = page.get_by_role("heading", name=name, exact=True, level=1)
        expect(called).to_be_visible()
        tops = [part.bounding_box() for part in (called, page.locator(".top-right"))]
        assert tops[0] is not None
        assert tops[1] is not None
        assert tops[1]["y"] < tops[0]["y"] + tops[0]["height"], "beside one another"
    page.evaluate(GO_TO, "/")
    expect(page.get_by_text(f"from {name}.zip")).to_be_visible()
    assert page.evaluate(WIDTH) <= 390, "nor does where it was read from widen its card"


@pytest.mark.holds("page.shell.light")
@pytest.mark.parametrize("place", PLACES)
def test_a_first_view_weighs_little(place: str, server: str, tabs: Tabs) -> None:
    page = tabs.make()  # that has nothing kept
    weights: list[float] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    page.goto(f"{server}/{place}")
    settle(page)
    assert 0 < sum(weights) < HEAVIEST


@pytest.mark.holds("page.shell.nowhere")
def test_old_addresses_lead_on_and_unknown_ones_show_the_way_back(
    server: str, open_page: Callable[..., Page], watch: Watch
) -> None:
    for old, new in (
        ("sessions", "/studio"),
        ("?graph=demo&view=list", "/g/demo/list"),
        ("?graph=demo&view=changes", "/g/demo/history"),
    ):
        page = open_page(old)
        page.wait_for_url(f"{server}{new}")
    for path, back in (
        ("nowhere/at/all", "/"),
        ("g/gone/map", "/"),
        ("ask/gone", "/ask"),
        ("memory/gone", "/memory"),
        ("routes/gone", "/routes"),
        ("studio/run/gone", "/studio"),
        ("studio/plan/gone", "/studio"),
    ):
        assert httpx.get(f"{server}/{path}", headers={"Accept": "text/html"}).status_code == 404
        page.evaluate(GO_TO, f"/{path}")
        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
        expect(page).to_have_title("Nothing here · Loreweave")
        expect(page.get_by_role("navigation", name="Views of this space")).to_have_count(0)
        page.get_by_role("main").get_by_role("link").click()
        page.wait_for_url(f"{server}{back}")
    watch.forgive("404")  # which is what was asked for


@pytest.mark.holds("page.shell.faults")
def test_a_place_that_cannot_be_loaded_says_so_and_opens_when_the_server_is_back(server: str, tabs: Tabs) -> None:
    page = tabs.make()  # that has nothing kept
    page.goto(server)
    settle(page)
    page.context.set_offline(True)
    rail = page.get_by_role("navigation", name="Places")
    rail.get_by_role("link", name="Studio", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This could not be opened")
    rail.get_by_role("link", name="Library", exact=True).click()
    expect(page.get_by_role("heading", name="Your graphs")).to_be_visible()
    rail.get_by_role("link", name="Memory", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This could not be opened")
    page.context.set_offline(False)
    expect(page.get_by_role("link", name="Inbox")).to_be_visible()


@pytest.mark.lengthy
@pytest.mark.holds("page.shell.faults")
def test_what_the_server_did_not_answer_is_asked_again_when_it_is_back(server: str, tabs: Tabs) -> None:
    page = tabs.make()
    page.goto(server)
    card = page.get_by_role("main").get_by_role("link", name="demo", exact=True)
    card.click()
    settle(page)
    page.context.set_offline(True)
    page.get_by_role("navigation", name="Places").get_by_role("link", name="Library", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The server did not answer")
    page.context.set_offline(False)
    expect(card).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
