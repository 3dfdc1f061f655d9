"""BM25F impacts of a key on the sections that hold it, worked out when it is first asked for.

How much a mention counts depends on all sections (how rare its key is, how long fields usually are), so that
impacts made beforehand would all have to be made anew after every edit.
"""

from __future__ import annotations

import numpy

from loreweave.knowledge.asking.search.index_arrays import CODES, Array, IndexArrays
from loreweave.knowledge.asking.search.weights import FIELDS, FieldWeight, Weights

_REMEMBERED = 2_000_000  # postings


class Impacts:
    """Keys asked for before are remembered, up to some total."""

    def __init__(self, arrays: IndexArrays, weights: Weights) -> None:
        self._arrays = arrays
        self._saturation = weights.saturation
        self._sections = len(arrays.given)
        self._shares = _shares(arrays.lengths, weights)
        self._remembered: dict[int, tuple[Array, Array]] = {}
        self._size = 0

    def of(self, key: int) -> tuple[Array, Array]:
        """(sections in order, impact on each)."""
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
        sections = self._arrays.entry_sections[first:last]
        counts = self._arrays.entry_counts[first:last]
        share = self._shares[(counts % CODES).astype(numpy.int64) * self._sections + sections] * (counts // CODES)
        if len(sections) != self._arrays.holders[key]:  # in several fields of one section
            firsts = numpy.flatnonzero(numpy.diff(sections, prepend=-1))
            sections, share = sections[firsts], numpy.add.reduceat(share, firsts)
        impacts = self._arrays.rarity[key] * share * (self._saturation + 1) / (self._saturation + share)
        return sections, impacts.astype(numpy.float32)


def _shares(lengths: Array, weights: Weights) -> Array:
    """What one mention counts, by field, by whether it is a part of an identifier, by section; flat."""
    shares = []
    for field, name in enumerate(FIELDS):
        whole = _field_share(lengths[:, field], getattr(weights, name))
        shares += [whole, weights.part * whole]
    return numpy.concatenate(shares)


def _field_share(lengths: Array, weight: FieldWeight) -> Array:
    filled = lengths[lengths > 0]
    usual = filled.mean() if len(filled) else 1.0
    share: Array = weight.weight / (1 - weight.length + weight.length * lengths / usual)
    return share
