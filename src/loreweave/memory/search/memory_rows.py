"""Memories as columns: what an index is made of, and what a segment keeps.

Words, scopes and tags are numbered. The numbers grow and are never taken back; results never depend on them: another
process numbers otherwise and finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy

from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, IndexedMemory
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE, is_telling
from loreweave.language.terms import stem
from loreweave.memory.search.differing_values import symbol
from loreweave.memory.search.read_memory_text import split_vectors

Array = numpy.ndarray
NO_TERM = -1


class IndexVocabulary:
    """Written by one thread at a time; whoever reads meanwhile sees old numbers unchanged."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.spellings: list[str] = []
        self.terms: dict[str, int] = {}
        self.tokens = _Tokens(self)
        self.scopes: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        # A word: its term, is it telling, is it a stop word, its symbol where texts may differ in values, or 0.
        self._facts = numpy.zeros((1024, 4), dtype=numpy.int32)

    def number(self, word: str) -> int:
        """Of a word without its mark."""
        known = self.words.get(word)
        if known is None:
            known = len(self.spellings)
            if known == len(self._facts):
                self._facts = numpy.concatenate((self._facts, numpy.zeros_like(self._facts)))
            self._facts[known] = (self._term(word), is_telling(word), word in STOP_WORDS, self._symbol(word))
            self.spellings.append(word)
            self.words[word] = known
        return known

    def scope(self, name: str) -> int:
        return self.scopes.setdefault(name, len(self.scopes))

    def tag(self, name: str) -> int:
        return self.tags.setdefault(name, len(self.tags))

    def terms_of(self, tokens: Array) -> Array:
        """The term of each token, NO_TERM for what is not searched by words."""
        return self._facts[tokens >> 1, 0]

    def telling(self, tokens: Array) -> Array:
        return self._facts[tokens >> 1, 1].astype(bool)

    def stopping(self, tokens: Array) -> Array:
        return self._facts[tokens >> 1, 2].astype(bool)

    def symbols(self, tokens: Array) -> Array:
        return self._facts[tokens >> 1, 3]

    def _symbol(self, word: str) -> int:
        told = symbol(word)
        return 1 + self.terms.setdefault(told, len(self.terms)) if told else 0

    def _term(self, word: str) -> int:
        if word[0] == WHOLE:
            return NO_TERM
        return self.terms.setdefault(stem(word), len(self.terms))


class _Tokens(dict[str, int]):
    """Marked word → twice the number of the word, and one more where it is written as a name."""

    def __init__(self, vocabulary: IndexVocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, marked: str) -> int:
        is_name = marked[0] == NAME
        token = self[marked] = 2 * self._vocabulary.number(marked[is_name:]) + is_name
        return token


STATES = {LIVE: 0, DELETED: 1, MERGED: 2}
NEVER = numpy.iinfo(numpy.int64).max
_LISTS = {"token_starts": "tokens", "tag_starts": "tags", "piece_starts": "pieces"}


@dataclass(frozen=True, slots=True)
class MemoryRows:
    """Equally long columns in the order of keys. Lists of row i are at `starts[i]:starts[i + 1]` of their values."""

    keys: Array  # int64
    ids: Array  # uint64, two a row: node ids as numbers, in the same order as their texts
    scopes: Array  # int32
    states: Array  # int8
    importance: Array  # float64
    created: Array  # int64
    begins: Array  # int64
    ends: Array  # int64, NEVER where open
    deleted: Array  # int64, NEVER where not deleted
    content_sizes: Array  # int32: tokens of the content, which stand before those of name and tags
    tokens: Array  # int32, flat
    token_starts: Array  # int64
    tags: Array  # int32, flat
    tag_starts: Array  # int64
    pieces: Array  # int8, pieces × dimensions
    piece_starts: Array  # int64

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: Array) -> MemoryRows:
        """These rows, in ascending order."""
        found: dict[str, Array] = {}
        for starts, values in _LISTS.items():
            offsets = getattr(self, starts)
            counts = offsets[rows + 1] - offsets[rows]
            found[starts] = starts_of(counts)
            found[values] = getattr(self, values)[members(offsets[rows], counts)]
        rest = [entry.name for entry in fields(MemoryRows) if entry.name not in found]
        return MemoryRows(**found, **{name: getattr(self, name)[rows] for name in rest})


def starts_of(counts: Array) -> Array:
    starts = numpy.zeros(len(counts) + 1, dtype=numpy.int64)
    numpy.cumsum(counts, out=starts[1:])
    return starts


