"""Chunks of texts and what they mention: each distinct one is read once, for texts repeat most of theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.index.index_arrays import Array
from loreweave.language.identifiers import Mention, phrase_key, read_mentions

_REMEMBERED, _LONGEST_REMEMBERED = 200_000, 64  # chunks, and characters of one


class ChunkMemory(dict[str, tuple[Mention, ...]]):
    """Chunk → what it mentions; filled as chunks turn up, for texts repeat most of them, and started anew when full."""

    def __missing__(self, chunk: str) -> tuple[Mention, ...]:
        found = read_mentions(chunk)
        if len(chunk) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[chunk] = found
        return found


MENTIONS = ChunkMemory()


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """The mentions of every chunk."""

    keys: list[str]
    words: list[str]
    word_keys: Array
    chunks: Array  # where the mentions of each begin
    mention_keys: Array
    mention_parts: Array
    mention_words: Array  # -1 where a mention is no word


class ReadChunks(dict[str, int]):
    """Chunk → its number; what it mentions is noted once, when it turns up."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._word_keys: list[int] = []
        self._mentions: list[int] = []  # three a mention
        self._starts = [0]
        self._literals: dict[str, list[int]] = {}

    def __missing__(self, chunk: str) -> int:
        for run in chunk.split():  # few hold a blank that is no plain one
            for key, word, _, _, part in MENTIONS[run]:
                self._note(key, part, word)
        return self._close(chunk)

    def read(self, text: str) -> list[int]:
        return list(map(self.__getitem__, text.split()))

    def read_literal(self, literal: str) -> list[int]:
        """Its chunks and itself; most are written in many sections."""
        known = self._literals.get(literal)
        if known is None:
            known = self._literals[literal] = self.read(literal) + self.key(phrase_key(literal))
        return known

    def key(self, key: str) -> list[int]:
        """A key by itself, as a chunk of its own; no chunk of a text begins with a blank."""
        name = f" {key}"
        if key and name not in self:
            self._note(key, False, None)
            self._close(name)
        return [self[name]] if key else []

    def table(self) -> ChunkTable:
        keys, key_numbers = _sorted_names(self._keys)
        words, word_numbers = _sorted_names(self._words)
        mentions = numpy.array(self._mentions, dtype=numpy.int64).reshape(-1, 3)
        word_keys = numpy.empty(len(words), dtype=numpy.int64)
        word_keys[word_numbers] = key_numbers[numpy.array(self._word_keys, dtype=numpy.int64)]
        return ChunkTable(
            keys,
            words,
            word_keys,
            numpy.array(self._starts, dtype=numpy.int64),
            key_numbers[mentions[:, 0]],
            mentions[:, 1],
            numpy.append(word_numbers, -1)[mentions[:, 2]],
        )

    def _note(self, key: str, part: bool, word: str | None) -> None:
        number = self._keys.setdefault(key, len(self._keys))
        word_number = -1
        if word is not None:
            word_number = self._words.setdefault(word, len(self._words))
            if word_number == len(self._word_keys):  # it is new
                self._word_keys.append(number)
        self._mentions += (number, part, word_number)

    def _close(self, chunk: str) -> int:
        number = self[chunk] = len(self._starts) - 1
        self._starts.append(len(self._mentions) // 3)
        return number


def _sorted_names(numbers: dict[str, int]) -> tuple[list[str], Array]:
    names = sorted(numbers)
    renumbered = numpy.empty(len(names), dtype=numpy.int64)
    renumbered[[numbers[name] for name in names]] = numpy.arange(len(names))
    return names, renumbered
