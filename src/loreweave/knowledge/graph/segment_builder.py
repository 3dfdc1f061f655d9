"""Makes index segments: from notes, or from the live documents of older segments.

Both ways collect the same entries and write them by the same function, so that a merged segment equals,
byte by byte, the one built anew from the same notes in the same order.
"""

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.segment_reader import (
    ALIAS,
    BODY,
    DESCRIPTION,
    DOUBLE_WEIGHTS,
    HEADER,
    HEADING,
    MAGIC,
    NAME,
    SCAN_FIELDS,
    TAG,
    VERSION,
    IndexSegment,
)
from loreweave.language.terms import count_words, stem, words

# An entry is one integer, so that entries add and sort: document, 2f of the scan fields, 2f of all, fields.
_WEIGHT_SHIFT, _SCAN_SHIFT, _DOCUMENT_SHIFT = 8, 40, 72
_WEIGHT_MASK = (1 << 32) - 1
_ENTRY_MASK = (1 << _DOCUMENT_SHIFT) - 1


@dataclass
class _Entries:
    """What a segment will hold, by term and by word; lists in document order."""

    documents: int
    postings: dict[str, list[int]] = field(default_factory=dict)  # term -> entries
    words: dict[str, dict[str, list[int]]] = field(default_factory=dict)  # term -> word -> documents
    sentences: dict[str, list[int]] = field(default_factory=dict)  # term -> document << 32 | sentence


def build_segment(notes: Sequence[ParsedNote]) -> bytes:
    """The segment of these notes, numbered in the order given."""
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    sentences_by_word: defaultdict[str, list[int]] = defaultdict(list)
    for document, note in enumerate(notes):
        high = document << _DOCUMENT_SHIFT
        for word, entry in _weigh(note).items():
            by_word[word].append(high | entry)
        for number, sentence in enumerate(note.sentences):
            place = document << 32 | number
            for word in set(words(sentence)):
                sentences_by_word[word].append(place)
    entries = _Entries(len(notes))
    for word, found in by_word.items():
        term = stem(word)
        entries.words.setdefault(term, {})[word] = [entry >> _DOCUMENT_SHIFT for entry in found]
        known = entries.postings.get(term)
        entries.postings[term] = found if known is None else known + found
    for term, variants in entries.words.items():
        if len(variants) > 1:
            entries.postings[term] = _add_up(entries.postings[term])
    for word, places in sentences_by_word.items():
        entries.sentences.setdefault(stem(word), []).extend(places)
    for term, places in entries.sentences.items():
        entries.sentences[term] = sorted(set(places))
    return _write(entries)


def merge_segments(
    segments: Sequence[IndexSegment], live: Sequence[Iterable[int]]
) -> tuple[bytes, list[tuple[int, int]]]:
    """One segment of the live documents of several, and where each of them was: (segment, document)."""
    order = [(place, document) for place, documents in enumerate(live) for document in sorted(set(documents))]
    entries = _Entries(len(order))
    moved: list[dict[int, int]] = [{} for _ in segments]
    for number, (place, document) in enumerate(order):
        moved[place][document] = number
    for segment, numbers in zip(segments, moved, strict=True):
        _take_over(entries, segment, numbers)
    return _write(entries), order


def _weigh(note: ParsedNote) -> dict[str, int]:
    """Every word of a note with its entry, the document left out. Each field adds its bit once a word."""
    entries = {word: (count << _WEIGHT_SHIFT) + BODY for word, count in count_words(note.body).items()}
    for bit, text in (
        (NAME, note.name),
        (ALIAS, "\n".join(note.aliases)),
        (TAG, "\n".join(note.tags)),
        (DESCRIPTION, note.description),
        (HEADING, "\n".join(note.headings)),
    ):
        if text:
            unit = DOUBLE_WEIGHTS[bit] << _WEIGHT_SHIFT
            if bit & SCAN_FIELDS:
                unit |= DOUBLE_WEIGHTS[bit] << _SCAN_SHIFT
            for word, count in count_words(text).items():
                entries[word] = entries.get(word, 0) + count * unit + bit
    return entries


def _add_up(found: list[int]) -> list[int]:
    """One entry a document where several words of a term meet: weights add up, field bits unite."""
    sums: dict[int, int] = {}
    for entry in found:
        document = entry >> _DOCUMENT_SHIFT
        known = sums.get(document)
        if known is None:
            sums[document] = entry
        else:
            bits = (known | entry) & 0xFF
            sums[document] = ((known & ~0xFF) + (entry & _ENTRY_MASK & ~0xFF)) | bits
    return [sums[document] for document in sorted(sums)]


