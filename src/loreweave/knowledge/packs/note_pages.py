"""The passages of notes as they are written: what of a note is shown at level 3, and what that costs; and as they are
found: the index of some pages."""

import json
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy

from loreweave.contracts.context_packs import ShownSection
from loreweave.entities.digest import BREAK_TOKENS, PageHeading, Passage, reader_of
from loreweave.index.index_arrays import IndexArrays, dump
from loreweave.knowledge.documents.page_record import (
    given_title,
    outline_of,
    record_page,
    unpack_outline,
    unpack_record,
)
from loreweave.knowledge.graph.graph_library import PinnedGraph
from loreweave.knowledge.graph.stored_notes import page_settings, unpack_links
from loreweave.knowledge.packs.graph_facts import facts_of
from loreweave.language.tokens import count_tokens
from loreweave.seams.embedding.embedder import Embedder

if TYPE_CHECKING:
    from loreweave.index.write_index import IndexedPages

KEPT_OUTLINES = 400  # notes of a view whose passages stay at hand
LEFT_OUT = "[…]"
LEFT_OUT_TOKENS = count_tokens(LEFT_OUT) + BREAK_TOKENS


@dataclass(slots=True)
class NotePage:
    """One note while a pack is filled: its passages in order, and which of them are taken."""

    source: bytes
    headings: tuple[PageHeading, ...]
    passages: list[Passage]
    taken: set[int] = field(default_factory=set)
    headed: set[int] = field(default_factory=set)  # headings above what is taken
    tokens: int = 0  # at most what `content` costs
    above: list[tuple[int, ...]] = field(init=False)
    below: dict[int, list[int]] = field(init=False)  # of each heading its passages, -1 for what stands above them all
    _counted: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chains: list[tuple[int, ...]] = []
        for number, heading in enumerate(self.headings):
            chain = chains[number - 1] if number else ()
            while chain and self.headings[chain[-1]].level >= heading.level:
                chain = chain[:-1]
            chains.append((*chain, number))
        self.above = [chains[passage.heading] if passage.heading >= 0 else () for passage in self.passages]
        self.below = {number: [] for number in range(-1, len(self.headings))}
        for place, passage in enumerate(self.passages):
            if passage.tokens or passage.heading >= 0:
                self.below[passage.heading].append(place)

    def untaken(self) -> "NotePage":
        """The same for another question; what was counted stays."""
        found = copy(self)
        found.taken, found.headed, found.tokens = set(), set(), 0
        return found

    def cost_of(self, place: int) -> int:
        """What taking one more passage adds: itself, the headings above it that are not there yet, and marks where
        something is left out."""
        headings = sum(self._line_tokens(number) for number in self.above[place] if number not in self.headed)
        return self.passages[place].tokens + headings + LEFT_OUT_TOKENS * self._more_gaps(place)

    def take(self, place: int) -> None:
        self.tokens += self.cost_of(place)
        self.taken.add(place)
        self.headed.update(self.above[place])

    def said(self, place: int) -> tuple[str, bytes]:
        """A passage as it reads by itself: the heading right above it, and its text."""
        passage = self.passages[place]
        heading = self.headings[passage.heading].text if passage.heading >= 0 else ""
        return heading, self.source[passage.start : passage.end]

    @property
    def is_whole(self) -> bool:
        return len(self.taken) == len(self.passages)

    def _more_gaps(self, place: int) -> int:
        """A note of which nothing is taken is one gap, which is not shown."""
        before = place == 0 or place - 1 in self.taken
        behind = place == len(self.passages) - 1 or place + 1 in self.taken
        return 1 - before - behind + (not self.taken)

    def content(self) -> str:
        """The taken parts in document order under their heading lines."""
        parts: list[str] = []
        shown: set[int] = set()
        last = -1
        for place in sorted(self.taken):
            if place != last + 1:
                parts.append(LEFT_OUT)
            for number in self.above[place]:
                if number not in shown:
                    shown.add(number)
                    parts.append(self._line(number))
            passage = self.passages[place]
            if passage.end > passage.start:
                parts.append(self.source[passage.start : passage.end].decode("utf-8", "replace"))
            last = place
        if last != len(self.passages) - 1:
            parts.append(LEFT_OUT)
        return "\n\n".join(parts)

    def sections(self) -> list[ShownSection]:
        """Every heading, and how much of what stands below it is there; first what stands above them all."""
        return [self._section(number, places) for number, places in self.below.items() if places or number >= 0]

    def _section(self, number: int, places: list[int]) -> ShownSection:
        taken = len(self.taken.intersection(places))
        heading = self.headings[number] if number >= 0 else None
        return ShownSection(
            level=heading.level if heading else 0,
            heading=heading.text if heading else None,
            anchor=heading.anchor if heading else None,
            tokens=sum([self.passages[place].tokens for place in places]),
            shown="full" if taken == len(places) and (taken or number in self.headed) else "part" if taken else "none",
        )

    def _line_tokens(self, number: int) -> int:
        if number not in self._counted:
            self._counted[number] = count_tokens(self._line(number)) + BREAK_TOKENS
        return self._counted[number]

    def _line(self, number: int) -> str:
        heading = self.headings[number]
        return self.source[heading.start : heading.end].decode("utf-8", "replace").strip()


