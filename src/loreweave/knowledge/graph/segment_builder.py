"""Makes index segments: from notes, or from the live documents of older segments.

Both ways collect the same entries and hand them to the same writer, so that a merged segment equals, byte by
byte, the one built anew from the same notes in the same order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

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
from loreweave.knowledge.graph.segment_writer import (
    FIELD_MASK,
    SCAN_SHIFT,
    WEIGHT_SHIFT,
    SegmentEntries,
    write_segment,
)
from loreweave.language.terms import count_words, stem, word_sets

_BODY_UNIT = DOUBLE_WEIGHTS[BODY] << WEIGHT_SHIFT


def build_segment(notes: Sequence[ParsedNote]) -> bytes:
    """The segment of these notes, numbered in the order given."""
    entries = SegmentEntries(len(notes))
    by_word: dict[str, list[int]] = {}  # document, value, document, value, …
    sentences_by_word: defaultdict[str, list[int]] = defaultdict(list)
    for document, note in enumerate(notes):
        _add_body(by_word, document, note)
        for word, value in _weigh_fields(note):
            _add_value(by_word, word, document, value)
        for found in word_sets(note.sentences):
            number = len(entries.sentence_documents)
            for word in found:
                sentences_by_word[word].append(number)
            entries.sentence_documents.append(document)
    for word, pairs in by_word.items():
        _add_word(entries, word, pairs)
    for term, variants in entries.words.items():
        if len(variants) > 1:
            entries.postings[term] = _add_up(*entries.postings[term])
    _add_sentences(entries, sentences_by_word)
    return write_segment(entries)


def merge_segments(
    segments: Sequence[IndexSegment], live: Sequence[Iterable[int]]
) -> tuple[bytes, list[tuple[int, int]]]:
    """One segment of the live documents of several, and where each of them was: (segment, document)."""
    order = [(place, document) for place, documents in enumerate(live) for document in sorted(set(documents))]
    moved: list[dict[int, int]] = [{} for _ in segments]
    for number, (place, document) in enumerate(order):
        moved[place][document] = number
    entries = SegmentEntries(len(order))
    for segment, numbers in zip(segments, moved, strict=True):
        _take_over(entries, segment, numbers)
    return write_segment(entries), order


def _weigh_fields(note: ParsedNote) -> Iterable[tuple[str, int]]:
    """The words of every field but the body, each with what it adds to the word's entry."""
    for bit, text in (
        (NAME, note.name),
        (ALIAS, "\n".join(note.aliases)),
        (TAG, "\n".join(note.tags)),
        (DESCRIPTION, note.description),
        (HEADING, "\n".join(note.headings)),
    ):
        if text:
            unit = DOUBLE_WEIGHTS[bit] << WEIGHT_SHIFT
            if bit & SCAN_FIELDS:
                unit |= DOUBLE_WEIGHTS[bit] << SCAN_SHIFT
            for word, count in count_words(text).items():
                yield word, count * unit | bit


def _add_body(by_word: dict[str, list[int]], document: int, note: ParsedNote) -> None:
    known = by_word.get
    for word, count in count_words(note.body).items():
        pairs = known(word)
        if pairs is None:
            by_word[word] = [document, count * _BODY_UNIT | BODY]
        else:
            pairs.append(document)
            pairs.append(count * _BODY_UNIT | BODY)


def _add_value(by_word: dict[str, list[int]], word: str, document: int, value: int) -> None:
    """Documents come in order: what the word already has of this one stands last."""
    pairs = by_word.setdefault(word, [])
    if pairs and pairs[-2] == document:
        pairs[-1] = _united(pairs[-1], value)
    else:
        pairs += (document, value)


def _united(one: int, other: int) -> int:
    """Weights add up, fields unite."""
    fields = (one | other) & FIELD_MASK
    return (one & ~FIELD_MASK) + (other & ~FIELD_MASK) | fields


def _add_word(entries: SegmentEntries, word: str, pairs: list[int]) -> None:
    documents, values = pairs[::2], pairs[1::2]
    term = stem(word)
    variants = entries.words.get(term)
    if variants is None:
        entries.words[term] = {word: documents}
        entries.postings[term] = (documents[:], values)
    else:
        variants[word] = documents
        known = entries.postings[term]
        known[0].extend(documents)
        known[1].extend(values)


def _add_up(documents: list[int], values: list[int]) -> tuple[list[int], list[int]]:
    """One value a document where several words of a term meet."""
    sums: dict[int, int] = {}
    for document, value in zip(documents, values, strict=True):
        sums[document] = _united(sums[document], value) if document in sums else value
    ordered = sorted(sums)
    return ordered, [sums[document] for document in ordered]


def _add_sentences(entries: SegmentEntries, by_word: dict[str, list[int]]) -> None:
    shared: set[str] = set()
    for word, numbers in by_word.items():
        term = stem(word)
        known = entries.sentences.get(term)
        if known is None:
            entries.sentences[term] = numbers
        else:
            known.extend(numbers)
            shared.add(term)
    for term in shared:
        entries.sentences[term] = sorted(set(entries.sentences[term]))


def _take_over(entries: SegmentEntries, segment: IndexSegment, numbers: dict[int, int]) -> None:
    """Adds the live documents of a segment under their new numbers."""
    sentences: dict[int, int] = {}
    for number, document in enumerate(segment.sentence_documents):
        if document in numbers:
            sentences[number] = len(entries.sentence_documents)
            entries.sentence_documents.append(numbers[document])
    for number in range(len(segment.terms)):
        term = segment.terms[number].decode()
        documents, values = _moved_postings(segment, number, numbers)
        if documents:
            known = entries.postings.setdefault(term, ([], []))
            known[0].extend(documents)
            known[1].extend(values)
        start, end = segment.sentence_range(number)
        places = [sentences[place] for place in segment.sentences[start:end] if place in sentences]
        if places:
            entries.sentences.setdefault(term, []).extend(places)
    for number in range(len(segment.words)):
        kept = [numbers[document] for document in segment.documents_of_word(number) if document in numbers]
        if kept:
            term = segment.terms[segment.word_terms[number]].decode()
            by_word = entries.words.setdefault(term, {})
            by_word.setdefault(segment.words[number].decode(), []).extend(kept)


def _moved_postings(segment: IndexSegment, term: int, numbers: dict[int, int]) -> tuple[list[int], list[int]]:
    start, end = segment.scan_range(term)
    scan = dict(zip(segment.scan_documents[start:end], segment.scan_weights[start:end], strict=True))
    start, end = segment.posting_range(term)
    documents: list[int] = []
    values: list[int] = []
    for document, weight, fields in zip(
        segment.posting_documents[start:end],
        segment.posting_weights[start:end],
        segment.masks[start:end],
        strict=True,
    ):
        if document in numbers:
            documents.append(numbers[document])
            values.append(scan.get(document, 0) << SCAN_SHIFT | weight << WEIGHT_SHIFT | fields)
    return documents, values
