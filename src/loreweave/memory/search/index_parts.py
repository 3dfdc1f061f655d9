"""The parts of an index, and how it takes in changes: a part for what is new, small parts joined now and then.

Parts of like size are joined when there are eight of them, so that a row is moved a few times at most while an index
grows and a search never looks through many parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy

from loreweave.entities.stored_memory import LIVE
from loreweave.language.terms import asked_words, stem
from loreweave.memory.search.memory_rows import NO_TERM, IndexVocabulary, MemoryRows, join_rows, members

Array = numpy.ndarray
OTHER_WEIGHT = 2  # of a word in name or tags, beside one in the content
COARSE = 64  # first dimensions of a vector; the shipped model puts what tells most there
_ROW_BITS = 32
_MIX = numpy.uint64(0x9E3779B97F4A7C15)
_NONE = numpy.zeros(0, dtype=numpy.int64)


class MemoryBlock:
    """A piece of an index. `counts` are mentions, those in name and tags weighted."""

    def __init__(self, rows: MemoryRows, vocabulary: IndexVocabulary) -> None:
        self.rows = rows
        owners = numpy.repeat(numpy.arange(len(rows)), numpy.diff(rows.token_starts))
        terms = vocabulary.terms_of(rows.tokens)
        self._make_postings(rows, owners, terms)
        telling = numpy.where(vocabulary.telling(rows.tokens), (rows.tokens >> 1) + 1, 0)
        self.signatures = _sums(rows, telling)  # equal for contents of the same telling words
        self.skeletons = _sums(rows, vocabulary.symbols(rows.tokens))  # equal for contents that differ in values alone
        self.piece_owners = numpy.repeat(numpy.arange(len(rows), dtype=numpy.int32), numpy.diff(rows.piece_starts))
        self.coarse = rows.pieces[:, :COARSE].astype(numpy.float32)

    def postings(self, term: int) -> tuple[Array, Array]:
        """(rows, counts) of a term."""
        place = int(numpy.searchsorted(self._terms, term))
        if place == len(self._terms) or self._terms[place] != term:
            return _NONE, _NONE
        first, last = self._starts[place : place + 2].tolist()
        return self._posting_rows[first:last], self._posting_counts[first:last]

    def tokens_of(self, chosen: Array) -> tuple[Array, Array]:
        """(tokens, owners): all tokens of these rows, and for each the place of its row among them."""
        starts = self.rows.token_starts
        counts = starts[chosen + 1] - starts[chosen]
        return self.rows.tokens[members(starts[chosen], counts)], numpy.repeat(numpy.arange(len(chosen)), counts)

    def content(self, row: int) -> Array:
        """The words of a content in order, by number."""
        first = int(self.rows.token_starts[row])
        return self.rows.tokens[first : first + int(self.rows.content_sizes[row])]

    def _make_postings(self, rows: MemoryRows, owners: Array, terms: Array) -> None:
        in_content = numpy.arange(len(terms)) - rows.token_starts[owners] < rows.content_sizes[owners]
        mentions = numpy.where(in_content, 1, OTHER_WEIGHT)
        mentions[terms == NO_TERM] = 0
        self.lengths = numpy.bincount(owners, weights=mentions, minlength=len(rows))
        pairs = (terms.astype(numpy.int64) << _ROW_BITS) | owners
        pairs = numpy.sort(numpy.repeat(pairs, mentions))
        firsts = numpy.flatnonzero(numpy.concatenate(([True], pairs[1:] != pairs[:-1]))) if len(pairs) else _NONE
        self._posting_counts = numpy.diff(numpy.append(firsts, len(pairs))).astype(numpy.int32)
        pairs = pairs[firsts]
        self._posting_rows = (pairs & ((1 << _ROW_BITS) - 1)).astype(numpy.int32)
        held = (pairs >> _ROW_BITS).astype(numpy.int32)
        starts = numpy.flatnonzero(numpy.concatenate(([True], held[1:] != held[:-1]))) if len(held) else _NONE
        self._terms = held[starts]
        self._starts = numpy.append(starts, len(held))


def signature(tokens: Array, vocabulary: IndexVocabulary) -> int:
    """Of contents that hold the same telling words."""
    return _sum((tokens[vocabulary.telling(tokens)] >> 1) + 1)


def skeleton(tokens: Array, vocabulary: IndexVocabulary) -> int:
    """Of contents that may differ in values alone."""
    symbols = vocabulary.symbols(tokens)
    return _sum(symbols[symbols > 0])


def _sum(numbers: Array) -> int:
    return int(_mixed(numbers.astype(numpy.uint64)).sum(dtype=numpy.uint64))


def _sums(rows: MemoryRows, numbers: Array) -> Array:
    """For each content the sum of its tokens' numbers, mixed so that others give another sum; 0 counts nothing."""
    mixed = _mixed(numbers.astype(numpy.uint64))
    sums = numpy.concatenate((numpy.zeros(1, dtype=numpy.uint64), numpy.cumsum(mixed, dtype=numpy.uint64)))
    return sums[rows.token_starts[:-1] + rows.content_sizes] - sums[rows.token_starts[:-1]]


