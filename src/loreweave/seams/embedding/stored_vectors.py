"""Vectors at rest (int8) and how near a query is to them. Importing this module imports numpy."""

from __future__ import annotations

import numpy

SCALE = 127  # of a stored number that stands for 1
_ROWS_AT_ONCE = 8192  # 8 MB as float32


def quantize(vectors: numpy.ndarray) -> bytes:
    """Normalised rows as int8, row after row; a cosine moves by about 0.002, less than retrieval notices."""
    return numpy.rint(vectors * SCALE).clip(-SCALE, SCALE).astype(numpy.int8).tobytes()


def as_rows(stored: bytes, dimensions: int) -> numpy.ndarray:
    """The stored rows as they are, int8, without a copy."""
    return numpy.frombuffer(stored, dtype=numpy.int8).reshape(-1, dimensions)


def best_cosines(query: numpy.ndarray, rows: numpy.ndarray, offsets: numpy.ndarray) -> numpy.ndarray:
    """For each text its best piece's cosine with the query vector; 0 for a text without pieces.

    `rows` are int8 as stored, or float32; the pieces of text i are `rows[offsets[i]:offsets[i + 1]]`.
    """
    cosines = _cosines(query, rows)
    starts, ends = offsets[:-1], offsets[1:]
    best = numpy.zeros(len(starts), dtype=numpy.float32)
    filled = ends > starts
    if filled.any():
        best[filled] = numpy.maximum.reduceat(cosines[: offsets[-1]], starts[filled])
    return best


def _cosines(query: numpy.ndarray, rows: numpy.ndarray) -> numpy.ndarray:
    if rows.dtype != numpy.int8:
        return rows @ query
    scaled = query / numpy.float32(SCALE)
    found = numpy.empty(len(rows), dtype=numpy.float32)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = rows[start : start + _ROWS_AT_ONCE].astype(numpy.float32)
        found[start : start + len(block)] = block @ scaled
    return found


def unit_rows(sums: numpy.ndarray) -> numpy.ndarray:
    """Rows brought to length 1 as float32; a zero row stays zero."""
    exact = sums.astype(numpy.float64)
    length = numpy.sqrt((exact * exact).sum(axis=1, keepdims=True))
    length[length == 0] = 1.0
    return (exact / length).astype(numpy.float32)
