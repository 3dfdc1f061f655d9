"""A new memory; the same text twice is one."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from loreweave.clock import parse_instant
from loreweave.contracts.memory import SimilarMemory, StoreAnswer
from loreweave.contracts.memory_requests import DEFAULT_SCOPE, StoreRequest
from loreweave.entities.memory import LIVE, Memory
from loreweave.errors import InvalidInput
from loreweave.memory.change import Change
from loreweave.memory.changes.give_relations import checked_relations
from loreweave.memory.changes.place_memory import place_memory
from loreweave.memory.text_identity import default_name, text_hash
from loreweave.seams.storage import memory_relation_shelf, memory_shelf

if TYPE_CHECKING:
    from loreweave.memory.search.read_memory_text import TextReading

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
    near = index.near(reading, scope, MOST_SIMILAR)
    memory = change.insert(new_memory(request, node_id, scope, change.now))
    memory_relation_shelf.put_relations(change.connection, relations)
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
