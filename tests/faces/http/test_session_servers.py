"""Sessions across processes: several servers on one database, and a server that died."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests import forked
from tests.faces.served import LORE, served
from tests.pace import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from loreweave.application import open_application
from loreweave.contracts.session_events import AgentOutput
from loreweave.settings import Settings

QUESTION = {"type": "ask_user", "id": "ask", "question": "Which?", "header": "Which", "options": [], "storeAs": "it"}
PLAN = {
    "plan": {
        "skillName": "Ask",
        "steps": [QUESTION, {"type": "output", "id": "say", "template": "It is {{it}}"}],
    }
}


def watch(address: str, session_id: str, since: int = 0) -> ClientConnection:
    address = address.replace("http", "ws", 1)
    return connect(f"{address}/ws/session/{session_id}?since={since}", open_timeout=PATIENCE, max_queue=None)


def until(watcher: ClientConnection, event: str) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    while not seen or seen[-1]["type"] != event:
        seen.append(json.loads(watcher.recv(timeout=PATIENCE)))
    return seen


def answer(address: str, session_id: str, value: str) -> int:
    body = {"step_id": "ask", "answers": {"Which": value}}
    return httpx.post(f"{address}/api/skills/{session_id}/answer", json=body, timeout=PATIENCE).status_code


def run(address: str) -> str:
    return httpx.post(f"{address}/api/skills/run", json=PLAN, timeout=PATIENCE).json()["session_id"]


@pytest.mark.holds("session.http.several-servers", "session.ws.several-servers")
def test_any_server_on_one_database_shows_and_answers_any_session(tmp_path: Path, postgres_database: str) -> None:
    shared = {"LORE_EMBEDDER": "none", "LORE_DATABASE_URL": postgres_database}
    with served(tmp_path / "one", **shared) as one, served(tmp_path / "two", **shared) as two:
        session_id = run(one)
        with watch(one, session_id) as here, watch(two, session_id) as there:
            assert until(here, "skill_question") == until(there, "skill_question")
            assert answer(two, session_id, "seen from afar") == 200
            assert answer(one, session_id, "too late") == 409
            assert until(here, "skill_completed") == until(there, "skill_completed")
        views = [httpx.get(f"{address}/api/sessions/{session_id}").json() for address in (one, two)]
        assert views[0] == views[1]
        assert views[0]["skill"]["result"] == "It is seen from afar"
        other = run(one)
        with watch(one, other) as here:
            until(here, "skill_question")
            assert httpx.post(f"{two}/api/sessions/{other}/stop", timeout=PATIENCE).json() == {"status": "stopped"}
            assert until(here, "skill_error")[-1]["outcome"] == "stopped"


@pytest.mark.holds("session.ws.other-process")
def test_what_another_process_records_in_the_same_data_is_shown(tmp_path: Path) -> None:
    with served(tmp_path / "data", LORE_EMBEDDER="none") as address:
        session_id = httpx.post(f"{address}/api/sessions").json()["session_id"]
        with watch(address, session_id) as watcher:
            until(watcher, "session_started")
            application = open_application(Settings(data_dir=tmp_path / "data"))
            try:
                log = application.session_tools.log
                assert log.take(session_id, "the test").result()
                for number in range(20):
                    said = AgentOutput(task_id="task", agent_name="Ada", content=str(number))
                    log.record(session_id, f"{number}", [said], "the test").result()
                    event = json.loads(watcher.recv(timeout=PATIENCE))
                    assert (event["content"], event["seq"]) == (str(number), number + 2)
            finally:
                application.close()


@pytest.mark.holds("session.ws.dropped", "session.http.restart")
def test_a_watcher_of_a_server_that_died_goes_on_at_the_next_one(tmp_path: Path) -> None:
    serve = [*LORE, "serve", "--port", "0", "--data", str(tmp_path / "data")]
    environment = {**os.environ, "LORE_EMBEDDER": "none"}
    with forked.Popen(serve, stderr=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found
        session_id = run(found[0])
        with watch(found[0], session_id) as watcher:
            before = until(watcher, "skill_question")
            process.kill()
            with pytest.raises(ConnectionClosed):
                watcher.recv(timeout=PATIENCE)
    with served(tmp_path / "data", LORE_EMBEDDER="none") as address:
        assert answer(address, session_id, "still here") == 200
        with watch(address, session_id, since=before[-1]["seq"]) as watcher:
            after = until(watcher, "skill_completed")
        with watch(address, session_id) as watcher:
            assert until(watcher, "skill_completed") == before + after
        assert [event["seq"] for event in before + after] == list(range(1, len(before + after) + 1))
        assert after[-1]["result"] == "It is still here"
