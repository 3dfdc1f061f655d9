"""Killed at any moment, a session goes on as if nothing had happened."""

from pathlib import Path

import httpx
import pytest
from tests.examples import DEEP
from tests.journeys.session_server import (
    ANSWERS,
    EVERY_STEP,
    LAST,
    RESULT,
    SILENT,
    Json,
    SessionServer,
    agent_step,
    ask_step,
    await_asked,
    is_one_of,
    model_settings,
    output_step,
    plan_of,
    session_server,
    timeless,
    tools_then_text,
)
from tests.model_server import Asked, ModelServer, call, say

STRIDE = 1 if DEEP else 6  # events between two kills


@pytest.fixture
def environment(database_url: str, model_server: ModelServer) -> dict[str, str]:
    return {**model_settings(model_server), "LORE_DATABASE_URL": database_url}


class Story:
    """One session as its watcher sees it, through as many servers as it takes."""

    def __init__(self, model: ModelServer) -> None:
        self.log: list[Json] = []
        self._model = model
        self.rounds_seen: list[int] = []  # how many requests there had been when each round was told

    def watch(self, server: SessionServer, session_id: str, until_seq: int) -> None:
        """Until this number is seen, answering what is asked on the way."""
        with server.watched(session_id, len(self.log)) as next_event:
            while not (self.log and (is_one_of(self.log[-1], LAST) or len(self.log) >= until_seq)):
                self._answer(server, session_id)
                self.log.append(next_event())
                if self.log[-1]["type"] == "token_usage":
                    self.rounds_seen.append(len(self._model.asked))

    def _answer(self, server: SessionServer, session_id: str) -> None:
        if self.log and self.log[-1]["type"] == "skill_question":
            question = self.log[-1]
            (still_open,) = server.session(session_id)["questions"]
            assert still_open["question_id"] == question["question_id"]
            assert server.answer(session_id, question["step_id"], ANSWERS[question["step_id"]]).status_code == 200


def rounds(asked: list[Asked]) -> list[int]:
    """The number of the round to which each request belongs: the plan asks them one after the other."""
    order: list[tuple[str, str]] = []
    for each in asked:
        key = (each.headers["x-lore-task"], each.text)
        if key not in order:
            order.append(key)
    return [order.index((each.headers["x-lore-task"], each.text)) for each in asked]