def read_pages(pinned: PinnedGraph, nodes: Iterable[int]) -> dict[int, NotePage]:
    """The passages of some notes, as they were read when the index was made."""
    kept = facts_of(pinned.view).outlines
    asked = list(nodes)
    missing = [node for node in asked if node not in kept]
    found = {node: kept[node] for node in asked if node in kept}
    if missing:
        settings = page_settings(pinned.row)
        for node, source, packed in pinned.readings(missing, reader_of(settings)):
            if packed is None:  # read by another version of the reader, and the index is not yet made anew
                path = pinned.view.nodes[node].path
                outline = outline_of(record_page(path, source, settings))
            else:
                outline = unpack_outline(packed)
            found[node] = NotePage(source.encode(), *outline)
        if len(kept) > KEPT_OUTLINES:
            kept.clear()
        kept.update((node, found[node]) for node in missing if node in found)
    return {node: found[node].untaken() for node in asked if node in found}


@dataclass(frozen=True, slots=True)
class PagesToIndex:
    """Some pages, to be indexed by any process."""

    pages: list[tuple[str, bytes]]  # path, packed record
    links: dict[str, bytes]  # packed, by path
    embedder: Embedder | None

    def __len__(self) -> int:
        """How much there is to read."""
        return sum(len(packed) for _, packed in self.pages)


def index_pages(chunk: PagesToIndex, before: IndexArrays | None = None) -> "IndexedPages":
    from loreweave.index.build_index import (  # here: whoever maps an index builds none
        index_rows,
        page_sections,
        section_rows,
    )
    from loreweave.index.write_index import IndexedPages

    records = {path: unpack_record(packed) for path, packed in chunk.pages}
    sentences = {path: unpack_links(packed).sentences for path, packed in chunk.links.items() if packed}
    rows = [
        [row for section in page_sections(path, record, sentences.get(path, ())) for row in section_rows(section)]
        for path, record in records.items()
    ]
    arrays = index_rows(list(chain.from_iterable(rows)), chunk.embedder, before)
    pages = numpy.repeat(numpy.arange(len(rows), dtype=numpy.int32), list(map(len, rows)))
    numbered = list(enumerate(records.values()))
    named = [
        (number, [entry.term, *entry.aliases])
        for number, record in numbered
        for entry in record.glossary
        if entry.aliases
    ]
    bare = [number for number, record in numbered if not record.sections]
    labels = [
        json.dumps([given_title(path, found), found.group, [part[:2] for part in found.sections]]).encode()
        for path, found in records.items()
    ]
    return IndexedPages(list(records), dump(replace(arrays, pages=pages)), labels, bare, named)
