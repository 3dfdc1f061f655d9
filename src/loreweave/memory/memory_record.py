"""A memory at a moment: when two texts are one, in which state it is, what a caller is told, and how it is shown."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from loreweave.clock import format_instant
from loreweave.contracts.memory import HistoryEntry, MemoryRecord, MemoryRelation
from loreweave.contracts.wire import WireValue
from loreweave.entities.stored_memory import LIVE, Memory, Relation
from loreweave.errors import AlreadyDeleted, NotFound
from loreweave.memory.merging.relation_graph import RelationGraph, superseding_memory
from loreweave.seams.storage import memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

DEFAULT_NAME = 80  # characters


def same_text(text: str) -> str:
    """NFC, white space collapsed: the form in which equal texts are equal."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_hash(content: str) -> str:
    return hashlib.sha256(same_text(content).encode()).hexdigest()


def default_name(content: str) -> str:
    """The first line that says something, cut."""
    for line in content.splitlines():
        shown = "".join(character for character in line if character.isprintable()).strip()
        name = unicodedata.normalize("NFC", shown)[:DEFAULT_NAME].rstrip()
        if name:
            return name
    return "memory"  # nothing printable in it


def fingerprint(memory: Memory) -> str:
    """Of everything that an edit can change, but importance and relations."""
    said = [memory.name, memory.content, memory.tags, memory.source, memory.valid_from, memory.valid_until]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def is_over(memory: Memory, now: int) -> bool:
    """Past its deadline a memory counts as erased, swept or not."""
    return memory.recoverable_until is not None and now >= memory.recoverable_until


def find_present(connection: Connection, node_id: str, now: int) -> Memory:
    """A memory in any state from which it can come back."""
    memory = memory_shelf.find_memory(connection, node_id)
    if memory is None or is_over(memory, now):
        raise NotFound(f"Memory {node_id} not found", node_id=node_id)
    return memory


def find_live(connection: Connection, node_id: str, now: int) -> Memory:
    memory = find_present(connection, node_id, now)
    if memory.state != LIVE:
        refuse_deleted(memory)
    return memory


def refuse_deleted(memory: Memory) -> NoReturn:
    facts: dict[str, Any] = {
        "node_id": memory.node_id,
        "state": memory.state,
        "deleted_at": shown(memory.deleted_at),
        "recoverable_until": shown(memory.recoverable_until),
        "merged_into": memory.merged_into,
    }
    raise AlreadyDeleted("Memory already deleted", **facts)


Told = TypeVar("Told", bound=WireValue)
TIMES = {"at", "created_at", "updated_at", "last_accessed_at", "deleted_at", "recoverable_until", "reversible_until",
         "valid_from", "valid_until"}  # fmt: skip


def as_told(kind: type[Told], kept: object, **more: Any) -> Told:
    """What callers are told of what is kept: the fields that both have, times as text, and others beside them."""
    both = {name: getattr(kept, name) for name in kind.model_fields if name not in more and hasattr(kept, name)}
    return kind(**{name: told_value(name, value) for name, value in both.items()}, **more)


def told_value(name: str, value: Any) -> Any:
    if name in TIMES:
        return shown(value)
    return list(value) if isinstance(value, tuple) else value


def shown(at: int | None) -> str | None:
    return None if at is None else format_instant(at)


LONGEST = 160  # characters


def preview(content: str) -> str:
    """One line, cut at a word where there is one near the end."""
    text = " ".join(content[: 4 * LONGEST].split())
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[LONGEST // 2 :] else cut) + "…"


def show_relations(relations: Iterable[Relation]) -> list[MemoryRelation]:
    return [as_told(MemoryRelation, each) for each in relations]


def show_record(connection: Connection, memory: Memory, lines: int) -> MemoryRecord:
    """With its relations to live memories and the newest lines of its history."""
    graph = RelationGraph(connection)
    graph.know([memory])
    successor = superseding_memory(graph, memory)
    relations = graph.live_relations(memory) if memory.state == LIVE else []
    history = memory_ties_shelf.history_of(connection, memory.node_id, lines)
    return as_told(
        MemoryRecord,
        memory,
        relations=show_relations(relations),
        superseded_by=successor.node_id if successor else None,
        history=[as_told(HistoryEntry, line) for line in history],
    )
