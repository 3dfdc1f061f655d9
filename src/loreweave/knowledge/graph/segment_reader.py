"""The searchable words of some notes as one block of bytes, read in place.

A segment numbers its notes 0..n-1 ("documents"). Layout, little-endian: a header of counts and widths, then
flat tables. Terms and words are sorted and joined, each ended by a line feed, with a table of offsets: a
look-up is a binary search over bytes and opening costs the header alone. Weights are multiples of one half:
the tables hold 2f.
"""

import struct
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from loreweave.language.edits import within_one_edit

FIELDS = ("name", "alias", "tag", "description", "heading", "body")
NAME, ALIAS, TAG, DESCRIPTION, HEADING, BODY = (1 << place for place in range(6))
SCAN_FIELDS = NAME | ALIAS | TAG | DESCRIPTION
DOUBLE_WEIGHTS = {NAME: 6, ALIAS: 6, TAG: 4, DESCRIPTION: 4, HEADING: 3, BODY: 1}

FENCED = 64
MAGIC = b"LWIX"
VERSION = 1
HEADER = struct.Struct("<4sBBBB10I")
COUNTS = (
    "documents",
    "terms",
    "words",
    "postings",
    "scan_postings",
    "sentence_postings",
    "sentences",
    "word_postings",
    "term_bytes",
    "word_bytes",
)


class SegmentDamaged(ValueError):
    """Bytes that are no index segment of this version."""


class SortedTexts(Sequence[bytes]):
    """Texts joined into one block, each ended by a line feed, in order of their bytes."""

    __slots__ = ("block", "fences", "offsets")

    def __init__(self, block: memoryview, offsets: memoryview) -> None:
        self.block = block
        self.offsets = offsets
        self.fences: list[bytes] = []  # every FENCED-th text, from the first look-up on

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, place: int) -> bytes:  # type: ignore[override]
        return bytes(self.block[self.offsets[place] : self.offsets[place + 1] - 1])

    def find(self, text: bytes) -> int:
        """The place of a text, or -1. Few texts are cut out: the nearest fence, then the bytes up to the next."""
        if not self.fences:
            self.fences = [self[place] for place in range(0, len(self), FENCED)]
        first = (bisect_right(self.fences, text) - 1) * FENCED
        if first < 0:
            return -1
        last = min(first + FENCED, len(self))
        lines = b"\n" + bytes(self.block[self.offsets[first] : self.offsets[last]])
        found = lines.find(b"\n" + text + b"\n")
        return -1 if found < 0 else first + lines.count(b"\n", 0, found)

    def starting_with(self, prefix: bytes) -> range:
        # No UTF-8 text holds the byte 255, so this bound lies behind every text with the prefix.
        return range(bisect_left(self, prefix), bisect_left(self, prefix + b"\xff"))

    def ending_with(self, suffix: bytes) -> Iterable[int]:
        block = bytes(self.block)
        suffix += b"\n"
        found = block.find(suffix)
        while found >= 0:
            end = found + len(suffix)
            yield bisect_left(self.offsets, end) - 1
            found = block.find(suffix, end)


