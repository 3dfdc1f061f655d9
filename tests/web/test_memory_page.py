"""The place for memory: curated, taken back, found and erased, by a person beside other processes."""

import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.pace import slowness
from tests.web.conftest import Watch
from tests.web.looking import findings_in
from tests.web.session_visits import SessionServer
from tests.web.tabs import Tabs

TUESDAY = "Deploys go out on Tuesdays after the standup. Anna presses the button."
THURSDAY = "Deploys go out on Thursdays after the standup. Anna presses the button."


def within_five_seconds() -> float:
    """Of an ordinary machine: one that runs other tests beside this one is as much slower as it is just now."""
    return 5_000 * slowness(time.monotonic)


class Kept(SessionServer):
    """A server whose memory is asked beside the page, with a clock to wind."""

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = httpx.post(f"{self.address}/api/memory/{tool}", json=arguments)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def store(self, content: str, **arguments: Any) -> str:
        return str(self.ask("store_memory", content=content, **arguments)["node_id"])

    def state(self, node_id: str) -> str:
        (found,) = self.ask("show_memories", node_ids=[node_id])["items"]
        return str(found["state"])

    def wind(self, time: str) -> None:
        (self.data / "clock").write_text(time)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    (tmp_path / "clock").write_text("2026-01-01T00:00:00Z")
    served = Kept(tmp_path, {"LORE_CLOCK_FILE": str(tmp_path / "clock")})
    served.start()
    yield served
    served.close()


@pytest.fixture
def page(kept: Kept, tabs: Tabs) -> Iterator[Page]:
    """Watched: nothing leaves the origin, and nothing goes wrong unseen."""
    watch = Watch(kept.address)
    opened = tabs.take()
    watch.over(opened)
    yield opened
    watch.end()
    watch.forgive("status of 409")  # a refusal that the page shows is no trouble of it
    for cut in ("net::ERR_CONNECTION", "net::ERR_CONTENT_LENGTH"):
        watch.forgive(cut)  # nor is a server that a test takes away, perhaps in the midst of an answer
    assert watch.troubles == []


def is_fit(page: Page) -> None:
    """In both schemes, on a phone: nothing is wider than the screen, and nothing serious keeps anybody out."""
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    assert findings_in(page, "light", "dark") == {}
    wide = "Math.max(document.documentElement.scrollWidth, document.getElementById('main').scrollWidth)"
    assert page.evaluate(wide) <= 390
    assert size is not None
    page.set_viewport_size(size)


@pytest.mark.holds(
    "page.memory.curated", "page.memory.undo", "page.memory.trash", "page.memory.history", "page.memory.rationale",
    "page.memory.others", "page.memory.fit", "page.memory.reopened",
)  # fmt: skip
def test_somebody_merges_two_memories_takes_it_back_and_restores_from_the_trash(page: Page, kept: Kept) -> None:
    page.goto(f"{kept.address}/memory")
    expect(page.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
    one = kept.store(TUESDAY, tags=["deploys"])
    two = kept.store(THURSDAY, importance=0.7)
    card = page.get_by_role("article").first
    expect(card, "what another process stored").to_contain_text("which is true?", timeout=within_five_seconds())
    assert sorted(card.locator("mark").all_inner_texts()) == ["Thursdays", "Tuesdays"]
    preview = card.get_by_role("region", name="What a merge makes")
    expect(preview.get_by_role("listitem")).to_have_count(3)
    expect(preview.get_by_role("listitem").last.get_by_role("img")).to_have_accessible_name(re.compile("^From [AB]$"))
    is_fit(page)

    # The key for what is suggested decides nothing here, and there is no merge without a reason.
    expect(card.get_by_role("heading", level=2)).to_have_text("Which of these is true?")
    page.keyboard.press("m")
    expect(card.get_by_role("button", name="Keep only this").first).to_be_focused()
    assert kept.state(one) == kept.state(two) == "live"
    reason = card.get_by_label("Why they are one")
    expect(reason).to_have_value("")
    expect(card.get_by_role("button", name="Merge", exact=True)).to_have_count(0)
    expect(card.get_by_text("Say why they are one, then they can be merged.")).to_be_visible()
    reason.fill("Both days, one after the other")
    card.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_text("Merged into")).to_be_visible()
    assert kept.state(one) == kept.state(two) == "merged"
    page.get_by_role("link", name="History").click()
    page.get_by_role("list", name="Changes").get_by_role("button", name=re.compile("^Undo")).first.click()
    expect(page.get_by_text("It is not asked about again, unless you say so in the history.")).to_be_visible()
    assert kept.state(one) == kept.state(two) == "live"

    # The merged memory lies in the trash, and comes back from there.
    page.get_by_role("link", name=re.compile("^Trash")).click()
    expect(page.get_by_text("30 days left")).to_be_visible()
    kept.wind("2026-01-29T00:00:00Z")
    expect(page.get_by_text("2 days left"), "the server's clock").to_be_visible(timeout=within_five_seconds())
    page.get_by_role("button", name=re.compile("^Restore")).click()
    expect(page.get_by_role("heading", name="The trash is empty")).to_be_visible()
    is_fit(page)

    # Everything is a row of the history; the last is taken back from there.
    page.get_by_role("link", name="History").click()
    rows = page.get_by_role("list", name="Changes").get_by_role("listitem")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("restored")
    rows.first.get_by_role("button", name=re.compile("^Undo")).click()
    expect(rows.first).to_contain_text("forgotten")
    is_fit(page)
    shown = page.get_by_role("main").aria_snapshot()
    page.reload()
    expect(rows).to_have_count(6)
    assert page.get_by_role("main").aria_snapshot() == shown

    # Whoever took the merge back can still be asked about it again.
    undone = rows.filter(has_text="its memories are not asked about again")
    undone.get_by_role("button", name=re.compile("^Ask again")).click()
    expect(page.get_by_text("The question is asked again.")).to_be_visible()
    expect(undone).to_have_count(0)
    page.get_by_role("link", name=re.compile("^Inbox")).click()
    expect(page.get_by_role("article").first).to_contain_text("which is true?")


