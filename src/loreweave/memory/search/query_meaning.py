"""How near memories are to a query in meaning, by their best piece.

Vectors are small integers on both sides, so that every sum is exact, in whatever order a machine adds up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from loreweave.errors import Unavailable
from loreweave.memory.search.largest import largest
from loreweave.memory.search.memory_block import COARSE
from loreweave.memory.search.memory_rows import members

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex

Array = numpy.ndarray
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
