"""The arrays an index is made of: plain buffers, so that a stored index is read without being built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

Array = numpy.ndarray

CODES = 16  # a field, and whether parts of identifiers are meant: what an entry's count is multiplied by


@dataclass(frozen=True, slots=True)
class IndexArrays:
    """Sections stand in the order of their ids; `given` says where each stood among those that were given.

    Nothing here depends on how the sections came to be what they are: built at once or edit by edit, the arrays are
    the same.
    """

    given: Array  # int32, a section
    pages: Array  # int32, a section: number of its page
    prints: Array  # uint8, sections × 16: of everything that was read of it
    keys: list[str]  # sorted
    key_starts: Array  # int64, keys + 1: the entries of key i
    entry_sections: Array  # int32, in order within a key
    entry_counts: Array  # uint32: mentions × CODES + twice the field + 1 for parts of identifiers
    holders: Array  # int32, a key: sections that mention it
    rarity: Array  # float32, a key
    lengths: Array  # int32, sections × fields: mentions
    words: list[str]  # sorted, as written but folded
    word_keys: Array  # int32, a word: its key
    word_counts: Array  # int32, a word: sections of its key
    section_words: Array  # int32, flat: different ones
    section_word_starts: Array  # int64, sections + 1
    heading_keys: Array  # int32, flat
    heading_starts: Array  # int64, sections + 1
    title_keys: Array  # int32, flat
    title_starts: Array  # int64, sections + 1
    opening: Array  # bool, a section: whether it opens its page
    passage_keys: Array  # int32, flat: keys of its text in order, as far as passages are sought
    passage_starts: Array  # int64, sections + 1
    texts: bytes  # UTF-8, flat
    text_starts: Array  # int64, sections + 1
    glossary: list[list[str]]  # names of an entry
    pieces: Array  # int8, pieces × dimensions; empty without an embedder
    piece_starts: Array  # int64, sections + 1
    piece_sum: Array  # float64, dimensions: of the pieces as they are stored, exact
    piece_products: Array  # float64, dimensions × dimensions: likewise
    section_means: Array  # int8, sections × dimensions: as pieces are stored
    coarse: Array  # float32, sections × fewer dimensions
    axes: Array  # float32, fewer dimensions × dimensions
    mean: Array  # float32, dimensions
    embedder: str  # identity, empty where there is none
