"""Writes the bytes of an index segment."""

import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from loreweave.knowledge.graph.segment_reader import HEADER, MAGIC, SCAN_FIELDS, VERSION

# The value of a posting is one integer, so that values add up: 2f of the scan fields, 2f of all, fields.
WEIGHT_SHIFT, SCAN_SHIFT = 6, 40
FIELD_MASK = (1 << WEIGHT_SHIFT) - 1
_WEIGHT_MASK = (1 << (SCAN_SHIFT - WEIGHT_SHIFT)) - 1


@dataclass(slots=True)
class SegmentEntries:
    """What a segment will hold, by term; lists in document order."""

    documents: int
    postings: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)  # documents, values
    words: dict[str, dict[str, list[int]]] = field(default_factory=dict)  # the term's words, their documents
    sentences: dict[str, list[int]] = field(default_factory=dict)  # numbers of sentences, over all documents
    sentence_documents: list[int] = field(default_factory=list)  # the document of each sentence


def write_segment(entries: SegmentEntries) -> bytes:
    terms = sorted(entries.postings.keys() | entries.sentences.keys())
    documents, values, scan_documents, scan_values, posting_starts, scan_starts = _postings(entries, terms)
    sentences: list[int] = []
    sentence_starts = array("I", [0])
    for term in terms:
        sentences += entries.sentences.get(term, ())
        sentence_starts.append(len(sentences))
    words, word_documents, word_starts = _words(entries, terms)

    weights = [value >> WEIGHT_SHIFT & _WEIGHT_MASK for value in values]
    document_code = _code(entries.documents)
    weight_code = _code(max(weights, default=0))
    sentence_code = _code(len(entries.sentence_documents))
    term_block, term_offsets = _join(terms)
    word_block, word_offsets = _join([word for word, _ in words])
    tables = [
        term_offsets,
        word_offsets,
        posting_starts,
        scan_starts,
        sentence_starts,
        array("I", [number for _, number in words]),
        word_starts,
        _starts(_count_each(entries.sentence_documents, entries.documents)),
        array(document_code, documents),
        array(weight_code, weights),
        array(document_code, scan_documents),
        array(weight_code, [value >> SCAN_SHIFT for value in scan_values]),
        array(sentence_code, sentences),
        array(document_code, entries.sentence_documents),
        array(document_code, word_documents),
    ]
    header = HEADER.pack(
        MAGIC,
        VERSION,
        *(array(code).itemsize for code in (document_code, weight_code, sentence_code)),
        entries.documents,
        len(terms),
        len(words),
        len(documents),
        len(scan_documents),
        len(sentences),
        len(entries.sentence_documents),
        len(word_documents),
        len(term_block),
        len(word_block),
    )
    masks = bytes([value & FIELD_MASK for value in values])
    return b"".join([header, *map(_little_endian, tables), masks, term_block, word_block])


def _postings(
    entries: SegmentEntries, terms: list[str]
) -> tuple[list[int], list[int], list[int], list[int], array, array]:
    documents: list[int] = []
    values: list[int] = []
    scan_documents: list[int] = []
    scan_values: list[int] = []
    starts, scan_starts = array("I", [0]), array("I", [0])
    for term in terms:
        some, their_values = entries.postings.get(term, ((), ()))
        documents += some
        values += their_values
        starts.append(len(documents))
        for document, value in zip(some, their_values, strict=True):
            if value & SCAN_FIELDS:
                scan_documents.append(document)
                scan_values.append(value)
        scan_starts.append(len(scan_documents))
    return documents, values, scan_documents, scan_values, starts, scan_starts


def _words(entries: SegmentEntries, terms: list[str]) -> tuple[list[tuple[str, int]], list[int], array]:
    """Words in order with the number of their term; their documents, but for words alone in their term."""
    number = {term: place for place, term in enumerate(terms)}
    words = sorted((word, number[term]) for term, variants in entries.words.items() for word in variants)
    documents: list[int] = []
    starts = array("I", [0])
    for word, place in words:
        variants = entries.words[terms[place]]
        if len(variants) > 1:
            documents += variants[word]
        starts.append(len(documents))
    return words, documents, starts


def _count_each(numbers: list[int], count: int) -> list[int]:
    counts = [0] * count
    for number in numbers:
        counts[number] += 1
    return counts


def _join(texts: list[str]) -> tuple[bytes, array]:
    parts = [text.encode() + b"\n" for text in texts]
    return b"".join(parts), _starts(map(len, parts))


def _starts(lengths: Iterable[int]) -> array:
    starts = array("I", [0])
    place = 0
    for length in lengths:
        place += length
        starts.append(place)
    return starts


def _code(largest: int) -> str:
    return "H" if largest < 1 << 16 else "I"


def _little_endian(table: array) -> bytes:
    if sys.byteorder == "big":
        table = table[:]
        table.byteswap()
    return table.tobytes()
