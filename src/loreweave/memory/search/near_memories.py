"""Memories that say nearly the same as a text, by their words or by their meaning."""

from __future__ import annotations

import numpy

from loreweave.entities.stored_memory import PLACES
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE
from loreweave.language.terms import stem
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_rows import NO_TERM, node_text
from loreweave.memory.search.read_memory_query import Meaning, largest
from loreweave.memory.search.read_memory_text import TextReading, split_vectors

Array = numpy.ndarray
FLOOR = 0.6
COMPARED, MOST_COMPARED = 48, 256
WEIGHED, ASKED = 20, 10  # longest words of the text that are looked up; rarest of them that propose memories


def find_near(index: MemoryIndex, reading: TextReading, scope: str, limit: int) -> list[tuple[str, float]]:
    """Best first, equal ones by id. Similarity is that of the words or of the vectors, whichever is greater."""
    masks = index.live(scope).masks
    terms = _terms(reading)
    meaning = _meaning(index, reading, masks)
    places = _by_words(index, terms, masks)
    if meaning is not None:
        places = numpy.union1d(places, meaning.proposed(COMPARED))
    similarity = _shared_words(index, terms, places)
    if meaning is not None:
        similarity = numpy.maximum(similarity, meaning.cosines(places))
    similarity = similarity.round(PLACES)
    near = numpy.flatnonzero(similarity >= FLOOR)
    ids = index.gather(places[near], "ids")
    order = numpy.lexsort((ids[:, 1], ids[:, 0], -similarity[near]))[:limit].tolist()
    return [(node_text(ids[place]), float(similarity[near[place]])) for place in order]


def _terms(reading: TextReading) -> set[str]:
    """What a text is told by: its stems without stop words, or all where there is nothing else."""
    content, other = reading.tokens()
    words = {word.removeprefix(NAME) for word in (*content, *other) if word[0] != WHOLE}
    return {stem(word) for word in (words - STOP_WORDS or words)}


def _meaning(index: MemoryIndex, reading: TextReading, masks: list[Array]) -> Meaning | None:
    if not reading.vectors:
        return None
    width, rows = split_vectors(reading.vectors)
    return Meaning(index, numpy.frombuffer(rows, dtype=numpy.int8).reshape(-1, width), masks)


def _by_words(index: MemoryIndex, terms: set[str], masks: list[Array]) -> Array:
    """Places of the memories that share the most of the rarest words."""
    held: list[tuple[int, str, list[Array]]] = []
    known = terms & index.vocabulary.terms.keys()
    for term in sorted(known, key=lambda term: (-len(term), term))[:WEIGHED]:
        number = index.vocabulary.terms[term]
        holders = [
            rows[mask[rows]] + offset
            for (rows, _), mask, offset in zip(
                (part.block.postings(number) for part in index.parts), masks, index.offsets.tolist(), strict=False
            )
        ]
        count = sum(map(len, holders))
        if count:
            held.append((count, term, holders))
    held.sort(key=lambda entry: entry[:2])
    if not held:
        return numpy.zeros(0, dtype=numpy.int64)
    weights = numpy.zeros(int(index.offsets[-1]))
    for count, _, holders in held[:ASKED]:
        for places in holders:
            weights[places] += 1.0 / (1 + count.bit_length())
    some = numpy.flatnonzero(weights)
    return some[largest(weights[some], COMPARED, MOST_COMPARED)]


def _shared_words(index: MemoryIndex, terms: set[str], places: Array) -> Array:
    """Twice the words that both hold, of the words that each holds."""
    known = index.vocabulary.terms
    own = numpy.array(sorted(known[term] for term in terms & known.keys()), dtype=numpy.int64)
    found = [numpy.zeros(0)]
    for part, rows in index.by_part(places):
        tokens, owners = part.block.tokens_of(rows)
        numbers = index.vocabulary.terms_of(tokens).astype(numpy.int64)
        kept = (numbers != NO_TERM) & ~index.vocabulary.stopping(tokens)
        pairs = numpy.unique((owners[kept].astype(numpy.int64) << 32) | numbers[kept])
        owners, numbers = pairs >> 32, pairs & 0xFFFFFFFF
        shared = numpy.bincount(owners[numpy.isin(numbers, own)], minlength=len(rows))
        found.append(2.0 * shared / (len(terms) + numpy.bincount(owners, minlength=len(rows))).clip(1))
    return numpy.concatenate(found)
