"""Vectors of sections: every piece as int8, and one short vector a section to look through all of them quickly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from loreweave.entities.searched_section import SearchedSection
from loreweave.errors import Unavailable
from loreweave.knowledge.asking.search.index_arrays import Array
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.stored_vectors import as_rows, quantize, unit_rows

COARSE_DIMENSIONS = 64


def embed_sections(sections: Sequence[SearchedSection], embedder: Embedder | None) -> dict[str, Any]:
    """The arrays of meaning; empty without an embedder, or where a remote one is away."""
    if embedder is None or not sections:
        return _nothing(len(sections))
    try:
        rows, starts = embedder.embed_pieces([_embedded_text(section) for section in sections])
    except Unavailable:
        return _nothing(len(sections))  # words alone still find
    if not len(rows):
        return _nothing(len(sections))
    mean = rows.mean(axis=0, dtype=numpy.float64)
    axes = _main_axes(rows, mean)
    pieces = as_rows(quantize(rows), embedder.dimensions)
    return {
        "pieces": pieces,
        "piece_starts": starts,
        "mean": mean.astype(numpy.float32),
        "axes": axes,
        "coarse": _section_means(rows, starts) @ axes.T,
        "embedder": embedder.identity,
    }


def _embedded_text(section: SearchedSection) -> str:
    return f"{section.heading or section.title}\n{section.text}"


def _nothing(sections: int) -> dict[str, Any]:
    flat = numpy.zeros((0, 0), dtype=numpy.float32)
    return {
        "pieces": numpy.zeros((0, 0), dtype=numpy.int8),
        "piece_starts": numpy.zeros(sections + 1, dtype=numpy.int64),
        "mean": flat[0:0].reshape(-1),
        "axes": flat,
        "coarse": flat,
        "embedder": "",
    }


def _main_axes(rows: Array, mean: Array) -> Array:
    """The directions in which the pieces differ most."""
    spread = numpy.zeros((rows.shape[1], rows.shape[1]))
    for start in range(0, len(rows), 8192):
        block = rows[start : start + 8192] - mean.astype(numpy.float32)
        spread += block.T @ block
    _, axes = numpy.linalg.eigh(spread)
    return numpy.ascontiguousarray(axes.T[::-1][:COARSE_DIMENSIONS].astype(numpy.float32))


def _section_means(rows: Array, starts: Array) -> Array:
    means = numpy.zeros((len(starts) - 1, rows.shape[1]), dtype=numpy.float32)
    filled = numpy.flatnonzero(numpy.diff(starts))
    means[filled] = numpy.add.reduceat(rows, starts[filled], axis=0)
    return unit_rows(means)
