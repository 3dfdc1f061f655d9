"""The arrays an index is made of: plain buffers, so that a stored index is read without being built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

Array = numpy.ndarray

CODES = 16  # a field, and whether parts of identifiers are meant: what an entry's count is multiplied by


@dataclass(frozen=True, slots=True)
class IndexArrays:
    """Rows are passages, in the order of their sections' ids; `given` says where each section stood among those given.

    Nothing here depends on how the rows came to be what they are: built at once or edit by edit, the arrays are
    the same.
    """

    given: Array  # int32, a section
    sections: Array  # int32, a row: number of its section
    pages: Array  # int32, a row: number of its page
    sizes: Array  # int32, a row: tokens of it as it is written
    prints: Array  # uint8, rows × 16: of everything that was read of it
    keys: list[str]  # sorted
    key_starts: Array  # int64, keys + 1: the entries of key i
    entry_rows: Array  # int32, in order within a key
    entry_counts: Array  # uint32: mentions × CODES + twice the field + 1 for parts of identifiers
    holders: Array  # int32, a key: rows that mention it
    rarity: Array  # float32, a key
    lengths: Array  # int32, rows × fields: mentions
    words: list[str]  # sorted, as written but folded
    word_keys: Array  # int32, a word: its key
    word_counts: Array  # int32, a word: rows of its key
    row_words: Array  # int32, flat: different ones
    row_word_starts: Array  # int64, rows + 1
    heading_keys: Array  # int32, flat
    heading_starts: Array  # int64, rows + 1
    title_keys: Array  # int32, flat
    title_starts: Array  # int64, rows + 1
    opening: Array  # bool, a row: whether it opens its page
    passage_keys: Array  # int32, flat: keys of its text in order, as far as they are looked at
    passage_starts: Array  # int64, rows + 1
    texts: bytes  # UTF-8, flat
    text_starts: Array  # int64, rows + 1
    vectors: Array  # int8, rows × dimensions; none wide without an embedder
    vector_sum: Array  # float64, dimensions: of the vectors as they are stored, exact
    vector_products: Array  # float64, dimensions × dimensions: likewise
    coarse: Array  # float32, rows × fewer dimensions
    axes: Array  # float32, fewer dimensions × dimensions
    mean: Array  # float32, dimensions
    embedder: str  # identity, empty where there is none

    def text(self, row: int) -> str:
        first, last = self.text_starts[row : row + 2].tolist()
        return bytes(self.texts[first:last]).decode("utf-8")
