"""Makes index segments: from notes, or from the live documents of older segments.

Both ways collect the same entries and hand them to the same writer, so that a merged segment equals, byte by
byte, the one built anew from the same notes in the same order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.chunk_texts import LAYOUT, OUTLINE, ChunkTexts
from loreweave.knowledge.graph.segment_reader import DOUBLE_WEIGHTS, SCAN_FIELDS, GraphSegment
from loreweave.knowledge.graph.segment_writer import SegmentEntries, write_segment
from loreweave.language.chunk_words import words_of_chunks
from loreweave.language.numbered_texts import spread
from loreweave.language.terms import stem


class _Numbered(defaultdict):
    """Numbers texts in the order in which they are first asked for."""

    def __init__(self) -> None:
        super().__init__(self.__len__)


def build_segment(notes: Sequence[ParsedNote], texts: ChunkTexts | None = None) -> bytes:
    """The segment of these notes, numbered in the order given; their texts, if they are at hand."""
    texts = texts or ChunkTexts(notes)
    written, sizes = words_of_chunks(texts.numbered.chunks)
    words = _Numbered()
    members = numpy.fromiter(map(words.__getitem__, written), dtype=numpy.intp, count=len(written))
    found = spread(texts.numbered.numbers, sizes, members)  # every word of every text …
    text_of = numpy.repeat(texts.numbered.text_of_place(), sizes[texts.numbered.numbers])  # … and its text
    fields = numpy.array([*LAYOUT * len(notes)], dtype=numpy.int64)
    in_field = text_of < len(fields)
    in_field[in_field] = fields[text_of[in_field]] != OUTLINE
    in_sentence = text_of >= len(fields)

    entries = SegmentEntries(len(notes), sentence_documents=texts.sentence_documents)
    pairs, counts = _counted(found[in_field] * max(1, len(fields)) + text_of[in_field])
    places, of_text = numpy.divmod(pairs, max(1, len(fields)))
    term_of = _name_words(entries, list(words), places, found[in_sentence])
    _lay_out_words(entries, places, of_text // len(LAYOUT), fields[of_text], counts)
    entries.sentence_terms = term_of[found[in_sentence]]
    entries.sentence_numbers = text_of[in_sentence] - len(fields)
    return write_segment(entries)


def _counted(numbers: Any) -> tuple[Any, Any]:
    """Each number once, in order, and how often it occurs."""
    ordered = numpy.sort(numbers)
    firsts = numpy.flatnonzero(numpy.diff(ordered, prepend=-1))
    return ordered[firsts], numpy.diff(firsts, append=len(ordered))


def _name_words(entries: SegmentEntries, words: list[str], in_fields: Any, in_sentences: Any) -> Any:
    """Takes in the words that fields hold, and the terms of these and of sentences; the term of each word.

    `in_fields` is renumbered in place: an outline may hold words, cut in two, that stand nowhere else.
    """
    is_word, has_term = numpy.zeros((2, len(words)), dtype=bool)
    is_word[in_fields] = True
    has_term[in_fields] = has_term[in_sentences] = True
    terms = _Numbered()
    term_of = numpy.zeros(len(words), dtype=numpy.int64)
    named = numpy.flatnonzero(has_term).tolist()
    term_of[named] = [terms[stem(words[place])] for place in named]
    entries.terms = list(terms)
    entries.words = [words[place] for place in numpy.flatnonzero(is_word).tolist()]
    entries.word_terms = term_of[is_word]
    in_fields[:] = (numpy.cumsum(is_word) - 1)[in_fields]
    return term_of


def _lay_out_words(entries: SegmentEntries, places: Any, documents: Any, fields: Any, counts: Any) -> None:
    units = numpy.zeros(max(LAYOUT) + 1, dtype=numpy.int64)
    units[list(DOUBLE_WEIGHTS)] = list(DOUBLE_WEIGHTS.values())
    entries.word_places = places
    entries.word_documents = entries.posting_documents = documents
    entries.posting_terms = entries.word_terms[places]
    entries.posting_fields = fields
    entries.posting_weights = counts * units[fields]
    entries.posting_scan_weights = entries.posting_weights * ((fields & SCAN_FIELDS) != 0)


def merge_segments(
    segments: Sequence[GraphSegment], live: Sequence[Iterable[int]]
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


def _take_sentences(entries: SegmentEntries, terms: _Numbered, segment: GraphSegment, numbers: dict[int, int]) -> None:
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


def _take_postings(entries: SegmentEntries, terms: _Numbered, segment: GraphSegment, numbers: dict[int, int]) -> None:
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
    entries: SegmentEntries, terms: _Numbered, words: _Numbered, segment: GraphSegment, numbers: dict[int, int]
) -> None:
    for place in range(len(segment.words)):
        found = [numbers[document] for document in segment.documents_of_word(place) if document in numbers]
        if found:
            word = words[segment.words[place].decode()]
            if word == len(entries.word_terms):
                entries.word_terms.append(terms[segment.terms[segment.word_terms[place]].decode()])
            entries.word_places += repeat(word, len(found))
            entries.word_documents += found
