"""The page of sessions: run a plan, watch it live, answer, stop, delete; whatever breaks meanwhile."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests import forked
from tests.faces.served import LORE
from tests.model_server import ModelServer, call, running_model_server, say
from tests.waits import eventually
from tests.web.session_visits import SessionServer, ask, composite, form, output, steps
from tests.web.tabs import Tabs

Opener = Callable[..., Page]

SHIFTS = """
    window.moved = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) moved += entry.value;
    }).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture(scope="module")
def kept_sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionServer]:
    served = SessionServer(tmp_path_factory.mktemp("sessions"), {"LORE_MODEL": "demo"}).start()
    yield served
    served.close()


@pytest.fixture
def sessions(kept_sessions: SessionServer) -> Iterator[SessionServer]:
    """Of what a test leaves nothing waits: that would come first in the next one's list, and be told in every title."""
    yield kept_sessions
    waiting = [session["id"] for session in kept_sessions.get("/sessions") if session["waits"]]
    for session_id in waiting:
        httpx.post(f"{kept_sessions.address}/api/sessions/{session_id}/stop")
    eventually(lambda: not any(session["waits"] for session in kept_sessions.get("/sessions")), "that nothing waits")


@pytest.fixture
def server(sessions: SessionServer) -> str:
    """Where the house's `open_page` opens its pages."""
    return sessions.address


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., SessionServer]]:
    started: list[SessionServer] = []

    def start(**settings: str) -> SessionServer:
        started.append(SessionServer(tmp_path, settings).start())
        return started[-1]

    yield start
    for each in started:
        each.close()


def plan_field(page: Page) -> Any:
    return page.get_by_role("textbox", name="Plan", exact=True)


def open_whole(page: Page, aloud: str, events: int) -> None:
    """The page of a session with its log opened, once it has said the last of it aloud and has drawn all of it."""
    expect(page.locator("main > [aria-live=polite]")).to_contain_text(aloud)
    page.locator("details.raw").evaluate("(details) => { details.open = true; }")
    expect(page.get_by_role("list", name="Events").get_by_role("listitem")).to_have_count(events)


@pytest.mark.holds("session.page.list", "session.page.run", "session.page.questions", "session.page.live")
def test_the_example_plan_runs_from_an_empty_list_to_its_result(
    tabs: Tabs, own_server: Callable[..., SessionServer]
) -> None:
    served = own_server(LORE_MODEL="none")
    page = tabs.take()
    page.goto(f"{served.address}/sessions")
    expect(page.get_by_text("No session yet.")).to_be_visible()
    page.get_by_role("button", name="Run a plan").click()
    expect(plan_field(page)).to_be_focused()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("heading", name="Plan a picnic")).to_be_visible()
    [session] = served.get("/sessions")
    assert page.url == f"{served.address}/studio/run/{session['id']}"
    page.get_by_label("Rain").check()
    page.get_by_role("button", name="Answer").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Rain on Saturday: we meet in the greenhouse.")
    expect(steps(page)).to_have_count(5)
    expect(steps(page).nth(3)).to_have_attribute("aria-level", "2")
    page.get_by_role("link", name="All sessions").click()
    entry = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(entry).to_have_count(1)
    expect(entry).to_contain_text("Plan a picnic")
    expect(entry).to_contain_text("Plan")
    expect(entry).to_contain_text("Done")
    expect(entry.locator("time")).to_have_attribute("datetime", session["created_at"])


@pytest.mark.holds("session.page.list")
def test_sessions_are_listed_newest_first_with_what_became_of_them(open_page: Opener, sessions: SessionServer) -> None:
    sessions.run("An early one", output("say", "x"))
    stopped = sessions.run("A stopped one", ask("wait"))
    httpx.post(f"{sessions.address}/api/sessions/{stopped}/stop")
    sessions.run("A failing one", {"id": "call", "type": "invoke_skill", "skillId": "nobody", "storeAs": "x"})
    httpx.post(f"{sessions.address}/api/sessions")
    page = open_page("sessions")
    rows = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    listed = ["Build without a goal yet", "A failing one", "A stopped one", "An early one"]
    for number, (name, word) in enumerate(zip(listed, ["Not started", "Failed", "Stopped", "Done"], strict=True)):
        expect(rows.nth(number)).to_contain_text(name)
        expect(rows.nth(number)).to_contain_text(word)
    late = sessions.run("Started elsewhere", ask("wait"))
    expect(rows.first).to_contain_text("Started elsewhere")
    expect(rows.first).to_contain_text("Waits for an answer")
    httpx.post(f"{sessions.address}/api/sessions/{late}/stop")
    expect(rows.first).to_contain_text("Stopped")


