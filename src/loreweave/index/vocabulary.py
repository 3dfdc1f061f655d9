"""The known keys and words of an index, in sorted order: exact, by their beginning, or misspelt."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

import numpy

from loreweave.index.index_arrays import Array, IndexArrays, starts_of

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
        self._starts = starts_of(self._lengths)[:-1]
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


LONGEST_NUMBER = 2  # digits behind a name
MOST_ENDINGS = 24  # of one beginning: the most common ones
_LAST = "\U0010ffff"
_REMEMBERED = 4096


class Vocabulary:
    """Answers with numbers of keys."""

    def __init__(self, arrays: IndexArrays) -> None:
        self._arrays = arrays
        self._spelling: SpellingTable | None = None
        self._corrections: dict[str, list[tuple[int, int]]] = {}

    def number(self, key: str) -> int:
        """The number of a key, or -1."""
        return _position(self._arrays.keys, key)

    def word_number(self, word: str) -> int:
        """The number of a word as it is written, or -1."""
        return _position(self._arrays.words, word)

    def beginning(self, word: str) -> list[int]:
        """The keys of words that begin so and are longer, the most common first."""
        arrays = self._arrays
        first, last = bisect_left(arrays.words, word), bisect_left(arrays.words, word + _LAST)
        if first < last and arrays.words[first] == word:
            first += 1
        counts = arrays.word_counts[first:last]
        order = numpy.argsort(-counts, kind="stable")[:MOST_ENDINGS]
        return list(dict.fromkeys(arrays.word_keys[first:last][order].tolist()))

    def numbered(self, word: str) -> list[int]:
        """The keys of words that are this one and a short number: of OAuth, OAuth2."""
        words = self._arrays.words
        first, last = bisect_left(words, word + "0"), bisect_left(words, word + ":")
        longest = len(word) + LONGEST_NUMBER
        found = [
            place
            for place in range(first, last)
            if len(words[place]) <= longest and words[place][len(word) :].isdigit()
        ]
        return list(dict.fromkeys(self._arrays.word_keys[found].tolist()))

    def beginning_whole(self, whole: str) -> list[int]:
        """The keys of identifiers that begin so and are longer."""
        keys = self._arrays.keys
        first, last = bisect_left(keys, whole), bisect_left(keys, whole + _LAST)
        if first < last and keys[first] == whole:
            first += 1
        return list(range(first, min(last, first + MOST_ENDINGS)))

    def corrections(self, word: str) -> list[tuple[int, int]]:
        """(key, edits) of known words near an unknown one; none for short words."""
        found = self._corrections.get(word)
        if found is None:
            if self._spelling is None:
                self._spelling = SpellingTable(self._arrays.words)
            found = self._near(word, self._spelling)
            if len(self._corrections) >= _REMEMBERED:
                self._corrections.clear()
            self._corrections[word] = found
        return found

    def _near(self, word: str, spelling: SpellingTable) -> list[tuple[int, int]]:
        places, edits = spelling.near(word)
        counts: Array = self._arrays.word_counts[places]
        order = numpy.lexsort((places, -counts, edits))
        best: dict[int, int] = {}
        for at in order.tolist():
            best.setdefault(int(self._arrays.word_keys[places[at]]), int(edits[at]))
        return list(best.items())[:MOST_ENDINGS]


def _position(keys: list[str], key: str) -> int:
    place = bisect_left(keys, key)
    return place if place < len(keys) and keys[place] == key else -1
