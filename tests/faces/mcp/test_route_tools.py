"""The route toolset, called through the official client."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from tests.faces.routed_desk import desk_folder

from loreweave.application import Application
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets

NAMES = ["next_skill", "reachable_skills", "read_skill", "route_checkup"]
Talk = Callable[[Callable[[Client], Any]], Any]


@pytest.fixture
def talk(sqlite_application: Application, tmp_path: Path) -> Talk:
    """A conversation with a server over the desk, ingested."""
    sqlite_application.graphs.ingest_folder(desk_folder(tmp_path / "desk"), name="desk")

    def run(ask: Callable[[Client], Any]) -> Any:
        async def conversation() -> Any:
            async with Client(create_server(open_toolsets(sqlite_application, ("route",)), structured=True)) as client:
                return await ask(client)

        return anyio.run(conversation)

    return run


@pytest.mark.holds("routing.wires.mcp")
def test_four_tools_that_only_read(talk: Talk) -> None:
    tools = talk(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == NAMES
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert not tool.annotations.destructive_hint
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert "graphId" in tool.input_schema["properties"]
        assert "graphId" not in tool.input_schema.get("required", [])


@pytest.mark.holds("routing.wires.mcp")
def test_the_graph_is_the_one_ingested_last_unless_named(
    talk: Talk, sqlite_application: Application, vault: Path
) -> None:
    sqlite_application.graphs.ingest_folder(vault, name="later")
    named = talk(
        lambda client: client.call_tool("next_skill", {"graphId": "desk", "context": {"userMessage": "refund"}})
    )
    assert named.structured_content["nextSkill"] == "refunds"
    last = talk(lambda client: client.call_tool("next_skill", {}))
    assert last.structured_content["nextSkill"] == "index"
    again = talk(lambda client: client.call_tool("route_checkup", {}))
    assert again.structured_content["ok"] is True


@pytest.mark.holds("routing.wires.mcp")
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("read_skill", {"id": "escalation"}, "not_reachable"),
        ("read_skill", {"id": "ghost"}, "not_found"),
        ("read_skill", {"id": "refunds", "path": "glossary/SKILL.md"}, "not_found"),
        ("reachable_skills", {"graphId": "nobody"}, "not_found"),
        ("next_skill", {"files": {}}, "invalid_input"),
        ("next_skill", {"context": {"mesage": "x"}}, "invalid_input"),
        ("route_checkup", {"knownTools": []}, "invalid_input"),
    ],
)
def test_a_refusal_is_a_result_with_its_code(talk: Talk, tool: str, arguments: dict[str, Any], code: str) -> None:
    answer = talk(lambda client: client.call_tool(tool, arguments))
    assert answer.is_error
    assert answer.structured_content["code"] == code
    assert answer.content[0].text == answer.structured_content["error"]
