"""Chunks of texts and what they mention: each distinct one is read once, for texts repeat most of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy

from loreweave.index.index_arrays import Array, starts_of
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
    """Chunk → its number; what it mentions is looked up once, when it turns up."""

    def __init__(self) -> None:
        super().__init__()
        self._mentions: list[Sequence[Mention]] = []
        self._literals: dict[str, list[int]] = {}

    def __missing__(self, chunk: str) -> int:
        runs = chunk.split()  # few hold a blank that is no plain one
        found = MENTIONS[chunk] if runs == [chunk] else [one for run in runs for one in MENTIONS[run]]
        return self._add(chunk, found)

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
            self._add(name, [Mention(key, None, 0, 0)])
        return [self[name]] if key else []

    def table(self) -> ChunkTable:
        every = list(chain.from_iterable(self._mentions))
        keys, mention_keys = _numbered([mention[0] for mention in every])
        words, named = _numbered([mention[1] for mention in every if mention[1] is not None])
        is_word = numpy.array([mention[1] is not None for mention in every], dtype=bool)
        mention_words = numpy.full(len(every), -1, dtype=numpy.int64)
        mention_words[is_word] = named
        word_keys = numpy.empty(len(words), dtype=numpy.int64)
        word_keys[named] = mention_keys[is_word]
        starts = starts_of(numpy.array(list(map(len, self._mentions)), dtype=numpy.int64))
        parts = numpy.array([mention[4] for mention in every], dtype=numpy.int64)
        return ChunkTable(keys, words, word_keys, starts, mention_keys, parts, mention_words)

    def _add(self, chunk: str, mentions: Sequence[Mention]) -> int:
        number = self[chunk] = len(self._mentions)
        self._mentions.append(mentions)
        return number


def _numbered(names: list[str]) -> tuple[list[str], Array]:
    """(different ones in order, the number of each)."""
    ordered = sorted(set(names))
    numbers = dict(zip(ordered, range(len(ordered)), strict=True))
    return ordered, numpy.fromiter(map(numbers.__getitem__, names), dtype=numpy.int64, count=len(names))
