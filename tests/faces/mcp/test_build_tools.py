"""The build toolset, called through the official client: over a server in this process, over stdio and over /mcp."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests import forked
from tests.faces.served import LORE
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets

ASK = {"id": "ask", "type": "ask_user", "question": "Which way?", "header": "Way", "options": ["left"], "storeAs": "w"}
PLAN = {"skillName": "Ways", "steps": [ASK, {"id": "out", "type": "output", "template": "went {{w}}"}]}
Ask = Callable[[Client], Awaitable[Any]]
Talk = Callable[[Ask], Any]


@pytest.fixture
def talk(sqlite_application: Application) -> Talk:
    def run(ask: Ask) -> Any:
        async def conversation() -> Any:
            async with Client(create_server(open_toolsets(sqlite_application, ("build",)), structured=True)) as client:
                return await ask(client)

        return anyio.run(conversation)

    return run


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    content: dict[str, Any] = answer.structured_content
    return content


async def status_when(client: Client, session_id: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first status of which this holds; asking again is what a client does."""
    with anyio.fail_after(PATIENCE):
        while not holds(status := await call(client, "session_status", session_id=session_id)):
            await anyio.sleep(0.02)
    return status


def is_asking(session: dict[str, Any]) -> bool:
    return bool(session["questions"])


def is_done(session: dict[str, Any]) -> bool:
    return session["state"] == "done"


async def run_and_answer(client: Client) -> dict[str, Any]:
    session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
    asking = await status_when(client, session_id, is_asking)
    assert asking["questions"][0]["questions"][0]["question"] == "Which way?"
    assert await call(client, "answer_question", session_id=session_id, step_id="ask", answers={"Way": "left"}) == {
        "status": "ok"
    }
    ended = await status_when(client, session_id, is_done)
    while ended["more"]:  # the end came between the look at the log and that at the session
        rest = await call(client, "session_status", session_id=session_id, since=ended["next_since"])
        ended = {**rest, "events": ended["events"] + rest["events"]}
    return ended


@pytest.mark.holds("session.mcp.tools")
def test_six_tools_that_say_what_they_do(talk: Talk) -> None:
    listed = talk(lambda client: client.list_tools()).tools
    hints = {tool.name: tool.annotations for tool in listed}
    assert list(hints) == ["start_build", "why", "run_skill", "session_status", "answer_question", "stop_session"]
    said = {name: (hint.read_only_hint, hint.destructive_hint, hint.idempotent_hint) for name, hint in hints.items()}
    assert said == {
        "start_build": (False, False, False),
        "why": (True, False, True),
        "run_skill": (False, False, False),
        "session_status": (True, False, True),
        "answer_question": (False, False, False),
        "stop_session": (False, True, True),
    }
    for tool in listed:
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"


