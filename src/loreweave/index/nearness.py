"""Vectors of rows, and how near rows are to a question: small whole numbers on both sides, so that every sum is exact,
in whatever order a machine adds up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy

from loreweave.entities.digest import SearchedPassage
from loreweave.errors import Unavailable
from loreweave.index.index_arrays import COARSE, Array, IndexArrays
from loreweave.seams.embedding.embedder import Embedder, is_local
from loreweave.seams.embedding.stored_vectors import SCALE, as_rows, quantize, unit_rows

PART_CHARACTERS = 1024 * 1024  # embedded at a time
PROPOSED = 256  # rows that the short vectors propose for a closer look
PROPOSING = 4  # first passages of a long text that propose them
_PLACES = 4  # kept of a cosine
_STEPS = 8  # of a whole number in a question: coarser ones cost hits, and sums of eighths are exact as well


def vector_arrays(vectors: Array, identity: str) -> dict[str, Any]:
    """None wide where no row says anything."""
    if not vectors.any():
        return {"vectors": vectors[:, :0], "mean": numpy.zeros(0, dtype=numpy.float32), "embedder": ""}
    mean = vectors.sum(axis=0, dtype=numpy.int64) / (SCALE * len(vectors))
    return {"vectors": vectors, "mean": mean.astype(numpy.float32), "embedder": identity}


def embed_texts(texts: list[str], embedder: Embedder) -> Array:
    """int8, a row a text. Raises Unavailable where a remote embedder is away."""
    # A remote embedder shares out its requests by itself.
    parts = _parts(texts) if is_local(embedder) else [texts] if texts else []
    made = [_embed_part(part, embedder) for part in parts if part]
    return as_rows(b"".join(made), embedder.dimensions)


def _embed_part(texts: list[str], embedder: Embedder) -> bytes:
    """Stored vectors, one a text: of the pieces of a long one the mean."""
    pieces, starts = embedder.embed_pieces(texts)
    if numpy.array_equal(starts, numpy.arange(len(texts) + 1)):
        return quantize(pieces)
    sums = numpy.zeros((len(texts), pieces.shape[1]))
    counts = numpy.diff(starts)
    for place in range(counts.max(initial=0)):  # most have one or two
        some = numpy.flatnonzero(counts > place)
        sums[some] += pieces[starts[some] + place]
    return quantize(unit_rows(sums))


def _parts(texts: list[str]) -> Iterator[list[str]]:
    first = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= PART_CHARACTERS:
            yield texts[first : place + 1]
            first, size = place + 1, 0
    yield texts[first:]


def embedded_text(row: SearchedPassage) -> str:
    section = row.section
    return "\n".join(filter(None, (section.title, section.above, section.heading, row.text)))


class Nearness:
    """Compares a question, or the passages of a text, with the rows of an index; made anew for each."""

    def __init__(self, arrays: IndexArrays, vectors: Array) -> None:
        self._arrays = arrays
        self._vectors = vectors.astype(numpy.float32)  # whole numbers, SCALE standing for 1

    @property
    def usual(self) -> float:
        """The cosine of an average row."""
        return round(float(self._vectors[0] @ self._arrays.mean) / SCALE, _PLACES)

    def cosines(self, rows: Array) -> Array:
        found = _best_products(self._arrays.vectors[rows].astype(numpy.float32), self._vectors)
        return (found.astype(numpy.float64) / SCALE**2).round(_PLACES)

    def commonness(self, rows: Array) -> Array:
        """How much nearer rows are to all that the index holds than an average row: such seem near to any question."""
        mean = self._arrays.mean.astype(numpy.float64)
        found = self._arrays.vectors[rows] @ mean / SCALE - mean @ mean
        return found.round(_PLACES)

    @cached_property
    def seeming(self) -> Array:
        """How near every row seems by the first numbers of its vector."""
        return _best_products(self._arrays.coarse, self._vectors[:PROPOSING, :COARSE])

    @cached_property
    def proposed(self) -> Array:
        """The rows that seem nearest, out of all, in order of their numbers."""
        if len(self.seeming) <= PROPOSED:
            return numpy.arange(len(self.seeming))
        return numpy.sort(numpy.argpartition(-self.seeming, PROPOSED)[:PROPOSED])


def _best_products(rows: Array, vectors: Array) -> Array:
    """For each row its greatest product with a vector."""
    best: Array = rows @ vectors[0]
    for vector in vectors[1:]:
        numpy.maximum(best, rows @ vector, out=best)
    return best


def read_question(embedder: Embedder | None, text: str) -> Array | None:
    """None where there is nothing to compare by meaning, or a remote embedder is away."""
    if embedder is None:
        return None
    try:
        vector = embedder.embed([text])
    except Unavailable:
        return None
    return numpy.rint(vector * SCALE * _STEPS) / _STEPS if vector.any() else None


def compare(arrays: IndexArrays, embedder: Embedder | None, text: str) -> Nearness | None:
    if embedder is None or not arrays.embedder or arrays.embedder != embedder.identity:
        return None
    vector = read_question(embedder, text)
    return None if vector is None else Nearness(arrays, vector)