@pytest.mark.holds("page.memory.keys", "page.memory.curated", "page.memory.undo")
def test_an_inbox_is_worked_off_by_keys_alone(page: Page, kept: Kept) -> None:
    kept.store("The old printer wants A4.", importance=0.1)
    kept.wind("2026-06-01T00:00:00Z")
    mail = kept.store("Invoices go out by mail.", importance=0.8)
    portal = kept.store("Nobody may mail an invoice.", relations=[{"target_id": mail, "type": "contradicts"}])
    kept.store("Tokens live for an hour.")
    kept.store("Tokens live for an hour!")
    page.goto(f"{kept.address}/memory")
    current = page.locator("article[aria-current]")
    expect(current).to_contain_text("These contradict one another")
    page.keyboard.press("n")
    expect(current).to_contain_text("These say nearly the same")
    expect(current).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_text("Kept both")).to_be_visible()
    expect(current).to_contain_text("Is this still worth keeping?")
    page.keyboard.press("u")
    expect(current).to_contain_text("These say nearly the same")
    expect(current.get_by_role("button", name="Merge", exact=True)).to_be_visible()
    page.keyboard.press("m")
    expect(page.get_by_text("Merged into")).to_be_visible()
    expect(current).to_contain_text("Is this still worth keeping?")
    page.keyboard.press("u")
    expect(current).to_contain_text("These say nearly the same")
    expect(current.get_by_role("button", name="Merge", exact=True)).to_be_visible()
    page.keyboard.press("m")
    expect(current).to_contain_text("Is this still worth keeping?")
    page.keyboard.press("k")
    expect(current).to_contain_text("These contradict one another")
    page.keyboard.press("m")
    expect(page.get_by_role("heading", name="Nothing needs a decision")).to_be_visible()
    assert kept.state(portal) == "deleted"
    page.keyboard.press("u")
    expect(current).to_contain_text("These contradict one another")
    page.keyboard.press("e")
    expect(page.get_by_role("form", name=re.compile("^Edit"))).to_be_visible()
    page.keyboard.type("Mind: ")
    page.keyboard.press("Escape")
    expect(page.get_by_text("This is not saved yet.")).to_be_visible()
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(page.get_by_role("form", name=re.compile("^Edit"))).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)


