"""A plan with a question tells the same story through HTTP, MCP and the command line; a killed run goes on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests import forked
from tests.faces.served import served
from tests.pace import PATIENCE
from websockets.sync.client import connect

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]
INNER = {"id": "b2", "type": "skill_output", "fields": {"TEMPLATE": "{{who}} packs {{way}}"}}
PACK = {
    "id": "pack",
    "name": "Pack",
    "prompt": "",
    "category": "composite",
    "workspace": {"blocks": {"blocks": [{"id": "b1", "type": "skill_flow_start", "next": {"block": INNER}}]}},
}
ASK = {"id": "ask", "type": "ask_user", "question": "Which way, {{who}}?", "header": "Way"}
TOLD = {"id": "told", "type": "output", "template": "{{who}} goes {{way}}: {{packed}}"}
PLAN = {
    "skillId": "journey",
    "skillName": "Journey",
    "steps": [
        {"id": "who", "type": "set_context", "key": "who", "value": "Ada"},
        {**ASK, "options": ["left", "right"], "storeAs": "way"},
        {"id": "pack", "type": "invoke_skill", "skillId": "pack", "storeAs": "packed"},
        {"id": "if", "type": "branch", "contextKey": "way", "matchValue": "right", "thenSteps": [TOLD]},
    ],
}
GIVEN = {"plan": PLAN, "allSkills": [PACK]}
RESULT = "Ada goes right: Ada packs right"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "plan.json").write_text(json.dumps(GIVEN), encoding="utf-8")
    return tmp_path / "data"


@pytest.fixture
def address(data: Path) -> Iterator[str]:
    with served(data, LORE_EMBEDDER="none") as where:
        yield where


def story(address: str, session_id: str) -> list[dict[str, Any]]:
    """A session's events without what differs from run to run."""
    events = httpx.get(f"{address}/api/sessions/{session_id}/events").json()["events"]
    return [{name: value for name, value in event.items() if name not in OWN} for event in events]


OWN = ("ts", "session_id", "question_id")


def over_http(address: str) -> str:
    session_id = str(httpx.post(f"{address}/api/skills/run", json=GIVEN).json()["session_id"])
    with connect(address.replace("http", "ws", 1) + f"/ws/session/{session_id}") as socket:
        while json.loads(socket.recv(timeout=PATIENCE))["type"] != "skill_question":
            pass
        body = {"step_id": "ask", "answers": {"Way": "right"}}
        assert httpx.post(f"{address}/api/skills/{session_id}/answer", json=body).json() == {"status": "ok"}
        while not is_last(json.loads(socket.recv(timeout=PATIENCE))):
            pass
    return session_id


def is_last(event: dict[str, Any]) -> bool:
    return event["type"] == "skill_error" or (event["type"] == "skill_completed" and event["frame"] == 1)


def over_mcp(address: str) -> str:
    async def conversation() -> str:
        async with Client(streamable_http_client(f"{address}/mcp?structured=1")) as client:
            started = await client.call_tool("run_skill", GIVEN)
            session_id = str(started.structured_content["session_id"])

            async def until(name: str, value: Any) -> None:
                with anyio.fail_after(PATIENCE):
                    while (await status())[name] == value:
                        await anyio.sleep(0.02)

            async def status() -> dict[str, Any]:
                answer = await client.call_tool("session_status", {"session_id": session_id})
                return dict(answer.structured_content)

            await until("questions", [])
            await client.call_tool(
                "answer_question", {"session_id": session_id, "step_id": "ask", "answers": {"Way": "right"}}
            )
            await until("outcome", None)
            told = httpx.get(f"{address}/api/sessions/{session_id}").json()
            assert (await status()).items() >= told.items()
            return session_id

    return anyio.run(conversation)


def over_cli(data: Path) -> str:
    command = [*LORE, "run", str(data.parent / "plan.json"), "--data", str(data)]
    done = forked.run(command, input="2\n", capture_output=True, text=True, timeout=PATIENCE, check=True)
    shape = json.loads(done.stdout)
    assert (shape["outcome"], shape["result"]) == ("success", RESULT)
    return str(shape["session_id"])


@pytest.mark.holds("session.cli.same-everywhere", "session.cli.own-process")
def test_a_plan_tells_one_story_through_every_face(address: str, data: Path) -> None:
    runs = [over_http(address), over_mcp(address), over_cli(data)]
    stories = [story(address, session_id) for session_id in runs]
    assert stories[0] == stories[1] == stories[2]
    assert stories[0][-1] == {"type": "skill_completed", "skill_id": "journey", "result": RESULT, "frame": 1} | {
        "seq": len(stories[0])
    }
    listed = httpx.get(f"{address}/api/sessions")
    assert [each["id"] for each in listed.json()] == runs[::-1]
    shown = forked.run([*LORE, "sessions", "--data", str(data)], capture_output=True, check=True, timeout=PATIENCE)
    assert shown.stdout == listed.content
    one = forked.run(
        [*LORE, "sessions", "show", runs[0], "--data", str(data)], capture_output=True, check=True, timeout=PATIENCE
    )
    assert one.stdout == httpx.get(f"{address}/api/sessions/{runs[0]}").content


@pytest.mark.holds("session.cli.same-everywhere")
def test_a_wrong_plan_is_the_same_refusal_through_every_face(address: str, data: Path) -> None:
    wrong = {"plan": {**PLAN, "steps": [{**ASK, "options": [5], "storeAs": "way"}]}}
    refused = httpx.post(f"{address}/api/skills/run", json=wrong)
    assert refused.status_code == 400

    async def conversation() -> Any:
        async with Client(streamable_http_client(f"{address}/mcp?structured=1")) as client:
            return (await client.call_tool("run_skill", wrong)).structured_content

    assert anyio.run(conversation) == refused.json()
    (data.parent / "plan.json").write_text(json.dumps(wrong), encoding="utf-8")
    command = [*LORE, "run", str(data.parent / "plan.json"), "--data", str(data), "--json"]
    told = forked.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert (told.returncode, json.loads(told.stderr)) == (2, refused.json())


@pytest.mark.holds("session.cli.killed-run")
def test_a_killed_run_waits_for_its_answer_in_a_server_started_afterwards(data: Path) -> None:
    command = [*LORE, "run", str(data.parent / "plan.json"), "--data", str(data)]
    process = forked.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ, text=True)
    assert process.stderr is not None
    assert "Which way, Ada?" in process.stderr.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    with served(data, LORE_EMBEDDER="none") as address:
        (left,) = httpx.get(f"{address}/api/sessions").json()
        shown = httpx.get(f"{address}/api/sessions/{left['id']}").json()
        assert (shown["state"], shown["questions"][0]["step_id"]) == ("executing", "ask")
        body = {"step_id": "ask", "answers": {"Way": "right"}}
        assert httpx.post(f"{address}/api/skills/{left['id']}/answer", json=body).status_code == 200
        with connect(address.replace("http", "ws", 1) + f"/ws/session/{left['id']}") as socket:
            events = [json.loads(socket.recv(timeout=PATIENCE))]
            while not is_last(events[-1]):
                events.append(json.loads(socket.recv(timeout=PATIENCE)))
        assert events[-1]["result"] == RESULT
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert [event["type"] for event in events].count("skill_question") == 1