class GraphSegment:
    """An opened segment; `keys` and `versions` name its documents in the store.

    Link sentences are numbered through the segment: sentence k of a document is first_sentence[document] + k.
    """

    __slots__ = (
        "blob",
        "document_count",
        "first_sentence",
        "key",
        "keys",
        "masks",
        "posting_documents",
        "posting_start",
        "posting_weights",
        "scan_documents",
        "scan_start",
        "scan_weights",
        "sentence_documents",
        "sentence_start",
        "sentences",
        "terms",
        "versions",
        "word_documents",
        "word_start",
        "word_terms",
        "words",
    )

    def __init__(self, blob: bytes, keys: array, versions: array, key: int = 0) -> None:
        tables = _Tables(blob)
        count = tables.counts
        if not len(keys) == len(versions) == count["documents"]:
            raise SegmentDamaged("keys and versions do not number the documents of the segment")
        self.blob, self.keys, self.versions = blob, keys, versions
        self.key = key  # of the segment itself in the store
        self.document_count = count["documents"]
        term_offsets = tables.take(count["terms"] + 1)
        word_offsets = tables.take(count["words"] + 1)
        self.posting_start = tables.take(count["terms"] + 1)
        self.scan_start = tables.take(count["terms"] + 1)
        self.sentence_start = tables.take(count["terms"] + 1)
        self.word_terms = tables.take(count["words"])
        self.word_start = tables.take(count["words"] + 1)
        self.first_sentence = tables.take(count["documents"] + 1)
        self.posting_documents = tables.take(count["postings"], tables.document_width)
        self.posting_weights = tables.take(count["postings"], tables.weight_width)
        self.scan_documents = tables.take(count["scan_postings"], tables.document_width)
        self.scan_weights = tables.take(count["scan_postings"], tables.weight_width)
        self.sentences = tables.take(count["sentence_postings"], tables.sentence_width)
        self.sentence_documents = tables.take(count["sentences"], tables.document_width)
        self.word_documents = tables.take(count["word_postings"], tables.document_width)
        self.masks = tables.take(count["postings"], 1)
        self.terms = SortedTexts(tables.take(count["term_bytes"], 1), term_offsets)
        self.words = SortedTexts(tables.take(count["word_bytes"], 1), word_offsets)
        tables.finish()

    def term(self, text: str) -> int:
        """The number of a term in this segment, or -1."""
        return self.terms.find(text.encode())

    def posting_range(self, term: int) -> tuple[int, int]:
        return self.posting_start[term], self.posting_start[term + 1]

    def scan_range(self, term: int) -> tuple[int, int]:
        return self.scan_start[term], self.scan_start[term + 1]

    def sentence_range(self, term: int) -> tuple[int, int]:
        return self.sentence_start[term], self.sentence_start[term + 1]

    def fields_of(self, term: int, document: int) -> int:
        """The fields in which a document holds a term, as bits; 0 where it does not."""
        start, end = self.posting_range(term)
        place = bisect_left(self.posting_documents, document, start, end)
        return self.masks[place] if place < end and self.posting_documents[place] == document else 0

    def documents_of_word(self, word: int) -> list[int]:
        """The documents holding this very word; the table leaves out the only word of a term."""
        start, end = self.word_start[word], self.word_start[word + 1]
        if start < end:
            return self.word_documents[start:end].tolist()
        start, end = self.posting_range(self.word_terms[word])
        return self.posting_documents[start:end].tolist()

    def words_from_prefix(self, prefix: str) -> list[int]:
        return list(self.words.starting_with(prefix.encode()))

    def words_within_one_edit(self, word: str) -> list[int]:
        """Words that one insertion, removal, replacement or swap of neighbours makes of this word.

        One edit leaves the first or the second half whole; a swap may touch both and is looked up by itself.
        """
        middle = len(word) // 2
        near = set(self.words.starting_with(word[:middle].encode()))
        near.update(self.words.ending_with(word[middle:].encode()))
        found = {place for place in near if within_one_edit(word, self.words[place].decode())}
        for place in range(len(word) - 1):
            swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
            found.add(self.words.find(swapped.encode()))
        return sorted(found - {-1})


class _Tables:
    """Cuts the flat tables out of a segment's bytes, in order."""

    def __init__(self, blob: bytes) -> None:
        if len(blob) < HEADER.size:
            raise SegmentDamaged("an index segment is shorter than its header")
        magic, version, *rest = HEADER.unpack_from(blob)
        self.document_width, self.weight_width, self.sentence_width = rest[:3]
        if magic != MAGIC or version != VERSION:
            raise SegmentDamaged("not an index segment of this version")
        if not {self.document_width, self.weight_width, self.sentence_width} <= {2, 4}:
            raise SegmentDamaged("an index segment with unknown widths")
        self.counts = dict(zip(COUNTS, rest[3:], strict=True))
        self._view = memoryview(blob)
        self._place = HEADER.size

    def take(self, count: int, width: int = 4) -> memoryview:
        end = self._place + count * width
        if end > len(self._view):
            raise SegmentDamaged("an index segment ends before its tables do")
        part = self._view[self._place : end]
        self._place = end
        if width == 1:
            return part
        if sys.byteorder == "big":
            swapped = array("H" if width == 2 else "I", part)
            swapped.byteswap()
            return memoryview(swapped)
        return part.cast("H") if width == 2 else part.cast("I")

    def finish(self) -> None:
        if self._place != len(self._view):
            raise SegmentDamaged("an index segment goes on behind its tables")
