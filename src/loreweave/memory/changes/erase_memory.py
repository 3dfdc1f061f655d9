"""Erases what can no longer come back. Nothing else ever erases anything by itself.

A clock that jumps ahead must not empty the trash. So the store remembers when the time was last looked at: by every
process that opens it and, while a server runs, every hour. Where more than two days lie between two looks, either
nobody was here or the clock is wrong, and nobody can tell which: the clock is doubted, and no sweep runs by itself.
The doubt ends when the clock is seen at least a day later than where it began, or has gone back before it. A gap of
more than thirty days during the doubt begins it anew. Whoever asks for a sweep vouches for the clock.
"""

import logging
from contextlib import suppress

from loreweave.clock import DAY, SECOND, format_instant
from loreweave.contracts.memory import SweepAnswer
from loreweave.entities.stored_memory import ENDED, LIVE, MERGED, Memory
from loreweave.errors import Unavailable
from loreweave.memory.change import REMEMBERED, WRITES, Change, MemoryTools, begin, finish
from loreweave.memory.changes.relate_memories import settle_relations
from loreweave.memory.memory_record import is_over
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

TABLES = (
    *("memories", "memory_history", "memory_merges", "memory_dismissals"),
    *("memory_vectors", "memory_segments", "memory_requests"),
)


def erase_memory(change: Change, memory: Memory, ended_at: int | None) -> None:
    """`ended_at` where its window ran out. Left is that there was such an id, and a line of history."""
    connection = change.connection
    if memory.state == MERGED:
        container = memory_shelf.find_memory(connection, memory.merged_into or "")
        if container is not None:
            settle_relations(change, container)  # what it had through this one it keeps
    _drop_relations(change, memory)
    memory_inbox_shelf.delete_pairs(connection, memory.node_id)
    memory_inbox_shelf.delete_dismissals(connection, memory.node_id)
    memory_ties_shelf.forget_texts(connection, memory.node_id)
    for source_id in memory.derived_from:
        memory_ties_shelf.forget_rationale(connection, source_id, memory.node_id)
    change.tools.library.drop(connection, memory.key)
    memory_ties_shelf.forget_lines(connection, memory.node_id)
    memory_shelf.delete_memory(connection, memory, ended_at, change.revision)
    change.note(memory, "erased")
    change.has_changed = change.has_erased = True


def remaining_copies(connection: Connection, memory: Memory, now: int) -> list[str]:
    """Ids that still hold its text: what it was made of, and what was made of it."""
    seen = {memory.node_id}
    ahead = [memory.node_id]
    while ahead:
        node_id = ahead.pop()
        lines = memory_ties_shelf.lines_of_action(connection, node_id, "merged_into")
        made_of_it = [str(line.detail["merged_id"]) for line in lines]
        ahead += [made for made in made_of_it if made not in seen]
        seen.update(made_of_it)
    ahead = list(memory.derived_from)
    while ahead:
        node_id = ahead.pop()
        seen.add(node_id)
        found = memory_shelf.find_memory(connection, node_id)
        ahead += [source for source in (found.derived_from if found else ()) if source not in seen]
    present = memory_shelf.find_memories(connection, sorted(seen - {memory.node_id}))
    return sorted(node_id for node_id, each in present.items() if not is_over(each, now))


def clean_files(tools: MemoryTools) -> None:
    """Wipes what erased rows left in the files; where another process holds them up, the next to open goes on."""
    with tools.store.read() as connection:
        unclean = memory_shelf.unclean_since(connection)
    if unclean and tools.store.wipe(TABLES):
        with tools.store.write_alone(WRITES) as connection:
            memory_shelf.mark_clean(connection, unclean)


def _drop_relations(change: Change, memory: Memory) -> None:
    """A relation with a memory that may come back stays as a bare fact, so that it can be told what is lost."""
    rows = memory_ties_shelf.relations_of(change.connection, [memory.node_id])
    others = {row.target_id if row.source_id == memory.node_id else row.source_id for row in rows}
    found = memory_shelf.find_memories(change.connection, sorted(others))
    waiting = {node_id for node_id, other in found.items() if other.state != LIVE}
    gone = [row for row in rows if not waiting & {row.source_id, row.target_id}]
    memory_ties_shelf.delete_relations(change.connection, gone)


SWEEPER = "sweep"
JUMP = 2 * DAY  # between two looks at the clock: more is doubted
STEADY = DAY  # that a doubted clock must go on
_DOUBTED_ANEW = 30 * DAY
_WORTH_NOTING = 3600 * SECOND
log = logging.getLogger("loreweave.memory")


def sweep_memories(tools: MemoryTools, *, asked: bool) -> SweepAnswer:
    """Also finishes the wiping that a process began and did not end."""
    until = waits_until(_look_at_clock(tools, vouched=asked), tools.now())
    has_work = _has_work(tools)
    if has_work and until is not None:
        log.warning(
            "the clock jumped ahead: what has expired is kept until %s, unless `lore memory trash --sweep` erases it",
            format_instant(until),
        )
    if not has_work or until is not None:
        clean_files(tools)
        return SweepAnswer(purged=0, node_ids=[])
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, SWEEPER)
        for merge in memory_ties_shelf.expired_merges(connection, change.now):
            merged = memory_shelf.find_memory(connection, merge.merged_id)
            if merged is not None:
                settle_relations(change, merged)
            memory_ties_shelf.close_merge(connection, merge.reversal_hash, ENDED)
            change.has_erased = True
        expired = memory_shelf.expired_memories(connection, change.now)
        for memory in expired:
            erase_memory(change, memory, memory.recoverable_until)
        if memory_ties_shelf.forget_replaced(connection, change.now - tools.recovery):
            change.has_erased = True
        memory_ties_shelf.forget_requests(connection, change.now - REMEMBERED)
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
            memory_ties_shelf.expired_merges(connection, now)
            or memory_shelf.has_expired(connection, now)
            or memory_ties_shelf.has_replaced(connection, now - tools.recovery)
        )


def waits_until(doubted_since: int | None, now: int) -> int | None:
    """When a sweep runs by itself again; none where nothing holds it up."""
    if doubted_since is None or not doubted_since <= now < doubted_since + STEADY:
        return None
    return doubted_since + STEADY


def _look_at_clock(tools: MemoryTools, *, vouched: bool) -> int | None:
    """Since when the clock is doubted. What was seen is noted where that needs no waiting: reading needs no write."""
    now = tools.now()
    with tools.store.read() as connection:
        seen_at, doubted_since = memory_shelf.clock_seen(connection)
    doubted = None if vouched else _doubted_since(seen_at, doubted_since, now)
    if seen_at is None or abs(now - seen_at) >= _WORTH_NOTING or doubted != doubted_since:
        with suppress(Unavailable), tools.store.write_if_free(WRITES) as writing:  # else the next look notes it
            if writing is not None:
                memory_shelf.note_clock(writing, now, doubted)
    return doubted


def _doubted_since(seen_at: int | None, doubted_since: int | None, now: int) -> int | None:
    gap = 0 if seen_at is None else now - seen_at
    if gap > (JUMP if doubted_since is None else _DOUBTED_ANEW):
        return now
    return doubted_since if waits_until(doubted_since, now) else None
