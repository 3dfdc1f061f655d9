"""Killed at any point, a build goes on: one commit and one end a task, whatever came between."""

import threading
from contextlib import suppress
from pathlib import Path
from subprocess import run

import httpx
import pytest
from tests.examples import DEEP
from tests.journeys.session_server import SILENT, Json, SessionServer, model_settings, session_server
from tests.model_server import Asked, ModelServer, Turn, call, say
from tests.pace import PATIENCE

from loreweave.work.agents.agent_voice import ANEW

LAST = ("session_complete", "error")
TASKS = [
    {"id": "a", "name": "First", "description": "", "agent_name": "Builder", "dependencies": []},
    {"id": "b", "name": "Second", "description": "", "agent_name": "Builder", "dependencies": ["a"]},
]
PLAN = {"tasks": TASKS, "agents": [], "plan_explanation": "Two files."}
TEST = "from pathlib import Path\n\n\ndef test_a():\n    assert Path('a.txt').read_text() == 'a'\n"

POINTS = ["session.created", "build.merged", "build.committed", "build.tested", "build.deployed"]
# In a short run one build dies at all of them, as it comes to them; in a deep one each has a build of its own too.
DEATHS = [POINTS, *([point] for point in POINTS if DEEP)]
KILLED_AT = [(database, deaths) for database in ("sqlite", "postgresql") for deaths in DEATHS]

SAME, OTHER = ("I am writing a file.", "I am writing a file."), ("Here it is.", f"I am {ANEW}Here it is.")
TOLD_AGAIN = [
    *(("sqlite", *SAME), ("sqlite", *OTHER)),
    *((("postgresql", *SAME), ("postgresql", *OTHER)) if DEEP else ()),
]


@pytest.fixture
def environment(database_url: str, model_server: ModelServer) -> dict[str, str]:
    told = {"LORE_NARRATOR_DEBOUNCE_S": "3600", "LORE_NARRATOR_INTERVAL_S": "3600"}
    return {**model_settings(model_server), **told, "LORE_DATABASE_URL": database_url}


def played(asked: Asked) -> Turn:
    purpose, task = asked.headers["x-lore-purpose"], asked.headers.get("x-lore-task", "")
    if purpose == "plan":
        return call(("final_result", PLAN))
    if purpose == "narrate":
        return call(("final_result", {"text": "Hm.", "mood": "excited"}))
    if "tool_result" in asked.text:
        return say(f"done: {task}")
    files = {f"{task}.txt": task, "tests/test_a.py": TEST} if task == "a" else {f"{task}.txt": task}
    return call(*(("write_file", {"path": path, "content": text}) for path, text in files.items()))


def begun(server: SessionServer, **workflow: object) -> str:
    session_id = server.post("/api/sessions").json()["session_id"]
    spec = {"project": {"goal": "Two files"}, "workflow": {"testing_enabled": True, **workflow}}
    answer = server.post(f"/api/sessions/{session_id}/start", {"spec": spec})
    assert answer.json() == {"status": "started"}, answer.text
    return str(session_id)


def finished(server: SessionServer, session_id: str) -> list[Json]:
    """The whole log, once the build is over."""
    server.watch_until(session_id, *LAST)
    return server.events(session_id)


def check(log: list[Json]) -> None:
    """What must be so, however often the process died."""
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    for kind in ("task_started", "task_completed", "commit_created"):
        assert [event["task_id"] for event in log if event["type"] == kind] == ["a", "b"], kind
    assert [event["type"] for event in log].count("plan_ready") == 1
    assert [event["passed"] for event in log if event["type"] == "test_result"] == [True]
    assert (log[-1]["type"], log[-1]["outcome"]) == ("session_complete", "success")
    folder = next(event["nugget_dir"] for event in log if event["type"] == "workspace_created")
    told = run(["git", "-C", folder, "log", "--format=%s"], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["Builder: Second", "Builder: First", "Loreweave: what was there before"]
    assert not list(Path(folder).parent.glob(".lore/builds/*/trees/*"))


@pytest.mark.lengthy(1)
@pytest.mark.holds("build.crash.points")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("database_url", "deaths"), KILLED_AT, indirect=["database_url"])
def test_a_build_killed_at_named_points_is_finished_once(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer, deaths: list[str]
) -> None:
    model_server.script(*[played] * 100)
    session_id = ""
    for point in deaths:
        with session_server(tmp_path, **environment, LORE_FAILPOINT=point) as server:
            if not session_id:
                session_id = server.post("/api/sessions").json()["session_id"]
                spec = {"project": {"goal": "Two files"}, "workflow": {"testing_enabled": True}}
                with suppress(httpx.TransportError):  # it may die before it answers
                    server.post(f"/api/sessions/{session_id}/start", {"spec": spec})
            server.process.wait(PATIENCE)
    with session_server(tmp_path, **environment) as server:
        check(finished(server, session_id))


