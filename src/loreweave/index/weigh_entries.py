"""BM25F impacts of a key on the rows that hold it, worked out when it is first asked for.

How much a mention counts depends on all rows (how rare its key is, how long fields usually are), so that
impacts made beforehand would all have to be made anew after every edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy

from loreweave.index.index_arrays import CODES, Array, IndexArrays, begins_of


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much a mention in a field counts, and how far the field's length matters."""

    weight: float
    length: float


@dataclass(frozen=True)
class Weights:
    """The figures of the ranking by words."""

    heading: FieldWeight = field(default=FieldWeight(6.0, 0.6))
    title: FieldWeight = field(default=FieldWeight(3.0, 0.4))
    terms: FieldWeight = field(default=FieldWeight(2.0, 0.3))
    literals: FieldWeight = field(default=FieldWeight(0.6, 0.6))
    text: FieldWeight = field(default=FieldWeight(1.0, 0.7))
    summary: FieldWeight = field(default=FieldWeight(0.2, 0.5))
    part: float = 0.5  # of an identifier, beside a word that stands by itself
    saturation: float = 0.8

    @cached_property
    def worths(self) -> Array:
        """A mention's code: what it counts."""
        return numpy.array([getattr(self, name).weight * part for name in FIELDS for part in (1.0, self.part)])


FIELDS = ("heading", "title", "terms", "literals", "text", "summary")
NOTE_FIELDS = ("name", "alias", "tag", "deeper")  # tell where a note has a word; here they count nothing more

_REMEMBERED = 2_000_000  # postings


class Impacts:
    """Keys asked for before are remembered, up to some total."""

    def __init__(self, arrays: IndexArrays, weights: Weights) -> None:
        self._arrays = arrays
        self._weights = weights
        self._drags = length_drags(arrays.lengths, usual_lengths([arrays.lengths]), weights)
        self._remembered: dict[int, tuple[Array, Array]] = {}
        self._size = 0

    def of(self, key: int) -> tuple[Array, Array]:
        """(rows in order, impact on each)."""
        found = self._remembered.get(key)
        if found is None:
            found = self._weighed(key)
            if self._size > _REMEMBERED:
                self._remembered, self._size = {}, 0
            self._remembered[key] = found
            self._size += len(found[0])
        return found

    def _weighed(self, key: int) -> tuple[Array, Array]:
        rows, shares = saturated(self._arrays, key, self._weights, self._drags)
        most = self._weights.saturation + 1
        return rows, (self._arrays.rarity[key] * most * shares).astype(numpy.float32)


def usual_lengths(lengths: Sequence[Array]) -> Array:
    """Of each field its mean length where it is filled, in all of these rows × fields."""
    total = sum((some.sum(axis=0) for some in lengths), numpy.zeros(len(FIELDS)))
    filled = sum((numpy.count_nonzero(some, axis=0) for some in lengths), numpy.zeros(len(FIELDS)))
    usual: Array = numpy.where(filled > 0, total / numpy.maximum(filled, 1), 1.0)
    return usual


def length_drags(lengths: Array, usual: Array, weights: Weights) -> Array:
    """Rows × fields: what a mention is divided by, because of the length of its field."""
    share = numpy.array([getattr(weights, name).length for name in FIELDS])
    drags: Array = 1.0 - share + share * lengths / usual
    return drags


def saturated(
    arrays: IndexArrays, key: int, weights: Weights, drags: Array, owners: Array | None = None
) -> tuple[Array, Array]:
    """(rows in order, how much of the most that a key can count it counts there); by their owners, where rows have
    some whose `drags` these are."""
    first, last = arrays.key_starts[key : key + 2].tolist()
    rows, counts = arrays.entry_rows[first:last], arrays.entry_counts[first:last]
    codes = counts % CODES
    weighed = codes < 2 * len(FIELDS)
    if not weighed.all():
        rows, counts, codes = rows[weighed], counts[weighed], codes[weighed]
    rows = rows if owners is None else owners[rows]
    share = weights.worths[codes] * (counts // CODES) / drags[rows, codes // 2]
    firsts = begins_of(rows)
    if len(firsts) < len(rows):  # in several fields
        rows, share = rows[firsts], numpy.add.reduceat(share, firsts)
    return rows, share / (weights.saturation + share)
