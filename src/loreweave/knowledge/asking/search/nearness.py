"""How near sections are to a query in meaning, by their best piece."""

from __future__ import annotations

import numpy

from loreweave.errors import Unavailable
from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.stored_vectors import best_cosines

PROPOSED = 128  # sections that the short vectors propose for a closer look
_PLACES = 4  # kept of a cosine, so that the last bits of a matrix product decide nothing


class Nearness:
    """Compares one query; made anew for each."""

    def __init__(self, arrays: IndexArrays, vector: Array) -> None:
        self._arrays = arrays
        self._vector = vector
        self.usual = round(float(vector @ arrays.mean), _PLACES)  # cosine of an average piece

    def cosines(self, sections: Array) -> Array:
        """The best piece's cosine of each of these sections."""
        starts = self._arrays.piece_starts[sections]
        counts = self._arrays.piece_starts[sections + 1] - starts
        offsets = numpy.zeros(len(sections) + 1, dtype=numpy.int64)
        numpy.cumsum(counts, out=offsets[1:])
        rows = numpy.arange(offsets[-1]) + numpy.repeat(starts - offsets[:-1], counts)
        found = best_cosines(self._vector, self._arrays.pieces[rows], offsets)
        return found.astype(numpy.float64).round(_PLACES)

    def proposed(self) -> Array:
        """The sections that seem nearest, out of all, in order of their numbers."""
        coarse = self._arrays.coarse
        if len(coarse) <= PROPOSED:
            return numpy.arange(len(coarse))
        seeming = coarse @ (self._arrays.axes @ self._vector)
        return numpy.sort(numpy.argpartition(-seeming, PROPOSED)[:PROPOSED])


def compare(arrays: IndexArrays, embedder: Embedder | None, text: str) -> Nearness | None:
    """None where there is nothing to compare by meaning, or a remote embedder is away."""
    if embedder is None or not arrays.embedder or arrays.embedder != embedder.identity:
        return None
    try:
        vector = embedder.embed([text])[0]
    except Unavailable:
        return None
    return Nearness(arrays, vector) if vector.any() else None