@pytest.mark.holds("build.crash.rounds")
@pytest.mark.timeout(300)
def test_a_build_killed_in_the_midst_of_a_task_asks_no_answered_round_again(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer
) -> None:
    silent = threading.Event()

    def silent_once(asked: Asked) -> Turn:
        if asked.headers["x-lore-purpose"] == "agent" and "tool_result" in asked.text and not silent.is_set():
            silent.set()
            return SILENT
        return played(asked)

    model_server.script(*[silent_once] * 100)
    with session_server(tmp_path, **environment) as server:
        session_id = begun(server)
        assert silent.wait(PATIENCE)
    with session_server(tmp_path, **environment) as server:
        log = finished(server, session_id)
    check(log)
    assert [event["task_id"] for event in log if event["type"] == "task_resumed"] == ["a"]
    agents = [asked for asked in model_server.asked if asked.headers["x-lore-purpose"] == "agent"]
    first = [asked for asked in agents if asked.headers.get("x-lore-task") == "a"]
    assert len(first) == 3
    assert first[1].text == first[2].text


@pytest.mark.lengthy(1)
@pytest.mark.holds("build.output.again")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("database_url", "again", "heard"), TOLD_AGAIN, indirect=["database_url"])
def test_words_told_before_a_crash_are_not_told_twice(
    tmp_path: Path, environment: dict[str, str], model_server: ModelServer, again: str, heard: str
) -> None:
    broken = threading.Event()

    def breaks_off_once(asked: Asked) -> Turn:
        if asked.headers["x-lore-purpose"] == "agent" and "tool_result" in asked.text and not broken.is_set():
            broken.set()
            return say("I am ", fault="stall")
        turn = played(asked)
        return say(again) if turn.pieces == ("done: a",) else turn

    model_server.script(*[breaks_off_once] * 100)
    with session_server(tmp_path, **environment) as server:
        session_id = begun(server)
        server.watch_until(session_id, "agent_output")
    with session_server(tmp_path, **environment) as server:
        log = finished(server, session_id)
    check(log)
    said = [event["content"] for event in log if event["type"] == "agent_output" and event["task_id"] == "a"]
    assert "".join(said) == heard


@pytest.mark.holds("build.crash.gate")
@pytest.mark.timeout(300)
def test_a_gate_outlives_its_server(tmp_path: Path, environment: dict[str, str], model_server: ModelServer) -> None:
    model_server.script(*[played] * 100)
    with session_server(tmp_path, **environment) as server:
        session_id = begun(server, human_gates=["Go on?"])
        server.watch_until(session_id, "human_gate")
    with session_server(tmp_path, **environment) as server:
        (gate,) = server.session(session_id)["gates"]
        assert gate["question"] == "Go on?"
        assert server.post(f"/api/sessions/{session_id}/gate", {"feedback": "nice"}).json() == {"status": "ok"}
        log = finished(server, session_id)
    check(log)
    assert [event["type"] for event in log].count("human_gate") == 1
    agents = [asked for asked in model_server.asked if asked.headers["x-lore-purpose"] == "agent"]
    second = next(asked for asked in agents if asked.headers.get("x-lore-task") == "b")
    assert "nice" in second.text


@pytest.mark.timeout(300)
@pytest.mark.holds("build.takeover", "build.crash.points")
@pytest.mark.parametrize("point", ["", *(POINTS if DEEP else ())])
def test_another_server_goes_on_with_the_builds_of_a_dead_one(
    tmp_path: Path, postgres_database: str, model_server: ModelServer, point: str
) -> None:
    """Killed at a named point, or, without one, at a gate."""
    told = {"LORE_NARRATOR_DEBOUNCE_S": "3600", "LORE_DATABASE_URL": postgres_database}
    shared = {**model_settings(model_server), **told, "LORE_WORKSPACE_ROOT": str(tmp_path / "shared")}
    model_server.script(*[played] * 100)
    dying = session_server(tmp_path / "one", **shared, **({"LORE_FAILPOINT": point} if point else {}))
    with dying as first, session_server(tmp_path / "two", **shared) as second:
        if point:
            session_id = first.post("/api/sessions").json()["session_id"]
            spec = {"project": {"goal": "Two files"}, "workflow": {"testing_enabled": True}}
            with suppress(httpx.TransportError):  # it may die before it answers
                first.post(f"/api/sessions/{session_id}/start", {"spec": spec})
            first.process.wait(120)
        else:
            session_id = begun(first, human_gates=["Go on?"])
            first.watch_until(session_id, "human_gate")
            first.kill()
            assert second.post(f"/api/sessions/{session_id}/gate").json() == {"status": "ok"}
        check(finished(second, session_id))
