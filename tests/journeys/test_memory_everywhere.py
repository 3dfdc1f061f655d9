"""One memory, three faces: the official client over stdio, HTTP and the command line give the same answers."""

import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests import forked
from tests.faces.served import served
from tests.pace import PATIENCE

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]
FIRST, SECOND = "Tokens live for an hour.", "Refresh tokens before they expire."
Answers = dict[str, Any]


async def journey(ask: Callable[..., Any], clock: Path) -> Answers:
    """Store, search, boost, merge, undo, forget, restore: each a second after the one before."""
    time = datetime(2026, 1, 18, 12, tzinfo=UTC)

    async def call(tool: str, **arguments: Any) -> Any:
        nonlocal time
        time += timedelta(seconds=1)
        wound = clock.with_suffix(".new")
        wound.write_text(time.isoformat())
        wound.replace(clock)  # whoever looks sees one time or the other
        return await ask(tool, **arguments)

    first = await call("store_memory", content=FIRST, tags=["auth"])
    second = await call("store_memory", content=SECOND, tags=["auth"])
    ids = [first["node_id"], second["node_id"]]
    found = await call("search_memories", query="tokens")
    boosted = await call("boost_importance", node_id=ids[0], delta=-0.2)
    merged = await call("merge_concepts", source_ids=ids, target_name="Tokens", rationale="One subject")
    undone = await call("undo_merge", reversal_hash=merged["reversal_hash"])
    forgotten = await call("forget_concept", node_id=ids[1])
    trash = await call("list_deleted")
    restored = await call("restore_concept", node_id=ids[1])
    status = await call("get_memetic_status")
    return {
        "first": first, "second": second, "found": found, "boosted": boosted, "merged": merged, "undone": undone,
        "forgotten": forgotten, "trash": trash, "restored": restored, "status": status,
    }  # fmt: skip


def over_stdio(data: Path, environment: dict[str, str], clock: Path) -> Answers:
    async def conversation() -> Answers:
        command = [*LORE, "mcp", "--structured", "--data", str(data), "--toolsets", "memory"]
        python, *words = forked.standing_in(command)
        parameters = StdioServerParameters(command=python, args=words, env=environment)
        async with Client(stdio_client(parameters)) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result.content
                assert json.loads(result.content[0].text) == result.structured_content
                return result.structured_content

            return await journey(call, clock)

    return anyio.run(conversation)


def over_http(address: str, clock: Path) -> Answers:
    async def conversation() -> Answers:
        async with httpx.AsyncClient(base_url=f"{address}/api/memory/", timeout=PATIENCE) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                answer = await client.post(tool, json=arguments)
                assert answer.status_code == 200, answer.text
                return answer.json()

            return await journey(call, clock)

    return anyio.run(conversation)


def on_the_command_line(data: Path, environment: dict[str, str], clock: Path) -> Answers:
    words: dict[str, Callable[..., list[str]]] = {
        "store_memory": lambda content, tags: ["add", content, *(f"--tag={tag}" for tag in tags)],
        "search_memories": lambda query: ["search", query],
        "boost_importance": lambda node_id, delta: ["boost", node_id, str(delta)],
        "merge_concepts": lambda source_ids, target_name, rationale: [
            *("merge", *source_ids, "--name", target_name, "--rationale", rationale)
        ],
        "undo_merge": lambda reversal_hash: ["undo", reversal_hash],
        "forget_concept": lambda node_id: ["forget", node_id],
        "list_deleted": lambda: ["trash"],
        "restore_concept": lambda node_id: ["restore", node_id],
        "get_memetic_status": lambda: ["status"],
    }

    async def call(tool: str, **arguments: Any) -> Any:
        command = [*LORE, "memory", *words[tool](**arguments), "--data", str(data)]
        done = forked.run(command, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return anyio.run(lambda: journey(call, clock))


def without_chance(answers: Answers) -> Any:
    """Ids and hashes by the order in which they first appear: all else must be equal."""
    order: dict[str, str] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(inner) for name, inner in value.items()}
        if isinstance(value, list):
            made = [plain(inner) for inner in value]
            return sorted(made) if all(isinstance(inner, str) for inner in made) else made
        if isinstance(value, str) and (value.startswith("sha256:") or value.count("-") == 4):
            return order.setdefault(value, f"id {len(order)}")
        return value

    return plain(answers)


@pytest.mark.holds("memory.tools.journey", "memory.http.same-answers", "memory.cli.same-answers")
def test_a_whole_life_of_a_memory_is_the_same_through_every_face(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text("2026-01-18T12:00:00Z\n")
    settings = {"LORE_CLOCK_FILE": str(clock), "LORE_EMBEDDER": "none"}
    environment = {**os.environ, **settings}
    spoken = over_stdio(tmp_path / "spoken", environment, clock)
    with served(tmp_path / "served", **settings) as address:
        requested = over_http(address, clock)
    typed = on_the_command_line(tmp_path / "typed", environment, clock)
    assert without_chance(spoken) == without_chance(requested) == without_chance(typed)
    assert spoken["forgotten"]["recoverable_until"] == "2026-02-17T12:00:07Z"
    assert spoken["merged"]["merged"]["content"].count("\n") >= 1
    assert sorted(spoken["undone"]["restored_ids"]) == sorted([spoken["first"]["node_id"], spoken["second"]["node_id"]])
    assert spoken["status"]["counts"] == {"live": 2, "deleted": 1, "merged": 0, "reversible_merges": 0}


@pytest.mark.holds("memory.tools.seen-by-others")
def test_what_one_process_stores_another_finds_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    environment = {**os.environ, "LORE_EMBEDDER": "none"}
    with served(data, LORE_EMBEDDER="none") as address:
        command = [*LORE, "memory", "add", FIRST, "--data", str(data)]
        done = forked.run(command, capture_output=True, timeout=PATIENCE, check=True, env=environment)
        found = httpx.post(f"{address}/api/memory/search_memories", json={"query": "tokens"}, timeout=PATIENCE).json()
        assert [memory["node_id"] for memory in found["results"]] == [json.loads(done.stdout)["node_id"]]
