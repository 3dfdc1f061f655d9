"""How an index takes in changes: a small part for what is new, small parts joined now and then.

Parts of like size are joined when there are eight of them, so that a row is moved a few times at most while an index
grows and a search never looks through many parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy

from loreweave.memory.search.index_parts import Part
from loreweave.memory.search.index_vocabulary import IndexVocabulary
from loreweave.memory.search.memory_block import MemoryBlock
from loreweave.memory.search.memory_rows import MemoryRows, join_rows

_FANOUT_BITS = 3
_FANOUT = 1 << _FANOUT_BITS
_WORTH_CLEANING = 1024


def new_part(rows: MemoryRows, vocabulary: IndexVocabulary) -> Part:
    return Part(MemoryBlock(rows, vocabulary), numpy.ones(len(rows), dtype=bool))


def without_keys(parts: Sequence[Part], keys: Collection[int]) -> list[Part]:
    """The parts with these memories gone; what others still search is not touched."""
    wanted = numpy.array(sorted(keys), dtype=numpy.int64)
    return [_without(part, wanted) for part in parts]


def _without(part: Part, wanted: numpy.ndarray) -> Part:
    keys = part.block.rows.keys
    places = numpy.searchsorted(keys, wanted)
    places = places[keys.take(places, mode="clip") == wanted] if len(keys) else places[:0]
    if not part.present[places].any():
        return part
    present = part.present.copy()
    present[places] = False
    return Part(part.block, present)


def arrange(parts: Sequence[Part], vocabulary: IndexVocabulary) -> list[Part]:
    """The same memories in few parts."""
    sized = [(part, int(numpy.count_nonzero(part.present))) for part in parts]
    kept = [_cleaned(part, size, vocabulary) for part, size in sized if size]
    while True:
        levels: dict[int, list[Part]] = defaultdict(list)
        for part in kept:
            levels[(int(numpy.count_nonzero(part.present)).bit_length() - 1) // _FANOUT_BITS].append(part)
        full = min((level for level, members in levels.items() if len(members) >= _FANOUT), default=None)
        if full is None:
            return kept
        joined = new_part(join_rows([present_rows(part) for part in levels[full]]), vocabulary)
        kept = [part for part in kept if not any(part is member for member in levels[full])] + [joined]


def present_rows(part: Part) -> MemoryRows:
    if part.present.all():
        return part.block.rows
    return part.block.rows.take(numpy.flatnonzero(part.present))


def _cleaned(part: Part, size: int, vocabulary: IndexVocabulary) -> Part:
    gone = len(part.present) - size
    return new_part(present_rows(part), vocabulary) if gone > max(size, _WORTH_CLEANING) else part
