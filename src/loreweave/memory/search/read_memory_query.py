"""How well memories answer a query: by its words, weighed within the searched scope, and by meaning, by their nearest
passage."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy

from loreweave.index.index_arrays import Array
from loreweave.index.nearness import Nearness, read_question
from loreweave.index.weigh_entries import saturated
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words
from loreweave.memory.search.memory_index import WEIGHTS, MemoryIndex, query_keys
from loreweave.memory.search.read_memory_text import key_of

MOST_PAIRS = 64
PROPOSED = 512  # passages that the short vectors propose for a closer look


def largest(scores: Array, count: int, most: int | None = None) -> Array:
    """Places of so many of the largest scores, in ascending order; of equal ones all, or none where these are more
    than `most`."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    cut = numpy.partition(scores, -count)[-count]
    found = numpy.flatnonzero(scores >= cut)
    return found if most is None or len(found) <= most else numpy.flatnonzero(scores > cut)


class QueryWords:
    """Places of all memories that hold a word, in ascending order, with what they are worth (0 to 1)."""

    def __init__(
        self, places: Array, scores: Array, complete: Array, rarity: dict[str, float], pairs: list[tuple[str, str]]
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
        for _, block, chosen in index.by_part(places):
            keys, owners = block.plain_keys(chosen)
            together = owners[1:] == owners[:-1]
            held = numpy.zeros(len(chosen))
            for pair, value in zip(self._pairs, worth, strict=True):
                one, other = map(block.vocabulary.number, pair)
                beside = owners[:-1][together & (keys[:-1] == one) & (keys[1:] == other)]
                held[numpy.unique(beside)] += value
            found.append(held)
        return numpy.concatenate(found) / (sum(worth) or 1.0)


def read_words(index: MemoryIndex, query: str, scope: str | None, masks: list[Array]) -> QueryWords:
    """Words that no memory of the scope holds weigh nothing; but then none holds all words."""
    asked = query_keys(query)
    live = index.live(scope)
    held = {key: [part.block.holders(key) for part in index.parts] for key in asked}
    rarity: dict[str, float] = {}
    for key, lists in held.items():
        holders = sum(int(numpy.count_nonzero(mask[some])) for mask, some in zip(live.masks, lists, strict=True))
        if holders or any(mask[some].any() for mask, some in zip(masks, lists, strict=True)):
            rarity[key] = math.log(1.0 + (live.size - holders + 0.5) / (holders + 0.5))
    total = sum(rarity.values()) or 1.0
    places, scores, complete = [numpy.zeros(0, dtype=numpy.int64)], [numpy.zeros(0)], [numpy.zeros(0, dtype=bool)]
    for number, part in enumerate(index.parts):
        block, mask = part.block, masks[number]
        worth, count = numpy.zeros(len(mask)), numpy.zeros(len(mask), dtype=numpy.int16)
        for key, value in rarity.items():
            known = block.vocabulary.number(key)
            if known >= 0:
                holding, shares = saturated(block.arrays, known, WEIGHTS, live.drags[number], block.arrays.sections)
                worth[holding] += value * shares
                count[holding] += 1
        chosen = numpy.flatnonzero(mask & (count > 0))
        places.append(chosen + index.offsets[number])
        scores.append(worth[chosen] / total)
        complete.append(count[chosen] == len(asked))
    pairs = [pair for pair in _pairs(query) if pair[0] in rarity and pair[1] in rarity]
    joined = [numpy.concatenate(some) for some in (places, scores, complete)]
    return QueryWords(joined[0], joined[1], joined[2], rarity, pairs)


def _pairs(query: str) -> list[tuple[str, str]]:
    """Neighbours in the query, stop words left out."""
    telling = [key_of(word) for word in words(query) if word not in STOP_WORDS]
    return list(dict.fromkeys(pair for pair in pairwise(telling) if pair[0] != pair[1]))[:MOST_PAIRS]


class Meaning:
    """Compares memories with a query, or with the passages of a text."""

    def __init__(self, index: MemoryIndex, vectors: Array, masks: list[Array]) -> None:
        self._index = index
        self._masks = masks
        self._near = [
            Nearness(part.block.arrays, vectors) if part.block.arrays.vectors.shape[1] == vectors.shape[1] else None
            for part in index.parts
        ]

    @property
    def floor(self) -> float:
        """The cosine that a memory without any of a query's words needs."""
        assert self._index.embedder is not None
        return self._index.embedder.floor(sum(int(numpy.count_nonzero(mask)) for mask in self._masks))

    def proposed(self, count: int = PROPOSED) -> Array:
        """Places of the memories that pass and seem nearest, in ascending order."""
        seeming, places = [numpy.zeros(0)], [numpy.zeros(0, dtype=numpy.int64)]
        for number, near in enumerate(self._near):
            if near is not None:
                owners = self._index.parts[number].block.arrays.sections
                passing = self._masks[number][owners]
                seeming.append(near.seeming[passing])
                places.append(owners[passing] + self._index.offsets[number])
        best = largest(numpy.concatenate(seeming), count, 4 * count)
        return numpy.unique(numpy.concatenate(places)[best])

    def cosines(self, places: Array) -> Array:
        """The nearest passage's cosine at each of these places, at least 0."""
        found = [numpy.zeros(0)]
        for number, block, chosen in self._index.by_part(places):
            near = self._near[number]
            if near is None:
                found.append(numpy.zeros(len(chosen)))
            else:
                counts = numpy.diff(block.starts)[chosen]
                found.append(numpy.maximum.reduceat(near.cosines(block.rows(chosen)), numpy.cumsum(counts) - counts))
        return numpy.concatenate(found).clip(0.0, 1.0)


def read_meaning(index: MemoryIndex, query: str, masks: list[Array]) -> Meaning | None:
    """None where there is nothing to compare by meaning, or a remote embedder is away."""
    vector = read_question(index.embedder, query)
    return None if vector is None else Meaning(index, vector, masks)