@pytest.mark.lengthy
@pytest.mark.holds("session.page.list")
def test_a_list_that_was_refused_for_once_is_asked_for_again(tabs: Tabs, sessions: SessionServer) -> None:
    page = tabs.make()  # its clock is wound
    page.clock.install()
    page.goto(f"{sessions.address}/sessions")
    rows = page.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(page.get_by_role("button", name="Run a plan")).to_be_visible()
    page.route("**/api/sessions*", lambda route: route.fulfill(status=429, json={"error": "Too many.", "code": "x"}))
    page.clock.run_for(5_000)
    expect(page.get_by_role("alert")).to_contain_text("Too many.")
    page.unroute_all()
    sessions.run("After the rush", output("say", "x"))
    page.clock.run_for(10_000)
    expect(rows.first).to_contain_text("After the rush")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.holds("session.page.run")
def test_a_refused_plan_shows_each_fault_at_its_field(open_page: Opener, watch: Any) -> None:
    page = open_page("sessions")
    page.get_by_role("button", name="Run a plan").click()
    good = plan_field(page).input_value()
    plan_field(page).fill(good.replace('"branch"', '"brunch"').replace('"header": "Weather",', ""))
    page.keyboard.press("Control+Enter")
    faults = page.get_by_role("alert").get_by_role("listitem")
    expect(faults).to_have_text([re.compile("^plan.steps.1.header"), re.compile("^plan.steps.2.type must be one of")])
    expect(plan_field(page)).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="plan.steps.2.type").click()
    expect(plan_field(page)).to_be_focused()
    marked = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert plan_field(page).evaluate(marked) == '"brunch"'
    plan_field(page).fill('{\n  "skillName": oops\n}')
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This is no JSON: look at line 2, column 16.")
    page.reload()
    page.get_by_role("button", name="Run a plan").click()
    expect(plan_field(page)).to_have_value('{\n  "skillName": oops\n}')
    page.get_by_role("button", name="Back to the example").click()
    expect(plan_field(page)).to_have_value(good)
    watch.forgive("the server responded with a status of 400")


@pytest.mark.holds("session.page.live", "session.page.inert")
def test_skills_inside_skills_are_a_readable_tree_with_all_that_was_said(
    open_page: Opener, sessions: SessionServer
) -> None:
    letter = composite(
        "letter",
        "Write a letter",
        {"type": "skill_run_agent", "id": "draft", "fields": {"PROMPT": "a <i>warm</i> line", "STORE_AS": "d"}},
        {"type": "skill_output", "id": "say", "fields": {"TEMPLATE": "{{d}}"}},
    )
    hostile = "<img src=x onerror=\"document.title='taken'\"> {{letter}}"
    session_id = sessions.run(
        "<b>Bold</b> & brave",
        {"id": "write", "type": "invoke_skill", "skillId": "letter", "storeAs": "letter"},
        output("<u>last</u>", hostile),
        skills=(letter,),
    )
    page = open_page(f"sessions/{session_id}")
    expect(page.get_by_role("heading", name="<b>Bold</b> & brave")).to_be_visible()
    expect(page.get_by_role("region", name="Result")).to_contain_text("<img src=x onerror=")
    expect(steps(page)).to_have_count(5)
    levels = steps(page).evaluate_all("rows => rows.map((row) => row.getAttribute('aria-level'))")
    assert levels == ["1", "2", "3", "3", "1"]
    for row, name in enumerate(["write", "Write a letter", "draft", "say", "<u>last</u>"]):
        expect(steps(page).nth(row)).to_contain_text(f"completed: {name}")
    expect(steps(page).nth(2)).to_contain_text("The demo model was asked: a <i>warm</i> line")
    spent = sessions.get(f"/sessions/{session_id}")["tokens"]
    assert spent["total_tokens"] > 0
    expect(steps(page).nth(2)).to_contain_text(f"{spent['total_tokens']:,} tokens")
    expect(page.locator("main")).to_contain_text(f"{spent['total_tokens']:,} of {spent['max_budget']:,} tokens")
    assert page.locator("main img, main i, main u").count() == 0
    assert page.title() == "<b>Bold</b> & brave · Studio · Loreweave"
    page.get_by_text("Events", exact=False).last.click()
    lines = page.get_by_role("list", name="Events").get_by_role("listitem")
    expect(lines).to_have_count(sessions.get(f"/sessions/{session_id}")["last_seq"])
    expect(lines.last).to_contain_text("skill_completed")


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with running_model_server() as running:
        yield running