@pytest.mark.holds(
    "page.memory.found", "page.memory.faster", "page.memory.erased", "page.memory.record", "page.memory.carried",
    "page.memory.addresses", "page.memory.fit", "page.memory.offline", "page.memory.undo",
)  # fmt: skip
def test_somebody_writes_finds_edits_and_erases(page: Page, kept: Kept, tmp_path: Path) -> None:
    other = kept.store("The gate is blue.", tags=["house"], importance=0.9)
    page.goto(f"{kept.address}/memory/all?m=new")
    page.get_by_label("Text").fill("The gate opens at <b>eight</b>.")
    page.get_by_label("Tags").fill("house, times")
    page.get_by_role("button", name="Store").click()
    side = page.get_by_role("complementary")
    expect(side.get_by_role("heading", level=2)).to_have_text("The gate opens at <b>eight</b>.")
    opened = page.url.partition("m=")[2]

    # Found by words, by tag, in order.
    page.get_by_label("Search memories").fill("blue")
    rows = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(rows.first).to_contain_text("The gate is blue.")
    page.get_by_label("Search memories").fill("")
    page.get_by_label("Order").select_option("important")
    expect(rows.first).to_contain_text("The gate is blue.")
    page.get_by_label("Tag", exact=True).select_option("times")
    expect(rows).to_have_count(1)
    page.reload()
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Order")).to_have_value("important")
    expect(side.get_by_role("heading", level=2)).to_have_text("The gate opens at <b>eight</b>.")
    is_fit(page)

    # Somebody else is faster: both texts are shown.
    side.get_by_role("button", name="Edit").click()
    side.get_by_label("Text").fill("The gate opens at nine.")
    kept.ask("store_memory", node_id=opened, expected_version=1, content="The gate opens at ten.")
    side.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("region", name="Somebody was faster")
    expect(conflict).to_contain_text("The gate opens at ten.")
    assert sorted(conflict.locator("mark").all_inner_texts()) == ["nine", "ten"]
    conflict.get_by_role("button", name="Save mine").click()
    past = side.get_by_role("region", name="History of this memory")
    expect(past.locator("blockquote")).to_have_text(["The gate opens at ten.", "The gate opens at <b>eight</b>."])
    side.get_by_role("button", name="More important").click()
    expect(side.get_by_role("definition").first).to_contain_text("0.60")
    is_fit(page)

    # The server goes and comes: what is shown stays, and goes on by itself.
    kept.kill()
    expect(page.get_by_text("offline, trying again")).to_be_visible()
    expect(rows).to_have_count(1)
    kept.start()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)

    # Two that were chosen become one; then one source is erased, and the copies are told.
    page.get_by_label("Tag", exact=True).select_option("")
    expect(rows).to_have_count(2)
    for row in rows.all():
        row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Merge…").click()
    merging = page.get_by_role("form", name="Merge")
    merging.get_by_label("Name").fill("The gate")
    merging.get_by_label("Why they are one").fill("One gate")
    merging.get_by_role("button", name="Merge", exact=True).click()
    expect(side.get_by_role("heading", level=2)).to_have_text("The gate")
    side.get_by_role("button", name="The gate is blue.").click()
    side.get_by_role("button", name="Erase…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_text(["The gate"])
    expect(dialog.get_by_role("button", name="Erase")).to_be_disabled()
    dialog.get_by_role("textbox").fill("The gate is blue.")
    dialog.get_by_role("button", name="Erase").click()
    expect(page.get_by_text("One memory still holds its text")).to_be_visible()
    assert kept.ask("show_memories", node_ids=[other])["items"] == []

    # All of it as files, out and in.
    with page.expect_download() as download:
        page.get_by_role("button", name="Export ZIP").click()
    archive = tmp_path / "memories.zip"
    download.value.save_as(archive)
    page.get_by_label("A ZIP of memories").set_input_files(archive)
    expect(page.get_by_text("0 new, 0 changed, 1 as they were.")).to_be_visible()

    # What an import changed is taken back at once: new memories and a changed one.
    with zipfile.ZipFile(archive) as packed:
        (name,) = packed.namelist()
        changed = packed.read(name).decode().replace("The gate is blue", "The gate is red")
    with zipfile.ZipFile(archive, "w") as packed:
        for path, text in {name: changed, "tea.md": "Tea is at four.\n", "cake.md": "Cake is at five.\n"}.items():
            packed.writestr(path, text)
    page.get_by_label("A ZIP of memories").set_input_files(archive)
    expect(page.get_by_text("2 new, 1 changed, 0 as they were.")).to_be_visible()
    expect(rows).to_have_count(3)
    page.get_by_role("region", name="What was done").get_by_role("button", name="Undo").last.click()
    expect(page.get_by_text("The import is taken back.")).to_be_visible()
    expect(rows).to_have_count(1)
    (merged,) = kept.ask("list_memories")["items"]
    assert "The gate is blue." in kept.ask("show_memories", node_ids=[merged["node_id"]])["items"][0]["content"]


@pytest.mark.holds("page.memory.found", "page.memory.record")
def test_a_memory_is_found_by_its_meaning_and_shows_what_it_is_tied_to_and_when_it_holds(
    tabs: Tabs, tmp_path: Path
) -> None:
    (tmp_path / "clock").write_text("2026-01-01T00:00:00Z")
    kept = Kept(tmp_path, {"LORE_CLOCK_FILE": str(tmp_path / "clock"), "LORE_EMBEDDER": "two-tower"})
    kept.start()
    try:
        tyres = kept.store("The automobile needs new tyres before winter.")
        kept.store("Invoices are sent by mail.")
        cat = kept.store(
            "The cat sleeps on the sofa.",
            valid_from="2026-01-05T00:00:00Z",
            valid_until="2026-03-01T00:00:00Z",
            relations=[{"target_id": tyres, "type": "depends_on", "weight": 0.5}],
        )
        page = tabs.take()
        page.goto(f"{kept.address}/memory/all?m={cat}")
        side = page.get_by_role("complementary")
        facts = side.get_by_role("definition")
        expect(facts.filter(has_text="depends on")).to_have_text(
            "depends on The automobile needs new tyres before winter. 0.50"
        )
        expect(side).to_contain_text(re.compile(r"Truefrom .*5.* until .*1"))
        side.get_by_role("button", name="The automobile needs").click()
        expect(facts.filter(has_text="depends on")).to_have_text("The cat sleeps on the sofa. depends on this 0.50")
        page.get_by_label("Search memories").fill("repair the car")
        rows = page.get_by_role("list", name="Memories").get_by_role("listitem")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("The automobile needs new tyres")
        expect(rows).to_contain_text("near in meaning")
    finally:
        kept.close()
