"""A memory as it is shown."""

from loreweave.clock import format_instant
from loreweave.contracts.memory import HistoryEntry, MemoryRecord
from loreweave.entities.memory import LIVE, HistoryLine, Memory
from loreweave.memory.merging.relation_graph import RelationGraph, superseding_memory
from loreweave.memory.show_relations import show_relations
from loreweave.memory.states import shown
from loreweave.seams.storage import memory_history_shelf
from loreweave.seams.storage.store import Connection


def show_record(connection: Connection, memory: Memory, lines: int) -> MemoryRecord:
    """With its relations to live memories and the newest lines of its history."""
    graph = RelationGraph(connection)
    graph.know([memory])
    successor = superseding_memory(graph, memory)
    relations = graph.live_relations(memory) if memory.state == LIVE else []
    return MemoryRecord(
        node_id=memory.node_id,
        name=memory.name,
        content=memory.content,
        importance=memory.importance,
        tags=list(memory.tags),
        scope=memory.scope,
        source=memory.source,
        valid_from=shown(memory.valid_from),
        valid_until=shown(memory.valid_until),
        relations=show_relations(relations),
        version=memory.version,
        created_at=format_instant(memory.created_at),
        updated_at=format_instant(memory.updated_at),
        last_accessed_at=shown(memory.last_accessed_at),
        access_count=memory.access_count,
        state=memory.state,  # type: ignore[arg-type]
        deleted_at=shown(memory.deleted_at),
        recoverable_until=shown(memory.recoverable_until),
        merged_into=memory.merged_into,
        derived_from=list(memory.derived_from),
        superseded_by=successor.node_id if successor else None,
        history=[_entry(line) for line in memory_history_shelf.history_of(connection, memory.node_id, lines)],
    )


def _entry(line: HistoryLine) -> HistoryEntry:
    return HistoryEntry(
        at=format_instant(line.at), action=line.action, actor=line.actor, version=line.version, detail=line.detail
    )