@pytest.mark.holds("session.page.live", "session.page.questions")
def test_what_agents_were_allowed_and_what_they_ask_is_shown_at_their_step(
    tabs: Tabs, own_server: Callable[..., SessionServer], model: ModelServer
) -> None:
    several = [
        {"question": "Which colours?", "header": "Colours", "options": ["Red", "Blue", "Green"], "multiSelect": True},
        {"question": "Which name?", "header": "Name"},
    ]
    model.script(
        call(("run_command", {"argv": ["sudo", "reboot"]})),
        call(("write_file", {"path": "note.txt", "content": "x"})),
        call(("ask_user", {"questions": several})),
        say("all is well"),
    )
    served = own_server(ANTHROPIC_API_KEY="sk-x", ANTHROPIC_BASE_URL=model.base_url, NO_PROXY="127.0.0.1")
    session_id = served.run("Work", {"id": "work", "type": "run_agent", "prompt": "do it", "storeAs": "x"})
    page = tabs.take()
    page.goto(f"{served.address}/sessions/{session_id}")
    question = form(page, "work")
    expect(question.get_by_role("group")).to_have_count(2)
    expect(steps(page)).to_contain_text(re.compile("denied command .+approved file write", re.DOTALL))
    question.get_by_role("button", name="Answer").click()
    expect(question.get_by_role("alert")).to_have_text("Choose an option, or write an answer.")
    question.get_by_label("Red").check()
    question.get_by_label("Green").check()
    question.get_by_role("group", name="Colours").get_by_label("or in your own words").fill("Ochre")
    question.get_by_label("Your answer").fill("Ada")
    question.get_by_role("button", name="Answer").click()
    expect(steps(page).first).to_contain_text("all is well")
    expect(question).to_have_count(0)
    for told in ("Red", "Green", "Ochre", "Ada"):
        assert told in model.asked[-1].text


@pytest.mark.holds("session.page.questions")
def test_a_question_answered_elsewhere_closes_by_itself(open_page: Opener, sessions: SessionServer) -> None:
    session_id = sessions.run("Asked twice", ask("one", "First?"), ask("two", "Second?", "a", "b"))
    pages = [open_page(f"sessions/{session_id}") for _ in range(2)]
    for page in pages:
        expect(form(page, "one")).to_be_visible()
    pages[0].get_by_label("Your answer").fill("half a thou")
    assert sessions.answer(session_id, "one", Choice="from elsewhere") == 200
    for page in pages:
        expect(form(page, "one")).to_have_count(0)
        expect(form(page, "two")).to_be_visible()
        expect(steps(page).first).to_contain_text("Answered: from elsewhere")
    pages[0].get_by_label("or in your own words").fill("my own")
    pages[0].get_by_role("button", name="Answer").click()
    for page in pages:
        expect(page.get_by_role("region", name="Result")).to_be_visible()


@pytest.mark.holds("session.page.questions")
def test_an_answer_that_came_second_is_told_so_and_the_question_stays_until_its_news_arrive(
    tabs: Tabs, sessions: SessionServer
) -> None:
    session_id = sessions.run("Raced", ask("one", "First?"))
    held: list[Callable[[], None]] = []

    def slow_line(line: WebSocketRoute) -> None:
        far = line.connect_to_server()
        far.on_message(
            lambda frame: held.append(partial(line.send, frame)) if held or "answered" in frame else line.send(frame)
        )

    page = tabs.make()
    page.route_web_socket(re.compile("/ws/session/"), slow_line)
    page.goto(f"{sessions.address}/sessions/{session_id}")
    expect(form(page, "one")).to_be_visible()
    assert sessions.answer(session_id, "one", Choice="faster") == 200
    page.get_by_label("Your answer").fill("mine")
    page.get_by_role("button", name="Answer").click()
    body = {"step_id": "one", "answers": {"Choice": "late"}}
    refused = httpx.post(f"{sessions.address}/api/skills/{session_id}/answer", json=body)
    assert refused.status_code == 409
    expect(form(page, "one").get_by_role("alert")).to_have_text(refused.json()["error"])
    expect(page.get_by_label("Your answer")).to_have_value("mine")
    for send in held:
        send()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    expect(page.get_by_role("form")).to_have_count(0)