@pytest.mark.holds("session.mcp.tools")
def test_the_schema_of_a_plan_takes_a_plan_and_refuses_what_is_none(talk: Talk) -> None:
    (schema,) = [
        tool.input_schema for tool in talk(lambda client: client.list_tools()).tools if tool.name == "run_skill"
    ]
    branch = {"id": "b", "type": "branch", "contextKey": "w", "matchValue": "left", "thenSteps": [ASK]}
    jsonschema.validate({"plan": {**PLAN, "steps": [branch]}, "allSkills": []}, schema)
    for wrong in ({}, {"plan": {}}, {"plan": {**PLAN, "steps": [{"id": "x"}]}}, {"plan": PLAN, "skills": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@pytest.mark.holds("session.mcp.run", "session.mcp.answer")
def test_a_plan_is_run_followed_and_answered(talk: Talk) -> None:
    ended = talk(run_and_answer)
    assert ended["outcome"] == "success"
    assert ended["skill"]["result"] == "went left"
    assert [event["seq"] for event in ended["events"]] == list(range(1, ended["last_seq"] + 1))
    assert (ended["more"], ended["next_since"]) == (False, ended["last_seq"])


@pytest.mark.holds("session.mcp.status-is-bounded")
def test_a_long_story_is_told_in_parts_that_fit_together(talk: Talk) -> None:
    steps = [{"id": f"s{number}", "type": "set_context", "key": "k", "value": "v"} for number in range(50)]
    nested = {"id": "b", "type": "branch", "contextKey": "k", "matchValue": "v"}
    plan = {"skillName": "Long", "steps": [*steps[:49], {**nested, "thenSteps": [
        {"id": f"t{number}", "type": "set_context", "key": "k", "value": "v"} for number in range(50)
    ]}]}  # fmt: skip

    async def read_all(client: Client) -> list[dict[str, Any]]:
        session_id = (await call(client, "run_skill", plan=plan))["session_id"]
        await status_when(client, session_id, is_done)
        parts, since = [], 0
        while True:
            parts.append(await call(client, "session_status", session_id=session_id, since=since))
            if not parts[-1]["more"]:
                return parts
            since = parts[-1]["next_since"]

    parts = talk(read_all)
    assert [len(part["events"]) for part in parts[:-1]] == [200] * (len(parts) - 1)
    numbers = [event["seq"] for part in parts for event in part["events"]]
    assert numbers == list(range(1, parts[0]["last_seq"] + 1))
    assert len(numbers) > 200


@pytest.mark.holds("session.mcp.status-is-bounded")
def test_events_that_hold_much_come_in_smaller_parts(talk: Talk) -> None:
    tens = [{"id": f"s{n}", "type": "set_context", "key": f"k{n}", "value": f"{{{{k{n - 1}}}}}" * 10} for n in (1, 2)]
    begin = {"id": "s0", "type": "set_context", "key": "k0", "value": "x" * 900}
    outputs = [{"id": f"o{n}", "type": "output", "template": "{{k2}}"} for n in range(10)]

    async def read_all(client: Client) -> list[dict[str, Any]]:
        plan = {"skillName": "Wide", "steps": [begin, *tens, *outputs]}
        session_id = (await call(client, "run_skill", plan=plan))["session_id"]
        await status_when(client, session_id, is_done)
        parts = [await call(client, "session_status", session_id=session_id)]
        while parts[-1]["more"]:
            parts.append(await call(client, "session_status", session_id=session_id, since=parts[-1]["next_since"]))
        return parts

    parts = talk(read_all)
    assert parts[0]["outcome"] == "success"
    assert len(parts) > 2
    assert all(len(json.dumps(part["events"])) < 500_000 for part in parts)
    numbers = [event["seq"] for part in parts for event in part["events"]]
    assert numbers == list(range(1, parts[0]["last_seq"] + 1))


@pytest.mark.holds("session.mcp.stop")
def test_a_session_is_stopped_and_stays_stopped(talk: Talk) -> None:
    async def stop_twice(client: Client) -> Any:
        session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
        await status_when(client, session_id, is_asking)
        first = await call(client, "stop_session", session_id=session_id)
        second = await call(client, "stop_session", session_id=session_id)
        late = await client.call_tool(
            "answer_question", {"session_id": session_id, "step_id": "ask", "answers": {"Way": "left"}}
        )
        return first, second, late, await call(client, "session_status", session_id=session_id)

    first, second, late, ended = talk(stop_twice)
    assert first == second == {"status": "stopped"}
    assert ended["outcome"] == "stopped"
    assert ended["events"][-1]["type"] == "skill_error"
    assert late.is_error
    assert late.structured_content["code"] == "conflict"


@pytest.mark.holds("session.mcp.refusals")
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("run_skill", {}, "invalid_input", "plan"),
        ("run_skill", {"plan": PLAN, "skills": []}, "invalid_input", "skills"),
        ("run_skill", {"plan": []}, "invalid_input", "plan"),
        ("run_skill", {"plan": {**PLAN, "steps": [{**ASK, "question": 5}]}}, "invalid_input", "plan.steps.0.question"),
        ("run_skill", {"plan": PLAN, "allSkills": {}}, "invalid_input", "allSkills"),
        ("session_status", {"session_id": "nobody"}, "not_found", None),
        ("session_status", {"session_id": "x", "since": -1}, "invalid_input", "since"),
        ("session_status", {"session_id": "x", "since": "1"}, "invalid_input", "since"),
        ("session_status", {"session_id": "\0"}, "invalid_input", "session_id"),
        ("answer_question", {"session_id": "nobody", "step_id": "a", "answers": {"W": 1}}, "not_found", None),
        ("answer_question", {"session_id": "x", "step_id": "a", "answers": []}, "invalid_input", "answers"),
        ("answer_question", {"session_id": "x", "step": "a", "answers": {}}, "invalid_input", "step"),
        ("stop_session", {"session_id": "nobody"}, "not_found", None),
        ("stop_session", {"session_id": "x", "force": True}, "invalid_input", "force"),
    ],
)
def test_a_refusal_is_a_result_that_names_the_field(
    talk: Talk, tool: str, arguments: dict[str, Any], code: str, field: str | None
) -> None:
    answer = talk(lambda client: client.call_tool(tool, arguments))
    assert answer.is_error
    shape = answer.structured_content
    assert (shape["code"], shape.get("field")) == (code, field)
    assert answer.content[0].text == shape["error"]


