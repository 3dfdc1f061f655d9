"""A memory stored or edited. The same text twice is one; an edit is how a memory is annotated."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loreweave.clock import parse_instant
from loreweave.contracts.memory import SimilarMemory, StoreAnswer
from loreweave.contracts.memory_requests import DEFAULT_SCOPE, StoreRequest
from loreweave.entities.stored_memory import LIVE, Memory, Pair, Relation
from loreweave.errors import Conflict, InvalidInput
from loreweave.memory.change import Change
from loreweave.memory.changes.relate_memories import (
    checked_relations,
    refuse_circles,
    replace_outgoing,
    settle_relations,
)
from loreweave.memory.memory_record import default_name, find_live, text_hash, told_value
from loreweave.memory.search.differing_values import differing_values
from loreweave.memory.search.memory_twins import find_near, find_twins, series_of
from loreweave.memory.search.read_memory_text import content_words
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex
    from loreweave.memory.search.read_memory_text import TextReading


def place_memory(change: Change, index: MemoryIndex, memory: Memory, reading: TextReading) -> None:
    """`index` is of the state before this change."""
    change.tools.library.keep(change.connection, memory.key, reading)
    memory_inbox_shelf.delete_pairs(change.connection, memory.node_id)
    end_series(change, index, memory, reading)
    memory_inbox_shelf.put_pairs(change.connection, pairs_of(index, memory, reading))


def end_series(change: Change, index: MemoryIndex, memory: Memory, reading: TextReading) -> None:
    """Of memories that differ in one value, too many for one question, none is asked about any more."""
    kept = memory_inbox_shelf.pairs_among(change.connection, series_of(index, reading, memory.scope, memory.key))
    texts = memory_shelf.find_memories(
        change.connection, {end for pair in kept for end in (pair.first_id, pair.second_id)}
    )
    words = {node_id: content_words(each.content) for node_id, each in texts.items()}
    ended = [pair for pair in kept if differing_values(words[pair.first_id], words[pair.second_id])]
    memory_inbox_shelf.delete_pairs_exactly(change.connection, ended)


def pairs_of(index: MemoryIndex, memory: Memory, reading: TextReading) -> list[Pair]:
    found = find_twins(index, reading, memory.scope, memory.key)
    own = memory.node_id
    return [Pair(min(own, other), max(own, other), similarity) for other, similarity in found]


DEFAULT_IMPORTANCE = 0.5
MOST_SIMILAR = 5


def store_memory(change: Change, request: StoreRequest, reading: TextReading) -> StoreAnswer:
    assert request.content is not None
    scope = request.scope or DEFAULT_SCOPE
    known = memory_shelf.find_text(change.connection, scope, text_hash(request.content))
    if known is not None:
        return StoreAnswer(
            node_id=known.node_id, created=False, version=known.version, duplicate_of=known.node_id, similar=[]
        )
    node_id = str(uuid.uuid4())
    relations = checked_relations(change, node_id, scope, request.relations or ())
    index = change.tools.library.current(change.connection)
    near = find_near(index, reading, scope, MOST_SIMILAR)
    memory = change.insert(new_memory(request, node_id, scope, change.now))
    memory_ties_shelf.put_relations(change.connection, relations)
    place_memory(change, index, memory, reading)
    change.note(memory, "stored")
    similar = [SimilarMemory(node_id=other, similarity=similarity) for other, similarity in near]
    return StoreAnswer(node_id=node_id, created=True, version=memory.version, duplicate_of=None, similar=similar)


def name_of(request: StoreRequest) -> str:
    return request.name or default_name(request.content or "")


def check_validity(valid_from: int | None, valid_until: int | None) -> None:
    """What ended before it was stored is legal: somebody tells of the past."""
    if valid_from is not None and valid_until is not None and valid_until <= valid_from:
        raise InvalidInput("valid_until must be after valid_from", code="invalid_argument", field="valid_until")


def new_memory(request: StoreRequest, node_id: str, scope: str, now: int) -> Memory:
    assert request.content is not None
    valid_from = parse_instant(request.valid_from) if request.valid_from else None
    valid_until = parse_instant(request.valid_until) if request.valid_until else None
    check_validity(valid_from, valid_until)
    return Memory(
        key=0,
        node_id=node_id,
        scope=scope,
        name=name_of(request),
        content=request.content,
        importance=DEFAULT_IMPORTANCE if request.importance is None else request.importance,
        tags=tuple(request.tags or ()),
        source=request.source,
        valid_from=valid_from,
        valid_until=valid_until,
        version=1,
        created_at=now,
        updated_at=now,
        last_accessed_at=None,
        access_count=0,
        state=LIVE,
    )


ReadText = Callable[[str, tuple[str, ...], str], "TextReading"]
PlaceMemory = Callable[[Change, "MemoryIndex", Memory, "TextReading"], None]
_TIMES = ("valid_from", "valid_until")
_PLAIN = ("content", "name", "importance", "scope", "source")


def edit_memory(change: Change, request: StoreRequest, read: ReadText) -> StoreAnswer:
    assert request.node_id is not None
    memory = find_live(change.connection, request.node_id, change.now)
    if memory.version != request.expected_version:
        raise Conflict(f"Memory {memory.node_id} changed meanwhile", node_id=memory.node_id, version=memory.version)
    memory = apply_edit(change, memory, request, read)
    return StoreAnswer(node_id=memory.node_id, created=False, version=memory.version, duplicate_of=None, similar=[])


def apply_edit(
    change: Change, memory: Memory, request: StoreRequest, read: ReadText, place: PlaceMemory = place_memory
) -> Memory:
    """The memory as edited; the same one where nothing differs. `place`: what is done about its text."""
    fields = changed_fields(memory, request)
    relations = _changed_relations(change, memory, request)
    if not fields and relations is None:
        return memory
    replaced = {name: told_value(name, getattr(memory, name)) for name in fields}
    if relations is not None:
        replaced["relations"] = _outgoing(change, memory)
    after = replace(memory, **fields)
    check_validity(after.valid_from, after.valid_until)
    if after.scope != memory.scope:
        refuse_moved(change.connection, memory)
    index = change.tools.library.current(change.connection)
    if relations is not None:
        memory = settle_relations(change, memory)
        replace_outgoing(change, memory, relations)
    after = change.update(memory, **fields)
    if fields.keys() & {"content", "name", "tags", "scope"}:
        place(change, index, after, read(after.name, after.tags, after.content))
    if "content" in fields:
        memory_inbox_shelf.delete_dismissals(change.connection, after.node_id)
    change.note(after, "edited", **replaced)
    return after


def changed_fields(memory: Memory, request: StoreRequest) -> dict[str, Any]:
    given = request.model_fields_set
    values = {name: getattr(request, name) for name in _PLAIN if name in given}
    for name in _TIMES:
        if name in given:
            text = getattr(request, name)
            values[name] = None if text is None else parse_instant(text)
    if "tags" in given:
        values["tags"] = tuple(request.tags or ())
    if request.content is not None and "name" not in given and memory.name == default_name(memory.content):
        values["name"] = default_name(request.content)  # a name that nobody gave follows the text
    return {name: value for name, value in values.items() if value != getattr(memory, name)}


def _changed_relations(change: Change, memory: Memory, request: StoreRequest) -> list[Relation] | None:
    if request.relations is None:
        return None
    scope = memory.scope if request.scope is None else request.scope
    relations = checked_relations(change, memory.node_id, scope, request.relations)
    refuse_circles(change.connection, memory.node_id, relations)
    if not memory.inherits and _outgoing(change, memory) == [_as_detail(each) for each in _ordered(relations)]:
        return None
    return relations


def _outgoing(change: Change, memory: Memory) -> list[dict[str, object]]:
    rows = memory_ties_shelf.relations_of(change.connection, [memory.node_id])
    return [_as_detail(row) for row in _ordered(rows) if row.source_id == memory.node_id]


def _ordered(relations: list[Relation]) -> list[Relation]:
    return sorted(relations, key=lambda each: (each.target_id, each.type))


def _as_detail(relation: Relation) -> dict[str, object]:
    return {"target_id": relation.target_id, "type": relation.type, "weight": relation.weight}


def refuse_moved(connection: Connection, memory: Memory) -> None:
    """Into another scope."""
    if memory.inherits or memory_ties_shelf.relations_of(connection, [memory.node_id]):
        raise Conflict(
            f"Memory {memory.node_id} has relations, which never cross scopes: take them away first", field="scope"
        )
