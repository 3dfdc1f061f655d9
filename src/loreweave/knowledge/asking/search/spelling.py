"""Words within a few edits of a misspelt one, found for the whole vocabulary at once.

Two signatures of letters differ in at most two bits an edit, which leaves few words of a vocabulary; for those
the distance (insertion, removal, replacement, swap of neighbours) is worked out side by side in a band.
"""

from __future__ import annotations

from itertools import accumulate

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array

ONE_EDIT_FROM, TWO_EDITS_FROM = 4, 8  # letters
_LONGEST = 40  # longer words are not worth guessing
_LETTERS = 32


def edits_allowed(word: str) -> int:
    """How many edits a word of this length may be off."""
    if len(word) > _LONGEST or len(word) < ONE_EDIT_FROM:
        return 0
    return 2 if len(word) >= TWO_EDITS_FROM else 1


class SpellingTable:
    """Code points and letter signatures of the words, as arrays."""

    def __init__(self, words: list[str]) -> None:
        self._lengths = numpy.fromiter(map(len, words), dtype=numpy.int32, count=len(words))
        codes = numpy.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=numpy.uint32)
        self._codes = numpy.concatenate((codes, numpy.zeros(_LONGEST + 2, dtype=numpy.uint32)))
        starts = numpy.zeros(len(words) + 1, dtype=numpy.int64)
        numpy.cumsum(self._lengths, out=starts[1:])
        self._starts = starts[:-1]
        owners = numpy.repeat(numpy.arange(len(words)), self._lengths)
        self._signatures = _signatures(owners, codes, len(words))

    def near(self, word: str) -> tuple[Array, Array]:
        """(places, edits) of the words within the edits that a word of this length may be off."""
        allowed = edits_allowed(word)
        nothing = numpy.zeros(0, dtype=numpy.int64)
        if not allowed:
            return nothing, nothing
        codes = numpy.frombuffer(word.encode("utf-32-le", "surrogatepass"), dtype=numpy.uint32)
        own = _signatures(numpy.zeros(len(codes), dtype=numpy.int64), codes, 1)[0]
        like = numpy.bitwise_count(self._signatures ^ own) <= 2 * allowed
        like &= numpy.abs(self._lengths - len(word)) <= allowed
        places = numpy.flatnonzero(like)
        if not len(places):
            return nothing, nothing
        lengths = self._lengths[places]
        matrix = self._codes[self._starts[places][:, None] + numpy.arange(len(word) + allowed)]
        edits = _distances(codes.tolist(), matrix, lengths, allowed)
        close = edits <= allowed
        return places[close], edits[close].astype(numpy.int64)


def _signatures(owners: Array, codes: Array, count: int) -> Array:
    """A bit for each letter that is there, and one for each that is there twice (letters modulo 32)."""
    counts = numpy.bincount(owners * _LETTERS + codes % _LETTERS, minlength=count * _LETTERS).reshape(count, _LETTERS)
    bits = numpy.array(list(accumulate([1] * 64, lambda bit, _: bit * 2)), dtype=numpy.uint64)
    once = ((counts > 0) * bits[:_LETTERS]).sum(axis=1, dtype=numpy.uint64)
    return once | ((counts > 1) * bits[_LETTERS:]).sum(axis=1, dtype=numpy.uint64)


def _distances(word: list[int], matrix: Array, lengths: Array, allowed: int) -> Array:
    """Optimal string alignment of one word with many, row by row; cells off the band count as too far."""
    far = numpy.int8(allowed + 1)
    columns = matrix.shape[1]
    previous = numpy.broadcast_to(numpy.arange(columns + 1).clip(0, far).astype(numpy.int8), (len(matrix), columns + 1))
    before = previous
    for row, letter in enumerate(word, start=1):
        current = numpy.full((len(matrix), columns + 1), far, dtype=numpy.int8)
        if row <= allowed:
            current[:, 0] = row
        for column in range(max(1, row - allowed), min(columns, row + allowed) + 1):
            same = matrix[:, column - 1] == letter
            best = previous[:, column - 1] + numpy.where(same, 0, 1).astype(numpy.int8)
            numpy.minimum(best, previous[:, column] + 1, out=best)
            numpy.minimum(best, current[:, column - 1] + 1, out=best)
            if row > 1 and column > 1:
                swapped = (matrix[:, column - 2] == letter) & (matrix[:, column - 1] == word[row - 2])
                best = numpy.where(swapped, numpy.minimum(best, before[:, column - 2] + 1), best)
            current[:, column] = numpy.minimum(best, far)
        before, previous = previous, current
    return previous[numpy.arange(len(matrix)), lengths]
