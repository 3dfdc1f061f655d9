"""The memory toolset, through the official client in one process."""

import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import Implementation
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import TOOLSETS, open_toolsets
from loreweave.language.tokens import count_tokens
from loreweave.settings import Settings

NAMES = [
    *("store_memory", "search_memories", "get_memory", "get_memetic_status", "forget_concept", "boost_importance"),
    *("merge_concepts", "restore_concept", "undo_merge", "list_deleted", "dismiss_task"),
]
UNKNOWN = "550e8400-e29b-41d4-a716-446655440000"
TOKENS = 2_400
Ask = Callable[[Client], Any]


@pytest.fixture
def remembering(tmp_path: Path) -> Any:
    opened = open_application(Settings(data_dir=lay_tables(tmp_path / "data"), embedder="none"))
    yield opened
    opened.close()


@pytest.fixture
def talk(remembering: Application) -> Callable[..., Any]:
    def run(ask: Ask, **client: Any) -> Any:
        async def conversation() -> Any:
            async with Client(
                create_server(open_toolsets(remembering, ["memory"]), structured=True), **client
            ) as connected:
                return await ask(connected)

        return anyio.run(conversation)

    return run


@pytest.fixture
def listed(talk) -> dict[str, Any]:
    return {tool.name: tool for tool in talk(lambda client: client.list_tools()).tools}


@pytest.mark.holds("memory.tools.names")
def test_the_toolset_has_eleven_tools_between_graph_and_ask(listed: dict[str, Any]) -> None:
    assert list(listed) == NAMES
    assert list(TOOLSETS) == ["graph", "memory", "ask", "route", "build"]


@pytest.mark.holds("memory.tools.annotations")
def test_annotations_say_what_a_tool_does_to_the_world(listed: dict[str, Any]) -> None:
    hints = {
        name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint, tool.annotations.idempotent_hint)
        for name, tool in listed.items()
    }
    reading = (True, False, True)
    assert hints == {
        "store_memory": (False, False, False),
        "search_memories": reading,
        "get_memory": reading,
        "get_memetic_status": reading,
        "forget_concept": (False, True, False),
        "boost_importance": (False, False, False),
        "merge_concepts": (False, True, False),
        "restore_concept": (False, False, False),
        "undo_merge": (False, True, False),
        "list_deleted": reading,
        "dismiss_task": (False, False, True),
    }


@pytest.mark.holds("memory.tools.contract-schemas")
def test_the_three_tools_of_the_contract_have_its_schemas_and_words(listed: dict[str, Any]) -> None:
    contract = (Path(__file__).resolve().parents[3] / "docs/contracts/001-memory-curation.md").read_text()
    for name in ("forget_concept", "boost_importance", "merge_concepts"):
        block = contract.split(f"### {name}\n```json\n", 1)[1].split("```", 1)[0]
        theirs, ours = json.loads(block), listed[name]
        assert ours.description == theirs["description"]
        assert ours.input_schema["type"] == theirs["inputSchema"]["type"]
        assert ours.input_schema["required"] == theirs["inputSchema"]["required"]
        for argument, schema in theirs["inputSchema"]["properties"].items():
            assert ours.input_schema["properties"][argument] == schema


@pytest.mark.holds("memory.tools.argument-names")
def test_every_tool_takes_exactly_its_arguments(listed: dict[str, Any]) -> None:
    taken = {
        name: (list(tool.input_schema["properties"]), tool.input_schema.get("required", []))
        for name, tool in listed.items()
    }
    record = ["content", "name", "importance", "tags", "scope", "source", "valid_from", "valid_until", "relations"]
    retry = "request_id"
    assert taken == {
        "store_memory": ([*record, "node_id", "expected_version", retry], []),
        "search_memories": (
            ["query", "limit", "scope", "tags", "min_relevance", "as_of", "max_tokens"],
            ["query"],
        ),
        "get_memory": (["node_id", "include_deleted", "history"], ["node_id"]),
        "get_memetic_status": (["scope", "limit", "refresh"], []),
        "forget_concept": (["node_id", "soft_delete", "reason", retry], ["node_id"]),
        "boost_importance": (["node_id", "delta", retry], ["node_id", "delta"]),
        "merge_concepts": (
            ["source_ids", "target_name", "merge_strategy", "rationale", "force_merge", "preview", retry],
            ["source_ids", "target_name", "rationale"],
        ),
        "restore_concept": (["node_id", retry], ["node_id"]),
        "undo_merge": (["reversal_hash", "preview", "on_conflict", "allow_partial", retry], ["reversal_hash"]),
        "list_deleted": (["query", "scope", "limit"], []),
        "dismiss_task": (["task_id", "reason", retry], ["task_id"]),
    }
    for tool in listed.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert "title" not in json.dumps([tool.input_schema, tool.output_schema])
        assert "$ref" not in json.dumps([tool.input_schema, tool.output_schema])


