"""The index over all memories at one revision: never changed, so that any thread may search it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy

from loreweave.memory.search.index_parts import Columns, Filter, LiveRows, Part, query_terms
from loreweave.memory.search.memory_rows import STATES, IndexVocabulary, starts_of
from loreweave.seams.embedding.embedder import Embedder

Array = numpy.ndarray
SATURATION, LENGTH = 0.8, 0.5  # how fast further mentions stop to matter, and how far a text's length does
MOST_REMEMBERED = 16  # scopes of which an index remembers which rows are live


class MemoryIndex:
    """What it finds depends on the memories alone, not on how the index came about."""

    def __init__(self, parts: Sequence[Part], vocabulary: IndexVocabulary, embedder: Embedder | None) -> None:
        self.parts = tuple(parts)
        self.vocabulary = vocabulary
        self.embedder = embedder
        self.offsets = starts_of(numpy.array([len(part.present) for part in self.parts], dtype=numpy.int64))
        self._live: dict[str | None, LiveRows] = {}
        self._searched: dict[str, list[Array]] = {}

    def __len__(self) -> int:
        return sum(int(numpy.count_nonzero(part.present)) for part in self.parts)

    def holding(self, query: str, scope: str | None, state: str) -> list[int]:
        """Keys, in ascending order, of the memories that hold all words of a query."""
        terms = [self.vocabulary.terms.get(term, -1) for term in query_terms(query)]
        if not terms or -1 in terms:
            return []
        found: list[int] = []
        for part, mask in zip(self.parts, self.masks(Filter(scope, state)), strict=True):
            for term in terms:
                holders, _ = part.block.postings(term)
                held = numpy.zeros(len(mask), dtype=bool)
                held[holders] = True
                mask = mask & held
            found += part.block.rows.keys[mask].tolist()
        return sorted(found)

    def masks(self, wanted: Filter) -> list[Array]:
        """For each part which rows pass."""
        return [self._mask(part, wanted) for part in self.parts]

    def searched(self, scope: str) -> list[Array]:
        """The memories of a scope that are searched, live or deleted."""
        known = self._searched.get(scope)
        if known is None:
            if len(self._searched) >= MOST_REMEMBERED:
                self._searched.clear()
            known = self._searched[scope] = self.masks(Filter(scope, None))
        return known

    def _mask(self, part: Part, wanted: Filter) -> Array:
        rows = part.block.rows
        limit = len(STATES) - 1  # merged memories come last and are not searched
        states = rows.states < limit if wanted.state is None else rows.states == STATES[wanted.state]
        mask = part.present & states
        if wanted.scope is not None:
            mask &= rows.scopes == self.vocabulary.scopes.get(wanted.scope, -1)
        if wanted.as_of is not None:
            mask &= (rows.begins <= wanted.as_of) & (wanted.as_of < rows.ends)
        for tag in sorted(wanted.tags):
            tagged = numpy.zeros(len(rows), dtype=bool)
            places = numpy.flatnonzero(rows.tags == self.vocabulary.tags.get(tag, -1))
            tagged[numpy.searchsorted(rows.tag_starts, places, side="right") - 1] = True
            mask &= tagged
        return mask

    def by_part(self, places: Array) -> Iterator[tuple[Part, Array]]:
        """Parts and their rows at these places, which number the rows of all parts and are in ascending order."""
        bounds = numpy.searchsorted(places, self.offsets).tolist()
        for part, offset, first, last in zip(self.parts, self.offsets.tolist(), bounds, bounds[1:], strict=False):
            if last > first:
                yield part, places[first:last] - offset

    def gather(self, places: Array, column: str) -> Array:
        """A column at these places."""
        found = [getattr(part.block.rows, column)[rows] for part, rows in self.by_part(places)]
        return numpy.concatenate(found) if found else numpy.zeros((0, 2) if column == "ids" else 0)

    def live(self, scope: str | None) -> LiveRows:
        """The live memories of a scope, how many they are, and how far length matters among them."""
        known = self._live.get(scope)
        if known is None:
            masks = self.masks(Filter(scope))
            count = sum(int(numpy.count_nonzero(mask)) for mask in masks)
            total = sum(float(part.block.lengths[mask].sum()) for part, mask in zip(self.parts, masks, strict=True))
            usual = max(1.0, total / count) if count else 1.0
            drags = [SATURATION * (1.0 - LENGTH + LENGTH * (part.block.lengths / usual)) for part in self.parts]
            known = LiveRows(masks, count, drags)
            if len(self._live) >= MOST_REMEMBERED:
                self._live.clear()
            self._live[scope] = known
        return known

    def columns(self) -> Columns:
        """For figures over all memories, such as those of a topic."""
        chosen = [(part.block.rows, numpy.flatnonzero(part.present)) for part in self.parts]
        taken = {
            name: numpy.concatenate([getattr(rows, name)[kept] for rows, kept in chosen] or [numpy.zeros(0)])
            for name in ("keys", "scopes", "states", "importance", "created", "deleted")
        }
        tags, tag_rows, before = [], [], 0
        for rows, kept in chosen:
            places = numpy.full(len(rows), -1)
            places[kept] = numpy.arange(len(kept)) + before
            owners = numpy.repeat(places, numpy.diff(rows.tag_starts))
            tags.append(rows.tags[owners >= 0])
            tag_rows.append(owners[owners >= 0])
            before += len(kept)
        nothing = numpy.zeros(0, dtype=numpy.int64)
        return Columns(
            **taken,
            tags=numpy.concatenate(tags or [nothing]),
            tag_rows=numpy.concatenate(tag_rows or [nothing]),
            tag_names=list(self.vocabulary.tags),
            scope_numbers=dict(self.vocabulary.scopes),
        )
