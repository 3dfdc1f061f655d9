"""The page of builds: from a wish to a preview, with the demo model on a real server."""

import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.model_server import Asked, Turn, call, running_model_server, say
from tests.pace import PATIENCE, STRETCH, slowness
from tests.web.looking import findings_in
from tests.web.session_visits import SessionServer
from tests.web.tabs import Tabs
from tests.work.builds.build_desk import planned, task, wrote

A_MINUTE = 60_000
WATCH_SHIFTS = """window.shifted = 0;
new PerformanceObserver((seen) => {
  for (const shift of seen.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
}).observe({type: "layout-shift", buffered: true})"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionServer]:
    served = SessionServer(tmp_path_factory.mktemp("builds"), {"LORE_MODEL": "demo"}).start()
    yield served
    served.close()


def start_example(page: Page, address: str, goal: str) -> None:
    page.goto(f"{address}/sessions")
    page.get_by_role("button", name="Build something").first.click()
    page.get_by_role("group", name="Examples").get_by_role("button", name=goal).click()
    page.get_by_role("button", name="Build it").click()
    expect(page.get_by_role("heading", name=goal, level=1)).to_be_visible()


def told(page: Page) -> str:
    """All that the page says of a build that is over, once it has said the last of it aloud."""
    expect(page.locator("main > [aria-live=polite]")).to_have_text("The session is done.")
    return page.get_by_role("main").aria_snapshot()


def is_fit(page: Page) -> None:
    """In both schemes, on a phone: nothing is wider than the screen, and nothing serious keeps anybody out."""
    page.set_viewport_size({"width": 390, "height": 844})
    assert findings_in(page, "light", "dark") == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.holds(
    "build.page.start", "build.page.live", "build.page.fold", "build.page.preview", "build.page.next",
    "build.page.accessible", "page.studio.demo",
)  # fmt: skip
def test_a_stranger_builds_a_game_and_wishes_for_more(tabs: Tabs, builds: SessionServer) -> None:
    game = tabs.make()
    game.add_init_script(WATCH_SHIFTS)
    game.goto(f"{builds.address}/studio")
    game.get_by_role("button", name="Try the demo").click()
    begun = time.monotonic()
    expect(game.get_by_role("heading", name="Catch the star", level=1)).to_be_visible()
    tasks = game.get_by_role("list", name="Tasks").get_by_role("listitem")
    expect(tasks).to_have_count(4)
    game.reload()
    expect(tasks).to_have_count(4)

    frame = game.locator("iframe")
    expect(frame).to_be_visible(timeout=A_MINUTE * STRETCH)
    assert time.monotonic() - begun < 60 * slowness(time.monotonic), "from the click to a preview"
    assert frame.get_attribute("sandbox") == "allow-scripts"
    assert frame.get_attribute("title") == "Preview: Catch the star"
    shown = game.frame_locator("iframe")
    expect(shown.get_by_role("heading")).to_have_text("Catch the star")
    shown.get_by_role("button", name="the star").press("Enter")
    expect(shown.locator("#score")).to_have_text("1")
    expect(game.get_by_role("region", name="Result")).to_contain_text("4 of 4 tasks are done")
    expect(game.get_by_role("list", name="Tests").get_by_role("listitem")).to_have_count(2)
    expect(game.get_by_role("list", name="Team")).to_contain_text("finished")
    remembered = tasks.first.get_by_role("link", name="remembered")
    assert str(remembered.get_attribute("href")).startswith("/memory?m="), "each task says what is kept of it"
    expect(game.get_by_role("region", name="Narrator")).to_contain_text("finished")
    expect(game.get_by_role("list", name="Cards")).to_contain_text("The tests pass")
    expect(game.locator(".tokens")).to_contain_text("of 500,000 tokens")
    assert game.evaluate("window.shifted") < 0.05, "what comes has its place kept, and pushes nothing away"
    is_fit(game)
    before = told(game)
    game.reload()
    expect(game.get_by_role("region", name="Result")).to_be_visible()
    assert told(game) == before

    with game.expect_download() as downloading:
        game.get_by_role("button", name="Download as ZIP").click()
    assert downloading.value.suggested_filename == "catch-the-star.zip"
    assert "index.html" in zipfile.ZipFile(downloading.value.path()).namelist()
    game.get_by_role("textbox", name="Continue with what is there").fill("Make the star bigger")
    game.get_by_role("button", name="Continue", exact=True).click()
    expect(game.get_by_role("heading", name="Make the star bigger", level=1)).to_be_visible()
    expect(tasks.first).to_be_visible()
    game.get_by_role("button", name="Stop").click()
    game.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(game.get_by_role("region", name="Stopped")).to_be_visible()
    game.get_by_role("link", name="All sessions").click()
    rows = game.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(rows.nth(0)).to_have_text(re.compile("Make the star bigger.*Stopped"))
    expect(rows.nth(1)).to_have_text(re.compile("Catch the star.*Done"))


@pytest.mark.holds("build.page.gates", "build.page.accessible", "page.studio.needs-you")
def test_two_people_look_at_a_website_and_what_one_decides_is_decided_for_both(
    tabs: Tabs, builds: SessionServer
) -> None:
    site = tabs.make(reduced_motion="reduce")
    start_example(site, builds.address, "The garden club's website")
    other = tabs.make(reduced_motion="reduce")
    other.goto(site.url)
    gate = site.get_by_role("form", name="Does the page look right so far?")
    expect(gate).to_be_visible()
    expect(other.get_by_role("button", name="Approve")).to_be_visible()
    expect(site.frame_locator(".preview iframe").get_by_role("heading")).to_have_text("The garden club's website")
    expect(site.get_by_role("list", name="Phases").locator("[aria-current=step]")).to_contain_text("waits for you")
    at_its_task = site.get_by_role("list", name="Tasks").get_by_role("listitem").filter(has_text="look right so far?")
    at_its_task.get_by_role("button", name="Go to its card").click()
    expect(gate.get_by_role("textbox")).to_be_focused()
    is_fit(site)
    gate.get_by_role("textbox").fill("More flowers")
    gate.get_by_role("button", name="Reject").click()
    expect(other.get_by_role("button", name="Approve")).to_have_count(0)
    expect(other.get_by_role("list", name="Decided")).to_contain_text("Rejected: More flowers")
    other.close()
    changed = site.get_by_role("list", name="Tasks").get_by_role("listitem")
    expect(changed.filter(has_text="revision")).to_have_count(1)
    stopped = httpx.post(f"{builds.address}/api/sessions/{site.url.rpartition('/')[2]}/stop", timeout=PATIENCE)
    assert stopped.status_code == 200, stopped.text


@pytest.mark.lengthy
@pytest.mark.holds("build.page.gates")
def test_what_was_rejected_is_done_over_and_what_is_continued_has_something_to_show(
    tabs: Tabs, builds: SessionServer
) -> None:
    site = tabs.make(reduced_motion="reduce")
    start_example(site, builds.address, "The garden club's website")
    gate = site.get_by_role("form", name="Does the page look right so far?")
    gate.get_by_role("textbox").fill("More flowers")
    gate.get_by_role("button", name="Reject").click()
    expect(site.get_by_role("region", name="Result")).to_be_visible(timeout=A_MINUTE * STRETCH)
    expect(site.get_by_role("list", name="Checked before")).to_contain_text("checked: No full names")

    # What was continued had something to show before its own first commit, then and now.
    site.get_by_role("textbox", name="Continue with what is there").fill("The garden club's website")
    site.get_by_role("button", name="Continue", exact=True).click()
    expect(site.get_by_role("button", name="Approve")).to_be_visible(timeout=A_MINUTE * STRETCH)
    expect(site.get_by_role("heading", name="So far")).to_be_visible()
    asked = site.locator(".shown").get_attribute("data-seq")
    site.get_by_role("button", name="Approve").click()
    expect(site.get_by_role("region", name="Result")).to_be_visible(timeout=A_MINUTE * STRETCH)
    site.goto(f"{site.url}?at={asked}")
    expect(site.get_by_role("heading", name="So far")).to_be_visible()
    expect(site.frame_locator(".preview iframe").get_by_role("heading")).to_have_text("The garden club's website")


def asks_and_is_refused(asked: Asked) -> Turn:
    """A planner of one task, and an agent that tries what it may not, then asks, then is done."""
    purpose = asked.headers["x-lore-purpose"]
    if purpose == "plan":
        return planned(task("one"))
    if purpose == "narrate":
        return call(("final_result", {"text": "Once upon a time.", "mood": "excited"}))
    if not wrote(asked):
        return call(("run_command", {"argv": ["sudo", "reboot"]}))
    if "Which sky?" not in asked.text:
        question = {"question": "Which sky?", "header": "Sky", "options": [{"label": "Red"}, {"label": "Blue"}]}
        return call(("ask_user", {"questions": [question]}))
    return say("The sky is painted.")


@pytest.mark.holds("build.page.live", "build.page.gates")
def test_what_an_agent_was_refused_and_what_it_asks_is_shown_at_its_task(tabs: Tabs, tmp_path: Path) -> None:
    with running_model_server() as model:
        model.script(*[asks_and_is_refused] * 100)
        settings = {"ANTHROPIC_API_KEY": "sk-x", "ANTHROPIC_BASE_URL": model.base_url, "NO_PROXY": "127.0.0.1"}
        served = SessionServer(tmp_path, settings).start()
        try:
            session_id = httpx.post(f"{served.address}/api/sessions", timeout=PATIENCE).json()["session_id"]
            page = tabs.take()
            page.goto(f"{served.address}/sessions/{session_id}")
            expect(page.get_by_text("This build waits for its start.")).to_be_visible()
            start = {"spec": {"project": {"goal": "<b>A sky</b>"}, "colour": "blue"}}
            httpx.post(f"{served.address}/api/sessions/{session_id}/start", json=start, timeout=PATIENCE)
            expect(page.get_by_role("heading", name="<b>A sky</b>", level=1)).to_be_visible()
            expect(page.get_by_role("list", name="Warnings and troubles")).to_contain_text("colour")
            one = page.get_by_role("list", name="Tasks").get_by_role("listitem")
            expect(one).to_contain_text(re.compile("Make one.*waits for you.*denied command", re.DOTALL))
            expect(page.get_by_role("list", name="Team")).to_contain_text("waits for you")
            question = page.get_by_role("form", name="Question of task one")
            question.get_by_label("Blue").check()
            question.get_by_role("button", name="Answer").click()
            expect(one).to_contain_text("The sky is painted.")
            expect(question).to_have_count(0)
            expect(page.get_by_role("region", name="Result")).to_contain_text("The task is done")
        finally:
            served.close()
