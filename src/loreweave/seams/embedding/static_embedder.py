"""The shipped embedder: a table of token vectors, summed. No download, no model runtime, numpy alone.

The rows are small integers under one scale, centred and weighted when the table was made, so a text's vector
is the sum of its tokens' rows, brought to length 1. Sums of integers are exact in any order: equal text gives
equal vectors on every machine.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Sequence
from pathlib import Path

import numpy

from loreweave.seams.embedding.pieces import piece_length
from loreweave.seams.embedding.stored_vectors import unit_rows
from loreweave.seams.embedding.wordpiece import longest_matches, split_parts, split_words

MODEL_FOLDER = Path(__file__).parent / "static_model"
_REMEMBERED_WORDS = 200_000  # then the memory starts anew; it only saves time
_LONGEST_REMEMBERED = 64
_EXACT_TOKENS = 258  # 127 × 258 is the most that int16 holds
_TEXTS_AT_ONCE = 256  # sums of so many stay in the processor's cache
_ASCII_MARKS = string.punctuation
_ASCII_RUNS = re.compile("[a-z0-9]+")


class StaticEmbedder:
    """Opens in milliseconds; the table is read when the first text comes."""

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.identity: str = card["identity"]
        self.dimensions: int = card["dimensions"]
        self._folder = folder
        self._words: _WordMemory | None = None
        self._table = numpy.empty((0, self.dimensions), dtype=numpy.int16)

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        """One normalised row a text."""
        words = self._opened()
        return self._rows([b"".join(map(words.__getitem__, split_words(text))) for text in texts])

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """One normalised row for each piece of each text, and the offsets of the texts."""
        words = self._opened()
        recall = words.__getitem__
        pieces: list[bytes] = []
        offsets = [0]
        for text in texts:
            found = split_words(text)
            length = piece_length(len(found))
            pieces += [b"".join(map(recall, found[at : at + length])) for at in range(0, len(found), length)]
            offsets.append(len(pieces))
        return self._rows(pieces), numpy.array(offsets, dtype=numpy.int64)

    def _opened(self) -> _WordMemory:
        if self._words is None:
            weights = numpy.fromfile(self._folder / "weights.int8", dtype=numpy.int8)
            tokens = (self._folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
            self._table = weights.reshape(-1, self.dimensions).astype(numpy.int16)
            self._words = _WordMemory(tokens, silent=numpy.logical_not(self._table.any(axis=1)))
        return self._words

    def _rows(self, texts: list[bytes]) -> numpy.ndarray:
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            block = texts[start : start + _TEXTS_AT_ONCE]
            rows[start : start + len(block)] = unit_rows(self._sums(block))
        return rows

    def _sums(self, texts: list[bytes]) -> numpy.ndarray:
        sums = numpy.zeros((len(texts), self.dimensions), dtype=numpy.int16)
        long_sums = {}
        take = self._table.take
        for index, tokens in enumerate(texts):
            if len(tokens) > 2 * _EXACT_TOKENS:
                long_sums[index] = self._long_sum(tokens)
            elif tokens:
                ids = numpy.frombuffer(tokens, dtype=numpy.uint16)
                numpy.add.reduce(take(ids, axis=0), axis=0, dtype=numpy.int16, out=sums[index])
        if not long_sums:
            return sums
        wide = sums.astype(numpy.float64)
        wide[list(long_sums)] = list(long_sums.values())
        return wide

    def _long_sum(self, tokens: bytes) -> numpy.ndarray:
        """The same sum by counting tokens: a long text repeats itself."""
        counts = numpy.bincount(numpy.frombuffer(tokens, dtype=numpy.uint16))
        used = counts.nonzero()[0]
        return numpy.add.reduce(self._table[used] * counts[used, None], axis=0, dtype=numpy.int64)


class _WordMemory(dict[str, bytes]):
    """Word → the ids of its tokens that carry weight, as native uint16 bytes, so that a text is one join."""

    def __init__(self, tokens: list[str], silent: numpy.ndarray) -> None:
        super().__init__()
        every_id = numpy.arange(len(tokens), dtype=numpy.uint16).tobytes()
        self._tokens = {token: every_id[2 * index : 2 * index + 2] for index, token in enumerate(tokens)}
        for index in silent.nonzero()[0].tolist():
            self._tokens[tokens[index]] = b""
        self._parts: dict[str, bytes] = {}

    def __missing__(self, word: str) -> bytes:
        if word.isascii() and word.isprintable():
            # Marks carry no weight and need no reading: most new words are a known word beside a mark.
            lowered = word.lower().strip(_ASCII_MARKS)
            heard = self._tokens.get(lowered)
            if heard is None:
                heard = b"".join(map(self._read, _ASCII_RUNS.findall(lowered)))
        else:
            heard = b"".join(map(self._read, split_parts(word)))
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