@pytest.mark.holds("session.page.questions")
def test_a_question_that_nobody_answered_in_time_says_so(tabs: Tabs, own_server: Callable[..., SessionServer]) -> None:
    served = own_server(LORE_ASK_USER_TIMEOUT_S="1")
    session_id = served.run("Too late", ask("wait", "Anybody?"))
    page = tabs.take()
    page.goto(f"{served.address}/sessions/{session_id}")
    expect(steps(page)).to_contain_text("Nobody answered in time.")
    expect(steps(page)).to_contain_text("failed: wait")
    expect(page.get_by_role("region", name="What went wrong")).to_contain_text("in time")
    expect(page.get_by_role("form")).to_have_count(0)


@pytest.mark.holds("session.page.same-after-break")
def test_a_killed_server_and_a_reload_change_nothing_of_what_is_shown(
    tabs: Tabs, own_server: Callable[..., SessionServer]
) -> None:
    served = own_server(LORE_MODEL="none")
    session_id = served.run(
        "Survivor", output("first", "said before"), ask("go", "Go on?", "Yes"), output("end", "{{go}}!")
    )
    page = tabs.take()
    page.goto(f"{served.address}/sessions/{session_id}")
    page.get_by_label("Yes").check()
    served.kill()
    expect(page.get_by_role("banner").get_by_text("offline, trying again")).to_be_visible()
    expect(steps(page).first).to_contain_text("said before")
    served.start()
    expect(page.get_by_text("trying again")).to_have_count(0)
    expect(page.get_by_label("Yes")).to_be_checked()
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("Yes!")
    last_seq = served.get(f"/sessions/{session_id}")["last_seq"]
    open_whole(page, "The session is done.", last_seq)
    # The document's text, not the layout's: rows outside the window are drawn when they are scrolled to.
    followed = page.locator("main").text_content()
    assert followed is not None
    numbers = page.locator(".raw li .number").all_text_contents()
    assert numbers == [str(number) for number in range(1, last_seq + 1)]
    page.reload()
    open_whole(page, "The session is done.", last_seq)
    expect(page.locator("main")).to_have_text(followed)


@pytest.mark.holds("session.page.stop-delete", "session.page.live")
def test_stopping_asks_first_and_deleting_a_running_session_is_refused_in_the_servers_words(
    open_page: Opener, sessions: SessionServer, watch: Any
) -> None:
    session_id = sessions.run("Doomed", ask("wait", "Forever?"))
    page = open_page(f"sessions/{session_id}")
    expect(form(page, "wait")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete Doomed?")
    dialog.get_by_role("button", name="Delete").click()
    refused = httpx.delete(f"{sessions.address}/api/sessions/{session_id}")
    assert refused.status_code == 409
    expect(dialog.get_by_role("alert")).to_have_text(refused.json()["error"])
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("dialog", name="Stop Doomed?").get_by_role("button", name="Let it run").click()
    expect(page.get_by_role("button", name="Stop")).to_be_focused()
    assert sessions.get(f"/sessions/{session_id}")["state"] == "executing"
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("region", name="Stopped")).to_be_visible()
    expect(page.get_by_role("heading", name="Doomed")).to_be_focused()
    expect(steps(page)).to_contain_text("stopped: wait")
    expect(page.get_by_role("form")).to_have_count(0)
    assert sessions.get(f"/sessions/{session_id}")["outcome"] == "stopped"
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(f"{sessions.address}/studio")
    expect(page.get_by_role("link", name="Doomed")).to_have_count(0)
    assert httpx.get(f"{sessions.address}/api/sessions/{session_id}").status_code == 404
    watch.forgive("the server responded with a status of 409")


