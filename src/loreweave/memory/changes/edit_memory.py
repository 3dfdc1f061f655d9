"""An edit: what is given replaces, what is absent stays. This is how a memory is annotated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loreweave.clock import parse_instant
from loreweave.contracts.memory import StoreAnswer
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.entities.memory import Memory, Relation
from loreweave.errors import Conflict
from loreweave.memory.change import Change
from loreweave.memory.changes.give_relations import checked_relations, refuse_circles, replace_outgoing
from loreweave.memory.changes.place_memory import place_memory
from loreweave.memory.changes.store_memory import check_validity
from loreweave.memory.merging.settle_relations import settle_relations
from loreweave.memory.states import find_live, shown
from loreweave.seams.storage import memory_relation_shelf, memory_task_shelf
from loreweave.seams.storage.store import Connection

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex
    from loreweave.memory.search.read_memory_text import TextReading

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
    replaced = {name: _told(name, getattr(memory, name)) for name in fields}
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
        memory_task_shelf.delete_dismissals(change.connection, after.node_id)
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
    rows = memory_relation_shelf.relations_of(change.connection, [memory.node_id])
    return [_as_detail(row) for row in _ordered(rows) if row.source_id == memory.node_id]


def _ordered(relations: list[Relation]) -> list[Relation]:
    return sorted(relations, key=lambda each: (each.target_id, each.type))


def _as_detail(relation: Relation) -> dict[str, object]:
    return {"target_id": relation.target_id, "type": relation.type, "weight": relation.weight}


def refuse_moved(connection: Connection, memory: Memory) -> None:
    """Into another scope."""
    if memory.inherits or memory_relation_shelf.relations_of(connection, [memory.node_id]):
        raise Conflict(
            f"Memory {memory.node_id} has relations, which never cross scopes: take them away first", field="scope"
        )


def _told(name: str, value: Any) -> Any:
    return shown(value) if name in _TIMES else list(value) if isinstance(value, tuple) else value
