"""How the memories stand, what they are about, and what is to be done about them."""

from heapq import nsmallest

import numpy

from loreweave.clock import DAY
from loreweave.contracts.memory import MemoryCounts, StatusAnswer, Topic
from loreweave.contracts.memory_requests import StatusRequest
from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, PLACES, Pair
from loreweave.memory.change import WRITES, MemoryTools, begin, finish
from loreweave.memory.changes.erase_memory import waits_until
from loreweave.memory.find_memories import ALL_SCOPES
from loreweave.memory.inbox.read_tasks import read_tasks
from loreweave.memory.memory_record import shown
from loreweave.memory.search.memory_block import STATES
from loreweave.memory.search.memory_index import Columns, MemoryIndex
from loreweave.memory.search.memory_twins import all_twins
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf
from loreweave.seams.storage.store import Connection

MOST_TOPICS = 20
LATELY = 30 * DAY
Array = numpy.ndarray


def present_rows(columns: Columns, scope: str | None, expired_keys: list[int]) -> Array:
    """Which rows count: those of the scope, but none whose window is over."""
    present = ~numpy.isin(columns.keys, numpy.array(expired_keys, dtype=numpy.int64))
    if scope is not None:
        present &= columns.scopes == columns.scope_numbers.get(scope, -1)
    return present


def count_states(columns: Columns, present: Array, reversible_merges: int) -> MemoryCounts:
    counted = numpy.bincount(columns.states[present].astype(numpy.int64), minlength=len(STATES)).tolist()
    live, deleted, merged = (counted[STATES[state]] for state in (LIVE, DELETED, MERGED))
    return MemoryCounts(live=live, deleted=deleted, merged=merged, reversible_merges=reversible_merges)


def read_topics(columns: Columns, present: Array, now: int) -> list[Topic]:
    """The tags that most live memories have; equally many by name."""
    since = now - LATELY
    live = present & (columns.states == STATES[LIVE])
    gone = present & (columns.states != STATES[LIVE]) & (columns.deleted > since)
    added = live & (columns.created > since)
    counts, sums = _per_tag(columns, live), _per_tag(columns, live, columns.importance)
    names = columns.tag_names
    largest = _largest(counts, names)
    added_counts, gone_counts = _per_tag(columns, added), _per_tag(columns, gone)
    return [
        _topic(names[tag], int(counts[tag]), float(sums[tag]), int(added_counts[tag]), int(gone_counts[tag]))
        for tag in largest
    ]


def _largest(counts: Array, names: list[str]) -> list[int]:
    """The tags with the greatest counts; there may be as many tags as memories."""
    used = int(numpy.count_nonzero(counts))
    if not used:
        return []
    least = numpy.partition(counts, len(counts) - min(used, MOST_TOPICS))[len(counts) - min(used, MOST_TOPICS)]
    above = sorted(numpy.flatnonzero(counts > least).tolist(), key=lambda tag: (-counts[tag], names[tag]))
    equal = nsmallest(MOST_TOPICS - len(above), ((names[tag], tag) for tag in numpy.flatnonzero(counts == least)))
    return above + [int(tag) for _, tag in equal]


def _per_tag(columns: Columns, rows: Array, values: Array | None = None) -> Array:
    """How many of these rows have each tag, or the sum of their values."""
    chosen = rows[columns.tag_rows]
    weights = None if values is None else values[columns.tag_rows[chosen]]
    return numpy.bincount(columns.tags[chosen].astype(numpy.int64), weights, minlength=len(columns.tag_names))


def _topic(tag: str, live: int, importance: float, added: int, gone: int) -> Topic:
    return Topic(
        tag=tag,
        live=live,
        mean_importance=round(importance / live, PLACES),
        added_30d=added,
        gone_30d=gone,
        churn=round((added + gone) / (live + gone), PLACES),
    )


def refresh_pairs(tools: MemoryTools, actor: str) -> None:
    """Of all memories that are live or in the trash; merged ones keep theirs, and get new ones when undone.

    Looked for while others may write, and once more where they did.
    """
    with tools.store.read() as connection:
        revision = memory_shelf.revision_of(connection)
        found = _pairs(tools.library.current(connection))
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, actor)
        if memory_shelf.revision_of(connection) != revision:
            found = _pairs(tools.library.current(connection))
        _replace(connection, found)
        finish(change)


def _pairs(index: MemoryIndex) -> set[Pair]:
    return {Pair(min(one, two), max(one, two), similarity) for one, two, similarity in all_twins(index)}


def _replace(connection: Connection, found: set[Pair]) -> None:
    kept = set(memory_inbox_shelf.searched_pairs(connection))
    memory_inbox_shelf.delete_pairs_exactly(connection, sorted(kept - found, key=_order))
    memory_inbox_shelf.put_pairs(connection, sorted(found - kept, key=_order))


def _order(pair: Pair) -> tuple[str, str]:
    return pair.first_id, pair.second_id


def show_status(tools: MemoryTools, request: StatusRequest) -> StatusAnswer:
    tools.accesses.flush()  # a memory that was just read is not stale
    now = tools.now()
    scope = None if request.scope == ALL_SCOPES else request.scope
    with tools.store.read() as connection:
        columns = tools.library.current(connection).columns()
        present = present_rows(columns, scope, memory_inbox_shelf.expired_keys(connection, now))
        merges = memory_inbox_shelf.count_open_merges(connection, now, scope)
        next_purge = memory_shelf.next_deadline(connection, now, scope)
        tasks, total = read_tasks(connection, now, scope, request.limit)
        doubted_since = memory_shelf.clock_seen(connection)[1]
    return StatusAnswer(
        counts=count_states(columns, present, merges),
        next_purge_at=shown(next_purge),
        sweep_waits_until=shown(waits_until(doubted_since, now)),
        suggested_action="curate" if total else "ready",
        curation_tasks=tasks,
        total_tasks=total,
        topics=read_topics(columns, present, now),
    )
