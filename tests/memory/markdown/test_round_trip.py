"""Any memory, through a file and back."""

import json
from dataclasses import replace

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as some

from loreweave.clock import format_instant, parse_instant
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.entities.stored_memory import LIVE, Memory, Relation
from loreweave.errors import LoreError
from loreweave.memory.changes.store_memory import new_memory
from loreweave.memory.markdown.export_memories import write_memory_file
from loreweave.memory.markdown.read_memory_file import read_memory_file

TEXT = some.text(some.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60)
LINES = some.lists(some.sampled_from(["---", "", " ", "a: b", "\r", "text \t", "...", "\u2028", "\ufeff", "# x"]))
CONTENT = TEXT | LINES.map("\n".join) | LINES.map("\r\n".join)
TIMES = some.none() | some.integers(-(10**15), 10**16)
NODE = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.mark.holds("memory.markdown.round-trip")
@given(
    content=CONTENT.filter(str.strip),
    name=TEXT,
    tags=some.lists(TEXT, max_size=4),
    source=some.none() | TEXT,
    importance=some.floats(0, 1),
    weight=some.floats(0, 1, exclude_min=True),
    times=some.tuples(TIMES, TIMES),
    version=some.integers(1, 10**9),
)
@example("---\r\nx: y\r\n---\n\n", "yes", ["null", "1", "~"], "", 1e-6, 5e-324, (0, 1), 1)
def test_what_a_file_says_is_what_the_memory_was(
    content, name, tags, source, importance, weight, times, version
) -> None:
    given = {"content": content, "importance": importance, "tags": tags, "name": name}
    if source is not None:
        given["source"] = source
    try:
        request = read_memory_request("store_memory", given)
    except LoreError:
        request = read_memory_request("store_memory", {"content": content, "importance": importance})
    assert isinstance(request, StoreRequest)
    starts, ends = times
    if starts is not None and ends is not None and ends <= starts:
        ends = starts + 1
    memory = replace(
        new_memory(request, NODE, "a:b/../c", 1_750_000_000_123_456),
        version=version, valid_from=starts, valid_until=ends,
    )  # fmt: skip
    relations = [Relation(NODE, NODE.replace("0", "1"), "supersedes", weight)]
    data = write_memory_file(memory, relations)
    file = read_memory_file("any.md", data)
    again = file.request
    assert again.content == memory.content
    assert (again.name, again.scope, again.importance, again.source) == (
        memory.name, memory.scope, memory.importance, memory.source,
    )  # fmt: skip
    assert tuple(again.tags or ()) == memory.tags
    assert [None if text is None else parse_instant(text) for text in (again.valid_from, again.valid_until)] == [
        starts,
        ends,
    ]
    assert (file.version, file.created_at, file.node_id) == (version, memory.created_at, NODE)
    assert [(each.target_id, each.type, each.weight) for each in again.relations or ()] == [
        (relations[0].target_id, "supersedes", weight)
    ]


@pytest.mark.holds("memory.markdown.format")
@given(name=TEXT, tags=some.lists(TEXT, max_size=4), source=some.none() | TEXT)
@example("yes", ["null", "1e5", "12:30:45", "2026-01-01", "0x1F", "=", "<<"], "No")
def test_other_readers_of_yaml_read_the_same(name: str, tags: list[str], source: str | None) -> None:
    memory = Memory(
        1, NODE, "default", name, "x", 1e-6, tuple(sorted(set(tags))), source, None, 5, 3, 7, 7, None, 0, LIVE
    )
    header = yaml.safe_load(write_memory_file(memory, []).decode().split("---\n")[1])
    assert header == {
        "node_id": NODE,
        "name": name,
        "scope": "default",
        "importance": 1e-6,
        "tags": sorted(set(tags)),
        "source": source,
        "created_at": format_instant(7),
        "version": 3,
        "valid_from": None,
        "valid_until": format_instant(5),
        "relations": [],
    }
    assert json.dumps(header)