@pytest.mark.lengthy
@pytest.mark.holds("session.page.stop-delete")
def test_a_session_deleted_elsewhere_says_so_and_stays_readable(
    open_page: Opener, sessions: SessionServer, watch: Any
) -> None:
    session_id = sessions.run("Short-lived", output("say", "the last words"))
    page = open_page(f"sessions/{session_id}")
    expect(page.get_by_role("region", name="Result")).to_contain_text("the last words")
    assert httpx.delete(f"{sessions.address}/api/sessions/{session_id}").status_code == 200
    expect(page.get_by_text("This session was deleted.")).to_be_visible()
    expect(page.get_by_role("region", name="Result")).to_contain_text("the last words")
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    watch.forgive("the server responded with a status of 404")


@pytest.mark.holds("session.page.stop-delete")
def test_a_session_that_is_not_there_is_told_with_the_way_back(open_page: Opener, watch: Any) -> None:
    missing = "00000000-0000-4000-8000-000000000000"
    page = open_page(f"sessions/{missing}")
    expect(page.get_by_role("main")).to_contain_text("There is no run of that name in Studio.")
    expect(page.get_by_role("link", name="All sessions")).to_have_attribute("href", "/studio")
    watch.forgive("the server responded with a status of 404")


@pytest.mark.holds("session.page.copy")
def test_the_result_is_copied_to_the_letter(open_page: Opener, sessions: SessionServer) -> None:
    text = "two\n\n  lines & <b>more</b> " + "x" * 3_000
    session_id = sessions.run("Copied", output("say", text))
    page = open_page(f"sessions/{session_id}", permissions=["clipboard-read", "clipboard-write"])
    result = page.get_by_role("region", name="Result")
    expect(result).not_to_contain_text("x" * 2_000)
    result.get_by_role("button", name=f"Show all {len(text):,} characters").click()
    expect(result).to_contain_text("x" * 3_000)
    result.get_by_role("button", name="Copy the result").click()
    expect(result.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == text


@pytest.mark.holds("session.page.long")
def test_five_thousand_events_are_drawn_in_batches_and_move_nothing(tabs: Tabs, sessions: SessionServer) -> None:
    blocks = [
        {"type": "skill_set_context", "id": f"set-{number}", "fields": {"KEY": f"k{number}", "VALUE": "v"}}
        for number in range(49)
    ]
    calls = [
        {"id": f"call-{number}", "type": "invoke_skill", "skillId": "many", "storeAs": "x"} for number in range(49)
    ]
    session_id = sessions.run(
        "Many", *calls, ask("go", "Enough?", "Yes"), skills=(composite("many", "Many steps", *blocks),)
    )
    rows = 49 * 51 + 1
    eventually(lambda: sessions.get(f"/sessions/{session_id}")["questions"], "the question behind the many steps")
    page = tabs.make()
    page.add_init_script(SHIFTS)
    page.goto(f"{sessions.address}/sessions/{session_id}")
    expect(form(page, "go")).to_be_visible()
    assert sessions.get(f"/sessions/{session_id}")["last_seq"] > 4_900
    expect(page.get_by_text(f"300 of {rows:,} steps shown.")).to_be_visible()
    assert page.locator(".step").count() == 300
    assert page.evaluate("moved") < 0.01
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".step")).to_have_count(rows)
    page.get_by_label("or in your own words").fill("typed meanwhile")


@pytest.mark.holds("session.page.accessible")
def test_a_session_is_run_answered_and_left_with_the_keyboard_alone(open_page: Opener, sessions: SessionServer) -> None:
    page = open_page("sessions")
    page.get_by_role("button", name="Run a plan").focus()
    page.keyboard.press("Enter")
    expect(plan_field(page)).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Plan a picnic")).to_be_visible()
    expect(page.locator("main")).to_be_focused()
    live = page.locator("main > [aria-live=polite]")
    expect(live).to_have_text("A question: What will the sky do on Saturday?")
    for name in ("All sessions", "Stop", "Delete"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link" if "All" in name else "button", name=name)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Sunshine")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Rain")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Result")).to_contain_text("greenhouse")
    expect(page.get_by_role("heading", name="Plan a picnic")).to_be_focused()
    expect(live).to_have_text("The session is done.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Plan a picnic")).to_be_visible()
    page.get_by_role("link", name="Loreweave, the library").click()
    expect(page).to_have_url(f"{sessions.address}/")


