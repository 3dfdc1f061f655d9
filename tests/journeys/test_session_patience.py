"""A question waits for its person: for days, over restarts and crashes, unless the operator sets a limit."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.journeys.session_server import (
    LAST,
    Json,
    SessionServer,
    agent_step,
    ask_step,
    model_settings,
    output_step,
    plan_of,
    session_server,
)
from tests.model_server import ModelServer, Turn, call, say

from loreweave.clock import format_time, parse_time

BEGUN = "2026-03-01T09:00:00Z"
WINDS = 2  # a crash, then a restart
Wind = Callable[[timedelta], None]


@pytest.fixture
def clock_file(tmp_path: Path) -> Path:
    path = tmp_path / "clock"
    path.write_text(BEGUN)
    return path


@pytest.fixture
def wind(clock_file: Path) -> Wind:
    def later(time: timedelta) -> None:
        winding = clock_file.with_suffix(".new")
        winding.write_text(format_time(parse_time(clock_file.read_text()) + time))
        winding.replace(clock_file)  # whoever reads it meanwhile reads the old time or the new one

    return later


@pytest.fixture
def environment(database_url: str, model_server: ModelServer, clock_file: Path) -> dict[str, str]:
    clock = {"LORE_CLOCK_FILE": str(clock_file)}
    return {**model_settings(model_server), **clock, "LORE_DATABASE_URL": database_url}


def open_question(server: SessionServer, session_id: str) -> Json:
    """That nothing happens is seen by an answer that was asked for afterwards."""
    (question,) = server.session(session_id)["questions"]
    (listed,) = server.get("/api/sessions")
    assert (listed["id"], listed["state"], listed["waits"]) == (session_id, "executing", True)
    return question


@pytest.mark.holds("session.wait.for-ever", "session.wait.listed")
def test_a_question_waits_for_days_over_restarts_and_crashes_and_then_the_run_finishes(
    tmp_path: Path, environment: dict[str, str], wind: Wind
) -> None:
    session_id = ""
    asked: list[Json] = []
    for number in range(WINDS):
        server = SessionServer(tmp_path, **environment)
        session_id = session_id or server.run(plan_of(ask_step(), output_step("{{ask}}, at last")))
        server.watch_until(session_id, "skill_question")
        wind(timedelta(days=3))
        asked.append(open_question(server, session_id))
        if number % 2:
            server.end()
        else:
            server.kill()
        wind(timedelta(days=3))
    assert asked == asked[:1] * WINDS
    assert "deadline" not in asked[0]
    with session_server(tmp_path, **environment) as server:
        assert open_question(server, session_id) == asked[0]
        assert server.answer(session_id, "ask", "two").status_code == 200
        assert server.watch_until(session_id, *LAST)[-1]["result"] == "two, at last"
        (listed,) = server.get("/api/sessions")
        assert (listed["outcome"], listed["waits"]) == ("success", False)


@pytest.mark.holds("session.wait.for-ever", "session.agent.limits")
def test_an_agent_has_all_its_time_left_when_its_question_is_answered_after_days(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer, wind: Wind
) -> None:
    question = {"question": "Which?", "header": "Which", "options": ["one", "two"]}
    model_server.script(
        call(("ask_user", {"questions": [question]})),
        *[call(("run_command", {"argv": ["curl", "-s", "http://x.example"]}))] * 3,
        say("done at last"),
    )
    plan = plan_of(agent_step(), output_step("{{agent}}"))
    with session_server(tmp_path, **environment) as server:
        session_id = server.run(plan)
        server.watch_until(session_id, "skill_question")
        wind(timedelta(days=2))
        assert "deadline" not in open_question(server, session_id)
        assert server.answer(session_id, "agent", "two").status_code == 200
        answered = server.watch_until(session_id, "question_answered")[-1]["seq"]
        server.watch_until(session_id, "skill_question", since=answered)
    wind(timedelta(days=2))
    with session_server(tmp_path, **environment) as server:
        permission = open_question(server, session_id)
        assert permission["questions"][0]["header"] == "Permission"
        assert server.answer(session_id, "agent", "Deny", header="Permission").status_code == 200
        assert server.watch_until(session_id, *LAST)[-1]["result"] == "done at last"


@pytest.mark.holds("house.clock.jumps", "session.agent.limits")
def test_a_clock_that_jumps_while_an_agent_works_does_not_end_its_turn(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer, wind: Wind
) -> None:
    def while_asked(days: int, answer: Turn) -> Callable[[object], Turn]:
        def turn(_: object) -> Turn:
            wind(timedelta(days=days))
            return answer

        return turn

    look = call(("list_files", {}))
    model_server.script(while_asked(2, look), while_asked(-40, look), while_asked(40, say("done all the same")))
    with session_server(tmp_path, **environment) as server:
        session_id = server.run(plan_of(agent_step(), output_step("{{agent}}")))
        assert server.watch_until(session_id, *LAST)[-1]["result"] == "done all the same"


@pytest.mark.holds("session.wait.deadline")
def test_where_a_limit_is_set_the_question_tells_its_deadline_and_ends_at_it(
    tmp_path: Path, environment: dict[str, str], wind: Wind
) -> None:
    limited = {**environment, "LORE_ASK_USER_TIMEOUT_S": "86400"}
    with session_server(tmp_path, **limited) as server:
        session_id = server.run(plan_of(ask_step(), output_step("never")))
        told = server.watch_until(session_id, "skill_question")[-1]
        assert told["deadline"] == "2026-03-02T09:00:00.000Z"
        wind(timedelta(hours=23))
        assert open_question(server, session_id)["deadline"] == told["deadline"]
    with session_server(tmp_path, **environment) as server:  # its deadline is the one it had
        assert open_question(server, session_id)["deadline"] == told["deadline"]
        wind(timedelta(hours=2))
        last = server.watch_until(session_id, *LAST)[-1]
        assert (last["type"], last["message"]) == (
            "skill_error",
            "Nobody answered the question of step 'ask' in time.",
        )
        refused = server.answer(session_id, "ask", "two")
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