@pytest.mark.holds("memory.tools.few-tokens")
def test_what_a_model_reads_of_all_tools_stays_under_the_token_limit(listed: dict[str, Any]) -> None:
    said = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in listed.values()
    ]
    assert count_tokens(json.dumps(said, separators=(",", ":"))) < TOKENS


@pytest.mark.holds("memory.tools.round-trip")
def test_a_memory_is_stored_found_changed_and_brought_back(talk) -> None:
    async def ask(client: Client) -> list[Any]:
        stored = await client.call_tool("store_memory", {"content": "Tokens live for an hour.", "tags": ["auth"]})
        node = stored.structured_content["node_id"]
        return [
            stored,
            await client.call_tool("search_memories", {"query": "tokens"}),
            await client.call_tool("boost_importance", {"node_id": node, "delta": 0.2}),
            await client.call_tool("forget_concept", {"node_id": "{" + node.upper() + "}", "reason": "a test"}),
            await client.call_tool("list_deleted", {}),
            await client.call_tool("restore_concept", {"node_id": node}),
            await client.call_tool("get_memory", {"node_id": node}),
            await client.call_tool("get_memetic_status"),
        ]

    stored, found, boosted, forgotten, trash, restored, record, status = (
        result.structured_content for result in talk(ask)
    )
    node = stored["node_id"]
    assert [memory["node_id"] for memory in found["results"]] == [node]
    assert (boosted["old_importance"], boosted["delta"], boosted["new_importance"]) == (0.5, 0.2, 0.7)
    assert forgotten["forgotten_id"] == node
    assert [item["node_id"] for item in trash["items"]] == [node]
    assert restored == {"node_id": node, "restored": True, "relations_lost": []}
    assert [entry["action"] for entry in record["history"]] == ["restored", "forgotten", "boosted", "stored"]
    assert status["counts"]["live"] == 1


@pytest.mark.holds("memory.tools.actor")
@pytest.mark.parametrize(
    ("name", "actor"),
    [("claude-code", "claude-code"), ("a\nb\x1b[31m", "a b [31m"), ("x" * 300, "x" * 80), (" ", "mcp")],
)
def test_history_names_the_client(talk, name: str, actor: str) -> None:
    async def ask(client: Client) -> Any:
        stored = await client.call_tool("store_memory", {"content": "Who was it?"})
        return await client.call_tool("get_memory", {"node_id": stored.structured_content["node_id"]})

    record = talk(ask, client_info=Implementation(name=name, version="1")).structured_content
    assert [entry["actor"] for entry in record["history"]] == [actor]


@pytest.mark.holds("memory.tools.failures")
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "sentence"),
    [
        ("forget_concept", {"node_id": UNKNOWN, "soft_delte": 0}, "invalid_argument", "Unknown argument 'soft_delte'"),
        ("forget_concept", {"node_id": UNKNOWN, "soft_delete": 0}, "invalid_argument", "soft_delete must be true or"),
        ("forget_concept", {"node_id": UNKNOWN}, "not_found", f"Memory {UNKNOWN} not found"),
        ("forget_concept", {"node_id": "not-a-uuid"}, "invalid_argument", "Invalid UUID format for node_id 'not-a-uu"),
        ("boost_importance", {"node_id": UNKNOWN, "delta": 1.5}, "invalid_argument", "delta must be between -1.0 and"),
        ("merge_concepts", {"source_ids": [UNKNOWN]}, "invalid_argument", "Need at least 2 concepts to merge"),
        ("undo_merge", {"reversal_hash": "sha256:" + "0" * 64}, "not_found", "Unknown reversal_hash"),
        ("undo_merge", {"reversal_hash": "no-hash"}, "not_found", "Unknown reversal_hash"),
        ("dismiss_task", {"task_id": "none"}, "not_found", "Unknown task_id"),
    ],
)
def test_a_failure_is_a_result_with_its_sentence(talk, tool: str, arguments: Any, code: str, sentence: str) -> None:
    result = talk(lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    shape = result.structured_content
    assert shape["code"] == code
    assert shape["error"].startswith(sentence)
    assert [block.text for block in result.content] == [shape["error"]]


@pytest.mark.holds("memory.tools.never-logged")
def test_an_unforeseen_trouble_is_logged_by_its_kind_alone(
    remembering: Application, talk, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that refuses for reasons of its own, quoting what it was given."""
    remembering.memory  # noqa: B018
    with closing(sqlite3.connect(remembering.settings.data_dir / "lore.db")) as database:
        refuse = "SELECT RAISE(ABORT, 'will not keep: the secret of the fountain')"
        database.execute(f"CREATE TRIGGER stubborn BEFORE INSERT ON memories BEGIN {refuse}; END")
    with caplog.at_level(logging.DEBUG):
        result = talk(lambda client: client.call_tool("store_memory", {"content": "the secret of the fountain"}))
    assert result.is_error
    assert result.structured_content["code"] == "damaged"
    assert "fountain" not in caplog.text
    assert "fountain" not in json.dumps(result.structured_content)
