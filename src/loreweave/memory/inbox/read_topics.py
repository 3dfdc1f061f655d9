"""What memories are about: figures of each tag, from the columns of the index."""

from heapq import nsmallest

import numpy

from loreweave.clock import DAY
from loreweave.contracts.memory import MemoryCounts, Topic
from loreweave.entities.memory import DELETED, LIVE, MERGED
from loreweave.memory.search.memory_index import Columns
from loreweave.memory.search.memory_rows import STATES

MOST_TOPICS = 20
LATELY = 30 * DAY
PLACES = 6
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
