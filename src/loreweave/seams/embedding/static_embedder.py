"""The shipped embedder: a table of token vectors, summed. No download, no model runtime, numpy alone.

The rows are small integers under one scale, centred and weighted when the table was made, so a text's vector
is the sum of its tokens' rows, brought to length 1. Sums of integers are exact in any order: equal text gives
equal vectors on every machine.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy

from loreweave.language.number_words import words_by_line
from loreweave.language.numbered_texts import NumberedTexts, number_texts, spread
from loreweave.seams.embedding.stored_vectors import unit_rows
from loreweave.seams.embedding.wordpiece import longest_matches, piece_length, split_parts, split_words

_REMEMBERED_WORDS = 200_000  # then the memory starts anew; it only saves time
_LONGEST_REMEMBERED = 64

_LOWERED = bytes.maketrans(
    (string.ascii_uppercase + string.punctuation).encode(),
    (string.ascii_lowercase + " " * len(string.punctuation)).encode(),
)
_CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\n\r")


class TokenReader:
    """Reads words in lower case, with blanks for ASCII marks: these carry no weight, so nothing is lost, and
    "Memory," and "memory." are one word to remember."""

    def __init__(self, vocabulary: bytes, silent: numpy.ndarray) -> None:
        self._memory = _WordMemory(vocabulary.decode("utf-8").split("\n"), silent)

    def read(self, words: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """The tokens of all words that carry weight, in order, and how many each word has."""
        together = "\n".join(words).encode("utf-8", "surrogatepass").translate(_LOWERED, _CONTROLS)
        heard = list(map(self._memory.__getitem__, together.split()))
        tokens = numpy.frombuffer(b"".join(heard), dtype=numpy.uint16)
        sizes = numpy.fromiter(map(len, heard), dtype=numpy.intp, count=len(heard)) // 2
        before = numpy.concatenate(([0], numpy.cumsum(sizes)))
        bounds = numpy.concatenate(([0], numpy.cumsum(words_by_line(together)[: len(words)])))
        return tokens, numpy.diff(before[bounds])


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


MODEL_FOLDER = Path(__file__).parent / "static_model"
_EXACT_TOKENS = 258  # 127 × 258 is the most that int16 holds
_TEXTS_AT_ONCE = 256  # sums of so many stay in the processor's cache


class StaticEmbedder:
    """Opens in milliseconds; the table is read when the first text comes."""

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.identity: str = card["identity"]
        self.dimensions: int = card["dimensions"]
        self._folder = folder
        self._reader: TokenReader | None = None
        self._table = numpy.empty((0, self.dimensions), dtype=numpy.int8)

    def __reduce__(self) -> tuple:
        """Another process opens its own, once."""
        return _opened_once, (type(self), self._folder)

    def floor(self, texts: int) -> float:
        return 0.45

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        """One normalised row a text."""
        numbered = number_texts(texts)
        tokens, before, word_bounds = self._tokens(numbered, pairwise(numbered.bounds.tolist()))
        return self._rows(tokens, before[word_bounds].tolist())

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """One normalised row for each piece of each text, and the offsets of the texts."""
        numbered = number_texts(texts)
        return self.embed_numbered(numbered, pairwise(numbered.bounds.tolist()))

    def embed_numbered(
        self, numbered: NumberedTexts, ranges: Iterable[tuple[int, int]]
    ) -> tuple[numpy.ndarray, numpy.ndarray]:
        """The same for texts that are these ranges of places, which must follow one another."""
        tokens, before, word_bounds = self._tokens(numbered, ranges)
        cuts: list[int] = []
        offsets = [0]
        for start, end in pairwise(word_bounds.tolist()):
            cuts += range(start, end, piece_length(end - start))
            offsets.append(len(cuts))
        cuts.append(int(word_bounds[-1]))
        return self._rows(tokens, before[cuts].tolist()), numpy.array(offsets, dtype=numpy.int64)

    def _tokens(
        self, numbered: NumberedTexts, ranges: Iterable[tuple[int, int]]
    ) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """Tokens of the ranges in order, how many stand before each word, and where the words of each range begin."""
        cut = [[chunk] if chunk.isascii() and chunk.isprintable() else split_words(chunk) for chunk in numbered.chunks]
        sizes = numpy.fromiter(map(len, cut), dtype=numpy.intp, count=len(cut))
        ranges = list(ranges)
        parts = [numbered.numbers[start:end] for start, end in ranges]
        numbers = numpy.concatenate([numpy.empty(0, dtype=numpy.intp), *parts])
        places = numpy.cumsum([0, *map(len, parts)])
        word_bounds = numpy.concatenate(([0], numpy.cumsum(sizes[numbers])))[places]
        words = spread(numbers, sizes, numpy.arange(sizes.sum()))
        members, counts = self._opened().read([word for some in cut for word in some])
        before = numpy.concatenate(([0], numpy.cumsum(counts[words])))
        return spread(words, counts, members), before, word_bounds

    def _opened(self) -> TokenReader:
        if self._reader is None:
            weights = numpy.fromfile(self._folder / "weights.int8", dtype=numpy.int8)
            self._table = weights.reshape(-1, self.dimensions)
            vocabulary = (self._folder / "vocabulary.txt").read_bytes()
            self._reader = TokenReader(vocabulary, silent=numpy.logical_not(self._table.any(axis=1)))
        return self._reader

    def _rows(self, tokens: numpy.ndarray, bounds: list[int]) -> numpy.ndarray:
        """A row for the tokens between each two bounds."""
        rows = numpy.zeros((len(bounds) - 1, self.dimensions), dtype=numpy.float32)
        for start in range(0, len(rows), _TEXTS_AT_ONCE):
            block = [tokens[first:last] for first, last in pairwise(bounds[start : start + _TEXTS_AT_ONCE + 1])]
            rows[start : start + len(block)] = unit_rows(self._sums(block))
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
def _opened_once(kind: type[StaticEmbedder], folder: Path) -> StaticEmbedder:
    return kind(folder)
