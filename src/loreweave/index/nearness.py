"""How near rows are to a query in meaning."""

from __future__ import annotations

from functools import cached_property

import numpy

from loreweave.errors import Unavailable
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.stored_vectors import SCALE

PROPOSED = 256  # rows that the short vectors propose for a closer look
_PLACES = 4  # kept of a cosine, so that the last bits of a matrix product decide nothing


class Nearness:
    """Compares one query; made anew for each."""

    def __init__(self, arrays: IndexArrays, vector: Array) -> None:
        self._arrays = arrays
        self._vector = vector
        self.usual = round(float(vector @ arrays.mean), _PLACES)  # cosine of an average row

    def cosines(self, rows: Array) -> Array:
        found = self._arrays.vectors[rows].astype(numpy.float32) @ (self._vector / numpy.float32(SCALE))
        return found.astype(numpy.float64).round(_PLACES)

    @cached_property
    def proposed(self) -> Array:
        """The rows that seem nearest, out of all, in order of their numbers."""
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
