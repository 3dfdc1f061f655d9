"""Writes the bytes of an index segment."""

from dataclasses import dataclass, field
from typing import Any

import numpy

from loreweave.knowledge.graph.segment_reader import HEADER, MAGIC, SCAN_FIELDS, VERSION

Numbers = Any  # a list of whole numbers, or an array of them


@dataclass(slots=True)
class SegmentEntries:
    """What a segment will hold, as flat columns in any order. Terms and words are named by their places in lists.

    Several postings of one term and document are one in the segment: weights add up, fields unite.
    """

    documents: int
    terms: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    word_terms: Numbers = field(default_factory=list)
    posting_terms: Numbers = field(default_factory=list)
    posting_documents: Numbers = field(default_factory=list)
    posting_weights: Numbers = field(default_factory=list)  # 2f over all fields
    posting_scan_weights: Numbers = field(default_factory=list)  # 2f over the scan fields
    posting_fields: Numbers = field(default_factory=list)
    word_places: Numbers = field(default_factory=list)  # a word …
    word_documents: Numbers = field(default_factory=list)  # … and a document that holds it
    sentence_terms: Numbers = field(default_factory=list)  # a term …
    sentence_numbers: Numbers = field(default_factory=list)  # … and a sentence that holds it
    sentence_documents: Numbers = field(default_factory=list)  # the document of each sentence


def write_segment(entries: SegmentEntries) -> bytes:
    term_rank, terms = _ranked(entries.terms)
    word_rank, words = _ranked(entries.words)
    word_terms = numpy.zeros(len(words), dtype=numpy.int64)
    word_terms[word_rank] = term_rank[_column(entries.word_terms)]
    postings = _postings(entries, term_rank)
    scanned = (postings.fields & SCAN_FIELDS) != 0
    sentence_terms, sentences = _pairs(
        term_rank[_column(entries.sentence_terms)],
        _column(entries.sentence_numbers),
        len(entries.sentence_documents),
    )
    word_places, word_documents = _documents_of_words(entries, word_rank, word_terms)

    document_code = _code(entries.documents)
    weight_code = _code(int(postings.weights.max(initial=0)))
    sentence_code = _code(len(entries.sentence_documents))
    term_block, term_offsets = _joined(terms)
    word_block, word_offsets = _joined(words)
    sentence_documents = _column(entries.sentence_documents)
    tables = [
        (term_offsets, "<u4"),
        (word_offsets, "<u4"),
        (_starts(postings.terms, len(terms)), "<u4"),
        (_starts(postings.terms[scanned], len(terms)), "<u4"),
        (_starts(sentence_terms, len(terms)), "<u4"),
        (word_terms, "<u4"),
        (_starts(word_places, len(words)), "<u4"),
        (_starts(sentence_documents, entries.documents), "<u4"),
        (postings.documents, document_code),
        (postings.weights, weight_code),
        (postings.documents[scanned], document_code),
        (postings.scan_weights[scanned], weight_code),
        (sentences, sentence_code),
        (sentence_documents, document_code),
        (word_documents, document_code),
    ]
    header = HEADER.pack(
        MAGIC,
        VERSION,
        *(int(code[-1]) for code in (document_code, weight_code, sentence_code)),
        entries.documents,
        len(terms),
        len(words),
        len(postings.documents),
        int(scanned.sum()),
        len(sentences),
        len(sentence_documents),
        len(word_documents),
        len(term_block),
        len(word_block),
    )
    columns = [table.astype(code).tobytes() for table, code in tables]
    return b"".join([header, *columns, postings.fields.astype("u1").tobytes(), term_block, word_block])


@dataclass(frozen=True, slots=True)
class _Postings:
    """By term, then by document."""

    terms: Any
    documents: Any
    weights: Any
    scan_weights: Any
    fields: Any


def _postings(entries: SegmentEntries, term_rank: Any) -> _Postings:
    count = max(1, entries.documents)
    keys = term_rank[_column(entries.posting_terms)] * count + _column(entries.posting_documents)
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = numpy.flatnonzero(numpy.diff(keys, prepend=-1))
    weights, scan_weights, fields = (
        _column(column)[order]
        for column in (entries.posting_weights, entries.posting_scan_weights, entries.posting_fields)
    )
    if len(firsts):
        weights = numpy.add.reduceat(weights, firsts)
        scan_weights = numpy.add.reduceat(scan_weights, firsts)
        fields = numpy.bitwise_or.reduceat(fields, firsts)
    terms, documents = numpy.divmod(keys[firsts], count)
    return _Postings(terms, documents, weights, scan_weights, fields)


def _documents_of_words(entries: SegmentEntries, word_rank: Any, word_terms: Any) -> tuple[Any, Any]:
    """Words with their documents, but for words alone in their term: those have the term's."""
    variants = numpy.bincount(word_terms, minlength=1)
    places = word_rank[_column(entries.word_places)]
    shared = variants[word_terms[places]] > 1 if len(places) else numpy.zeros(0, dtype=bool)
    return _pairs(places[shared], _column(entries.word_documents)[shared], entries.documents)


def _pairs(groups: Any, members: Any, count: int) -> tuple[Any, Any]:
    """Each pair once, by group, then by member; `count` is more than any member."""
    keys = numpy.sort(groups * max(1, count) + members)
    return numpy.divmod(keys[numpy.flatnonzero(numpy.diff(keys, prepend=-1))], max(1, count))


def _ranked(texts: list[str]) -> tuple[Any, list[str]]:
    """For each text its place in order, and the texts in order."""
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank = numpy.zeros(len(texts), dtype=numpy.int64)
    rank[order] = numpy.arange(len(texts))
    return rank, [texts[place] for place in order]


def _joined(texts: list[str]) -> tuple[bytes, Any]:
    parts = [text.encode() + b"\n" for text in texts]
    return b"".join(parts), numpy.cumsum([0, *map(len, parts)])


def _starts(groups: Any, count: int) -> Any:
    """Where each group begins among sorted members, and where the last one ends."""
    return numpy.concatenate([[0], numpy.cumsum(numpy.bincount(groups, minlength=count))])


def _column(numbers: Numbers) -> Any:
    return numpy.asarray(numbers, dtype=numpy.int64)


def _code(largest: int) -> str:
    return "<u2" if largest < 1 << 16 else "<u4"
