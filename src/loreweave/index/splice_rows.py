"""Rows of what was there and rows that are new, brought into one order: what did not change is copied, not made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from loreweave.index.index_arrays import Array


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of any length, one after the other."""

    flat: Array
    starts: Array  # int64, rows + 1


@dataclass(frozen=True, slots=True)
class Splice:
    """Which row comes from where."""

    sources: Array  # int64, a row: its number before; a new one's own number, counted on behind a gap
    kept: Array  # int32, a row that was there: its number now, -1 where it is gone
    added: Array  # int64, a new row: its number now

    @property
    def whole(self) -> bool:
        """Whether nothing of what was there is left."""
        return len(self.added) == len(self.sources)

    @property
    def same(self) -> bool:
        """Whether everything is as it was."""
        return not len(self.added) and len(self.kept) == len(self.sources)


def plan_splice(before: Sequence[bytes], wanted: Sequence[bytes]) -> Splice:
    """Rows by their prints. Of equal ones one is kept; where the order of kept ones changed, all are new."""
    numbers = {found: number for number, found in enumerate(before)}
    found = numpy.fromiter((numbers.pop(row, -1) for row in wanted), dtype=numpy.int64, count=len(wanted))
    was_there = found >= 0
    if (numpy.diff(found[was_there]) < 0).any():  # of doubled ids only: others stand in the order of their ids
        was_there[:] = False
    added = numpy.flatnonzero(~was_there)
    kept = numpy.full(len(before), -1, dtype=numpy.int32)
    kept[found[was_there]] = numpy.flatnonzero(was_there)
    found[added] = len(before) + 1 + numpy.arange(len(added))
    return Splice(found, kept, added)


def splice_rows(before: Rows, added: Rows, plan: Splice) -> Rows:
    if plan.whole:
        return added
    if plan.same:
        return before
    gap = len(plan.kept) + 1
    firsts = numpy.flatnonzero(numpy.diff(plan.sources, prepend=-2) != 1)
    lasts = numpy.append(firsts[1:], len(plan.sources)) - 1
    parts = [before.flat[:0]]
    for first, last in zip(plan.sources[firsts].tolist(), plan.sources[lasts].tolist(), strict=True):
        rows, offset = (added, gap) if first >= gap else (before, 0)
        parts.append(rows.flat[rows.starts[first - offset] : rows.starts[last - offset + 1]])
    lengths = splice_values(numpy.diff(before.starts), numpy.diff(added.starts), plan)
    return Rows(numpy.concatenate(parts), starts_of(lengths))


def splice_values(before: Array, added: Array, plan: Splice) -> Array:
    """The same for rows of one value each, or of equally many."""
    if plan.whole:
        return added
    if plan.same:
        return before
    gap = numpy.zeros((1, *before.shape[1:]), dtype=before.dtype)
    return numpy.concatenate((before, gap, added.astype(before.dtype)))[plan.sources]


def starts_of(lengths: Array) -> Array:
    starts = numpy.zeros(len(lengths) + 1, dtype=numpy.int64)
    numpy.cumsum(lengths, out=starts[1:])
    return starts


def rows_of(taken: Rows, chosen: Array) -> Array:
    """Places in `flat` of the chosen rows, one after the other."""
    first = taken.starts[chosen]
    counts = taken.starts[chosen + 1] - first
    ends = numpy.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places: Array = numpy.arange(total) + numpy.repeat(first - (ends - counts), counts)
    return places
