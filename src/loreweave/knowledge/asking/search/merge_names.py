"""Sorted names that come and go: who has which number before and after."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import compress

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array


@dataclass(frozen=True, slots=True)
class MergedNames:
    names: list[str]  # sorted
    kept: Array  # int64, a name that was there: its number now; nothing meant where it is gone
    added: Array  # int64, an added name: its number now


def merge_names(before: list[str], alive: Array, added: list[str]) -> MergedNames:
    """Those of `before` that are still alive, and the added ones, which may be among them. Both come sorted."""
    if not before:
        return MergedNames(added, numpy.zeros(0, dtype=numpy.int64), numpy.arange(len(added)))
    places = numpy.array([bisect_left(before, name) for name in added], dtype=numpy.int64)
    known = numpy.array([before[place : place + 1] == [name] for place, name in zip(places, added, strict=True)], bool)
    alive = alive.copy()
    alive[places[known]] = True
    fresh, fresh_places = list(compress(added, ~known)), places[~known]
    names = before if alive.all() and not fresh else sorted([*compress(before, alive.tolist()), *fresh])
    below = numpy.zeros(len(before) + 1, dtype=numpy.int64)
    numpy.cumsum(alive, out=below[1:])
    kept = below[:-1] + numpy.searchsorted(fresh_places, numpy.arange(len(before)), side="right")
    numbers = numpy.empty(len(added), dtype=numpy.int64)
    numbers[known] = kept[places[known]]
    numbers[~known] = below[fresh_places] + numpy.arange(len(fresh))
    return MergedNames(names, kept, numbers)
