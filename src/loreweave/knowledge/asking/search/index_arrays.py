"""The arrays an index is made of: plain buffers, so that a stored index is read without being built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

Array = numpy.ndarray


@dataclass(frozen=True, slots=True)
class IndexArrays:
    """Sections stand in the order of their ids; `given` says where each stood among those that were given."""

    given: Array  # int32, a section
    pages: Array  # int32, a section: number of its page
    keys: list[str]  # sorted
    key_starts: Array  # int64, keys + 1: the postings of key i
    posting_sections: Array  # int32
    posting_impacts: Array  # float32: rarity × saturated frequency over all fields
    words: list[str]  # sorted, as written but folded
    word_keys: Array  # int32, a word: its key
    word_counts: Array  # int32, a word: sections of its key
    heading_keys: Array  # int32, flat
    heading_starts: Array  # int64, sections + 1
    title_keys: Array  # int32, flat
    title_starts: Array  # int64, sections + 1
    rarity: Array  # float32, a key
    texts: bytes  # UTF-8, flat
    text_starts: Array  # int64, sections + 1
    glossary: list[list[str]]  # names of an entry
    pieces: Array  # int8, pieces × dimensions; empty without an embedder
    piece_starts: Array  # int64, sections + 1
    coarse: Array  # float32, sections × fewer dimensions
    axes: Array  # float32, fewer dimensions × dimensions
    mean: Array  # float32, dimensions
    embedder: str  # identity, empty where there is none