@pytest.mark.holds("session.mcp.refusals")
def test_an_answer_names_a_step_that_has_asked(talk: Talk) -> None:
    async def misanswer(client: Client) -> list[Any]:
        session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
        await status_when(client, session_id, is_asking)

        async def refused(**changed: Any) -> Any:
            arguments = {"session_id": session_id, "step_id": "ask", "answers": {"Way": "left"}, **changed}
            return (await client.call_tool("answer_question", arguments)).structured_content["code"]

        codes = [await refused(step_id="ghost"), await refused(step_id="out"), await refused(answers={})]
        codes.append(await refused(question_id="ghost"))
        await call(client, "stop_session", session_id=session_id)
        return codes

    assert talk(misanswer) == ["not_found", "conflict", "invalid_input", "not_found"]


@pytest.mark.holds("session.mcp.both-transports")
def test_over_stdio_the_process_runs_the_plan_itself(tmp_path: Path) -> None:
    async def conversation() -> Any:
        python, *words = forked.standing_in([*LORE, "mcp", "--structured", "--data", str(tmp_path / "data")])
        async with Client(stdio_client(StdioServerParameters(command=python, args=words))) as client:
            offered = {tool.name for tool in (await client.list_tools()).tools}
            assert {"run_skill", "next_skill", "scan", "store_memory", "answer"} <= offered
            return await run_and_answer(client)

    assert anyio.run(conversation)["skill"]["result"] == "went left"


@pytest.mark.holds("session.mcp.both-transports")
def test_a_plan_that_one_process_left_is_finished_by_the_next(tmp_path: Path) -> None:
    command = [*LORE, "mcp", "--structured", "--data", str(tmp_path / "data"), "--toolsets", "build"]
    python, *words = forked.standing_in(command)
    parameters = StdioServerParameters(command=python, args=words)

    async def begin() -> str:
        async with Client(stdio_client(parameters)) as client:
            session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
            await status_when(client, session_id, is_asking)
            return str(session_id)

    async def finish(session_id: str) -> Any:
        async with Client(stdio_client(parameters)) as client:
            await call(client, "answer_question", session_id=session_id, step_id="ask", answers={"Way": "left"})
            return await status_when(client, session_id, is_done)

    ended = anyio.run(finish, anyio.run(begin))
    assert ended["skill"]["result"] == "went left"


@pytest.mark.holds("session.mcp.both-transports")
def test_over_http_the_server_runs_the_plan(tmp_path: Path, serve: Any) -> None:
    async def conversation(address: str) -> Any:
        async with Client(streamable_http_client(f"{address}/mcp?structured=1")) as client:
            return await run_and_answer(client)

    with serve(tmp_path / "data", LORE_EMBEDDER="none") as address:
        assert anyio.run(conversation, address)["skill"]["result"] == "went left"


@pytest.mark.holds("session.mcp.wait")
def test_a_status_waits_for_news_and_comes_with_them(talk: Talk) -> None:
    async def conversation(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
        session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
        since = (await status_when(client, session_id, is_asking))["next_since"]
        waited: list[dict[str, Any]] = []

        async def wait() -> None:
            waited.append(await call(client, "session_status", session_id=session_id, since=since, wait_s=60))

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            quick = await call(client, "session_status", session_id=session_id, since=since, wait_s=0.01)
            assert not waited
            await call(client, "answer_question", session_id=session_id, step_id="ask", answers={"Way": "left"})
        over = await status_when(client, session_id, is_done)
        with anyio.fail_after(PATIENCE):  # of a session that is over there will be no news
            for _ in range(20):
                await call(client, "session_status", session_id=session_id, since=over["next_since"], wait_s=60)
        return quick, waited[0]

    quick, waited = talk(conversation)
    assert quick["events"] == []
    assert waited["events"][0]["type"] == "question_answered"


@pytest.mark.holds("session.mcp.wait")
def test_many_who_wait_hold_up_nobody_and_may_leave(talk: Talk) -> None:
    async def conversation(client: Client) -> dict[str, Any]:
        session_id = (await call(client, "run_skill", plan=PLAN))["session_id"]
        since = (await status_when(client, session_id, is_asking))["next_since"]
        async with anyio.create_task_group() as group:
            for _ in range(100):  # more than there are threads
                arguments = {"session_id": session_id, "since": since, "wait_s": 60}
                group.start_soon(client.call_tool, "session_status", arguments)
            with anyio.fail_after(PATIENCE):
                status = await call(client, "session_status", session_id=session_id)
            group.cancel_scope.cancel()
        return status

    assert is_asking(talk(conversation))


@pytest.mark.holds("session.mcp.wait")
@pytest.mark.parametrize("wait_s", [61, -1, "soon", True])
def test_a_wait_that_is_too_long_is_refused_by_its_field(talk: Talk, wait_s: Any) -> None:
    refused = talk(lambda client: client.call_tool("session_status", {"session_id": "x", "wait_s": wait_s}))
    assert refused.is_error
    assert refused.structured_content["field"] == "wait_s"