@pytest.mark.holds("session.page.accessible")
def test_nothing_is_wider_than_the_screen_and_every_control_has_a_name(
    open_page: Opener, sessions: SessionServer
) -> None:
    long = "word" * 60
    session_id = sessions.run(
        f"A plan {long}"[:200], output(long[:200], long * 5), ask("wait", long, long, "b", header=long[:200])
    )
    page = open_page("sessions", reduced_motion="reduce")
    page.get_by_role("button", name="Run a plan").click()
    for address in ("sessions", f"sessions/{session_id}"):
        if address != "sessions":
            page.goto(f"{sessions.address}/{address}")
            expect(form(page, "wait")).to_be_visible()
            open_whole(page, "A question: word", sessions.get(f"/sessions/{session_id}")["last_seq"])
        for width, scheme in ((1280, "light"), (360, "dark"), (1280, "dark"), (360, "light")):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            brightness = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
            assert (brightness > 128) == (scheme == "light")
            assert page.evaluate("document.getAnimations().length") == 0
        kinds = "button|link|textbox|radio|checkbox|meter|progressbar|form|region"
        nameless = rf"^\s*- (?:{kinds})(?:$|:| \[).*"
        assert re.findall(nameless, page.locator("body").aria_snapshot(), re.MULTILINE) == []
    httpx.post(f"{sessions.address}/api/sessions/{session_id}/stop")
    expect(page.get_by_role("region", name="Stopped")).to_be_visible()


@pytest.mark.holds("session.page.token")
def test_a_session_is_followed_with_the_token_of_the_tab(
    tabs: Tabs, own_server: Callable[..., SessionServer], tmp_path: Path
) -> None:
    made = forked.run([*LORE, "token", "create", "--data", tmp_path], check=True, capture_output=True, text=True)
    served = own_server(LORE_AUTH="required")
    token = re.search(r'"token": ?"([^"]+)"', made.stdout)
    assert token is not None
    page = tabs.take()
    page.goto(f"{served.address}/sessions")
    page.get_by_label("Access token").fill(token[1])
    page.get_by_role("button", name="Use it in this tab").click()
    page.get_by_role("button", name="Run a plan").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_label("Sunshine").check()
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("under the old oak")


@pytest.mark.holds("session.page.house")
def test_the_page_says_what_this_server_cannot_do(tabs: Tabs, own_server: Callable[..., SessionServer]) -> None:
    served = own_server(LORE_MODEL="none", LORE_SANDBOX="off")
    page = tabs.take()
    page.goto(f"{served.address}/sessions")
    notes = page.get_by_role("list", name="About this server").get_by_role("listitem")
    expect(notes).to_have_text([re.compile("No model is set"), re.compile("no sandbox")])
    loud = page.get_by_role("main").locator("button.primary")
    expect(loud).to_have_text("Run a plan")
    expect(page.get_by_role("button", name="Try the demo")).to_have_count(0)
    expect(page.get_by_role("list", name="Ways to begin")).to_contain_text("LORE_MODEL=demo lore serve")


@pytest.mark.holds("build.page.no-model", "build.page.start")
def test_where_nothing_can_be_built_the_page_says_how_to_get_the_demo(
    tabs: Tabs, own_server: Callable[..., SessionServer]
) -> None:
    served = own_server(LORE_MODEL="none")
    page = tabs.take()
    page.goto(f"{served.address}/sessions")
    page.get_by_role("main").get_by_role("button", name="Build something").first.click()
    page.get_by_role("button", name="Build it").click()
    expect(page.get_by_role("alert")).to_contain_text("The goal must not be empty")
    page.get_by_role("button", name="Catch the star").click()
    page.get_by_role("button", name="Build it").click()
    expect(page.get_by_role("alert")).to_contain_text("LORE_MODEL=demo lore serve")
    page.get_by_text("The whole spec", exact=True).click()
    spec = page.get_by_role("textbox", name="Spec", exact=True)
    spec.fill(spec.input_value().replace('"builder"', '"bungler"', 1))
    spec.press("Control+Enter")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_contain_text("agents.0.role")
    page.get_by_role("alert").get_by_role("button", name="agents.0.role").click()
    assert spec.evaluate("(it) => it.value.slice(it.selectionStart, it.selectionEnd)") == '"bungler"'
    assert served.get("/sessions") == []
