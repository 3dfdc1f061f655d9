"""A memory taken away for good, with everything that told its text."""

from loreweave.entities.memory import LIVE, MERGED, Memory
from loreweave.memory.change import WRITES, Change, MemoryTools
from loreweave.memory.merging.settle_relations import settle_relations
from loreweave.memory.states import is_over
from loreweave.seams.storage import (
    memory_history_shelf,
    memory_merge_shelf,
    memory_relation_shelf,
    memory_shelf,
    memory_task_shelf,
)

TABLES = (
    *("memories", "memory_history", "memory_merges", "memory_dismissals"),
    *("memory_readings", "memory_segments", "memory_requests"),
)


def erase_memory(change: Change, memory: Memory, ended_at: int | None) -> None:
    """`ended_at` where its window ran out. Left is that there was such an id, and a line of history."""
    connection = change.connection
    if memory.state == MERGED:
        container = memory_shelf.find_memory(connection, memory.merged_into or "")
        if container is not None:
            settle_relations(change, container)  # what it had through this one it keeps
    _drop_relations(change, memory)
    memory_task_shelf.delete_pairs(connection, memory.node_id)
    memory_task_shelf.delete_dismissals(connection, memory.node_id)
    memory_merge_shelf.forget_texts(connection, memory.node_id)
    for source_id in memory.derived_from:
        memory_history_shelf.forget_rationale(connection, source_id, memory.node_id)
    change.tools.library.drop(connection, memory.key)
    memory_history_shelf.forget_lines(connection, memory.node_id)
    memory_shelf.delete_memory(connection, memory, ended_at, change.revision)
    change.note(memory, "erased")
    change.has_changed = change.has_erased = True


def remaining_copies(change: Change, memory: Memory) -> list[str]:
    """Ids that still hold its text: what it was made of, and what was made of it."""
    seen = {memory.node_id}
    ahead = [memory.node_id]
    while ahead:
        node_id = ahead.pop()
        lines = memory_history_shelf.lines_of_action(change.connection, node_id, "merged_into")
        made_of_it = [str(line.detail["merged_id"]) for line in lines]
        ahead += [made for made in made_of_it if made not in seen]
        seen.update(made_of_it)
    ahead = list(memory.derived_from)
    while ahead:
        node_id = ahead.pop()
        seen.add(node_id)
        found = memory_shelf.find_memory(change.connection, node_id)
        ahead += [source for source in (found.derived_from if found else ()) if source not in seen]
    present = memory_shelf.find_memories(change.connection, sorted(seen - {memory.node_id}))
    return sorted(node_id for node_id, each in present.items() if not is_over(each, change.now))


def clean_files(tools: MemoryTools) -> None:
    """Wipes what erased rows left in the files; where another process holds them up, the next to open goes on."""
    with tools.store.read() as connection:
        unclean = memory_shelf.unclean_since(connection)
    if unclean and tools.store.wipe(TABLES):
        with tools.store.write_alone(WRITES) as connection:
            memory_shelf.mark_clean(connection, unclean)


def _drop_relations(change: Change, memory: Memory) -> None:
    """A relation with a memory that may come back stays as a bare fact, so that it can be told what is lost."""
    rows = memory_relation_shelf.relations_of(change.connection, [memory.node_id])
    others = {row.target_id if row.source_id == memory.node_id else row.source_id for row in rows}
    found = memory_shelf.find_memories(change.connection, sorted(others))
    waiting = {node_id for node_id, other in found.items() if other.state != LIVE}
    gone = [row for row in rows if not waiting & {row.source_id, row.target_id}]
    memory_relation_shelf.delete_relations(change.connection, gone)
