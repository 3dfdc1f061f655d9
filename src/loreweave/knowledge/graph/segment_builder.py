"""Makes index segments: from notes, or from the live documents of older segments.

Both ways collect the same entries and hand them to the same writer, so that a merged segment equals, byte by
byte, the one built anew from the same notes in the same order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import repeat

import numpy

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.segment_reader import (
    ALIAS,
    BODY,
    DESCRIPTION,
    DOUBLE_WEIGHTS,
    HEADING,
    NAME,
    SCAN_FIELDS,
    TAG,
    IndexSegment,
)
from loreweave.knowledge.graph.segment_writer import SegmentEntries, write_segment
from loreweave.language.terms import count_words, stem, word_sets


class _Numbered(defaultdict):
    """Numbers texts in the order in which they are first asked for."""

    def __init__(self) -> None:
        super().__init__(self.__len__)


def build_segment(notes: Sequence[ParsedNote]) -> bytes:
    """The segment of these notes, numbered in the order given."""
    words, sentence_words = _Numbered(), _Numbered()
    places: list[int] = []
    counts: list[int] = []
    runs: list[tuple[int, int, int]] = []  # document, field, number of words
    found_in: list[int] = []
    lengths: list[int] = []
    sentence_documents: list[int] = []
    for document, note in enumerate(notes):
        for field, text in _fields(note):
            found = count_words(text)
            places += map(words.__getitem__, found)
            counts += found.values()
            runs.append((document, field, len(found)))
        for some in word_sets(note.sentences):
            found_in += map(sentence_words.__getitem__, some)
            lengths.append(len(some))
            sentence_documents.append(document)
    entries = SegmentEntries(len(notes), words=list(words), sentence_documents=sentence_documents)
    _lay_out_words(entries, places, counts, runs)
    _lay_out_sentences(entries, list(sentence_words), found_in, lengths)
    return write_segment(entries)


def _lay_out_words(
    entries: SegmentEntries, places: list[int], counts: list[int], runs: list[tuple[int, int, int]]
) -> None:
    terms = _Numbered()
    entries.word_terms = [terms[stem(word)] for word in entries.words]
    entries.terms = list(terms)
    documents, fields, sizes = numpy.array(runs, dtype=numpy.int64).reshape(-1, 3).T
    units = numpy.array([DOUBLE_WEIGHTS[field] for field in fields.tolist()], dtype=numpy.int64)
    entries.word_places = numpy.array(places, dtype=numpy.int64)
    entries.word_documents = entries.posting_documents = numpy.repeat(documents, sizes)
    entries.posting_terms = numpy.array(entries.word_terms, dtype=numpy.int64)[entries.word_places]
    entries.posting_fields = numpy.repeat(fields, sizes)
    entries.posting_weights = numpy.array(counts, dtype=numpy.int64) * numpy.repeat(units, sizes)
    entries.posting_scan_weights = entries.posting_weights * ((entries.posting_fields & SCAN_FIELDS) != 0)


def _lay_out_sentences(entries: SegmentEntries, words: list[str], found: list[int], lengths: list[int]) -> None:
    terms = _Numbered()
    terms.update({term: number for number, term in enumerate(entries.terms)})
    term_of = numpy.array([terms[stem(word)] for word in words], dtype=numpy.int64)
    entries.terms = list(terms)
    entries.sentence_terms = term_of[numpy.array(found, dtype=numpy.int64)]
    entries.sentence_numbers = numpy.repeat(numpy.arange(len(lengths)), lengths)


def merge_segments(
    segments: Sequence[IndexSegment], live: Sequence[Iterable[int]]
) -> tuple[bytes, list[tuple[int, int]]]:
    """One segment of the live documents of several, and where each of them was: (segment, document)."""
    order = [(place, document) for place, documents in enumerate(live) for document in sorted(set(documents))]
    moved: list[dict[int, int]] = [{} for _ in segments]
    for number, (place, document) in enumerate(order):
        moved[place][document] = number
    entries = SegmentEntries(len(order))
    terms, words = _Numbered(), _Numbered()
    for segment, numbers in zip(segments, moved, strict=True):
        _take_sentences(entries, terms, segment, numbers)
        _take_postings(entries, terms, segment, numbers)
        _take_words(entries, terms, words, segment, numbers)
    entries.terms, entries.words = list(terms), list(words)
    return write_segment(entries), order


def _fields(note: ParsedNote) -> Iterable[tuple[int, str]]:
    yield BODY, note.body
    yield NAME, note.name
    yield ALIAS, "\n".join(note.aliases)
    yield TAG, "\n".join(note.tags)
    yield DESCRIPTION, note.description or ""
    yield HEADING, "\n".join(note.headings)


def _take_sentences(entries: SegmentEntries, terms: _Numbered, segment: IndexSegment, numbers: dict[int, int]) -> None:
    kept: dict[int, int] = {}
    for number, document in enumerate(segment.sentence_documents):
        if document in numbers:
            kept[number] = len(entries.sentence_documents)
            entries.sentence_documents.append(numbers[document])
    for term in range(len(segment.terms)):
        start, end = segment.sentence_range(term)
        found = [kept[number] for number in segment.sentences[start:end] if number in kept]
        if found:
            entries.sentence_numbers += found
            entries.sentence_terms += repeat(terms[segment.terms[term].decode()], len(found))


def _take_postings(entries: SegmentEntries, terms: _Numbered, segment: IndexSegment, numbers: dict[int, int]) -> None:
    for term in range(len(segment.terms)):
        start, end = segment.scan_range(term)
        scan = dict(zip(segment.scan_documents[start:end], segment.scan_weights[start:end], strict=True))
        start, end = segment.posting_range(term)
        for place in range(start, end):
            document = segment.posting_documents[place]
            if document in numbers:
                entries.posting_terms.append(terms[segment.terms[term].decode()])
                entries.posting_documents.append(numbers[document])
                entries.posting_weights.append(segment.posting_weights[place])
                entries.posting_scan_weights.append(scan.get(document, 0))
                entries.posting_fields.append(segment.masks[place])


def _take_words(
    entries: SegmentEntries, terms: _Numbered, words: _Numbered, segment: IndexSegment, numbers: dict[int, int]
) -> None:
    for place in range(len(segment.words)):
        found = [numbers[document] for document in segment.documents_of_word(place) if document in numbers]
        if found:
            word = words[segment.words[place].decode()]
            if word == len(entries.word_terms):
                entries.word_terms.append(terms[segment.terms[segment.word_terms[place]].decode()])
            entries.word_places += repeat(word, len(found))
            entries.word_documents += found
