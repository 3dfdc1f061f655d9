"""How well memories answer the words of a query: BM25 within the searched scope, and which words stand together."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy

from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import stem, words
from loreweave.memory.search.index_parts import query_terms
from loreweave.memory.search.index_vocabulary import NO_TERM

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex

Array = numpy.ndarray
MOST_PAIRS = 64


class QueryWords:
    """Places of all memories that hold a word, in ascending order, with what they are worth (0 to 1)."""

    def __init__(
        self, places: Array, scores: Array, complete: Array, rarity: dict[int, float], pairs: list[tuple[int, int]]
    ) -> None:
        self.places = places
        self.scores = scores
        self.complete = complete  # whether a memory holds all words
        self._rarity = rarity
        self._pairs = pairs

    def phrases(self, index: MemoryIndex, places: Array) -> Array:
        """The share of neighbours in the query that each memory has as neighbours too; stop words do not part them."""
        worth = [self._rarity[one] + self._rarity[other] for one, other in self._pairs]
        found = [numpy.zeros(0)]
        for part, rows in index.by_part(places):
            tokens, owners = part.block.tokens_of(rows)
            kept = ~index.vocabulary.stopping(tokens)
            terms, owners = index.vocabulary.terms_of(tokens)[kept], owners[kept]
            terms, owners = terms[terms != NO_TERM], owners[terms != NO_TERM]
            together = owners[1:] == owners[:-1]
            held = numpy.zeros(len(rows))
            for (one, other), value in zip(self._pairs, worth, strict=True):
                beside = owners[:-1][together & (terms[:-1] == one) & (terms[1:] == other)]
                held[numpy.unique(beside)] += value
            found.append(held)
        return numpy.concatenate(found) / (sum(worth) or 1.0)


def read_words(index: MemoryIndex, query: str, scope: str | None, masks: list[Array]) -> QueryWords:
    """Words that no memory of the scope holds weigh nothing; but then none holds all words."""
    asked = query_terms(query)
    numbers = [number for number in map(index.vocabulary.terms.get, asked) if number is not None]
    postings = {number: [part.block.postings(number) for part in index.parts] for number in numbers}
    live = index.live(scope)
    rarity: dict[int, float] = {}
    for number, lists in postings.items():
        holders = sum(int(numpy.count_nonzero(mask[rows])) for mask, (rows, _) in zip(live.masks, lists, strict=True))
        if holders or any(mask[rows].any() for mask, (rows, _) in zip(masks, lists, strict=True)):
            rarity[number] = math.log(1.0 + (live.size - holders + 0.5) / (holders + 0.5))
    total = sum(rarity.values()) or 1.0
    places, scores, complete = [], [], []
    for part_number, mask in enumerate(masks):
        drag = live.drags[part_number]
        worth = numpy.zeros(len(mask))
        held = numpy.zeros(len(mask), dtype=numpy.int16)
        for number, value in rarity.items():
            rows, counts = postings[number][part_number]
            passing = mask[rows]
            rows, counts = rows[passing], counts[passing]
            worth[rows] += value * (counts / (counts + drag[rows]))
            held[rows] += 1
        rows = numpy.flatnonzero(held)
        places.append(rows + index.offsets[part_number])
        scores.append(worth[rows] / total)
        complete.append(held[rows] == len(asked))
    pairs = [pair for pair in _pairs(index, query) if pair[0] in rarity and pair[1] in rarity]
    return QueryWords(_joined(places, numpy.int64), _joined(scores), _joined(complete, bool), rarity, pairs)


def _joined(arrays: list[Array], kind: type = float) -> Array:
    return numpy.concatenate(arrays) if arrays else numpy.zeros(0, dtype=kind)


def _pairs(index: MemoryIndex, query: str) -> list[tuple[int, int]]:
    """Neighbours in the query, stop words left out."""
    known = index.vocabulary.terms.get
    telling = [known(stem(word), NO_TERM) for word in words(query) if word not in STOP_WORDS]
    found = dict.fromkeys(pair for pair in pairwise(telling) if pair[0] != pair[1] and NO_TERM not in pair)
    return list(found)[:MOST_PAIRS]