def members(firsts: Array, counts: Array) -> Array:
    """Places of the members of lists that begin at `firsts`, list after list."""
    ends = numpy.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return numpy.arange(total) + numpy.repeat(firsts - (ends - counts), counts)


def join_rows(parts: Sequence[MemoryRows]) -> MemoryRows:
    """All rows in the order of their keys, which must differ."""
    if len(parts) == 1:
        return parts[0]
    found: dict[str, Array] = {}
    for starts, values in _LISTS.items():
        found[starts] = starts_of(numpy.concatenate([numpy.diff(getattr(part, starts)) for part in parts]))
        found[values] = numpy.concatenate(_alike([getattr(part, values) for part in parts]))
    for entry in fields(MemoryRows):
        if entry.name not in found:
            found[entry.name] = numpy.concatenate([getattr(part, entry.name) for part in parts])
    joined = MemoryRows(**found)
    if (joined.keys[1:] > joined.keys[:-1]).all():
        return joined
    return joined.take(numpy.argsort(joined.keys, kind="stable"))


def _alike(values: list[Array]) -> list[Array]:
    """Vectors of one length; where none are there, the length is unknown."""
    if values[0].ndim == 1:
        return values
    width = max(value.shape[1] for value in values)
    return [value if len(value) else value.reshape(0, width) for value in values]


def make_rows(memories: Sequence[IndexedMemory], vocabulary: IndexVocabulary) -> MemoryRows:
    """Merged memories are not searched: of them the columns alone are kept."""
    memories = sorted(memories, key=lambda memory: memory.key)
    searched = [memory.state != MERGED for memory in memories]
    tokens: list[int] = []
    sizes: list[tuple[int, int]] = []
    token = vocabulary.tokens.__getitem__
    for memory, wanted in zip(memories, searched, strict=True):
        content, _, other = memory.words.decode("utf-8").partition("\n") if wanted else ("", "", "")
        before = len(tokens)
        tokens += map(token, content.split())
        between = len(tokens)
        tokens += map(token, other.split())
        sizes.append((between - before, len(tokens) - before))
    content_sizes, token_counts = numpy.array(sizes, dtype=numpy.int64).reshape(-1, 2).T
    vectors = [memory.vectors if wanted else b"" for memory, wanted in zip(memories, searched, strict=True)]
    pieces, piece_counts = _pieces(vectors)
    return MemoryRows(
        keys=numpy.array([memory.key for memory in memories], dtype=numpy.int64),
        ids=node_numbers([memory.node_id for memory in memories]),
        scopes=numpy.array([vocabulary.scope(memory.scope) for memory in memories], dtype=numpy.int32),
        states=numpy.array([STATES[memory.state] for memory in memories], dtype=numpy.int8),
        importance=numpy.array([memory.importance for memory in memories], dtype=numpy.float64),
        created=numpy.array([memory.created_at for memory in memories], dtype=numpy.int64),
        begins=numpy.array([_or(memory.valid_from, memory.created_at) for memory in memories], dtype=numpy.int64),
        ends=numpy.array([_or(memory.valid_until, NEVER) for memory in memories], dtype=numpy.int64),
        deleted=numpy.array([_or(memory.deleted_at, NEVER) for memory in memories], dtype=numpy.int64),
        content_sizes=content_sizes.astype(numpy.int32),
        tokens=numpy.array(tokens, dtype=numpy.int32),
        token_starts=starts_of(token_counts),
        tags=numpy.array([vocabulary.tag(tag) for memory in memories for tag in memory.tags], dtype=numpy.int32),
        tag_starts=starts_of(numpy.array([len(memory.tags) for memory in memories], dtype=numpy.int64)),
        pieces=pieces,
        piece_starts=starts_of(piece_counts),
    )


def node_numbers(node_ids: Sequence[str]) -> Array:
    """Node ids as pairs of numbers that are in order where the ids are."""
    digits = bytes.fromhex("".join(node_ids).replace("-", ""))
    return numpy.frombuffer(digits, dtype=">u8").astype(numpy.uint64).reshape(-1, 2)


def node_text(numbers: Array) -> str:
    digits = f"{int(numbers[0]):016x}{int(numbers[1]):016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _pieces(stored: list[bytes]) -> tuple[Array, Array]:
    parted = [split_vectors(one) if one else (0, b"") for one in stored]
    width = max((length for length, _ in parted), default=0)
    rows = numpy.frombuffer(b"".join(rows for _, rows in parted), dtype=numpy.int8)
    counts = [len(rows) // length if length else 0 for length, rows in parted]
    return rows.reshape(-1, width) if width else rows.reshape(0, 0), numpy.array(counts, dtype=numpy.int64)
