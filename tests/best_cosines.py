"""The nearest piece of each text, as a judge of embedders has it."""

import numpy

from loreweave.seams.embedding.stored_vectors import SCALE

_ROWS_AT_ONCE = 8192  # 8 MB as float32


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
