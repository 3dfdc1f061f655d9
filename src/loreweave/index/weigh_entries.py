"""BM25F impacts of a key on the rows that hold it, worked out when it is first asked for.

How much a mention counts depends on all rows (how rare its key is, how long fields usually are), so that
impacts made beforehand would all have to be made anew after every edit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from loreweave.index.index_arrays import CODES, Array, IndexArrays


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much a mention in a field counts, and how far the field's length matters."""

    weight: float
    length: float


@dataclass(frozen=True, slots=True)
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


FIELDS = ("heading", "title", "terms", "literals", "text", "summary")
NOTE_FIELDS = ("name", "alias", "tag", "deeper")  # tell where a note has a word; here they count nothing more

_REMEMBERED = 2_000_000  # postings


class Impacts:
    """Keys asked for before are remembered, up to some total."""

    def __init__(self, arrays: IndexArrays, weights: Weights) -> None:
        self._arrays = arrays
        self._saturation = weights.saturation
        self._rows = len(arrays.sections)
        self._shares = _shares(arrays.lengths, weights)
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
        first, last = self._arrays.key_starts[key : key + 2].tolist()
        rows = self._arrays.entry_rows[first:last]
        counts = self._arrays.entry_counts[first:last]
        weighed = counts % CODES < 2 * len(FIELDS)
        rows, counts = rows[weighed], counts[weighed]
        share = self._shares[(counts % CODES).astype(numpy.int64) * self._rows + rows] * (counts // CODES)
        if len(rows) != self._arrays.holders[key]:  # in several fields of one row
            firsts = numpy.flatnonzero(numpy.diff(rows, prepend=-1))
            rows, share = rows[firsts], numpy.add.reduceat(share, firsts)
        impacts = self._arrays.rarity[key] * share * (self._saturation + 1) / (self._saturation + share)
        return rows, impacts.astype(numpy.float32)


def _shares(lengths: Array, weights: Weights) -> Array:
    """What one mention counts, by field, by whether it is a part of an identifier, by row; flat."""
    shares = []
    for number, name in enumerate(FIELDS):
        whole = _field_share(lengths[:, number], getattr(weights, name))
        shares += [whole, weights.part * whole]
    return numpy.concatenate(shares)


def _field_share(lengths: Array, weight: FieldWeight) -> Array:
    filled = lengths[lengths > 0]
    usual = filled.mean() if len(filled) else 1.0
    share: Array = weight.weight / (1 - weight.length + weight.length * lengths / usual)
    return share
