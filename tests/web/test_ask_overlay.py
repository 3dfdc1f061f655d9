"""The box for asking, in pages of our own, without a model and with the one that needs no key."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Route, expect
from tests.faces.asked_documents import write_documents
from tests.faces.served import served
from tests.web.ask_box import AskBox, Visits

from loreweave.application import open_application
from loreweave.faces.http.static_pages import PAGE_FOLDER
from loreweave.settings import Settings

NO_MODEL = "No language model is set up here"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asked")
    application = open_application(Settings(data_dir=folder / "data", embedder="none"))
    application.graphs.ingest_folder(write_documents(folder / "docs"), name="docs")
    application.close()
    return folder / "data"


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    with served(data, LORE_MODEL="none", LORE_EMBEDDER="none") as address:
        yield address


@pytest.fixture
def box(visits: Visits, address: str) -> Iterator[AskBox]:
    box = visits.visit(f"{address}/docs/guide/cli")
    yield box
    assert box.troubles == []


@pytest.mark.holds("ask.overlay.size")
def test_the_script_is_one_small_file() -> None:
    assert len(gzip.compress((PAGE_FOLDER / "ask.js").read_bytes())) < 30_000


@pytest.mark.holds("ask.overlay.opens", "ask.overlay.focus-trap")
def test_each_way_opens_the_box_and_escape_goes_back(box: AskBox) -> None:
    opener = box.page.get_by_role("button", name="Search")
    for way in ("Control+k", "Meta+k", "/"):
        opener.focus()
        box.page.keyboard.press(way)
        expect(box.field).to_be_focused()
        expect(box.field).to_have_value("")
        box.page.keyboard.press("Escape")
        expect(box.dialog).to_be_hidden()
        expect(opener).to_be_focused()
    opener.click()
    expect(box.field).to_be_focused()
    box.page.keyboard.press("Control+k")
    expect(box.dialog).to_be_hidden()


@pytest.mark.holds("ask.overlay.type-ahead", "ask.overlay.keys")
def test_results_come_with_the_first_letters_and_enter_opens_the_marked_one(box: AskBox) -> None:
    box.open().field.press_sequentially("ba")
    expect(box.rows.first).to_contain_text("Backups")
    expect(box.rows.first.locator("mark").first).to_be_visible()
    box.field.fill("tool")
    expect(box.rows.nth(1)).to_be_visible()
    first, second = (box.rows.nth(at).inner_text() for at in (0, 1))
    expect(box.marked).to_have_text(first, use_inner_text=True)
    box.field.press("ArrowDown")
    expect(box.marked).to_have_text(second, use_inner_text=True)
    box.field.press("ArrowUp")
    expect(box.marked).to_have_text(first, use_inner_text=True)
    box.field.fill("TOOL_BACKUP_DIR")
    expect(box.rows.first).to_contain_text("TOOL_BACKUP_DIR")
    box.field.press("Enter")
    box.page.wait_for_url("**/docs/guide/storage#backups")
    expect(box.page.locator("#backups")).to_be_in_viewport()


@pytest.mark.holds("ask.overlay.keys", "ask.overlay.late-replies")
def test_enter_waits_for_the_results_of_what_was_typed(box: AskBox) -> None:
    box.open().field.fill("tool")
    expect(box.rows.nth(1)).to_be_visible()
    box.ask("exit codes")  # the rows shown are still those of the word before
    box.page.wait_for_url("**/docs/guide/cli#exit-codes")


@pytest.mark.holds("ask.overlay.slow-search")
def test_a_slow_search_shows_that_it_is_under_way(box: AskBox) -> None:
    held: list[Route] = []
    box.page.route(
        "**/api/ask", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    box.open().field.fill("backup")
    expect(box.dialog.locator(".note")).to_have_text("Searching…")
    expect(box.dialog.get_by_role("status")).to_have_text("Searching…")
    box.field.fill("")
    expect(box.dialog.locator(".note")).to_be_hidden()
    box.field.fill("backups")
    expect(box.dialog.locator(".note")).to_have_text("Searching…")
    held[-1].continue_()
    expect(box.rows.first).to_contain_text("Backups")
    expect(box.dialog.locator(".note")).to_be_hidden()
    expect(box.dialog.locator(".foot")).to_be_visible()
    box.page.unroute_all()
    box.field.fill("nothingofthekind")
    expect(box.dialog).to_contain_text("Nothing found")
    expect(box.dialog.locator(".foot")).to_be_hidden()  # it speaks of rows to choose


@pytest.mark.holds("ask.overlay.keys")
def test_tab_takes_a_suggestion(box: AskBox) -> None:
    box.open()
    expect(box.rows.first).to_be_visible()
    suggestion = box.rows.first.inner_text()
    box.field.press("Tab")
    expect(box.field).to_be_focused()
    expect(box.field).to_have_value(suggestion)
    expect(box.rows.first.locator(".name")).to_be_visible()


@pytest.mark.holds("ask.overlay.no-model")
def test_without_a_model_it_says_so_once(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs/guide/cli").open()
    expect(box.dialog).to_contain_text(NO_MODEL)
    box.field.fill("backup")
    expect(box.rows.first).to_contain_text("Backups")
    expect(box.dialog).not_to_contain_text(NO_MODEL)
    box.page.keyboard.press("Escape")
    for page in ("/docs/guide/cli", "/docs"):
        box.page.goto(address + page)
        box.open()
        expect(box.rows.first).to_be_visible()
        expect(box.dialog).not_to_contain_text(NO_MODEL)
        box.page.keyboard.press("Escape")


@pytest.mark.holds("ask.overlay.roles")
def test_the_field_is_a_combobox_over_a_listbox(box: AskBox) -> None:
    box.open().field.fill("nothingofthekind")
    expect(box.dialog).to_contain_text("Nothing found")
    expect(box.field).to_have_attribute("aria-expanded", "false")
    expect(box.field).not_to_have_attribute("aria-activedescendant", "row-0")
    box.field.fill("backup")
    expect(box.field).to_have_attribute("aria-expanded", "true")
    expect(box.field).to_have_attribute("aria-autocomplete", "list")
    expect(box.field).to_have_attribute("aria-activedescendant", "row-0")
    assert box.page.locator("lore-ask [role=listbox]").get_attribute("id") == box.field.get_attribute("aria-controls")
    expect(box.marked).to_have_attribute("id", "row-0")
    expect(box.dialog.get_by_role("status")).to_contain_text("result")
    assert box.dialog.evaluate("dialog => dialog.matches(':modal')")


@pytest.mark.holds("ask.overlay.focus-trap")
def test_the_focus_stays_inside(box: AskBox) -> None:
    box.open().field.fill("backup")
    expect(box.rows.first).to_be_visible()
    where = "() => document.activeElement.shadowRoot?.activeElement?.tagName"
    for key in ("Tab", "Shift+Tab"):
        seen = []
        for _ in range(4):
            box.page.keyboard.press(key)
            seen.append(box.page.evaluate(where))
        assert set(seen) == {"INPUT", "BUTTON"}


@pytest.mark.holds("ask.overlay.reduced-motion")
def test_nothing_moves_for_those_who_want_no_motion(visits: Visits, address: str) -> None:
    moving = {}
    for choice in ("reduce", "no-preference"):
        box = visits.visit(f"{address}/docs/guide/cli", reduced_motion=choice).open()
        moving[choice] = box.page.locator("lore-ask .panel").evaluate("panel => getComputedStyle(panel).animationName")
    assert moving == {"reduce": "none", "no-preference": "rise"}


@pytest.mark.holds("ask.overlay.phone")
def test_on_a_phone_it_fills_the_screen(visits: Visits, address: str) -> None:
    phone = visits.tabs.make(viewport={"width": 360, "height": 640}, has_touch=True, reduced_motion="reduce")
    box = visits.follow(phone, f"{address}/docs/guide/cli")  # measured where it stays
    box.page.get_by_role("button", name="Search").tap()
    box.field.fill("backup")
    expect(box.rows.first).to_be_visible()
    assert box.page.locator("lore-ask .panel").bounding_box() == {"x": 0, "y": 0, "width": 360, "height": 640}
    sizes = box.page.locator("lore-ask .body").evaluate("body => [body.scrollWidth, body.clientWidth]")
    assert sizes[0] <= sizes[1]
    # Below 16 pixels a phone zooms into the field.
    assert float(box.field.evaluate("field => parseFloat(getComputedStyle(field).fontSize)")) >= 16


@pytest.mark.holds("ask.overlay.gaps")
def test_only_what_was_given_up_is_a_gap(box: AskBox, address: str) -> None:
    box.open().field.press_sequentially("zebra xylophone", delay=120)
    expect(box.dialog).to_contain_text("Nothing found")
    with box.page.expect_response(lambda reply: reply.request.post_data_json.get("typing") is False):
        box.page.keyboard.press("Escape")
    gaps = httpx.get(f"{address}/api/ask/gaps").json()["gaps"]
    assert [gap["query"] for gap in gaps if "zebra" in gap["query"]] == ["zebra xylophone"]


@pytest.mark.holds("ask.overlay.asks", "ask.overlay.answers")
def test_with_a_model_enter_asks_and_the_answer_names_its_sources(visits: Visits, data: Path) -> None:
    with served(data, LORE_MODEL="demo", LORE_EMBEDDER="none") as address:
        box = visits.visit(f"{address}/docs").open()
        box.field.fill("how do I make a backup")
        expect(box.rows.first).to_contain_text("Ask how do I make a backup")
        box.field.press("Enter")
        expect(box.button("Copy answer")).to_be_visible()
        chips = box.dialog.get_by_role("list", name="Sources").get_by_role("link")
        expect(chips.filter(has_text="Backups")).to_have_attribute("href", f"{address}/docs/guide/storage#backups")
        expect(chips.filter(has_text="Backups")).to_have_text("Storage › Backups")  # other pages have such a section
        chips.filter(has_text="Backups").click()
        box.page.wait_for_url("**/docs/guide/storage#backups")
        assert box.troubles == []


@pytest.mark.holds("ask.overlay.explorer", "ask.gaps.page")
def test_the_explorer_has_the_box_the_pages_and_what_to_write_next(visits: Visits, address: str) -> None:
    httpx.post(f"{address}/api/ask", json={"query": "quantum marmalade"}).raise_for_status()
    box = visits.visit(f"{address}/?graph=docs&view=list")
    finder = box.page.get_by_role("searchbox")
    finder.press("/")
    expect(finder).to_have_value("/")
    expect(box.dialog).to_be_hidden()
    finder.fill("")
    expect(box.page.get_by_role("link", name="Read", exact=True)).to_have_attribute("href", "/g/docs/read")
    box.page.get_by_role("link", name="Health").click()
    gaps = box.page.get_by_role("region", name="What to write next")
    expect(gaps).to_contain_text("quantum marmalade")
    box.open().field.fill("TOOL_BACKUP_DIR")
    box.rows.filter(has_text="TOOL_BACKUP_DIR").first.click()
    box.page.wait_for_url("**/g/docs/read/guide/storage#backups")
    assert box.troubles == []