def _take_over(entries: _Entries, segment: IndexSegment, numbers: dict[int, int]) -> None:
    """Adds the live documents of a segment under their new numbers."""
    for number in range(len(segment.terms)):
        term = segment.terms[number].decode()
        found = _moved_postings(segment, number, numbers)
        if found:
            entries.postings.setdefault(term, []).extend(found)
        start, end = segment.sentence_range(number)
        places = [
            numbers[document] << 32 | sentence
            for document, sentence in zip(
                segment.sentence_documents[start:end], segment.sentence_numbers[start:end], strict=True
            )
            if document in numbers
        ]
        if places:
            entries.sentences.setdefault(term, []).extend(places)
    for number in range(len(segment.words)):
        kept = [numbers[document] for document in segment.documents_of_word(number) if document in numbers]
        if kept:
            term = segment.terms[segment.word_terms[number]].decode()
            by_word = entries.words.setdefault(term, {})
            by_word.setdefault(segment.words[number].decode(), []).extend(kept)


def _moved_postings(segment: IndexSegment, term: int, numbers: dict[int, int]) -> list[int]:
    start, end = segment.scan_range(term)
    scan = dict(zip(segment.scan_documents[start:end], segment.scan_weights[start:end], strict=True))
    start, end = segment.posting_range(term)
    return [
        numbers[document] << _DOCUMENT_SHIFT
        | scan.get(document, 0) << _SCAN_SHIFT
        | weight << _WEIGHT_SHIFT
        | bits
        for document, weight, bits in zip(
            segment.posting_documents[start:end],
            segment.posting_weights[start:end],
            segment.masks[start:end],
            strict=True,
        )
        if document in numbers
    ]


def _write(entries: _Entries) -> bytes:
    terms = sorted(entries.postings.keys() | entries.sentences.keys())
    postings = [entry for term in terms for entry in entries.postings.get(term, ())]
    scan = [entry for entry in postings if entry & SCAN_FIELDS]
    sentences = [place for term in terms for place in entries.sentences.get(term, ())]
    term_numbers = {term: number for number, term in enumerate(terms)}
    spellings = sorted(
        (word, term_numbers[term], documents if len(variants) > 1 else [])
        for term, variants in entries.words.items()
        for word, documents in variants.items()
    )
    term_block, term_offsets = _join(terms)
    word_block, word_offsets = _join([word for word, _, _ in spellings])
    word_documents = [document for _, _, documents in spellings for document in documents]

    weights = [entry >> _WEIGHT_SHIFT & _WEIGHT_MASK for entry in postings]
    sentence_numbers = [place & _WEIGHT_MASK for place in sentences]
    document_code = _code(entries.documents)
    weight_code = _code(max(weights, default=0))
    sentence_code = _code(max(sentence_numbers, default=0))
    tables = [
        term_offsets,
        word_offsets,
        _starts(len(entries.postings.get(term, ())) for term in terms),
        _starts(sum(1 for entry in entries.postings.get(term, ()) if entry & SCAN_FIELDS) for term in terms),
        _starts(len(entries.sentences.get(term, ())) for term in terms),
        array("I", [number for _, number, _ in spellings]),
        _starts(len(documents) for _, _, documents in spellings),
        array(document_code, [entry >> _DOCUMENT_SHIFT for entry in postings]),
        array(weight_code, weights),
        array(document_code, [entry >> _DOCUMENT_SHIFT for entry in scan]),
        array(weight_code, [entry >> _SCAN_SHIFT & _WEIGHT_MASK for entry in scan]),
        array(document_code, [place >> 32 for place in sentences]),
        array(sentence_code, sentence_numbers),
        array(document_code, word_documents),
    ]
    header = HEADER.pack(
        MAGIC,
        VERSION,
        *(array(code).itemsize for code in (document_code, weight_code, sentence_code)),
        entries.documents,
        len(terms),
        len(spellings),
        len(postings),
        len(scan),
        len(sentences),
        len(word_documents),
        len(term_block),
        len(word_block),
    )
    masks = bytes([entry & 0xFF for entry in postings])
    return b"".join([header, *map(_little_endian, tables), masks, term_block, word_block])


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
