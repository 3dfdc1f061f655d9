"""How well memories answer a query: by its words, BM25 within the searched scope, and by meaning, by their best piece.

Vectors are small integers on both sides, so that every sum is exact, in whatever order a machine adds up.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy

from loreweave.errors import Unavailable
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import stem, words
from loreweave.memory.search.index_parts import COARSE, query_terms
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_rows import NO_TERM, members


def largest(scores: numpy.ndarray, count: int, most: int | None = None) -> numpy.ndarray:
    """Places of so many of the largest scores, in ascending order; of equal ones all, or none where these are more
    than `most`."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    cut = numpy.partition(scores, -count)[-count]
    found = numpy.flatnonzero(scores >= cut)
    return found if most is None or len(found) <= most else numpy.flatnonzero(scores > cut)


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


PROPOSED = 512  # pieces that the short vectors propose for a closer look
PROPOSING = 4  # first vectors of a long text that look for them
_SCALE = 127
_ROWS_AT_ONCE = 4096


class Meaning:
    """Vectors to compare memories with: those of a query, or the pieces of a text."""

    def __init__(self, index: MemoryIndex, vectors: Array, masks: list[Array]) -> None:
        self._index = index
        self._vectors = vectors.astype(numpy.float32)  # whole numbers
        self._masks = masks

    @property
    def floor(self) -> float:
        """The cosine that a memory without any of a query's words needs."""
        assert self._index.embedder is not None
        return self._index.embedder.floor(sum(int(numpy.count_nonzero(mask)) for mask in self._masks))

    def proposed(self, count: int = PROPOSED) -> Array:
        """Places of the memories that pass and seem nearest, in ascending order."""
        seeming, places = [], []
        for part, mask, offset in zip(self._index.parts, self._masks, self._index.offsets.tolist(), strict=False):
            block = part.block
            if block.coarse.shape[1] and block.rows.pieces.shape[1] == self._vectors.shape[1]:
                passing = mask[block.piece_owners]
                near = _best_products(block.coarse, self._vectors[:PROPOSING, :COARSE])
                seeming.append(near[passing])
                places.append(block.piece_owners[passing] + offset)
        if not seeming:
            return numpy.zeros(0, dtype=numpy.int64)
        best = largest(numpy.concatenate(seeming), count, 4 * count)
        return numpy.unique(numpy.concatenate(places)[best])

    def cosines(self, places: Array) -> Array:
        """The best piece's cosine at each of these places, at least 0."""
        found = [numpy.zeros(0)]
        for part, rows in self._index.by_part(places):
            found.append(self._best(part.block.rows.pieces, part.block.rows.piece_starts, rows))
        return numpy.concatenate(found)

    def _best(self, pieces: Array, starts: Array, rows: Array) -> Array:
        best = numpy.zeros(len(rows))
        if not pieces.shape[1] or pieces.shape[1] != self._vectors.shape[1]:
            return best
        counts = starts[rows + 1] - starts[rows]
        chosen = pieces[members(starts[rows], counts)].astype(numpy.float32)
        filled = numpy.flatnonzero(counts)
        if len(filled):
            near = _best_products(chosen, self._vectors)
            best[filled] = numpy.maximum.reduceat(near, (numpy.cumsum(counts) - counts)[filled])
        return (best / _SCALE**2).clip(0.0, 1.0)


def read_meaning(index: MemoryIndex, query: str, masks: list[Array]) -> Meaning | None:
    """None where there is nothing to compare by meaning, or a remote embedder is away."""
    if index.embedder is None:
        return None
    try:
        vector = index.embedder.embed([query])
    except Unavailable:
        return None
    return Meaning(index, numpy.rint(vector * _SCALE), masks) if vector.any() else None


def _best_products(rows: Array, vectors: Array) -> Array:
    """For each row its greatest product with a vector; in pieces too small to be worth a second thread's waiting."""
    found = numpy.empty(len(rows), dtype=numpy.float32)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[start : start + _ROWS_AT_ONCE]
        best = some @ vectors[0]
        for vector in vectors[1:]:
            numpy.maximum(best, some @ vector, out=best)
        found[start : start + len(some)] = best
    return found
