"""The place for asking: threads, citations, what an agent would read, and the box that finds everything."""

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.waits import eventually
from tests.web.conftest import running_server
from tests.web.tabs import Tabs
from tests.web.test_builds_page import is_fit

Opener = Callable[..., Page]
QUESTION = "How do I help somebody who catastrophizes?"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the demo graph and the model that needs no key."""
    with running_server(tmp_path_factory.mktemp("asked"), "--demo", LORE_MODEL="demo") as address:
        yield address


@pytest.fixture
def server(asked: str) -> str:
    return asked


def placed(address: str) -> int:
    told = httpx.get(f"{address}/api/skillgraph/places", params={"graphId": "demo"}).json()
    return len(told["places"])


@pytest.mark.holds(
    "page.asking.answer",
    "page.asking.citation",
    "page.asking.threads",
    "page.asking.pack",
    "page.asking.small-map",
    "page.everywhere.axe",
)
def test_a_question_is_answered_cited_followed_up_and_found_again(open_page: Opener, asked: str) -> None:
    page = open_page("g/demo/map")
    expect(page.locator("[data-settled=true]")).to_be_visible()
    eventually(lambda: placed(asked), "the map's places, whoever opened it first")
    page.get_by_role("link", name="Ask", exact=True).click()
    field = page.get_by_label("Your question")
    field.fill(QUESTION)
    field.press("Enter")
    turn = page.get_by_role("article", name=QUESTION)
    expect(turn).to_have_attribute("aria-busy", "false")
    cited = turn.get_by_role("list", name="Cited").get_by_role("listitem")
    expect(cited.first).to_be_visible()
    expect(turn.locator(".citation sup").first).to_have_text("1")
    expect(page).to_have_title(f"{QUESTION} · Ask · Loreweave")

    small = turn.get_by_role("img", name=re.compile("Where the cited notes stand"))
    expect(small.locator(".cited-note").first).to_be_visible()
    turn.locator(".citation").first.hover()
    expect(small.locator(".lit")).to_have_count(1)
    turn.locator(".citation").first.click()
    inspector = page.get_by_role("complementary")
    expect(inspector.get_by_role("article")).to_be_visible()
    expect(inspector.locator(".reached")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/ask/[0-9a-f-]{36}\?source=0\.\d+$"))
    page.reload()  # the address is all there is to it
    expect(turn.locator(".citation").first).to_be_visible()
    expect(inspector.locator(".reached")).to_be_visible()
    page.keyboard.press("Escape")
    expect(inspector).to_have_count(0)

    turn.get_by_text("What an agent would read for this").click()
    expect(turn.get_by_text(re.compile(r"^Read \d+ of 24 notes · [\d,]+ of 6,000 tokens$"))).to_be_visible()
    expect(turn.get_by_role("list", name="Loaded notes").get_by_role("listitem").first).to_be_in_viewport()
    is_fit(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    turn.get_by_label("Walk").check()
    expect(page).to_have_url(re.compile(r"\?read=0&how=traverse$"))
    page.reload()
    expect(turn.get_by_label("Walk")).to_be_checked()
    page.go_back()
    expect(turn.get_by_label("Walk")).to_be_hidden()
    page.go_forward()
    expect(turn.get_by_label("Walk")).to_be_checked()
    turn.get_by_text("What an agent would read for this").click()
    expect(page).to_have_url(re.compile(r"/ask/[0-9a-f-]{36}\?how=traverse$"))

    page.get_by_label("Ask a follow-up").fill("And what else?")
    page.get_by_role("button", name="Ask", exact=True).click()
    second = page.get_by_role("article", name="And what else?")
    expect(second).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="New question").click()
    expect(page.get_by_role("heading", name="Ask demo")).to_be_visible()
    page.get_by_role("navigation", name="Conversations").get_by_role("link", name=QUESTION).click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("button", name=f"Delete “{QUESTION}”").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("button", name=f"Delete “{QUESTION}”").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page).to_have_url(f"{asked}/ask")
    expect(page.get_by_role("link", name=QUESTION)).to_have_count(0)


@pytest.mark.lengthy
@pytest.mark.holds("page.shell.faults")
def test_a_question_that_did_not_reach_the_server_is_asked_again_when_it_is_back(tabs: Tabs, server: str) -> None:
    page = tabs.make()
    page.goto(f"{server}/ask?graph=demo")
    expect(page.get_by_role("heading", name="Ask demo")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    turn = page.get_by_role("article", name=QUESTION)
    expect(turn.get_by_role("alert")).to_contain_text("The server did not answer")
    page.context.set_offline(False)
    turn.get_by_role("button", name="Ask again").click()
    expect(turn.get_by_role("list", name="Cited")).to_be_visible()


@pytest.mark.lengthy
@pytest.mark.holds("page.asking.answer", "page.asking.citation")
def test_the_space_that_is_named_is_the_one_that_answers(
    open_page: Opener, asked: str, api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    """Neither the first of the list nor any other, where nobody chose; and conversations say which one answered."""
    other = {"query": "Why?", "answer": "Because.", "mode": "answer", "model": "demo", "sources": [], "unverified": []}
    api.post(f"{asked}/api/chat/threads/{uuid.uuid4()}", json={"number": 0, "graphId": "demo", "turn": other})
    notes = {"zebras.md": "# Zebras\n\nZebras eat the grass of the plains, and little besides it.\n"}
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("zoo.zip", zipped(notes))})
    try:
        page = open_page("ask")
        expect(page.get_by_role("heading", name="Ask zoo")).to_be_visible()
        page.get_by_label("Your question").fill("What do zebras eat?")
        page.get_by_role("button", name="Ask", exact=True).click()
        turn = page.get_by_role("article", name="What do zebras eat?")
        expect(turn).to_contain_text("Zebras eat the grass of the plains, and little besides it.")
        expect(page.get_by_role("main")).to_contain_text("From zoo")
        before = page.get_by_role("navigation", name="Conversations")
        expect(before.get_by_role("link", name="What do zebras eat?")).to_contain_text("zoo")
        expect(before.get_by_role("link", name="Why?")).to_contain_text("demo")
        turn.locator(".citation").first.click()
        expect(page.get_by_role("complementary").get_by_role("article")).to_contain_text("grass of the plains")
        page.go_back()
        expect(page.get_by_role("complementary")).to_have_count(0)
        expect(turn).to_be_visible()
    finally:
        api.delete("/graphs/zoo")


@pytest.mark.holds("page.shell.find")
def test_one_box_finds_notes_sections_sessions_and_actions_and_asks(open_page: Opener, asked: str) -> None:
    page = open_page("g/demo/list")
    page.keyboard.press("Control+k")
    box = page.locator("lore-ask").get_by_role("combobox")
    rows = page.locator("lore-ask").get_by_role("option")
    box.fill("Thought Records")
    expect(rows.first).to_contain_text("Thought Records")
    groups = page.locator(".group-head")
    expect(groups.first).to_have_text("Notes")
    expect(groups.filter(has_text="Sections")).to_have_count(1)
    box.press("Enter")
    expect(page.get_by_role("complementary", name="Thought Records")).to_be_visible()
    page.keyboard.press("Control+k")
    box.fill("> trash")
    expect(rows).to_have_count(1)
    box.press("Enter")
    expect(page).to_have_url(f"{asked}/memory/trash")
    page.keyboard.press("Control+k")
    box.fill("?what is grounding")
    box.press("Enter")
    expect(page.get_by_role("article", name="what is grounding")).to_have_attribute("aria-busy", "false")


@pytest.mark.holds("page.asking.nothing", "page.shell.nowhere")
def test_nonsense_and_unknown_addresses_are_said(open_page: Opener, asked: str, watch: Any) -> None:
    page = open_page("ask?q=xyzzyplugh+quuxfrob+zzyzx")
    turn = page.get_by_role("article", name="xyzzyplugh quuxfrob zzyzx")
    expect(turn).to_have_attribute("aria-busy", "false")
    expect(turn).to_contain_text("Nothing that is known here speaks of this")
    expect(turn.get_by_text("Look at").get_by_role("link").first).to_be_visible()
    assert page.goto(f"{asked}/nowhere").status == 404  # type: ignore[union-attr]
    expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    page.get_by_role("link", name="Go to the library").click()
    expect(page).to_have_url(f"{asked}/")
    watch.forgive("the server responded with a status of 404")


@pytest.mark.holds("page.shell.keys", "page.shell.inspector", "page.shell.model")
def test_keys_colours_and_the_ways_out_of_a_note(open_page: Opener, asked: str) -> None:
    page = open_page(
        "g/demo/list?n=thought-records&tab=full",  # as a person may write it
        permissions=["clipboard-read", "clipboard-write"],
        color_scheme="light",
    )
    inspector = page.get_by_role("complementary", name="Thought Records")
    expect(page.locator("tr[aria-current=true]")).to_contain_text("Thought Records")
    expect(inspector.get_by_role("article").get_by_role("heading", name="When to use")).to_be_visible()
    inspector.get_by_role("button", name="Copy for an agent").click()
    expect(inspector.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("# Thought Records (skill:thought-records)\n\n")
    wide = inspector.bounding_box()
    edge = inspector.get_by_role("separator", name="Width of the inspector")
    edge.focus()
    page.keyboard.press("ArrowLeft")
    assert wide is not None
    expect(edge).to_have_attribute("aria-valuenow", str(round(wide["width"]) + 24))
    inspector.get_by_role("link", name="As a page").click()
    expect(page).to_have_url(f"{asked}/g/demo/read/thought-records")

    page.get_by_role("button", name="Colours: as the system has it").click()
    page.get_by_role("button", name="Colours: light").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("find or ask")
    page.keyboard.press("Escape")
    expect(page.get_by_role("banner")).to_contain_text("demo")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("banner").get_by_text("demo", exact=True).last).to_be_visible()
