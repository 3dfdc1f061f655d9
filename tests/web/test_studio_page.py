"""The studio: a run as it was at any event, the board of a build, and what its work rests on."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.pace import PATIENCE
from tests.waits import eventually
from tests.web.session_visits import SessionServer, ask, form, output, steps
from tests.web.tabs import Tabs
from tests.web.test_builds_page import is_fit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHOWN = """() => {
    const shown = document.querySelector(".shown");
    return [Number(shown.dataset.seq), shown.textContent];
}"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionServer]:
    served = SessionServer(tmp_path_factory.mktemp("studio"), {"LORE_MODEL": "demo"}).start()
    yield served
    served.close()


def start_build(studio: SessionServer, spec: dict[str, Any]) -> str:
    session_id = str(httpx.post(f"{studio.address}/api/sessions", timeout=PATIENCE).json()["session_id"])
    started = httpx.post(f"{studio.address}/api/sessions/{session_id}/start", json={"spec": spec}, timeout=PATIENCE)
    assert started.status_code == 200, started.text
    return session_id


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / name).read_text("utf-8")))


def go_to_event(page: Page, number: int, last: int) -> None:
    """By the slider, as a person would."""
    page.get_by_role("slider", name="Event").fill(str(number))
    expect(page.locator(".shown")).to_have_attribute("data-seq", str(min(number, last)))


@pytest.mark.holds("page.studio.board", "page.studio.tasks", "page.studio.replay", "page.studio.again")
def test_a_board_program_is_followed_replayed_explained_and_played_with(tabs: Tabs, studio: SessionServer) -> None:
    session_id = start_build(studio, example("night-light.json"))
    page = tabs.make()
    page.goto(f"{studio.address}/studio/run/{session_id}")
    nodes = page.get_by_role("group", name="Tasks and what they wait for").get_by_role("button")
    expect(nodes).to_have_count(4)
    # What is drawn while it runs, taken with the number of the last event in it.
    live = dict(page.evaluate(SHOWN) for _ in range(3))
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    last = studio.get(f"/sessions/{session_id}")["last_seq"]
    expect(page.locator(".shown")).to_have_attribute("data-seq", str(last))
    live |= dict([page.evaluate(SHOWN)])
    for number, text in live.items():
        page.goto(f"{studio.address}/studio/run/{session_id}?at={number}")
        expect(page.locator(".shown")).to_have_attribute("data-seq", str(number))
        eventually(lambda text=text: page.evaluate(SHOWN)[1] == text, f"the page at event {number} as it was live")
    for number in (2, last // 3, last // 2):
        go_to_event(page, number, last)
        _, moved_to = page.evaluate(SHOWN)
        assert page.url.endswith(f"?at={number}")
        page.reload()
        expect(page.locator(".shown")).to_have_attribute("data-seq", str(number))
        eventually(
            lambda moved_to=moved_to: page.evaluate(SHOWN)[1] == moved_to, f"the same after a reload at {number}"
        )
    page.get_by_role("combobox", name="Speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".shown")).to_have_attribute("data-seq", str(last))

    nodes.first.click()
    sheet = page.get_by_role("complementary")
    expect(sheet.get_by_role("heading", name="What this rests on")).to_be_visible()
    expect(sheet).to_contain_text("It read no notes, memories or skills.")
    address = page.url
    assert "task=" in address
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.goto(address)
    expect(sheet).to_be_visible()
    page.goto(f"{studio.address}/studio/run/{session_id}")

    board = page.get_by_role("region", name="Board")
    expect(board).to_contain_text("No board is connected")
    board.get_by_role("button", name="Simulate it").click()
    expect(board.get_by_role("log")).to_contain_text("ready")
    lamp = board.get_by_role("img", name="lamp is off")
    expect(lamp).to_be_visible()
    board.get_by_role("button", name="Press switch, pin 0").click()
    expect(board.get_by_role("img", name="lamp is on")).to_be_visible()
    board.get_by_role("button", name="Press switch, pin 0").press("Enter")
    expect(lamp).to_be_visible()
    expect(board.get_by_role("log")).to_contain_text("on\noff")
    is_fit(page)


@pytest.mark.holds("page.studio.given", "page.studio.outline", "page.studio.needs-you", "page.studio.again")
def test_a_plan_shows_what_is_to_come_what_was_passed_by_and_what_it_remembers(
    tabs: Tabs, studio: SessionServer
) -> None:
    inside = [output("deep", "Deep {{way}}")]
    branch = {"id": "sea", "type": "branch", "contextKey": "way", "matchValue": "Left", "thenSteps": inside}
    plan = (
        {"id": "who", "type": "set_context", "key": "who", "value": "Ada"},
        ask("way", "Which way, {{who}}?", "Left", "Right"),
        branch,
        output("end", "{{who}} went {{way}}."),
    )
    session_id = studio.run("A walk", *plan)
    given = studio.get(f"/sessions/{session_id}/given")
    assert [step["id"] for step in given["plan"]["steps"]] == ["who", "way", "sea", "end"]
    page = tabs.make()
    page.goto(f"{studio.address}/studio/run/{session_id}")
    tray = page.get_by_role("region", name="Needs you")
    expect(tray).to_contain_text("Which way, Ada?")
    words = ["completed: who", "waits for an answer: way", "to come: sea", "to come: deep", "to come: end"]
    for number, text in enumerate(words):
        expect(steps(page).nth(number)).to_contain_text(text)
    remembered = page.get_by_role("region", name="Remembered")
    expect(remembered).to_contain_text("whoAda")
    is_fit(page)
    form(page, "way").get_by_label("Right").check()
    form(page, "way").get_by_role("button", name="Answer").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("Ada went Right.")
    expect(tray).to_have_count(0)
    expect(steps(page).nth(3)).to_contain_text("not taken: deep")
    expect(remembered).to_contain_text("wayRight")
    # As it was when it asked: the card can be read, and answers nothing.
    asked = next(
        event["seq"]
        for event in studio.get(f"/sessions/{session_id}/events")["events"]
        if event["type"] == "skill_question"
    )
    go_to_event(page, asked, 10**6)
    expect(form(page, "way").get_by_role("button", name="Answer")).to_be_disabled()
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Run again").click()
    expect(form(page, "way")).to_be_visible()
    assert not page.url.endswith(session_id)
