"""Two servers on one database: what one leaves the other goes on with, and only one works at any time."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.journeys.session_server import (
    LAST,
    SILENT,
    SessionServer,
    agent_step,
    ask_step,
    await_asked,
    model_settings,
    output_step,
    plan_of,
    session_server,
)
from tests.model_server import ModelServer, call, say
from tests.pace import PATIENCE, slowness
from tests.waits import eventually

STEP = plan_of(agent_step(), ask_step(), output_step("{{agent}} {{ask}}"))


@pytest.fixture
def environment(postgres_database: str, model_server: ModelServer) -> dict[str, str]:
    return {**model_settings(model_server), "LORE_DATABASE_URL": postgres_database}


@pytest.fixture
def pair(tmp_path: Path, environment: dict[str, str]) -> Iterator[tuple[SessionServer, SessionServer]]:
    """Two machines, as far as a database can tell, that share where agents work."""
    shared = {**environment, "LORE_WORKSPACE_ROOT": str(tmp_path / "workspaces")}
    with session_server(tmp_path / "one", **shared) as one, session_server(tmp_path / "two", **shared) as two:
        assert one.address != two.address
        yield one, two


@pytest.mark.holds("session.crash.any-server")
def test_any_server_reads_watches_answers_and_stops_any_session(
    pair: tuple[SessionServer, SessionServer], model_server: ModelServer
) -> None:
    one, two = pair
    model_server.script(say("worked"), say("worked"), SILENT)
    for here, there in (pair, pair[::-1]):
        session_id = here.run(STEP)
        assert there.watch_until(session_id, "skill_question") == here.watch_until(session_id, "skill_question")
        assert there.session(session_id) == here.session(session_id)
        assert there.answer(session_id, "ask", "afar").status_code == 200
        log = here.watch_until(session_id, *LAST)
        assert log[-1]["result"] == "worked afar"
        assert there.watch_until(session_id, *LAST) == log == there.events(session_id)
    assert one.get("/api/sessions") == two.get("/api/sessions")
    session_id = one.run(STEP)
    await_asked(model_server, 3)
    two.stop(session_id)
    assert model_server.asked[-1].gone.wait(PATIENCE)  # the request was dropped where it was made
    assert one.watch_until(session_id, *LAST)[-1]["outcome"] == "stopped"


@pytest.mark.holds("session.crash.taken-over")
def test_a_killed_servers_sessions_go_on_at_the_other(
    pair: tuple[SessionServer, SessionServer], model_server: ModelServer
) -> None:
    one, two = pair
    model_server.script(say("first"), SILENT, say("again"))
    waiting = one.run(STEP)
    one.watch_until(waiting, "skill_question")
    working = one.run(STEP)
    await_asked(model_server, 2)
    one.kill()
    killed = time.monotonic()
    assert two.answer(waiting, "ask", "kept").status_code == 200
    assert two.watch_until(waiting, *LAST)[-1]["result"] == "first kept"
    assert time.monotonic() - killed < 15.0 * slowness(time.monotonic)
    two.watch_until(working, "skill_question")
    assert two.answer(working, "ask", "too").status_code == 200
    log = two.watch_until(working, *LAST)
    assert log[-1]["result"] == "again too"
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert len(model_server.asked) == 3


@pytest.mark.holds("session.crash.one-runner")
def test_a_server_that_was_frozen_meanwhile_has_nothing_more_to_say(
    pair: tuple[SessionServer, SessionServer], model_server: ModelServer
) -> None:
    one, two = pair
    model_server.script(say("first"), SILENT, say("second"), say("third"))
    waiting = one.run(STEP)
    one.watch_until(waiting, "skill_question")
    working = one.run(plan_of(agent_step(), agent_step("next"), output_step("{{agent}} {{next}}")))
    await_asked(model_server, 2)
    one.freeze()
    assert two.answer(waiting, "ask", "taken").status_code == 200
    logs = {each: two.watch_until(each, *LAST) for each in (waiting, working)}
    assert [logs[each][-1]["result"] for each in (waiting, working)] == ["first taken", "second third"]
    one.thaw()
    model_server.closing.set()  # lets the request go that the frozen one still waits for
    model_server.script(*[say("later")] * 10)
    later = one.run(plan_of(output_step("still serving")))
    assert one.watch_until(later, *LAST)[-1]["result"] == "still serving"
    assert len(model_server.asked) == 4
    for session_id, log in logs.items():
        assert one.events(session_id) == two.events(session_id) == log
        assert one.session(session_id)["last_seq"] == len(log)


@pytest.mark.lengthy
@pytest.mark.holds("session.crash.one-runner")
def test_a_server_that_wakes_in_the_midst_of_anothers_work_leaves_it_alone(
    pair: tuple[SessionServer, SessionServer], model_server: ModelServer
) -> None:
    one, two = pair
    session_id = one.run(plan_of(ask_step("first"), ask_step("second"), output_step("{{first}} {{second}}")))
    one.watch_until(session_id, "skill_question")
    one.freeze()
    assert two.answer(session_id, "first", "a").status_code == 200
    before = two.watch_until(session_id, "question_answered")
    two.watch_until(session_id, "skill_question", since=len(before))  # it is the other's now
    one.thaw()
    later = one.run(plan_of(output_step("awake")))
    one.watch_until(later, *LAST)
    assert one.answer(session_id, "second", "b").status_code == 200
    log = one.watch_until(session_id, *LAST)
    assert log[-1]["result"] == "a b"
    assert two.events(session_id) == log
    kinds = [event["type"] for event in log]
    assert (kinds.count("skill_question"), kinds.count("question_answered")) == (2, 2)


SLEEPER = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9999)", sys.argv[1]])
time.sleep(9999)
"""


def _alive(marker: str) -> list[int]:
    """Processes whose command line says this."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if marker.encode() in command:
            found.append(int(folder.name))
    return found


def _await_gone(marker: str) -> None:
    eventually(lambda: not _alive(marker), "the processes of the session to end")


@pytest.fixture
def sleeper(unguessable: str, model_server: ModelServer) -> str:
    """The model lets a command run that would go on for long; its command line says this."""
    write = call(("write_file", {"path": "sleeper.py", "content": SLEEPER}))
    run = call(("run_command", {"argv": ["python", "sleeper.py", unguessable]}))
    model_server.script(write, run, say("never reached"))
    return unguessable


@pytest.mark.holds("session.crash.no-process-left")
@pytest.mark.parametrize("way", ["stop", "kill", "term"])
def test_no_process_of_a_session_outlives_it(tmp_path: Path, model_server: ModelServer, sleeper: str, way: str) -> None:
    with session_server(tmp_path, **model_settings(model_server)) as server:
        session_id = server.run(plan_of(agent_step()))
        eventually(lambda: len(_alive(sleeper)) >= 2, "the command and its child to run", server.process)
        assert server.session(session_id)["state"] == "executing"
        if way == "stop":
            server.stop(session_id)
            stopped = time.monotonic()
            _await_gone(sleeper)
            assert time.monotonic() - stopped < 10.0 * slowness(time.monotonic)
            assert server.session(session_id)["outcome"] == "stopped"
            other = server.run(plan_of(output_step("next")))
            server.watch_until(other, *LAST)
            assert len(model_server.asked) == 2
        else:
            server.process.send_signal(signal.SIGKILL if way == "kill" else signal.SIGTERM)
            server.process.wait(PATIENCE)
            _await_gone(sleeper)
