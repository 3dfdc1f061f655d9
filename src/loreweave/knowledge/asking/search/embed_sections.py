"""Vectors of sections: every piece as int8, and one short vector a section to look through all of them quickly.

What depends on all pieces is made of sums of whole numbers, which come out the same in any order: pieces that go
are taken off them, pieces that come are added, and nothing drifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

from loreweave.entities.digest import SearchedSection
from loreweave.errors import Unavailable
from loreweave.index.bulk_work import Run
from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.splice_rows import Rows, Splice, rows_of, splice_rows, splice_values, starts_of
from loreweave.seams.embedding.embedder import Embedder, LocalEmbedder
from loreweave.seams.embedding.stored_vectors import SCALE, as_rows, quantize, unit_rows

COARSE_DIMENSIONS = 64
PART_CHARACTERS = 1024 * 1024  # to embed at a time, where other processes help
_NOISE = 1e-10  # of the largest weight
_NOTHING = 1e-24  # what rounding leaves of no weight at all
_EXACT_ROWS = 1024  # products of so many int8 rows add up exactly in float32


def embed_sections(
    sections: Sequence[SearchedSection], embedder: Embedder | None, old: IndexArrays, plan: Splice, run: Run = map
) -> dict[str, Any]:
    """The arrays of meaning; empty without an embedder, or where a remote one is away."""
    if embedder is None or not sections:
        return no_pieces(len(sections))
    if old.embedder != embedder.identity:
        old, plan = _without_pieces(old, embedder.dimensions), _all_new(len(sections))
    try:
        added = _embedded([sections[place] for place in plan.added.tolist()], embedder, run)
    except Unavailable:
        return no_pieces(len(sections))  # words alone still find
    before = Rows(old.pieces, old.piece_starts)
    pieces = splice_rows(before, added, plan)
    if not len(pieces.flat):
        return no_pieces(len(sections))
    sums, products = _moments(added.flat)
    if not plan.whole:
        gone_sums, gone_products = _moments(old.pieces[rows_of(before, numpy.flatnonzero(plan.kept < 0))])
        sums, products = old.piece_sum - gone_sums + sums, old.piece_products - gone_products + products
    mean = sums / (SCALE * len(pieces.flat))
    axes = _main_axes(products / SCALE**2 - len(pieces.flat) * numpy.outer(mean, mean))
    section_means = splice_values(old.section_means, _section_means(added), plan)
    return {
        "pieces": pieces.flat,
        "piece_starts": pieces.starts,
        "piece_sum": sums,
        "piece_products": products,
        "section_means": section_means,
        "mean": mean.astype(numpy.float32),
        "axes": axes,
        "coarse": section_means.astype(numpy.float32) @ axes.T / numpy.float32(SCALE),
        "embedder": embedder.identity,
    }


def no_pieces(sections: int) -> dict[str, Any]:
    flat = numpy.zeros((0, 0), dtype=numpy.float32)
    exact = flat.astype(numpy.float64)
    return {
        "pieces": numpy.zeros((0, 0), dtype=numpy.int8),
        "piece_starts": numpy.zeros(sections + 1, dtype=numpy.int64),
        "piece_sum": exact.reshape(-1),
        "piece_products": exact,
        "section_means": numpy.zeros((sections, 0), dtype=numpy.int8),
        "mean": flat.reshape(-1),
        "axes": flat,
        "coarse": flat,
        "embedder": "",
    }


def _without_pieces(arrays: IndexArrays, dimensions: int) -> IndexArrays:
    nothing = as_rows(b"", dimensions)
    return replace(arrays, pieces=nothing, section_means=nothing, piece_starts=numpy.zeros(1, dtype=numpy.int64))


def _all_new(sections: int) -> Splice:
    numbers = numpy.arange(sections)
    return Splice(numbers + 1, numpy.zeros(0, dtype=numpy.int32), numbers)


@dataclass(frozen=True, slots=True)
class TextPart:
    """Some of the texts, to be embedded by any process."""

    embedder: Embedder
    texts: list[str]

    def __len__(self) -> int:
        """How much there is to read."""
        return sum(map(len, self.texts))


def embed_part(part: TextPart) -> tuple[bytes, Array]:
    """Stored rows, and how many each text has."""
    rows, starts = part.embedder.embed_pieces(part.texts)
    return quantize(rows), numpy.diff(starts)


def _embedded(sections: Sequence[SearchedSection], embedder: Embedder, run: Run) -> Rows:
    if not sections:
        return Rows(as_rows(b"", embedder.dimensions), numpy.zeros(1, dtype=numpy.int64))
    texts = [_embedded_text(section) for section in sections]
    # A remote embedder shares out its requests by itself.
    parts = list(_parts(texts, embedder)) if isinstance(embedder, LocalEmbedder) else [TextPart(embedder, texts)]
    made = list(run(embed_part, parts)) if len(parts) > 1 else [embed_part(parts[0])]
    flat = as_rows(b"".join([rows for rows, _ in made]), embedder.dimensions)
    return Rows(flat, starts_of(numpy.concatenate([counts for _, counts in made])))


def _parts(texts: list[str], embedder: Embedder) -> Iterator[TextPart]:
    first = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= PART_CHARACTERS:
            yield TextPart(embedder, texts[first : place + 1])
            first, size = place + 1, 0
    if first < len(texts):
        yield TextPart(embedder, texts[first:])


def _embedded_text(section: SearchedSection) -> str:
    return f"{section.heading or section.title}\n{section.text}"


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


def _section_means(pieces: Rows) -> Array:
    """One row a section, stored as pieces are."""
    sums = numpy.zeros((len(pieces.starts) - 1, pieces.flat.shape[1]), dtype=numpy.int32)
    filled = numpy.flatnonzero(numpy.diff(pieces.starts))
    if len(filled):
        sums[filled] = numpy.add.reduceat(pieces.flat, pieces.starts[filled], axis=0, dtype=numpy.int32)
    return as_rows(quantize(unit_rows(sums)), pieces.flat.shape[1])
