"""Erases what can no longer come back. Nothing else ever erases anything by itself."""

from loreweave.contracts.memory import SweepAnswer
from loreweave.entities.memory import ENDED
from loreweave.memory.change import REMEMBERED, WRITES, MemoryTools, begin, finish
from loreweave.memory.changes.erase_memory import clean_files, erase_memory
from loreweave.memory.merging.settle_relations import settle_relations
from loreweave.seams.storage import memory_history_shelf, memory_merge_shelf, memory_shelf

SWEEPER = "sweep"


def sweep_memories(tools: MemoryTools) -> SweepAnswer:
    """Also finishes the wiping that a process began and did not end."""
    if not _has_work(tools):
        clean_files(tools)
        return SweepAnswer(purged=0, node_ids=[])
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, SWEEPER)
        for merge in memory_merge_shelf.expired_merges(connection, change.now):
            merged = memory_shelf.find_memory(connection, merge.merged_id)
            if merged is not None:
                settle_relations(change, merged)
            memory_merge_shelf.close_merge(connection, merge.reversal_hash, ENDED)
            change.has_erased = True
        expired = memory_shelf.expired_memories(connection, change.now)
        for memory in expired:
            erase_memory(change, memory, memory.recoverable_until)
        if memory_history_shelf.forget_replaced(connection, change.now - tools.recovery):
            change.has_erased = True
        memory_history_shelf.forget_requests(connection, change.now - REMEMBERED)
        finish(change)
        tools.fail_at("purge.rows")
    tools.fail_at("purge.files")
    clean_files(tools)
    tools.fail_at("purge.answer")
    return SweepAnswer(purged=len(expired), node_ids=[memory.node_id for memory in expired])


def _has_work(tools: MemoryTools) -> bool:
    now = tools.now()
    with tools.store.read() as connection:
        return bool(
            memory_merge_shelf.expired_merges(connection, now)
            or memory_shelf.has_expired(connection, now)
            or memory_history_shelf.has_replaced(connection, now - tools.recovery)
        )
