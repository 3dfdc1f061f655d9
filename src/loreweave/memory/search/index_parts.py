"""The parts an index is made of, and what a search leaves out of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy

from loreweave.entities.memory import LIVE
from loreweave.language.terms import asked_words, stem
from loreweave.memory.search.memory_block import MemoryBlock

Array = numpy.ndarray
MOST_WORDS = 64  # of a query; what follows is hardly a question


class Part(NamedTuple):
    """A block, and which of its rows are still so."""

    block: MemoryBlock
    present: Array


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search leaves out before anything is ranked."""

    scope: str | None
    state: str | None = LIVE  # None: any that is searched
    tags: frozenset[str] = frozenset()
    as_of: int | None = None


class LiveRows(NamedTuple):
    masks: list[Array]  # for each part
    size: int
    drags: list[Array]  # for each part, a row: how much its length takes from each mention


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


def query_terms(query: str) -> list[str]:
    """The different terms a query asks for, in order."""
    return list(dict.fromkeys(map(stem, asked_words(query))))[:MOST_WORDS]
