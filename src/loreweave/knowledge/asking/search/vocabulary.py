"""The known keys and words of an index, in sorted order: exact, by their beginning, or misspelt."""

from __future__ import annotations

from bisect import bisect_left

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.spelling import SpellingTable

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

    def beginning(self, word: str) -> list[int]:
        """The keys of words that begin so and are longer, the most common first."""
        arrays = self._arrays
        first, last = bisect_left(arrays.words, word), bisect_left(arrays.words, word + _LAST)
        if first < last and arrays.words[first] == word:
            first += 1
        counts = arrays.word_counts[first:last]
        order = numpy.argsort(-counts, kind="stable")[:MOST_ENDINGS]
        return list(dict.fromkeys(arrays.word_keys[first:last][order].tolist()))

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
