"""The tokens of any stretch of a text, exactly as `count_tokens` counts it, without looking at the text again.

What each chunk between blanks costs is added up once; a stretch costs what is between its first and its last chunk.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

import numpy

from loreweave.language.number_words import number_words, word_spans
from loreweave.language.tokens import chunk_halves, count_tokens

_BLANK_RUNS = re.compile(rb"  ++")  # a lone blank belongs to the word behind it
# What `str.split` takes for a blank besides blank and line end. The set in front lets the engine jump.
_STRANGE_BLANKS = re.compile(
    rb"[\t\r\x0b\x0c\x1c-\x1f\xc2\xe1-\xe3](?:(?<=[\t\r\x0b\x0c\x1c-\x1f])|(?<=\xc2)[\x85\xa0]|(?<=\xe1)\x9a\x80"
    rb"|(?<=\xe2)(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|(?<=\xe3)\x80\x80)"
)


class StretchTokens:
    """Counts stretches of one text; places are bytes."""

    __slots__ = ("_blanks", "_data", "_ends", "_runs", "_starts", "_strange", "_sums")

    def __init__(self, data: bytes, starts: list[int], ends: list[int], sums: list[int]) -> None:
        self._data = data
        self._starts = starts
        self._ends = ends
        self._sums = sums  # half tokens of the chunks before each, and of all
        runs = [found.span() for found in _BLANK_RUNS.finditer(data)]
        self._runs = [start for start, _ in runs]
        self._blanks = [0, *accumulate((end - start + 15) // 16 for start, end in runs)]
        self._strange = [found.start() for found in _STRANGE_BLANKS.finditer(data)]

    def count(self, start: int, end: int) -> int:
        data = self._data
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        cuts_chunk = (first and start < self._ends[first - 1]) or (last and end < self._ends[last - 1])
        strange = bisect_left(self._strange, start)
        if cuts_chunk or data.startswith(b" ", start) or data.startswith(b" ", end - 1):
            return count_tokens(data[start:end].decode("utf-8", "replace"))
        if strange < len(self._strange) and self._strange[strange] < end:
            return count_tokens(data[start:end].decode("utf-8", "replace"))
        halves = self._sums[last] - self._sums[first]
        if first < last and self._starts[first] == start and start and data[start - 1] != 10:
            # It was counted with a blank in front of it.
            opening = [data[start : self._ends[first]].decode("utf-8", "replace")]
            halves += next(chunk_halves(opening, False)) - (self._sums[first + 1] - self._sums[first])
        blanks = self._blanks[bisect_left(self._runs, end)] - self._blanks[bisect_left(self._runs, start)]
        return (halves + 1) // 2 + data.count(b"\n", start, end) + blanks


def stretch_tokens(texts: Sequence[bytes]) -> list[StretchTokens]:
    """A counter for each text. All are numbered together: what a chunk costs is looked up once for all of them."""
    together = b"\n".join(texts)
    starts, ends = word_spans(together)
    words, numbers = number_words(together, starts, ends)
    chunks = b"\n".join(words).decode("utf-8", "replace").split("\n") if words else []  # words hold no line end
    halves = numpy.fromiter(chunk_halves(chunks, True), dtype=numpy.int64, count=len(chunks))[numbers]
    opening = numpy.flatnonzero(numpy.frombuffer(b"\n" + together, dtype=numpy.uint8)[starts] == ord("\n"))
    different, inverse = numpy.unique(numbers[opening], return_inverse=True)
    at_start = chunk_halves([chunks[number] for number in different.tolist()], False)
    halves[opening] = numpy.fromiter(at_start, dtype=numpy.int64, count=len(different))[inverse]
    sums = numpy.concatenate(([0], numpy.cumsum(halves)))
    found, place = [], 0
    for text in texts:
        first, last = numpy.searchsorted(starts, (place, place + len(text) + 1)).tolist()
        spans = (starts[first:last] - place).tolist(), (ends[first:last] - place).tolist()
        found.append(StretchTokens(text, *spans, sums[first : last + 1].tolist()))
        place += len(text) + 1
    return found
