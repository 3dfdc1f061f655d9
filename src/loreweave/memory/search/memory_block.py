"""Rows with what makes them quick to search: postings, lengths, short vectors. Never changed once made."""

from __future__ import annotations

import numpy

from loreweave.memory.search.index_vocabulary import NO_TERM, IndexVocabulary
from loreweave.memory.search.memory_rows import MemoryRows, members

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
        self.signatures = _signatures(rows, vocabulary)
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
    """Equal for contents that hold the same telling words."""
    telling = (tokens[vocabulary.telling(tokens)] >> 1).astype(numpy.uint64) + numpy.uint64(1)
    return int(_mixed(telling).sum(dtype=numpy.uint64))


def _signatures(rows: MemoryRows, vocabulary: IndexVocabulary) -> Array:
    mixed = _mixed((rows.tokens >> 1).astype(numpy.uint64) + numpy.uint64(1))
    mixed[~vocabulary.telling(rows.tokens)] = 0
    sums = numpy.concatenate((numpy.zeros(1, dtype=numpy.uint64), numpy.cumsum(mixed, dtype=numpy.uint64)))
    return sums[rows.token_starts[:-1] + rows.content_sizes] - sums[rows.token_starts[:-1]]


def _mixed(numbers: Array) -> Array:
    mixed = numbers * _MIX
    return (mixed ^ (mixed >> numpy.uint64(29))) * _MIX
