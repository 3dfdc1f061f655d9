"""How memories are ranked: words and meaning as one magnitude, then importance.

The law: a memory that holds all words of a query comes before one that holds none of them, whatever their importance.
What holds none of the words is a weak hit: near in meaning, offered where words find too little, below every hit by
words, and not below a floor under which unrelated questions lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy

from loreweave.entities.stored_memory import PLACES
from loreweave.index.index_arrays import Array
from loreweave.memory.search.memory_index import Filter, MemoryIndex
from loreweave.memory.search.read_memory_query import QueryWords, largest, read_meaning, read_words

MEANING_WEIGHT, PHRASE_WEIGHT = 0.4, 0.2  # beside words of at most 1
COMPARED, MOST_COMPARED = 256, 4096  # best memories by words that are also compared by phrases and by meaning
ALL_FLOOR = 0.49  # relevance of a memory that holds all words
MOST_WEAK = 5  # memories that are offered though they hold none of the words
_WEAK_CEILING, _WEAK_HALF = 0.3, 0.15  # relevance of a weak hit stays below the one, and is half of it at this cosine
_SHOWN_FIRST = 256


class Hit(NamedTuple):
    key: int
    relevance: float
    score: float
    weak: bool


class Ranking:
    """All hits of a search. What is looked at is put in order, best first; nobody looks at all of many thousands."""

    def __init__(self, index: MemoryIndex, places: Array, relevance: Array, score: Array, weak: Array) -> None:
        self._index = index
        self._places = places  # ascending
        self._relevance = relevance
        self._score = score
        self._weak = weak  # scored below all others

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Hit]:
        first = self.top(_SHOWN_FIRST)
        yield from first
        if len(self) > len(first):
            yield from self._hits(self._order[len(first) :])

    def top(self, limit: int) -> list[Hit]:
        """The best hits."""
        return self._hits(self._ordered(largest(self._score, limit))[:limit] if limit < len(self) else self._order)

    def without(self, keys: Iterable[int]) -> Ranking:
        own = self._index.gather(self._places, "keys")
        return self._kept(~numpy.isin(own, numpy.fromiter(keys, dtype=numpy.int64)))

    def offered(self, limit: int) -> Ranking:
        """With a few weak hits, where words found fewer than wanted."""
        strong = len(self) - int(numpy.count_nonzero(self._weak))
        wanted = max(0, min(MOST_WEAK, limit - strong))
        kept = ~self._weak
        kept[self._order[strong : strong + wanted]] = True
        return self._kept(kept)

    def _kept(self, kept: Array) -> Ranking:
        return Ranking(self._index, self._places[kept], self._relevance[kept], self._score[kept], self._weak[kept])

    @cached_property
    def _order(self) -> Array:
        return self._ordered(numpy.arange(len(self)))

    def _ordered(self, hits: Array) -> Array:
        places = self._places[hits]
        ids, created = self._index.gather(places, "ids"), self._index.gather(places, "created")
        return hits[numpy.lexsort((ids[:, 1], ids[:, 0], -created, -self._score[hits]))]

    def _hits(self, hits: Array) -> list[Hit]:
        ascending = numpy.sort(hits)
        keys = self._index.gather(self._places[ascending], "keys")[numpy.searchsorted(ascending, hits)]
        columns = (keys, self._relevance[hits], self._score[hits], self._weak[hits])
        return [Hit(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def rank_memories(index: MemoryIndex, query: str, wanted: Filter, min_relevance: float = 0.0) -> Ranking:
    masks = index.masks(wanted)
    words = read_words(index, query, wanted.scope, masks)
    meaning = read_meaning(index, query, masks)
    places = words.places
    lifts = 0.5 + index.gather(places, "importance")
    compared = largest(words.scores * lifts, COMPARED, MOST_COMPARED)
    values = words.scores.copy()
    values[compared] += PHRASE_WEIGHT * words.phrases(index, places[compared])
    whole = 1.0 + PHRASE_WEIGHT
    near = numpy.zeros(len(places))
    others = numpy.zeros(0, dtype=numpy.int64)
    cosines = numpy.zeros(0)
    if meaning is not None:
        whole += MEANING_WEIGHT
        proposed = meaning.proposed()
        at = numpy.searchsorted(places, proposed)
        have_words = places.take(at, mode="clip") == proposed if len(places) else numpy.zeros(len(proposed), dtype=bool)
        also = numpy.union1d(compared, at[have_words])
        near[also] = meaning.cosines(places[also])
        others = proposed[~have_words]
        cosines = meaning.cosines(others)
        is_near = cosines >= meaning.floor
        others, cosines = others[is_near], cosines[is_near]
    relevance = _relevance((values + MEANING_WEIGHT * near) / whole, words)
    strong = (relevance.round(PLACES) > 0) & (relevance >= min_relevance)
    least = float((relevance * lifts)[strong].min()) if strong.any() else None
    between = numpy.searchsorted(places, others)
    places = numpy.insert(places, between, others)
    relevance = numpy.insert(relevance, between, _weak_relevance(cosines, least)).round(PLACES)
    weak = numpy.insert(numpy.zeros(len(lifts), dtype=bool), between, True)
    kept = (relevance > 0) & (relevance >= min_relevance)
    places, relevance = places[kept], relevance[kept]
    score = (relevance * (0.5 + index.gather(places, "importance"))).round(PLACES)
    return Ranking(index, places, relevance, score, weak[kept])


def _weak_relevance(cosines: Array, least: float | None) -> Array:
    """`least`: the lowest score of a hit by words, above which no weak one comes, whatever its importance."""
    found = _WEAK_CEILING * cosines / (cosines + _WEAK_HALF)
    return found if least is None else found * min(1.0, least / (1.5 * _WEAK_CEILING))


def _relevance(values: Array, words: QueryWords) -> Array:
    return numpy.where(words.complete, ALL_FLOOR + (1.0 - ALL_FLOOR) * values, values)
