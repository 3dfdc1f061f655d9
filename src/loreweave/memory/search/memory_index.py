"""The index over all memories at one revision: never changed, so that any thread may search it.

It is made of parts: a part for what is new, small parts joined now and then. Parts of like size are joined when there
are eight of them, so that a row is moved a few times at most while an index grows and a search never looks through
many parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy

from loreweave.entities.stored_memory import LIVE
from loreweave.index.index_arrays import Array, starts_of
from loreweave.index.weigh_entries import FieldWeight, Weights, length_drags, usual_lengths
from loreweave.memory.search.memory_block import STATES, MemoryBlock, chosen_block, join_blocks, unite
from loreweave.memory.search.read_memory_text import asked_keys
from loreweave.seams.embedding.embedder import Embedder

MOST_REMEMBERED = 16  # scopes of which an index remembers which memories are live
NOTHING_MEANT = FieldWeight(0.0, 0.0)
WEIGHTS = Weights(  # a name and tags count more than a word of the content, however long they are
    heading=NOTHING_MEANT,
    title=FieldWeight(2.0, 0.0),
    terms=FieldWeight(2.0, 0.0),
    literals=NOTHING_MEANT,
    text=FieldWeight(1.0, 0.5),
    summary=NOTHING_MEANT,
    part=1.0,
)
MOST_WORDS = 64  # of a query; what follows is hardly a question
_FANOUT_BITS = 3
_WORTH_CLEANING = 1024


class Part(NamedTuple):
    """A block, and which of its memories are still so."""

    block: MemoryBlock
    present: Array


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search leaves out before anything is ranked."""

    scope: str | None
    state: str | None = LIVE  # None: any that is searched
    tags: frozenset[str] = frozenset()
    as_of: int | None = None


class LiveMemories:
    """The live memories of a scope."""

    def __init__(self, parts: Sequence[Part], scope: str | None) -> None:
        self._parts = parts
        self.masks = [_mask(part, Filter(scope)) for part in parts]

    @cached_property
    def size(self) -> int:
        return sum(int(numpy.count_nonzero(mask)) for mask in self.masks)

    @cached_property
    def drags(self) -> list[Array]:
        """For each part what the length of a memory takes from its words."""
        lengths = [part.block.lengths[mask] for part, mask in zip(self._parts, self.masks, strict=True)]
        usual = usual_lengths(lengths)
        return [length_drags(part.block.lengths, usual, WEIGHTS) for part in self._parts]


@dataclass(frozen=True, slots=True)
class Columns:
    """All memories, merged ones too, as equally long arrays, and (tag number, row) of every tag they have."""

    keys: Array
    scopes: Array
    states: Array  # numbers of STATES
    importance: Array
    created: Array
    deleted: Array  # NEVER where a memory is not deleted or merged
    tags: Array
    tag_rows: Array
    tag_names: list[str]  # by number
    scope_numbers: dict[str, int]


class MemoryIndex:
    """What it finds depends on the memories alone, not on how the index came about."""

    def __init__(self, parts: Sequence[Part], embedder: Embedder | None) -> None:
        self.parts = tuple(parts)
        self.embedder = embedder
        self.offsets = starts_of(numpy.array([len(part.present) for part in self.parts], dtype=numpy.int64))
        self._live: dict[str | None, LiveMemories] = {}

    def __len__(self) -> int:
        return sum(int(numpy.count_nonzero(part.present)) for part in self.parts)

    def holding(self, query: str, scope: str | None, state: str) -> list[int]:
        """Keys, in ascending order, of the memories that hold all words of a query."""
        asked = query_keys(query)
        found: list[int] = []
        for part, mask in zip(self.parts, self.masks(Filter(scope, state)), strict=True):
            for key in asked:
                held = numpy.zeros(len(mask), dtype=bool)
                held[part.block.holders(key)] = True
                mask = mask & held
            found += part.block.columns.keys[mask].tolist() if asked else []
        return sorted(found)

    def masks(self, wanted: Filter) -> list[Array]:
        """For each part which memories pass."""
        return [_mask(part, wanted) for part in self.parts]

    def by_part(self, places: Array) -> Iterator[tuple[int, MemoryBlock, Array]]:
        """(number, block, rows) of the parts at these places, which number the memories of all parts in order."""
        bounds = numpy.searchsorted(places, self.offsets).tolist()
        for number, part in enumerate(self.parts):
            first, last = bounds[number : number + 2]
            if last > first:
                yield number, part.block, places[first:last] - self.offsets[number]

    def gather(self, places: Array, column: str) -> Array:
        """A column at these places."""
        found = [getattr(block.columns, column)[rows] for _, block, rows in self.by_part(places)]
        return numpy.concatenate(found) if found else numpy.zeros((0, 2) if column == "ids" else 0)

    def live(self, scope: str | None) -> LiveMemories:
        known = self._live.get(scope)
        if known is None:
            known = LiveMemories(self.parts, scope)
            if len(self._live) >= MOST_REMEMBERED:
                self._live.clear()
            self._live[scope] = known
        return known

    def columns(self) -> Columns:
        """For figures over all memories, such as those of a topic."""
        chosen = [(part.block.columns, part.present) for part in self.parts]
        taken = {
            name: numpy.concatenate([getattr(columns, name)[kept] for columns, kept in chosen] or [numpy.zeros(0)])
            for name in ("keys", "states", "importance", "created", "deleted")
        }
        scope_names, scopes = unite([(columns.scope_names, columns.scopes[kept]) for columns, kept in chosen])
        tags, tag_rows, before = [], [numpy.zeros(0, dtype=numpy.int64)], 0
        for columns, kept in chosen:
            owners = numpy.repeat(
                numpy.where(kept, numpy.cumsum(kept) - 1 + before, -1), numpy.diff(columns.tag_starts)
            )
            tags.append((columns.tag_names, columns.tags[owners >= 0]))
            tag_rows.append(owners[owners >= 0])
            before += int(numpy.count_nonzero(kept))
        tag_names, tag_numbers = unite(tags)
        return Columns(
            **taken,
            scopes=scopes,
            tags=tag_numbers,
            tag_rows=numpy.concatenate(tag_rows),
            tag_names=tag_names,
            scope_numbers={name: number for number, name in enumerate(scope_names)},
        )


