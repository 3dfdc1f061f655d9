"""What can still come back: forgotten memories, and merges that can be undone."""

from itertools import islice

from loreweave.clock import format_instant
from loreweave.contracts.memory import DeletedAnswer, DeletedMemory, OpenMerge
from loreweave.contracts.memory_requests import DeletedRequest
from loreweave.entities.memory import DELETED, Memory, MergeRow
from loreweave.memory.change import MemoryTools
from loreweave.memory.find_memories import ALL_SCOPES
from loreweave.memory.previews import preview
from loreweave.seams.storage import memory_merge_shelf, memory_shelf
from loreweave.seams.storage.store import Connection


def list_trash(tools: MemoryTools, request: DeletedRequest) -> DeletedAnswer:
    now = tools.now()
    scope = None if request.scope == ALL_SCOPES else request.scope
    with tools.store.read() as connection:
        deleted = memory_shelf.deleted_memories(connection, now, scope)
        if request.query is not None:
            holding = set(tools.library.current(connection).holding(request.query, scope, DELETED))
            deleted = (memory for memory in deleted if memory.key in holding)
        items = [_item(memory) for memory in islice(deleted, request.limit)]
        merges = _merges(connection, now, scope, request)
    return DeletedAnswer(items=items, merges=merges)


def _merges(connection: Connection, now: int, scope: str | None, request: DeletedRequest) -> list[OpenMerge]:
    found = memory_merge_shelf.open_merges(connection, now)
    if scope is not None:
        held = memory_shelf.find_memories(connection, [node_id for merge in found for node_id in _ids(merge)])
        of_scope = {node_id for node_id, memory in held.items() if memory.scope == scope}
        found = [merge for merge in found if of_scope.intersection(_ids(merge))]
    return [_merge(merge) for merge in found[: request.limit]]


def _ids(merge: MergeRow) -> tuple[str, ...]:
    """All of one scope; some may be erased."""
    return (merge.merged_id, *merge.source_ids)


def _item(memory: Memory) -> DeletedMemory:
    return DeletedMemory(
        node_id=memory.node_id,
        name=memory.name,
        preview=preview(memory.content),
        deleted_at=format_instant(memory.deleted_at or 0),
        recoverable_until=format_instant(memory.recoverable_until or 0),
    )


def _merge(merge: MergeRow) -> OpenMerge:
    return OpenMerge(
        reversal_hash=merge.reversal_hash,
        merged_id=merge.merged_id,
        source_ids=list(merge.source_ids),
        target_name=merge.target_name,
        rationale=merge.rationale,
        reversible_until=format_instant(merge.reversible_until),
    )
