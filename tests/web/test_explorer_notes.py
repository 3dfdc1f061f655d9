"""Opening notes level by level, and asking for packs."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

Opener = Callable[..., Page]
Archiver = Callable[[dict[str, str]], bytes]

HOSTILE = """# Hostile

<script>window.broken = 1</script> <img src=x onerror="window.broken = 2">

[click](javascript:window.broken=3) and [[<img src=x onerror=window.broken=4>]]
"""


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]", r"\1", text).lower())


def levels_asked(requests: list[str]) -> list[str]:
    return [level for url in requests for level in re.findall(r"/node\?.*level=(\d)", url)]


@pytest.mark.holds("graph.page.drawer", "graph.page.accessible")
def test_a_note_is_opened_and_read_level_by_level_with_the_keyboard_alone(
    open_page: Opener, api: httpx.Client, watch: Any
) -> None:
    request = {"graphId": "demo", "id": "skill:thought-records"}
    levels = {level: api.get("/node", params={**request, "level": level}).json() for level in (1, 2, 3, 4)}
    page = open_page("?graph=demo&view=list")
    row = page.get_by_role("link", name="Thought Records")
    expect(row).to_be_visible()
    page.get_by_label("Type").focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        if row.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    drawer = page.get_by_role("complementary", name="Thought Records")
    panel = drawer.get_by_role("tabpanel")
    expect(panel).to_contain_text(levels[1]["description"])
    expect(drawer).to_be_focused()
    assert levels_asked(watch.requests) == ["1"]

    drawer.get_by_role("tab", name="Info").focus()
    page.keyboard.press("ArrowRight")
    listed = [*levels[2]["links"], *levels[2]["backlinks"]]
    expect(panel.get_by_role("listitem")).to_have_count(len(listed))
    for item, link in zip(panel.get_by_role("listitem").all(), listed, strict=True):
        expect(item).to_contain_text(link["name"])
        said = item.get_by_role("blockquote").inner_text()
        assert words_of(said) == words_of(link["context"]), "whatever names a link shows"
        assert not re.search(r"[\[\]*`|]", said)
    page.keyboard.press("ArrowRight")
    for section in levels[3]["sections"]:
        if section["heading"]:
            expect(panel.get_by_role("heading", name=section["heading"], exact=True)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(panel).to_contain_text(f"Whole note: {levels[4]['tokens']:,} tokens")
    assert levels_asked(watch.requests) == ["1", "2", "3", "4"]

    page.keyboard.press("Tab")
    assert drawer.evaluate("box => box.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(row).to_be_focused()


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.accessible")
def test_the_map_is_walked_with_the_arrow_keys(open_page: Opener) -> None:
    page = open_page("?graph=demo")
    expect(page.locator("[data-settled=true]")).to_be_visible()
    page.get_by_role("application", name=re.compile("^Map of")).focus()
    page.keyboard.press("ArrowRight")
    announced = page.locator(".map-canvas [aria-live]")
    expect(announced).to_contain_text("links in")
    first = announced.inner_text()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    expect(announced).not_to_have_text("")
    assert first
    name = announced.inner_text().split(",")[0]
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name=name)).to_be_visible()


@pytest.mark.holds("graph.page.text-is-text")
def test_markup_in_a_note_stays_text(open_page: Opener, server: str, api: httpx.Client, zipped: Archiver) -> None:
    header = '---\nname: "<b>Bold</b>"\ndescription: "<img src=x onerror=window.broken=5> don&#39;t &lt;u&gt;"\n---\n'
    notes = {"hostile.md": header + HOSTILE, "friend.md": "# Friend\n\nSees [[hostile]] <i>often</i>.\n"}
    answer = api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("hostile.zip", zipped(notes))})
    assert answer.status_code == 200
    page = open_page()
    for tab in ("info", "links", "sections", "full"):
        page.goto(f"{server}/?graph=hostile&view=list&node=skill:hostile&tab={tab}")
        drawer = page.get_by_role("complementary", name="<b>Bold</b>")
        panel = drawer.get_by_role("tabpanel")
        expect(panel).not_to_have_text("Reading…")
        if tab == "info":
            for shown in (panel, page.get_by_role("table")):
                expect(shown).to_contain_text("onerror=window.broken=5> don't <u>")
        if tab == "full":
            panel.get_by_role("button", name="As it was written").click()
            expect(panel).to_contain_text("<script>window.broken = 1</script> <img src=x onerror=")
        assert drawer.locator("img, script, b, i, u").count() == 0
        assert drawer.locator("a[href^=javascript]").count() == 0
        assert page.evaluate("window.broken") is None


@pytest.mark.lengthy
def test_a_wikilink_in_a_note_leads_to_the_next_note(open_page: Opener) -> None:
    page = open_page("?graph=demo&view=list&node=skill:action-precedes-motivation&tab=full")
    page.get_by_role("tabpanel").get_by_role("link", name="behavioral-activation").first.click()
    expect(page.get_by_role("complementary", name="Behavioral Activation")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("complementary", name="Action Precedes Motivation")).to_be_visible()


@pytest.mark.holds("graph.page.ask-panel")
def test_a_pack_is_accounted_for_and_never_above_its_budget(open_page: Opener, api: httpx.Client) -> None:
    page = open_page("?graph=demo&view=ask")
    page.get_by_label("What do you need to know?").fill("a client who is catastrophizing")
    page.keyboard.press("Enter")
    loaded = page.get_by_role("list", name="Loaded notes").locator("> li")
    for budget in (6000, 900, 0):
        page.get_by_label("Token budget as a number").fill(str(budget))
        asked = {"graphId": "demo", "query": "a client who is catastrophizing", "tokenBudget": budget}
        answer = api.post("/context", json=asked).json()
        nodes = [node for node in answer["contextPack"]["nodes"] if node["level"] > 1]
        figures = page.get_by_label("Account of the pack")
        expect(figures).to_contain_text(f"of {budget:,}")
        expect(figures).to_contain_text(f"{answer['telemetry']['coveragePercent']:g} %")
        expect(loaded).to_have_count(len(nodes))
        tokens = [int(item.get_attribute("data-tokens") or "") for item in loaded.all()]
        assert tokens == [node["tokens"] for node in nodes]
        assert sum(tokens) == answer["telemetry"]["tokensUsed"] <= budget
        expect(page.locator(".token-bar [title]")).to_have_count(len(nodes) + 1)
        for item, node in zip(loaded.all(), nodes, strict=True):
            expect(item).to_contain_text(node["reason"])
            expect(item.locator(".score")).to_have_text(str(node["score"]))


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ask-panel")
def test_the_budget_slider_asks_again_and_the_map_shows_what_was_taken(
    open_page: Opener,
) -> None:
    page = open_page("?graph=demo&view=ask", reduced_motion="reduce")
    expect(page.locator("[data-settled=true]")).to_be_visible()
    before = page.locator(".map-canvas").screenshot()
    page.get_by_label("What do you need to know?").fill("worry")
    page.get_by_role("button", name="Pack", exact=True).click()
    expect(page.get_by_label("Account of the pack")).to_contain_text("of 6,000")
    assert page.locator(".map-canvas").screenshot() != before
    page.get_by_label("Token budget", exact=True).press("Home")
    expect(page.get_by_text("No note fits.")).to_be_visible()
    page.get_by_label("Token budget", exact=True).press("End")
    expect(page.get_by_label("Account of the pack")).to_contain_text("of 200,000")


@pytest.mark.holds("graph.page.ask-panel")
def test_a_walk_starts_at_the_note_it_was_called_from(open_page: Opener, api: httpx.Client) -> None:
    page = open_page("?graph=demo&view=list&node=skill:cognitive-model")
    page.get_by_role("link", name="Walk from here").click()
    asked = {"graphId": "demo", "startNode": "skill:cognitive-model", "query": ""}
    walked = api.post("/traverse", json=asked).json()
    loaded = page.get_by_role("list", name="Loaded notes").locator("> li")
    expect(loaded).to_have_count(len(walked["path"]))
    expect(page.locator(".entry").get_by_role("link", name=walked["entryPoint"]["name"])).to_be_visible()
    unloaded = page.locator(".passed li")
    expect(unloaded).to_have_count(len(walked["unloaded"]))
    expect(page.locator(".passed summary")).to_have_text(f"Visited, not loaded {walked['telemetry']['nodesSkipped']}")


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ask-panel", "graph.telemetry.visited-list")
def test_every_visited_note_is_named_beside_the_pack(open_page: Opener, api: httpx.Client) -> None:
    asked = {"graphId": "demo", "query": "exposure", "visited": True}
    answer = api.post("/context", json=asked).json()
    shown = {node["id"] for node in answer["contextPack"]["nodes"]}
    others = [node for node in answer["visited"] if node not in shown]
    assert others
    page = open_page("?graph=demo&view=ask&query=exposure")
    page.locator(".passed summary").click()
    expect(page.locator(".passed summary")).to_have_text(f"Visited, not loaded {answer['telemetry']['nodesSkipped']}")
    expect(page.locator(".also-visited a")).to_have_count(len(others))


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ask-panel")
def test_the_pack_is_copied_whole(open_page: Opener, api: httpx.Client) -> None:
    page = open_page("?graph=demo&view=ask&query=exposure", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the pack").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    nodes = api.post("/context", json={"graphId": "demo", "query": "exposure"}).json()["contextPack"]["nodes"]
    for node in nodes:
        assert (node["content"] or "") in copied