def query_keys(query: str) -> list[str]:
    """The different keys a query asks for, in order."""
    return list(dict.fromkeys(asked_keys(query)))[:MOST_WORDS]


def _mask(part: Part, wanted: Filter) -> Array:
    columns = part.block.columns
    limit = len(STATES) - 1  # merged memories come last and are not searched
    states = columns.states < limit if wanted.state is None else columns.states == STATES[wanted.state]
    mask: Array = part.present & states
    if wanted.scope is not None:
        mask &= columns.scopes == _place(columns.scope_names, wanted.scope)
    if wanted.as_of is not None:
        mask &= (columns.begins <= wanted.as_of) & (wanted.as_of < columns.ends)
    for tag in sorted(wanted.tags):
        tagged = numpy.zeros(len(mask), dtype=bool)
        places = numpy.flatnonzero(columns.tags == _place(columns.tag_names, tag))
        tagged[numpy.searchsorted(columns.tag_starts, places, side="right") - 1] = True
        mask &= tagged
    return mask


def _place(names: list[str], name: str) -> int:
    place = bisect_left(names, name)
    return place if names[place : place + 1] == [name] else -1


def new_part(block: MemoryBlock) -> Part:
    return Part(block, numpy.ones(len(block), dtype=bool))


def without_keys(parts: Sequence[Part], keys: Collection[int]) -> list[Part]:
    """The parts with these memories gone; what others still search is not touched."""
    wanted = numpy.array(sorted(keys), dtype=numpy.int64)
    return [_without(part, wanted) for part in parts]


def _without(part: Part, wanted: Array) -> Part:
    keys = part.block.columns.keys
    places = numpy.searchsorted(keys, wanted)
    places = places[keys.take(places, mode="clip") == wanted] if len(keys) else places[:0]
    if not part.present[places].any():
        return part
    present = part.present.copy()
    present[places] = False
    return Part(part.block, present)


def arrange(parts: Sequence[Part], largest: int) -> list[Part]:
    """The same memories in few parts; those of the `largest` size or more stay by themselves."""
    kept = [part for part in map(_cleaned, parts) if part.present.any()]
    while True:
        levels: dict[int, list[Part]] = defaultdict(list)
        for part in kept:
            size = int(numpy.count_nonzero(part.present))
            if size < largest:
                levels[(size.bit_length() - 1) // _FANOUT_BITS].append(part)
        full = min((level for level, members in levels.items() if len(members) >= 1 << _FANOUT_BITS), default=None)
        if full is None:
            return kept
        joined = join_blocks([chosen_block(*part) for part in levels[full]])
        kept = [part for part in kept if not any(part is member for member in levels[full])] + [new_part(joined)]


def _cleaned(part: Part) -> Part:
    size = int(numpy.count_nonzero(part.present))
    is_worn = len(part.present) - size > max(size, _WORTH_CLEANING)
    return new_part(chosen_block(*part)) if is_worn and size else part
