"""The shipped embedder: a table of token vectors, summed. No download, no model runtime, numpy alone.

The rows are small integers under one scale, centred and weighted when the table was made, so a text's vector
is the sum of its tokens' rows, brought to length 1. Sums of integers are exact in any order: equal text gives
equal vectors on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy

from loreweave.seams.embedding.lowered_pieces import lowered_pieces, lowered_words
from loreweave.seams.embedding.stored_vectors import unit_rows
from loreweave.seams.embedding.token_reader import TokenReader

MODEL_FOLDER = Path(__file__).parent / "static_model"
_EXACT_TOKENS = 258  # 127 × 258 is the most that int16 holds
_TEXTS_AT_ONCE = 256  # sums of so many stay in the processor's cache


class StaticEmbedder:
    """Opens in milliseconds; the table is read when the first text comes."""

    is_local = True

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.identity: str = card["identity"]
        self.dimensions: int = card["dimensions"]
        self._folder = folder
        self._reader: TokenReader | None = None
        self._table = numpy.empty((0, self.dimensions), dtype=numpy.int8)

    def __reduce__(self) -> tuple:
        """Another process opens its own, once."""
        return _opened_once, (self._folder,)

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        """One normalised row a text."""
        return self._rows([lowered_words(text) for text in texts])

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """One normalised row for each piece of each text, and the offsets of the texts."""
        pieces: list[bytes] = []
        offsets = [0]
        for text in texts:
            pieces += lowered_pieces(text)
            offsets.append(len(pieces))
        return self._rows(pieces), numpy.array(offsets, dtype=numpy.int64)

    def _opened(self) -> TokenReader:
        if self._reader is None:
            weights = numpy.fromfile(self._folder / "weights.int8", dtype=numpy.int8)
            self._table = weights.reshape(-1, self.dimensions)
            vocabulary = (self._folder / "vocabulary.txt").read_bytes()
            self._reader = TokenReader(vocabulary, silent=numpy.logical_not(self._table.any(axis=1)))
        return self._reader

    def _rows(self, texts: list[bytes]) -> numpy.ndarray:
        reader = self._opened()
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            block = texts[start : start + _TEXTS_AT_ONCE]
            rows[start : start + len(block)] = unit_rows(self._sums(reader.read(block)))
        return rows

    def _sums(self, texts: list[numpy.ndarray]) -> numpy.ndarray:
        sums = numpy.zeros((len(texts), self.dimensions), dtype=numpy.int16)
        long_sums = {}
        take = self._table.take
        for index, tokens in enumerate(texts):
            if len(tokens) > _EXACT_TOKENS:
                long_sums[index] = self._long_sum(tokens)
            elif len(tokens):
                numpy.add.reduce(take(tokens, axis=0, mode="clip"), axis=0, dtype=numpy.int16, out=sums[index])
        if not long_sums:
            return sums
        wide = sums.astype(numpy.float64)
        wide[list(long_sums)] = list(long_sums.values())
        return wide

    def _long_sum(self, tokens: numpy.ndarray) -> numpy.ndarray:
        """The same sum by counting tokens: a long text repeats itself."""
        counts = numpy.bincount(tokens)
        used = counts.nonzero()[0]
        return numpy.add.reduce(self._table[used] * counts[used, None], axis=0, dtype=numpy.int64)


@cache
def _opened_once(folder: Path) -> StaticEmbedder:
    return StaticEmbedder(folder)
