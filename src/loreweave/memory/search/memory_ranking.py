"""How memories are ranked: words and meaning as one magnitude, then importance.

The law: a memory that holds all words of a query comes before one that holds none of them, whatever their importance.
Importance multiplies by 0.5 to 1.5, so the first must be more than three times as relevant as the second can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy

from loreweave.entities.memory import PLACES
from loreweave.memory.search.index_parts import Filter
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.read_query import QueryWords, largest, read_meaning, read_words

Array = numpy.ndarray
MEANING_WEIGHT, PHRASE_WEIGHT = 0.4, 0.2  # beside words of at most 1
COMPARED, MOST_COMPARED = 256, 4096  # best memories by words that are also compared by phrases and by meaning
NEAR_FLOOR = 0.45  # cosine that a memory without any of the words needs
ALL_FLOOR = 0.49  # relevance of a memory that holds all words
NONE_CEILING = 0.16  # relevance of a memory that holds none of them: below a third of the floor
_SHOWN_FIRST = 256


class Hit(NamedTuple):
    key: int
    relevance: float
    score: float


class Ranking:
    """All hits of a search. What is looked at is put in order, best first; nobody looks at all of many thousands."""

    def __init__(self, index: MemoryIndex, places: Array, relevance: Array, score: Array) -> None:
        self._index = index
        self._places = places  # ascending
        self._relevance = relevance
        self._score = score

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
        kept = ~numpy.isin(own, numpy.fromiter(keys, dtype=numpy.int64))
        return Ranking(self._index, self._places[kept], self._relevance[kept], self._score[kept])

    @property
    def keys(self) -> Array:
        return self._index.gather(self._places, "keys")[self._order]

    @property
    def relevance(self) -> Array:
        return self._relevance[self._order]

    @property
    def score(self) -> Array:
        return self._score[self._order]

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
        columns = (keys, self._relevance[hits], self._score[hits])
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
        others, cosines = others[cosines >= NEAR_FLOOR], cosines[cosines >= NEAR_FLOOR]
    relevance = _relevance((values + MEANING_WEIGHT * near) / whole, words)
    between = numpy.searchsorted(places, others)
    places = numpy.insert(places, between, others)
    relevance = numpy.insert(relevance, between, NONE_CEILING * cosines).round(PLACES)
    kept = (relevance > 0) & (relevance >= min_relevance)
    places, relevance = places[kept], relevance[kept]
    score = (relevance * (0.5 + index.gather(places, "importance"))).round(PLACES)
    return Ranking(index, places, relevance, score)


def _relevance(values: Array, words: QueryWords) -> Array:
    return numpy.where(words.complete, ALL_FLOOR + (1.0 - ALL_FLOOR) * values, values)