@pytest.mark.timeout(600)  # a server is started for every kill
@pytest.mark.holds(
    "session.crash.every-event", "session.crash.rounds-once", "session.crash.open-question", "session.crash.numbered"
)
def test_killed_at_every_event_a_run_tells_what_it_would_have_told(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    model_server.script(*[tools_then_text] * 100)
    story = Story(model_server)
    session_id = ""
    kills = 0
    while not story.log or not is_one_of(story.log[-1], LAST):
        with session_server(tmp_path, **environment) as server:
            session_id = session_id or server.run(EVERY_STEP)
            story.watch(server, session_id, server.session(session_id)["last_seq"] + STRIDE)
            kills += 1
    asked = list(model_server.asked)
    with session_server(tmp_path, **environment) as server:
        assert server.events(session_id) == story.log
        view = server.session(session_id)
        undisturbed = Story(model_server)
        other = server.run(EVERY_STEP)
        undisturbed.watch(server, other, 1_000)
        assert timeless(story.log, session_id) == timeless(undisturbed.log, other)
        assert view["tokens"] == server.session(other)["tokens"]
    assert kills >= 8 // STRIDE  # events written together are seen together
    assert [event["seq"] for event in story.log] == list(range(1, len(story.log) + 1))
    assert (view["outcome"], view["skill"]["result"], view["questions"]) == ("success", RESULT, [])
    assert len(set(rounds(asked))) == len(undisturbed.rounds_seen)
    for number, requests_before in enumerate(story.rounds_seen):
        assert all(later > number for later in rounds(asked)[requests_before:])


@pytest.mark.holds("session.crash.round-under-way")
def test_a_request_under_way_is_made_again_once(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    model_server.script(SILENT, say("heard"))
    with session_server(tmp_path, **environment) as server:
        session_id = server.run(plan_of(agent_step(), output_step("{{agent}}")))
        await_asked(model_server)
    with session_server(tmp_path, **environment) as server:
        server.watch_until(session_id, *LAST)
        view = server.session(session_id)
    assert view["skill"]["result"] == "heard"
    assert view["tokens"]["total_tokens"] == 18
    assert len(model_server.asked) == 2


@pytest.mark.holds("session.crash.rounds-once")
def test_a_finished_command_is_not_run_again(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    script = "with open('times.txt', 'a') as times: times.write('once\\n')"
    model_server.script(
        call(("write_file", {"path": "count.py", "content": script})),
        call(("run_command", {"argv": ["python", "count.py"]})),
        SILENT,
        call(("read_file", {"path": "times.txt"})),
        say("counted"),
    )
    with session_server(tmp_path, **environment) as server:
        session_id = server.run(plan_of(agent_step(), output_step("{{agent}}")))
        await_asked(model_server, 3)
    with session_server(tmp_path, **environment) as server:
        assert server.watch_until(session_id, *LAST)[-1]["result"] == "counted"
    assert len(model_server.asked) == 5
    assert model_server.asked[2].text == model_server.asked[3].text
    assert model_server.asked[4].text.count("once\\n") == model_server.asked[3].text.count("once\\n") + 1


@pytest.mark.holds("session.crash.created")
def test_a_session_that_was_written_down_is_run_though_nobody_heard_of_it(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    doomed = session_server(tmp_path, **environment, LORE_FAILPOINT="session.created")
    with doomed as server, pytest.raises(httpx.TransportError):
        server.run(plan_of(output_step("never lost")))
    with session_server(tmp_path, **environment) as server:
        (found,) = server.get("/api/sessions")
        log = server.watch_until(found["id"], *LAST)
        assert log[-1]["result"] == "never lost"
        assert len(server.get("/api/sessions")) == 1


@pytest.mark.holds("session.crash.answered")
def test_an_answer_that_was_written_down_counts_though_nobody_was_told(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with session_server(tmp_path, **environment, LORE_FAILPOINT="session.answered") as server:
        session_id = server.run(plan_of(ask_step(), output_step("{{ask}}")))
        server.watch_until(session_id, "skill_question")
        with pytest.raises(httpx.TransportError):
            server.answer(session_id, "ask", "first")
    with session_server(tmp_path, **environment) as server:
        refusal = server.answer(session_id, "ask", "second")
        assert refusal.status_code == 409
        log = server.watch_until(session_id, *LAST)
        assert log[-1]["result"] == "first"
        assert [event["type"] for event in log].count("question_answered") == 1


@pytest.mark.holds("session.crash.stopped")
def test_a_stop_that_was_written_down_holds_though_nobody_was_told(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    model_server.script(SILENT, say("too late"))
    with session_server(tmp_path, **environment, LORE_FAILPOINT="session.stopped") as server:
        session_id = server.run(plan_of(agent_step()))
        await_asked(model_server)
        with pytest.raises(httpx.TransportError):
            server.stop(session_id)
    with session_server(tmp_path, **environment) as server:
        view = server.session(session_id)
        assert (view["state"], view["outcome"]) == ("done", "stopped")
        last = server.events(session_id)[-1]
        assert (last["type"], last["outcome"]) == ("skill_error", "stopped")
        another = server.run(plan_of(output_step("works")))  # after it, what was left would have gone on
        server.watch_until(another, *LAST)
        assert server.session(session_id) == view
        server.stop(session_id)
        assert server.session(session_id) == view
    assert len(model_server.asked) == 1


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.crash.many-at-once")
def test_a_server_killed_with_many_sessions_loses_none(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    model_server.script(*[lambda asked: say(f"done: {asked.headers['x-lore-session']}")] * 200)
    with session_server(tmp_path, **environment) as server:
        plan = plan_of(agent_step(), ask_step(), output_step("{{agent}} {{ask}}"))
        sessions = [server.run(plan) for _ in range(20)]
        for session_id in sessions[:10]:
            server.watch_until(session_id, "skill_question")
            assert server.answer(session_id, "ask", "before").status_code == 200
    with session_server(tmp_path, **environment) as server:
        for session_id in sessions[10:]:
            server.watch_until(session_id, "skill_question")
            assert server.answer(session_id, "ask", "after").status_code == 200
        for number, session_id in enumerate(sessions):
            log = server.watch_until(session_id, *LAST)
            assert log[-1]["result"] == f"done: {session_id} {'before' if number < 10 else 'after'}"
            assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
