"""Vectors of rows: each as int8, and a shorter one to look through all of them quickly.

What depends on all vectors is made of sums of whole numbers, which come out the same in any order: those that go
are taken off them, those that come are added, and nothing drifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

from loreweave.entities.digest import SearchedPassage
from loreweave.errors import Unavailable
from loreweave.index.bulk_work import Run
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.splice_rows import Splice, splice_values
from loreweave.seams.embedding.embedder import Embedder, LocalEmbedder
from loreweave.seams.embedding.stored_vectors import SCALE, as_rows, quantize, unit_rows

COARSE_DIMENSIONS = 64
PART_CHARACTERS = 1024 * 1024  # to embed at a time, where other processes help
_NOISE = 1e-10  # of the largest weight
_NOTHING = 1e-24  # what rounding leaves of no weight at all
_EXACT_ROWS = 1024  # products of so many int8 rows add up exactly in float32


def embed_rows(
    rows: Sequence[SearchedPassage], embedder: Embedder | None, old: IndexArrays, plan: Splice, run: Run = map
) -> dict[str, Any]:
    """The arrays of meaning; empty without an embedder, or where a remote one is away."""
    if embedder is None or not rows:
        return no_vectors(len(rows))
    if old.embedder != embedder.identity:
        old, plan = _without_vectors(old, embedder.dimensions), _all_new(len(rows))
    try:
        added = _embedded([rows[place] for place in plan.added.tolist()], embedder, run)
    except Unavailable:
        return no_vectors(len(rows))  # words alone still find
    vectors = splice_values(old.vectors, added, plan)
    if not vectors.any():
        return no_vectors(len(rows))
    sums, products = _moments(added)
    if not plan.whole:
        gone_sums, gone_products = _moments(old.vectors[plan.kept < 0])
        sums, products = old.vector_sum - gone_sums + sums, old.vector_products - gone_products + products
    mean = sums / (SCALE * len(vectors))
    axes = _main_axes(products / SCALE**2 - len(vectors) * numpy.outer(mean, mean))
    return {
        "vectors": vectors,
        "vector_sum": sums,
        "vector_products": products,
        "mean": mean.astype(numpy.float32),
        "axes": axes,
        "coarse": vectors.astype(numpy.float32) @ axes.T / numpy.float32(SCALE),
        "embedder": embedder.identity,
    }


def no_vectors(rows: int) -> dict[str, Any]:
    flat = numpy.zeros((0, 0), dtype=numpy.float32)
    exact = flat.astype(numpy.float64)
    return {
        "vectors": numpy.zeros((rows, 0), dtype=numpy.int8),
        "vector_sum": exact.reshape(-1),
        "vector_products": exact,
        "mean": flat.reshape(-1),
        "axes": flat,
        "coarse": flat,
        "embedder": "",
    }


def _without_vectors(arrays: IndexArrays, dimensions: int) -> IndexArrays:
    return replace(arrays, vectors=as_rows(b"", dimensions))


def _all_new(rows: int) -> Splice:
    numbers = numpy.arange(rows)
    return Splice(numbers + 1, numpy.zeros(0, dtype=numpy.int32), numbers)


@dataclass(frozen=True, slots=True)
class TextPart:
    """Some of the texts, to be embedded by any process."""

    embedder: Embedder
    texts: list[str]

    def __len__(self) -> int:
        """How much there is to read."""
        return sum(map(len, self.texts))


def embed_part(part: TextPart) -> bytes:
    """Stored vectors, one a text: of the pieces of a long one the mean."""
    pieces, starts = part.embedder.embed_pieces(part.texts)
    if numpy.array_equal(starts, numpy.arange(len(part.texts) + 1)):
        return quantize(pieces)
    sums = numpy.zeros((len(part.texts), pieces.shape[1]))
    filled = numpy.flatnonzero(numpy.diff(starts))
    if len(filled):
        sums[filled] = numpy.add.reduceat(pieces.astype(numpy.float64), starts[filled], axis=0)
    return quantize(unit_rows(sums))


def _embedded(rows: Sequence[SearchedPassage], embedder: Embedder, run: Run) -> Array:
    texts = [_embedded_text(row) for row in rows]
    # A remote embedder shares out its requests by itself.
    parts = list(_parts(texts, embedder)) if isinstance(embedder, LocalEmbedder) else [TextPart(embedder, texts)]
    if not texts:
        return as_rows(b"", embedder.dimensions)
    made = list(run(embed_part, parts)) if len(parts) > 1 else [embed_part(parts[0])]
    return as_rows(b"".join(made), embedder.dimensions)


def _parts(texts: list[str], embedder: Embedder) -> Iterator[TextPart]:
    first = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= PART_CHARACTERS:
            yield TextPart(embedder, texts[first : place + 1])
            first, size = place + 1, 0
    if first < len(texts):
        yield TextPart(embedder, texts[first:])


def _embedded_text(row: SearchedPassage) -> str:
    section = row.section
    return "\n".join(filter(None, (section.title, section.above, section.heading, row.text)))


def _moments(pieces: Array) -> tuple[Array, Array]:
    """The sum of the pieces and of their products, exactly."""
    products = numpy.zeros((pieces.shape[1], pieces.shape[1]))
    for start in range(0, len(pieces), _EXACT_ROWS):
        block = pieces[start : start + _EXACT_ROWS].astype(numpy.float32)
        products += block.T @ block
    return pieces.sum(axis=0, dtype=numpy.int64).astype(numpy.float64), products


def _main_axes(spread: Array) -> Array:
    """About the directions in which the pieces differ most: two rounds towards them from a fixed beginning find
    what is near nearly as well as the true ones, at a fraction of their cost."""
    axes = _upright(spread[:, :COARSE_DIMENSIONS])
    axes = _upright(spread @ axes)
    return numpy.ascontiguousarray(axes.T.astype(numpy.float32))


def _upright(columns: Array) -> Array:
    """Columns of length 1, at right angles, that span the same; fewer where some depend on others, and none where
    all pieces say the same: one piece alone, or the same text twice."""
    weights, turn = numpy.linalg.eigh(columns.T @ columns)
    counted = weights > max(_NOISE * weights.max(initial=0.0), _NOTHING)
    weights, turn, counted = weights[::-1], turn[:, ::-1], counted[::-1]
    upright: Array = columns @ (turn[:, counted] / numpy.sqrt(weights[counted]))
    return upright