def _mixed(numbers: Array) -> Array:
    mixed = numbers * _MIX
    return (mixed ^ (mixed >> numpy.uint64(29))) * _MIX


MOST_WORDS = 64  # of a query; what follows is hardly a question


class Part(NamedTuple):
    """A block, and which of its rows are still so."""

    block: MemoryBlock
    present: Array


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search leaves out before anything is ranked."""

    scope: str | None
    state: str | None = LIVE  # None: any that is searched
    tags: frozenset[str] = frozenset()
    as_of: int | None = None


class LiveRows(NamedTuple):
    masks: list[Array]  # for each part
    size: int
    drags: list[Array]  # for each part, a row: how much its length takes from each mention


@dataclass(frozen=True, slots=True)
class Columns:
    """All memories, merged ones too, as equally long arrays, and (tag number, row) of every tag they have."""

    keys: Array
    scopes: Array
    states: Array  # numbers of STATES
    importance: Array
    created: Array
    deleted: Array  # NEVER where a memory is not deleted or merged
    tags: Array
    tag_rows: Array
    tag_names: list[str]  # by number
    scope_numbers: dict[str, int]


def query_terms(query: str) -> list[str]:
    """The different terms a query asks for, in order."""
    return list(dict.fromkeys(map(stem, asked_words(query))))[:MOST_WORDS]


_FANOUT_BITS = 3
_FANOUT = 1 << _FANOUT_BITS
_WORTH_CLEANING = 1024


def new_part(rows: MemoryRows, vocabulary: IndexVocabulary) -> Part:
    return Part(MemoryBlock(rows, vocabulary), numpy.ones(len(rows), dtype=bool))


def without_keys(parts: Sequence[Part], keys: Collection[int]) -> list[Part]:
    """The parts with these memories gone; what others still search is not touched."""
    wanted = numpy.array(sorted(keys), dtype=numpy.int64)
    return [_without(part, wanted) for part in parts]


def _without(part: Part, wanted: numpy.ndarray) -> Part:
    keys = part.block.rows.keys
    places = numpy.searchsorted(keys, wanted)
    places = places[keys.take(places, mode="clip") == wanted] if len(keys) else places[:0]
    if not part.present[places].any():
        return part
    present = part.present.copy()
    present[places] = False
    return Part(part.block, present)


def arrange(parts: Sequence[Part], vocabulary: IndexVocabulary) -> list[Part]:
    """The same memories in few parts."""
    sized = [(part, int(numpy.count_nonzero(part.present))) for part in parts]
    kept = [_cleaned(part, size, vocabulary) for part, size in sized if size]
    while True:
        levels: dict[int, list[Part]] = defaultdict(list)
        for part in kept:
            levels[(int(numpy.count_nonzero(part.present)).bit_length() - 1) // _FANOUT_BITS].append(part)
        full = min((level for level, members in levels.items() if len(members) >= _FANOUT), default=None)
        if full is None:
            return kept
        joined = new_part(join_rows([present_rows(part) for part in levels[full]]), vocabulary)
        kept = [part for part in kept if not any(part is member for member in levels[full])] + [joined]


def present_rows(part: Part) -> MemoryRows:
    if part.present.all():
        return part.block.rows
    return part.block.rows.take(numpy.flatnonzero(part.present))


def _cleaned(part: Part, size: int, vocabulary: IndexVocabulary) -> Part:
    gone = len(part.present) - size
    return new_part(present_rows(part), vocabulary) if gone > max(size, _WORTH_CLEANING) else part
