"""Sections to an index: BM25F impacts worked out once, so that a search only adds them up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy

from loreweave.entities.searched_section import SearchedSection, SearchTerm
from loreweave.knowledge.asking.search.chunk_memory import MENTIONS
from loreweave.knowledge.asking.search.embed_sections import embed_sections
from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.knowledge.asking.search.weights import FIELDS, FieldWeight, Weights
from loreweave.language.identifiers import heading_key, phrase_key
from loreweave.seams.embedding.embedder import Embedder


def build_index(
    sections: Sequence[SearchedSection],
    glossary: Sequence[SearchTerm],
    embedder: Embedder | None,
    weights: Weights | None = None,
) -> SectionIndex:
    """Reads every section once; near-linear in the text."""
    order = sorted(range(len(sections)), key=lambda place: (sections[place].id, place))
    ordered = [sections[place] for place in order]
    reader = _Reader()
    fields = {name: _read_field(ordered, name, reader) for name in FIELDS}
    new_numbers, keys = _sorted_keys(reader.numbers)
    for name, (mentions, starts) in fields.items():
        fields[name] = (2 * new_numbers[mentions // 2] + mentions % 2, starts)
    postings = _postings(fields, weights or Weights(), len(ordered), len(keys))
    words = sorted(reader.words)
    word_keys = new_numbers[numpy.array([reader.words[word] for word in words], dtype=numpy.int64)]
    texts = [_shown_text(section).encode("utf-8", "replace") for section in ordered]
    page_numbers = {page: number for number, page in enumerate(sorted({section.page for section in ordered}))}
    arrays = IndexArrays(
        given=numpy.array(order, dtype=numpy.int32),
        pages=numpy.array([page_numbers[section.page] for section in ordered], dtype=numpy.int32),
        keys=keys,
        key_starts=postings[0],
        posting_sections=postings[1],
        posting_impacts=postings[2],
        rarity=postings[3],
        words=words,
        word_keys=word_keys.astype(numpy.int32),
        word_counts=numpy.diff(postings[0])[word_keys].astype(numpy.int32),
        heading_keys=(fields["heading"][0] // 2).astype(numpy.int32),
        heading_starts=fields["heading"][1],
        title_keys=(fields["title"][0] // 2).astype(numpy.int32),
        title_starts=fields["title"][1],
        texts=b"".join(texts),
        text_starts=_starts(list(map(len, texts))),
        glossary=[[entry.term, *entry.aliases] for entry in glossary if entry.aliases],
        **embed_sections(ordered, embedder),
    )
    return SectionIndex(arrays, embedder)


class _Reader(dict[str, tuple[int, ...]]):
    """Chunk → the keys it mentions: twice the number of a key, and one more where it is but a part."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}
        self.words: dict[str, int] = {}

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        found = []
        for mention in MENTIONS[chunk]:
            number = self.number(mention.key)
            found.append(2 * number + mention.part)
            if mention.word is not None:
                self.words[mention.word] = number
        numbers = self[chunk] = tuple(found)
        return numbers

    def number(self, key: str) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def key(self, key: str) -> list[int]:
        return [2 * self.number(key)] if key else []

    def read(self, text: str) -> list[int]:
        return list(chain.from_iterable(map(self.__getitem__, text.split())))


def _read_field(sections: list[SearchedSection], name: str, reader: _Reader) -> tuple[Array, Array]:
    """All key numbers of a field, section after section, and where each section starts."""
    numbers: list[int] = []
    counts = []
    for section in sections:
        found = _field_numbers(section, name, reader)
        numbers += found
        counts.append(len(found))
    return numpy.array(numbers, dtype=numpy.int64), _starts(counts)


def _field_numbers(section: SearchedSection, name: str, reader: _Reader) -> list[int]:
    if name == "heading":  # the section that opens a page is headed by the page's title
        heading = section.title if section.heading is None else section.heading
        return reader.read(heading) + reader.key(heading_key(heading))
    if name == "literals":
        found = []
        for literal in section.literals:
            found += reader.read(literal)
            found += reader.key(phrase_key(literal))
        return found
    value = getattr(section, name)
    return reader.read(value if isinstance(value, str) else " ".join(value))


def _starts(counts: list[int]) -> Array:
    starts = numpy.zeros(len(counts) + 1, dtype=numpy.int64)
    numpy.cumsum(counts, out=starts[1:])
    return starts


def _sorted_keys(numbers: dict[str, int]) -> tuple[Array, list[str]]:
    keys = sorted(numbers)
    renumbered = numpy.empty(len(keys), dtype=numpy.int64)
    renumbered[[numbers[key] for key in keys]] = numpy.arange(len(keys))
    return renumbered, keys


def _postings(
    fields: dict[str, tuple[Array, Array]], weights: Weights, sections: int, keys: int
) -> tuple[Array, Array, Array, Array]:
    """(starts of each key, sections, impacts, rarity of each key)."""
    places, shares = [], []
    for name, (mentions, starts) in fields.items():
        owners, share = _field_shares(starts, getattr(weights, name))
        places.append(mentions // 2 * sections + owners)
        shares.append(numpy.where(mentions % 2, weights.part * share, share))
    place, share = numpy.concatenate(places), numpy.concatenate(shares)
    order = numpy.argsort(place, kind="stable")
    place, share = place[order], share[order]
    firsts = numpy.flatnonzero(numpy.diff(place, prepend=-1))
    summed = numpy.add.reduceat(share, firsts) if len(firsts) else share
    numbers, owners = numpy.divmod(place[firsts], max(1, sections))
    starts = numpy.searchsorted(numbers, numpy.arange(keys + 1))
    counts = numpy.diff(starts)
    rarity = numpy.log1p((sections - counts + 0.5) / (counts + 0.5))
    impacts = rarity[numbers] * summed * (weights.saturation + 1) / (weights.saturation + summed)
    return (
        starts.astype(numpy.int64),
        owners.astype(numpy.int32),
        impacts.astype(numpy.float32),
        rarity.astype(numpy.float32),
    )


def _field_shares(starts: Array, weight: FieldWeight) -> tuple[Array, Array]:
    """For each mention of a field the section that owns it and what it counts there."""
    lengths = numpy.diff(starts)
    filled = lengths[lengths > 0]
    usual = filled.mean() if len(filled) else 1.0
    norm = weight.weight / (1 - weight.length + weight.length * lengths / usual)
    owners = numpy.repeat(numpy.arange(len(lengths)), lengths)
    return owners, norm[owners]


def _shown_text(section: SearchedSection) -> str:
    """What snippets are cut from, blanks made single; a heading without a body shows itself."""
    for text in (section.text, section.summary, section.heading, section.title):
        shown = " ".join((text or "").split())
        if shown:
            return shown
    return ""
