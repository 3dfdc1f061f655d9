"""The place of routes: a map of skills, a walk through it, and the walk kept as a test."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests import forked
from tests.faces.routed_desk import DESK, desk_folder
from tests.faces.served import LORE
from tests.model_server import Asked, Turn, call, running_model_server, say
from tests.pace import PATIENCE
from tests.web.conftest import Watch
from tests.web.looking import findings_in
from tests.web.session_visits import SessionServer
from tests.web.tabs import Tabs
from tests.work.builds.build_desk import planned, task

EXAMPLE = "routes/~refund-desk"
LOST = DESK["triage/SKILL.md"].replace("---\n\nAsk", "  skillgraph.routes: ghost\n---\n\nAsk")
HOSTILE = DESK["refunds/SKILL.md"] + "\n<img src=x onerror=alert(1)> [out](https://example.org)\n"


def keeps_nobody_out(page: Page) -> None:
    assert findings_in(page, "light", "dark") == {}


def card(page: Page, skill: str) -> Locator:
    return page.locator(f'[data-skill="{skill}"]')


@pytest.mark.holds(
    "routes.page.choose", "routes.page.walk", "routes.page.why", "routes.page.link", "routes.page.save",
    "routes.page.marks",
)  # fmt: skip
def test_a_stranger_simulates_a_route_and_saves_the_test(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page("routes", reduced_motion="reduce")
    expect(page.get_by_role("listitem").filter(has_text="demo")).to_contain_text("links only")
    page.get_by_role("link", name="Refund desk").click()
    page.get_by_role("group", name="For example").get_by_role("button", name="I was charged twice").click()
    page.get_by_role("button", name="Start", exact=True).click()
    told = page.locator(".walk-words")
    expect(told).to_contain_text("Starts in “refunds”: the message has “refund” or “charged”")
    expect(card(page, "refunds")).to_have_accessible_name(re.compile("refunds .*: the walk is here, entry"))
    expect(card(page, "house-style")).to_have_accessible_name(re.compile(": can be picked, 1 problem"))

    # A result of no tool is no step: what was written stays.
    page.get_by_role("textbox", name="and this result").fill('{"amount": 100.01}')
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Name the tool that returned this")
    expect(page.get_by_role("textbox", name="and this result")).to_have_value('{"amount": 100.01}')
    expect(told).to_contain_text("Starts in")
    page.get_by_role("group", name="Tools that rules here wait for").get_by_role("button", name="issue_refund").click()
    expect(page.get_by_role("combobox", name="with status")).to_have_value("denied")
    page.get_by_role("textbox", name="and this result").fill('{"amount": 40}')
    page.get_by_role("button", name="Step", exact=True).click()
    expect(told).to_have_text("Stays in “refunds”: no rule holds.")
    expect(page.get_by_role("combobox", name="with status"), "all of the form is empty again").to_have_value("success")
    why = page.get_by_role("table", name="Edges that this step looked at").get_by_role("row")
    expect(why.filter(has_text="amount is 40, and must be > 100")).to_contain_text("no match")
    expect(why.filter(has_text="@is_angry is answered no")).to_have_count(1)

    # Back, and on another way: what came after is gone.
    page.get_by_role("button", name="Step back").click()
    expect(told).to_contain_text("Starts in")
    page.get_by_role("group", name="Tools that rules here wait for").get_by_role("button", name="issue_refund").click()
    page.get_by_label("@is_angry").check()
    page.get_by_role("button", name="Step", exact=True).click()
    expect(told).to_contain_text("Goes to “escalation”: @is_angry is answered yes.")
    expect(why.filter(has_text="20 before 10")).to_contain_text("beaten")
    expect(page.locator(".way-label.won")).to_have_text("@is_angry")
    expect(card(page, "escalation")).to_have_accessible_name(re.compile(": the walk is here, end"))

    # Somebody else opens the link; the slider goes through the trace.
    other = open_page(page.url.split("/", 3)[3])
    expect(other.locator(".walk-words")).to_contain_text("Goes to “escalation”")
    other.get_by_role("slider", name="Step shown").fill("1")
    expect(other.locator(".walk-words")).to_contain_text("Starts in “refunds”")
    shown = other.url
    other.reload()
    expect(other.locator(".walk-words")).to_contain_text("Starts in “refunds”")
    assert other.url == shown

    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as test").click()
    saved = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(saved)
    steps = json.loads(saved.read_text("utf-8"))["steps"]
    assert [step["expect"] for step in steps] == [
        {"skill": "refunds", "by": "entry"},
        {"skill": "escalation", "by": "route"},
    ]
    desk = Path(__file__).resolve().parents[2] / "examples" / "refund-desk"
    forked.run([*LORE, "route", "replay", saved, desk], check=True, capture_output=True)
    other.get_by_label("A saved test").set_input_files(saved)
    expect(other.get_by_text("The test holds: every step leads where it did.")).to_be_visible()
    # Written to and opened once more.
    saved.write_text(saved.read_text("utf-8").replace('"refunds"', '"triage"'), "utf-8")
    other.get_by_label("A saved test").set_input_files(saved)
    expect(other.get_by_text("The test fails at step 1.")).to_be_visible()
    saved.write_text('{"steps": [{"toolResults": "issue_refund"}]}', "utf-8")
    other.get_by_label("A saved test").set_input_files(saved)
    expect(other.get_by_text("Step 1 of this file is no step of a walk.")).to_be_visible()


@pytest.mark.holds("routes.page.check", "routes.page.skill", "routes.page.folder", "routes.page.hostile")
def test_a_folder_is_dropped_its_problems_lead_to_their_places_and_nothing_in_it_is_markup(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    for path, text in {**DESK, "triage/SKILL.md": LOST, "refunds/SKILL.md": HOSTILE}.items():
        (tmp_path / "desk" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "desk" / path).write_text(text, encoding="utf-8")
    page = open_page("routes/~folder")
    expect(page.get_by_text("Drop it again")).to_be_visible()
    page.get_by_label("A folder of skills").set_input_files(tmp_path / "desk")
    expect(page.get_by_role("heading", name="desk", level=1)).to_be_visible()
    expect(page.get_by_text("There is no such skill.")).to_be_visible()
    page.get_by_role("tab", name="Check-up").click()
    problems = page.get_by_role("list", name="Problems").get_by_role("listitem")
    expect(problems.first).to_contain_text("triage/SKILL.md:7")
    problems.first.get_by_role("button").click()
    rule = page.get_by_role("complementary", name="triage → ghost")
    expect(rule).to_contain_text("triage/SKILL.md:7")
    page.reload()  # the folder stays in the tab, and the address says what is open
    expect(rule).to_be_visible()

    card(page, "refunds").click()
    skill = page.get_by_role("complementary", name="refunds")
    expect(skill).to_contain_text("<img src=x onerror=alert(1)> out")
    assert skill.locator("img, a").count() == 0
    expect(skill).to_contain_text("lookup_order")
    skill.get_by_role("button", name="As file").click()
    expect(skill.locator("pre")).to_contain_text("skillgraph.entry")
    skill.get_by_role("button", name="As text").click()
    skill.get_by_role("button", name="glossary", exact=True).last.click()
    expect(page.get_by_role("complementary", name="glossary")).to_contain_text("Who routes here 2")
    page.go_back()
    expect(skill).to_be_visible()


@pytest.mark.holds("routes.page.keys", "routes.page.twin", "routes.page.fits")
def test_everything_goes_by_keyboard_and_fits_a_phone_in_both_schemes(open_page: Callable[..., Page]) -> None:
    page = open_page(EXAMPLE)
    first = card(page, "refunds")
    expect(first).to_be_visible()
    first.focus()
    page.keyboard.press("ArrowRight")
    on_end = page.locator("[data-skill]:focus")
    assert on_end.get_attribute("data-skill") in ("escalation", "house-style", "receipts")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-skill]:focus")).to_have_attribute("data-skill", "order-status")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="order-status")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="order-status")).to_have_count(0)
    for key in ("+", "-", "0", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.get_by_role("textbox", name="What the user says").focus()
    page.keyboard.type("Where is my parcel?")
    page.keyboard.press("Enter")
    expect(page.locator(".walk-words")).to_contain_text("Starts in “order-status”")
    page.get_by_role("combobox", name="A tool returns").focus()
    page.keyboard.type("track_parcel")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="As text").press("Enter")
    twin = page.get_by_role("region", name="The map as a table").get_by_role("row")
    expect(twin.filter(has_text="Say where a parcel is")).to_contain_text("the walk is here, entry")
    expect(twin.filter(has_text="Start").first).to_contain_text("no entry before it fits")

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url + "&skill=refunds")
    expect(page.get_by_role("complementary", name="refunds")).to_contain_text("What it says")
    keeps_nobody_out(page)
    page.keyboard.press("Escape")
    for tab in ("Check-up", "Try it"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, tab
    keeps_nobody_out(page)
    page.get_by_role("link", name="other graphs").click()
    expect(page.get_by_role("link", name="demo")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    keeps_nobody_out(page)
    # What is said of every other skill is said once, and the rest of it folded away.
    page.get_by_role("link", name="demo").click()
    page.get_by_role("tab", name="Check-up").click()
    page.get_by_text(re.compile(r"^\d+ more of the same kind$")).click()
    expect(page.get_by_role("list", name="Problems").get_by_role("listitem").nth(10)).to_be_visible()


@pytest.mark.holds("routes.page.gone")
def test_a_graph_that_is_not_there_is_said_in_words(open_page: Callable[..., Page], watch: Watch, server: str) -> None:
    assert httpx.post(f"{server}/api/route/graph", json={"graphId": "nobody"}).status_code == 404
    page = open_page("routes/nobody")
    expect(page.get_by_role("main")).to_contain_text("There is no graph called “nobody”")
    expect(page.get_by_role("link", name="Choose another graph")).to_be_visible()
    watch.forgive("404")


def opens_the_glossary(asked: Asked) -> Turn:
    """A planner of one task, and an agent that opens a skill and is done."""
    purpose = asked.headers["x-lore-purpose"]
    if purpose == "plan":
        return planned(task("one"))
    if purpose == "narrate":
        return call(("final_result", {"text": "Once upon a time.", "mood": "excited"}))
    return say("Done.") if "Words." in asked.text else call(("read_skill", {"id": "glossary"}))


@pytest.mark.holds("routes.page.live")
def test_the_map_marks_what_a_build_has_opened(tabs: Tabs, tmp_path: Path) -> None:
    """A server of its own with a model that is scripted: builds start processes, and take their seconds."""
    with running_model_server() as model:
        model.script(*[opens_the_glossary] * 50)
        settings = {"ANTHROPIC_API_KEY": "sk-x", "ANTHROPIC_BASE_URL": model.base_url, "NO_PROXY": "127.0.0.1"}
        folder = desk_folder(tmp_path / "desk")
        command = [*LORE, "ingest", folder, "--name", "desk", "--data", tmp_path / "data"]
        forked.run(command, check=True, capture_output=True)
        served = SessionServer(tmp_path / "data", settings).start()
        try:
            sessions = f"{served.address}/api/sessions"
            session_id = httpx.post(sessions, timeout=PATIENCE).json()["session_id"]
            page = tabs.take()
            page.goto(f"{served.address}/routes/desk?session={session_id}")
            expect(page.get_by_text("The session has opened no skill yet.")).to_be_visible()
            start = {"spec": {"project": {"goal": "Give a refund"}, "knowledge": {"graphId": "desk"}}}
            httpx.post(f"{sessions}/{session_id}/start", json=start, timeout=PATIENCE).raise_for_status()
            expect(page.get_by_text("The session went triage → glossary.")).to_be_visible()
            expect(card(page, "glossary")).to_have_accessible_name(re.compile("opened by the run"))
        finally:
            served.close()
