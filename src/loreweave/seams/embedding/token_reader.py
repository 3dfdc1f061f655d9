"""Lowered texts to the numbers of their tokens: known words all at once, the others one by one."""

from __future__ import annotations

from itertools import pairwise

import numpy

from loreweave.seams.embedding.word_table import WordTable, word_spans
from loreweave.seams.embedding.wordpiece import longest_matches, split_parts

_REMEMBERED_WORDS = 200_000  # then the memory starts anew; it only saves time
_LONGEST_REMEMBERED = 64


class TokenReader:
    """Reads words that hold no ASCII marks: the vocabulary's own marks and "##" continuations are no words here."""

    def __init__(self, vocabulary: bytes, silent: numpy.ndarray) -> None:
        self._table = WordTable(vocabulary)
        self._heard = numpy.logical_not(silent)
        self._others = _WordMemory(vocabulary.decode("utf-8").split("\n"), silent)

    def read(self, texts: list[bytes]) -> list[numpy.ndarray]:
        """For each text its tokens that carry weight, in order."""
        together = b" ".join(texts)
        starts, ends = word_spans(together)
        ids = self._table.find(together, starts, ends)
        other = numpy.flatnonzero(ids < 0)
        cuts = map(slice, starts[other].tolist(), ends[other].tolist())
        others = list(map(self._others.__getitem__, map(together.__getitem__, cuts)))
        counts = self._heard[ids].astype(numpy.intp)  # tokens a word
        counts[other] = [len(tokens) // 2 for tokens in others]
        tokens = numpy.repeat(ids, counts)
        tokens[tokens < 0] = numpy.frombuffer(b"".join(others), dtype=numpy.uint16)
        text_starts = numpy.cumsum([0, *(len(text) + 1 for text in texts)])
        before = numpy.concatenate(([0], numpy.cumsum(counts)))
        bounds = before[numpy.searchsorted(starts, text_starts)].tolist()
        return [tokens[start:end] for start, end in pairwise(bounds)]


class _WordMemory(dict[bytes, bytes]):
    """Lowered word → the ids of its tokens that carry weight, as native uint16 bytes."""

    def __init__(self, tokens: list[str], silent: numpy.ndarray) -> None:
        super().__init__()
        ids = numpy.arange(len(tokens), dtype=numpy.uint16).view("V2").tolist()  # V2: two bytes each
        for index in silent.nonzero()[0].tolist():
            ids[index] = b""
        self._tokens: dict[str, bytes] = dict(zip(tokens, ids, strict=True))
        self._parts: dict[str, bytes] = {}

    def __missing__(self, word: bytes) -> bytes:
        text = word.decode("utf-8", "surrogatepass")
        heard = b"".join(map(self._read, [text] if word.isalnum() else split_parts(text)))
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_WORDS:
                self.clear()
                self._parts.clear()
            self[word] = heard
        return heard

    def _read(self, part: str) -> bytes:
        heard = self._tokens.get(part)
        if heard is None:
            heard = self._parts.get(part)
        if heard is None:
            heard = b"".join(map(self._tokens.__getitem__, longest_matches(part, self._tokens)))
            if len(part) <= _LONGEST_REMEMBERED:
                self._parts[part] = heard
        return heard
