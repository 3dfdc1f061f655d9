"""The studio: a run as it was at any event, the board of a build, and what its work rests on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.examples import DEEP
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
# What a run says; the frame of what it made is no part of its log, nor is what somebody has not sent yet.
SAID = """const said = (shown) => {
    const copy = shown.cloneNode(true);
    for (const other of copy.querySelectorAll(".preview, textarea")) other.remove();
    return copy.textContent;
};"""
# Everything that is drawn of a run, as it is followed: by the number of the last event in it.
FOLLOWED = f"""
    window.followed = {{}};
    {SAID}
    new MutationObserver(() => {{
        const shown = document.querySelector(".shown");
        if (shown) followed[shown.dataset.seq] = said(shown);
    }}).observe(document, {{subtree: true, childList: true, characterData: true, attributes: true}});
"""
# What is drawn at events, gone to one after the other; and which of every tenth show something else, opened anew.
# A short run goes to every fifth, and to as many that were followed live.
STEP = 1 if DEEP else 5
AT_EVERY_EVENT = (
    f"async ([path, numbers]) => {{ {SAID}"
    + """
    const shown = () => document.querySelector(".shown");
    const until = async (holds) => {
        for (const end = performance.now() + 30_000; !holds() && performance.now() < end;) {
            await new Promise((go) => setTimeout(go));
        }
        return holds();
    };
    const go = (to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
    };
    const drawn = {}, different = [];
    for (const number of numbers) {
        go(`${path}?at=${number}`);
        await until(() => shown().dataset.seq === String(number));
        drawn[number] = said(shown());
    }
    for (const number of numbers.filter((_, place) => place % 10 === 0)) {
        go("/studio");
        await until(() => !shown());
        go(`${path}?at=${number}`);
        if (!(await until(() => shown() && said(shown()) === drawn[number]))) different.push(number);
    }
    return [drawn, different];
}"""
)
LIGHTS = """() => Object.fromEntries(
    [...document.querySelectorAll(".lit [data-light]")].map(({dataset}) => [dataset.id, dataset.light]))"""


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


def same_at_every_event(page: Page, path: str, last: int) -> None:
    """What was drawn while the log came is what is drawn of it afterwards, also where it is opened anew."""
    followed = page.evaluate("followed")
    followed.pop(str(last), None)  # the end has doors besides what the log tells: it looks for a board
    assert followed
    compared = dict(list(followed.items())[::STEP])
    numbers = sorted({*range(1, last + 1, STEP), *map(int, compared)})
    drawn, different = page.evaluate(AT_EVERY_EVENT, [path, numbers])
    assert different == [], "opened anew at these events, the page shows something else"
    for number, text in compared.items():
        # What somebody has sent off is no part of the log until it is there.
        assert drawn[number] in (text, text.replace("Sent…", "Approve"), text.replace("Sent…", "Answer")), number


def lights(page: Page) -> dict[str, str]:
    return dict(page.evaluate(LIGHTS))


@pytest.mark.lengthy(1)
@pytest.mark.holds("page.studio.blocks")
@pytest.mark.parametrize("shown", ["json", ""])
def test_on_a_phone_a_plan_is_begun_with_another(tabs: Tabs, studio: SessionServer, shown: str) -> None:
    page = tabs.take(viewport={"width": 390, "height": 844})
    page.goto(f"{studio.address}/studio/plan/new?kind=plan&as={shown}")
    starter = page.get_by_role("group", name="Begin with").get_by_role("button", name="A tiny adventure")
    starter.scroll_into_view_if_needed()
    row, button = (part.bounding_box() for part in (page.get_by_role("group", name="Begin with"), starter))
    assert row is not None
    assert button is not None
    assert row["height"] >= button["height"] > 30
    starter.click()
    expect(page.get_by_role("heading", name="A tiny adventure", level=1)).to_be_visible()


@pytest.mark.holds("page.studio.designs")
def test_what_another_design_takes_the_place_of_is_one_undo_away(
    tabs: Tabs, studio: SessionServer, tmp_path: Path
) -> None:
    page = tabs.take()
    page.goto(f"{studio.address}/studio/plan/new?kind=plan")
    starters = page.get_by_role("group", name="Begin with")
    title = page.get_by_role("heading", level=1)
    undo = page.get_by_role("region", name="What was done").get_by_role("button", name="Undo")
    starters.get_by_role("button", name="Plan a picnic").click()
    expect(title).to_have_text("Plan a picnic")
    expect(undo).to_have_count(0)  # nothing was there
    starters.get_by_role("button", name="A tiny adventure").click()
    expect(title).to_have_text("A tiny adventure")
    expect(page.get_by_role("navigation", name="Where you are")).to_contain_text("A tiny adventure")
    undo.click()
    expect(title).to_have_text("Plan a picnic")
    expect(undo).to_have_count(0)
    brought = tmp_path / "brought.json"
    brought.write_text(json.dumps({"skillName": "Brought", "steps": [output("say", "Hello.")]}), "utf-8")
    page.locator("input[type=file]").set_input_files(brought)
    expect(title).to_have_text("Brought")
    undo.click()
    expect(page).to_have_title(re.compile("Plan a picnic · Studio"))


@pytest.mark.lengthy
@pytest.mark.holds("page.studio.lossless", "page.studio.blocks")
def test_a_plan_written_as_json_opens_as_blocks_as_it_is_now(tabs: Tabs, studio: SessionServer) -> None:
    page = tabs.take()
    for name in ("Water the plants", "Feed the cat"):
        page.goto(f"{studio.address}/studio")
        page.get_by_role("button", name="Run a plan").click()
        page.get_by_role("textbox", name="Plan").fill(
            json.dumps({"skillName": name, "steps": [output("say", f"{name}, please.")]})
        )
        page.get_by_role("button", name="Open as blocks").click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect(page.locator(".studio-canvas").get_by_text(f"{name}, please.")).to_be_visible()
        # What is changed there is kept for the tab, and is in nobody's way when another text is opened.
        page.get_by_role("button", name="JSON").click()
        kept = page.get_by_role("textbox", name="Plan")
        kept.fill(kept.input_value().replace(name, f"{name} twice"))
        page.get_by_role("button", name="Blocks").click()
        expect(page.get_by_role("heading", name=f"{name} twice", level=1)).to_be_visible()


@pytest.mark.holds(
    "page.studio.board", "page.studio.tasks", "page.studio.replay", "page.studio.again", "page.studio.lights"
)  # fmt: skip
def test_a_board_program_is_followed_replayed_explained_and_played_with(tabs: Tabs, studio: SessionServer) -> None:
    spec = example("night-light.json")
    session_id = start_build(studio, {**spec, "workflow": {**spec["workflow"], "human_gates": ["Is it wired?"]}})
    path = f"/studio/run/{session_id}"
    page = tabs.make()
    page.add_init_script(FOLLOWED)
    page.goto(f"{studio.address}{path}")
    nodes = page.get_by_role("group", name="Tasks and what they wait for").get_by_role("button")
    expect(nodes).to_have_count(4)
    gate = page.get_by_role("region", name="Needs you").get_by_role("form", name="Is it wired?")
    gate.get_by_role("textbox").fill("Pin 2 it is")
    gate.get_by_role("button", name="Approve").click()
    expect(gate).to_have_count(0)
    expect(page.get_by_role("list", name="Decided")).to_contain_text("Approved: Pin 2 it is")
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    expect(page.frame_locator("iframe").get_by_role("button", name="Press")).to_be_visible()
    last = studio.get(f"/sessions/{session_id}")["last_seq"]
    expect(page.locator(".shown")).to_have_attribute("data-seq", str(last))
    same_at_every_event(page, path, last)
    for number in (2, last // 2):
        go_to_event(page, number, last)
        _, moved_to = page.evaluate(SHOWN)
        assert page.url.endswith(f"?at={number}")
        page.reload()
        expect(page.locator(".shown")).to_have_attribute("data-seq", str(number))
        eventually(
            lambda moved_to=moved_to: page.evaluate(SHOWN)[1] == moved_to, f"the same after a reload at {number}"
        )
    # The blocks of the spec, lit: at the first task, after a reload there, and at the end.
    page.get_by_role("group", name="Shown as").get_by_role("button", name="Blocks").click()
    begun = next(
        event["seq"]
        for event in studio.get(f"/sessions/{session_id}/events")["events"]
        if event["type"] == "task_started"
    )
    go_to_event(page, begun, last)
    eventually(lambda: "working" in (lit := lights(page)).values() and "done" not in lit.values(), "blocks at work")
    lit = lights(page)
    page.reload()
    eventually(lambda: lights(page) == lit, "the same blocks lit after a reload")
    page.get_by_role("button", name="To the end").click()
    eventually(lambda: set(lights(page).values()) == {"done"}, "all blocks done")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("group", name="Shown as").get_by_role("button", name="List").click()
    page.get_by_role("combobox", name="Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
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
    # What the board said is as much of the log as the build.
    heard = range(last + 1, studio.get(f"/sessions/{session_id}")["last_seq"], STEP)
    _, different = page.evaluate(AT_EVERY_EVENT, [path, list(heard)])
    assert different == [], "opened anew at these events, the board shows something else"


@pytest.mark.holds(
    "page.studio.given", "page.studio.outline", "page.studio.needs-you", "page.studio.again", "page.studio.lights"
)  # fmt: skip
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
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{studio.address}/studio/run/{session_id}")
    tray = page.get_by_role("region", name="Needs you")
    expect(tray).to_contain_text("Which way, Ada?")
    words = ["completed: who", "waits for an answer: way", "to come: sea", "to come: deep", "to come: end"]
    for number, text in enumerate(words):
        expect(steps(page).nth(number)).to_contain_text(text)
    expect(steps(page).nth(2)).to_contain_text("if way is “Left”")
    steps(page).nth(1).get_by_role("button", name="Go to its card").click()
    expect(form(page, "way").get_by_label("Left")).to_be_focused()
    remembered = page.get_by_role("region", name="Remembered")
    expect(remembered).to_contain_text("whoAda")
    # The same as blocks, which are loaded when they are asked for, and light up as the run goes on.
    assert not any("/blockly/" in url or "LitBlocks" in url for url in loaded)
    page.get_by_role("group", name="Shown as").get_by_role("button", name="Blocks").click()
    asking = {f"block-{number}": "to come" for number in range(1, 7)}
    asking |= {"block-1": "waits for you", "block-2": "done", "block-3": "waits for you"}
    eventually(lambda: lights(page) == asking, "the question's block, lit")
    is_fit(page)
    form(page, "way").get_by_label("Right").check()
    form(page, "way").get_by_role("button", name="Answer").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("Ada went Right.")
    expect(tray).to_have_count(0)
    expect(remembered).to_contain_text("wayRight")
    over = {f"block-{number}": "done" for number in range(1, 7)} | {"block-5": "skipped"}
    eventually(lambda: lights(page) == over, "blocks that are done, and one that was passed by")
    # As it was when it asked: the card can be read, and answers nothing.
    asked = next(
        event["seq"]
        for event in studio.get(f"/sessions/{session_id}/events")["events"]
        if event["type"] == "skill_question"
    )
    go_to_event(page, asked, 10**6)
    expect(form(page, "way").get_by_role("button", name="Answer")).to_be_disabled()
    eventually(lambda: lights(page) == asking, "the blocks as they were when it asked")
    page.reload()
    eventually(lambda: lights(page) == asking, "the same after a reload")
    # Where they cannot be loaded, the list is shown instead.
    page.route(re.compile("LitBlocks"), lambda route: route.abort())
    page.reload()
    expect(steps(page).nth(1)).to_contain_text("waits for an answer: way")
    expect(page.get_by_text("The blocks cannot be shown here.")).to_be_visible()
    page.get_by_role("group", name="Shown as").get_by_role("button", name="List").click()
    page.get_by_role("button", name="To the end").click()
    expect(steps(page).nth(3)).to_contain_text("not taken: deep")
    page.get_by_role("button", name="Run again").click()
    expect(form(page, "way")).to_be_visible()
    assert not page.url.endswith(session_id)


def drag(page: Page, block: Locator, x: float, y: float) -> None:
    """From the shelf to a place of the window, as a hand does it."""
    found = block.bounding_box()
    assert found is not None
    page.mouse.move(found["x"] + 12, found["y"] + 14)
    page.mouse.down()
    page.mouse.move(x - 40, y + 30, steps=4)
    page.mouse.move(x, y, steps=4)
    page.mouse.up()


@pytest.mark.holds(
    "page.studio.blocks", "page.studio.lossless", "page.studio.designs", "page.studio.design-list",
    "page.studio.crash", "page.studio.fork",
)  # fmt: skip
def test_a_plan_from_blocks_is_run_answered_after_a_crash_replayed_and_forked(tabs: Tabs, tmp_path: Path) -> None:
    studio = SessionServer(tmp_path, {"LORE_MODEL": "none"}).start()
    try:
        page = tabs.make()
        page.add_init_script(FOLLOWED)
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda request: heard.append(request.url) if studio.address not in request.url else None)
        page.goto(f"{studio.address}/studio/plan/new?kind=plan")
        start = page.locator(".blocklyBlockCanvas > .blocklyDraggable").last
        expect(page.get_by_text("Plan called").first).to_be_visible()
        shelf = page.locator(".blocklyFlyout .blocklyBlockCanvas > .blocklyDraggable")
        expect(shelf.first).to_be_visible()
        place = start.bounding_box()
        assert place is not None
        drag(page, shelf.nth(1), place["x"] + 26, place["y"] + 52)  # a question, inside the plan
        drag(page, shelf.nth(0), place["x"] + 500, place["y"] + 300)  # a block beside it
        expect(page.get_by_text("One block is loose")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("One block is loose")).to_have_count(0)
        page.get_by_text("Ask the question").last.click()
        page.get_by_role("button", name="Edit the block").click()
        sheet = page.get_by_role("complementary")
        sheet.get_by_label("the question").fill("Which way?")
        sheet.get_by_label("choices, with commas").fill("Left, Right")
        sheet.get_by_label("remember as").fill("way")
        sheet.get_by_label("in short").fill("Way")
        page.get_by_role("button", name="JSON").click()
        text = page.get_by_role("textbox", name="Plan", exact=True)
        plan = json.loads(text.input_value())
        [asked] = plan["plan"]["steps"]
        assert asked == {
            "id": "way", "type": "ask_user", "question": "Which way?", "header": "Way",
            "options": ["Left", "Right"], "storeAs": "way",
        }  # fmt: skip
        plan["plan"]["steps"].append({**output("end", "You went {{way}}."), "colour": {"mine": [1]}})
        text.fill(json.dumps(plan))
        page.get_by_role("button", name="Blocks").click()
        expect(page.get_by_text("You went {{way}}.").last).to_be_visible()
        page.get_by_role("button", name="Save").click()
        expect(page).to_have_url(re.compile("/studio/plan/my-plan-"))
        page.reload()
        expect(page.get_by_text("You went {{way}}.").last).to_be_visible()
        # Another browser finds it, too.
        other = tabs.make()
        other.goto(f"{studio.address}/studio")
        other.get_by_role("list", name="Saved designs").get_by_role("link").click()
        expect(other).to_have_url(page.url)
        expect(other.get_by_text("You went {{way}}.").last).to_be_visible()
        other.close()
        page.get_by_role("button", name="JSON").click()
        assert json.loads(text.input_value()) == plan
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Export").click()
        exported = Path(downloading.value.path()).read_bytes()
        assert json.loads(exported) == plan
        text.fill('{"plan": {"skillName": "Another", "steps": []}}')
        chosen = {"name": "plan.json", "mimeType": "application/json", "buffer": exported}
        page.locator("input[type=file]").set_input_files(chosen)  # type: ignore[arg-type]
        expect(text).to_have_value(re.compile("Which way"))
        assert json.loads(text.input_value()) == plan
        is_fit(page)
        run = page.get_by_role("button", name="Run", exact=True)
        at = run.bounding_box()
        assert at is not None
        assert at["x"] + at["width"] <= 390, "on a phone nothing of it is cut"
        page.get_by_role("button", name="Blocks").click()
        expect(page.get_by_role("button", name="Larger")).to_be_visible()
        expect(page.locator(".blocklyTrash, .blocklyZoom")).to_have_count(0)  # they would lie over the blocks
        page.set_viewport_size({"width": 1280, "height": 800})

        run.click()
        expect(form(page, "way")).to_be_visible()
        form(page, "way").get_by_label("Right").check()
        studio.kill()
        expect(page.get_by_role("banner").get_by_text("offline, trying again")).to_be_visible()
        studio.start()
        expect(page.get_by_text("trying again")).to_have_count(0)
        form(page, "way").get_by_role("button", name="Answer").click()
        expect(page.get_by_role("region", name="Result")).to_contain_text("You went Right.")
        run_id = page.url.rpartition("/")[2]
        same_at_every_event(page, f"/studio/run/{run_id}", studio.get(f"/sessions/{run_id}")["last_seq"])
        page.goto(f"{studio.address}/studio/run/{run_id}")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport()
        page.get_by_role("button", name="Replay").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        page.get_by_role("link", name="Fork from here").click()
        expect(page.get_by_text("You went {{way}}.").last).to_be_visible()
        page.get_by_role("button", name="JSON").click()
        forked = json.loads(text.input_value())["plan"]["steps"]
        assert forked[0] == {"id": "way", "type": "set_context", "key": "way", "value": "Right"}
        assert [each for each in heard if "ERR_CONNECTION" not in each and "WebSocket" not in each] == []
    finally:
        studio.close()


@pytest.mark.lengthy
@pytest.mark.holds("page.studio.blocks")
def test_a_fault_is_at_its_block(tabs: Tabs, studio: SessionServer) -> None:
    page = tabs.make()
    page.goto(f"{studio.address}/studio/plan/new?kind=build")
    expect(page.get_by_text("Build what").first).to_be_visible()
    is_fit(page)
    page.get_by_role("button", name="Build it").click()
    expect(page.get_by_role("alert")).to_contain_text("project.goal must not be empty")
    expect(
        page.locator(".blocklyBlockCanvas .blocklyWarningIcon, .blocklyBlockCanvas .blocklyIconGroup")
    ).to_be_visible()


@pytest.mark.holds("page.studio.blocks")
def test_blocks_that_lack_what_they_need_are_not_run(tabs: Tabs, studio: SessionServer) -> None:
    page = tabs.take()
    page.goto(f"{studio.address}/studio/plan/new?kind=plan")
    shelf = page.locator(".blocklyFlyout .blocklyBlockCanvas > .blocklyDraggable")
    expect(shelf.first).to_be_visible()
    place = page.locator(".blocklyBlockCanvas > .blocklyDraggable").last.bounding_box()
    assert place is not None
    drag(page, shelf.filter(has_text="Ask the").first, place["x"] + 26, place["y"] + 52)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("“Ask” lacks a question and a name to remember the answer as.")
    bubble = page.locator(".blocklyBubbleCanvas").get_by_text("Lacks a question")
    expect(bubble).to_be_visible()
    expect(page.locator(".blocklyActiveFocus")).to_have_count(1)
    page.get_by_role("button", name="Edit the block").click()
    sheet = page.get_by_role("complementary")
    sheet.get_by_label("the question").fill("Which way?")
    expect(page.get_by_role("alert")).to_contain_text("“Ask” lacks a name to remember the answer as.")
    sheet.get_by_label("remember as").fill("way")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(bubble).to_have_count(0)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(form(page, "way")).to_contain_text("Which way?")
