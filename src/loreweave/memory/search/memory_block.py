"""Memories as an index: their passages are its rows, and beside it stand the columns that search filters and orders by.

A block is never changed: blocks are joined, without reading a text again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy

from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, IndexedMemory
from loreweave.index.index_arrays import Array, IndexArrays, Rows, dump, load, rows_of, starts_of
from loreweave.index.nearness import vector_arrays
from loreweave.index.read_rows import read_rows
from loreweave.index.splice_rows import Gathered, join_rows, stretches_of
from loreweave.index.vocabulary import Vocabulary
from loreweave.memory.search.differing_values import signs_of
from loreweave.memory.search.read_memory_text import TextReading, is_plain

STATES = {LIVE: 0, DELETED: 1, MERGED: 2}
NEVER = int(numpy.iinfo(numpy.int64).max)


@dataclass(frozen=True, slots=True)
class MemoryColumns:
    """Equally long, in the order of keys. Tags of memory i are at `tag_starts[i]:tag_starts[i + 1]`."""

    keys: Array  # int64
    ids: Array  # uint64, two a memory: node ids as numbers, in the same order as their texts
    scopes: Array  # int32, numbers of `scope_names`
    states: Array  # int8, numbers of STATES
    importance: Array  # float64
    created: Array  # int64
    begins: Array  # int64
    ends: Array  # int64, NEVER where open
    deleted: Array  # int64, NEVER where not deleted
    content_sizes: Array  # int32: words of the content
    signatures: Array  # uint64, equal for contents of the same telling words
    skeletons: Array  # uint64, equal for contents that differ in values alone
    tags: Array  # int32, flat: numbers of `tag_names`
    tag_starts: Array  # int64
    scope_names: list[str]
    tag_names: list[str]


_LISTS = ("tags", "tag_starts", "scope_names", "tag_names")
_PLAIN_COLUMNS = tuple(entry.name for entry in fields(MemoryColumns) if entry.name not in (*_LISTS, "scopes"))


@dataclass(frozen=True)
class MemoryBlock:
    """Some memories; `arrays.sections` says of which a row is."""

    arrays: IndexArrays
    columns: MemoryColumns

    def __len__(self) -> int:
        return len(self.columns.keys)

    @cached_property
    def starts(self) -> Array:
        """Where the rows of each memory begin."""
        return numpy.searchsorted(self.arrays.sections, numpy.arange(len(self) + 1))

    @cached_property
    def lengths(self) -> Array:
        """Memories × fields: mentions."""
        return numpy.add.reduceat(self.arrays.lengths, self.starts[:-1], axis=0) if len(self) else self.arrays.lengths

    @cached_property
    def plain(self) -> Array:
        """A key: whether it is a word that says something."""
        return numpy.array([is_plain(key) for key in self.arrays.keys], dtype=bool)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.arrays)

    def rows_with(self, key: str) -> int:
        """How many rows hold a key."""
        number = self.vocabulary.number(key)
        return int(self.arrays.holders[number]) if number >= 0 else 0

    def holders(self, key: str) -> Array:
        """The memories that hold a key, in order."""
        number = self.vocabulary.number(key)
        if number < 0:
            return numpy.zeros(0, dtype=numpy.int32)
        first, last = self.arrays.key_starts[number : number + 2].tolist()
        found = self.arrays.sections[self.arrays.entry_rows[first:last]]
        is_first = numpy.ones(len(found), dtype=bool)
        numpy.not_equal(found[1:], found[:-1], out=is_first[1:])
        return found[is_first]

    def plain_keys(self, chosen: Array) -> tuple[Array, Array]:
        """(keys of the contents in order, owners): of these memories, each key with the place of its memory."""
        bounds = self.arrays.passage_starts[self.starts]
        keys = self.arrays.passage_keys[rows_of(Rows(self.arrays.passage_keys, bounds), chosen)]
        owners = numpy.repeat(numpy.arange(len(chosen)), bounds[chosen + 1] - bounds[chosen])
        kept = self.plain[keys]
        return keys[kept], owners[kept]

    def rows(self, chosen: Array) -> Array:
        """The rows of these memories, one after the other."""
        return rows_of(Rows(self.arrays.sections, self.starts), chosen)

    def text(self, memory: int) -> str:
        """Its content, blanks made single."""
        return " ".join(map(self.arrays.text, range(*self.starts[memory : memory + 2].tolist())))


def make_block(memories: Sequence[IndexedMemory], embedder: str) -> MemoryBlock:
    """Merged memories are not searched: of them the columns alone are kept."""
    memories = sorted(memories, key=lambda memory: memory.key)
    readings = [
        TextReading("", (), "") if memory.state == MERGED else TextReading(memory.name, memory.tags, memory.content)
        for memory in memories
    ]
    arrays = read_rows([row for reading in readings for row in reading.rows])
    stored = [b"" if memory.state == MERGED else memory.vectors for memory in memories]
    vectors = _vectors(stored, [len(reading.rows) for reading in readings])
    signs = signs_of([reading.words for reading in readings])
    scope_names, scopes = _numbered([memory.scope for memory in memories])
    tag_names, tags = _numbered([tag for memory in memories for tag in memory.tags])
    ids = "".join(memory.node_id for memory in memories).replace("-", "")
    times = [
        (
            memory.created_at,
            memory.created_at if memory.valid_from is None else memory.valid_from,
            NEVER if memory.valid_until is None else memory.valid_until,
            NEVER if memory.deleted_at is None else memory.deleted_at,
        )
        for memory in memories
    ]
    created, begins, ends, deleted = numpy.array(times, dtype=numpy.int64).reshape(-1, 4).T
    columns = MemoryColumns(
        keys=numpy.array([memory.key for memory in memories], dtype=numpy.int64),
        ids=numpy.frombuffer(bytes.fromhex(ids), dtype=">u8").astype(numpy.uint64).reshape(-1, 2),
        scopes=scopes,
        states=numpy.array([STATES[memory.state] for memory in memories], dtype=numpy.int8),
        importance=numpy.array([memory.importance for memory in memories], dtype=numpy.float64),
        created=created,
        begins=begins,
        ends=ends,
        deleted=deleted,
        content_sizes=numpy.array([len(reading.words) for reading in readings], dtype=numpy.int32),
        signatures=signs[:, 0],
        skeletons=signs[:, 1],
        tags=tags,
        tag_starts=starts_of(numpy.array([len(memory.tags) for memory in memories], dtype=numpy.int64)),
        scope_names=scope_names,
        tag_names=tag_names,
    )
    return MemoryBlock(replace(arrays, **vector_arrays(vectors, embedder)), columns)


def _numbered(given: list[str]) -> tuple[list[str], Array]:
    names = sorted(set(given))
    numbers = {name: number for number, name in enumerate(names)}
    return names, numpy.array([numbers[name] for name in given], dtype=numpy.int32)


def _vectors(stored: list[bytes], counts: list[int]) -> Array:
    width = max((len(one) // count for one, count in zip(stored, counts, strict=True)), default=0)
    filled = [one or bytes(count * width) for one, count in zip(stored, counts, strict=True)]
    return numpy.frombuffer(b"".join(filled), dtype=numpy.int8).reshape(sum(counts), width)


def join_blocks(blocks: Sequence[MemoryBlock]) -> MemoryBlock:
    """All memories in the order of their keys, which must differ."""
    left = sorted(blocks, key=len)
    while len(left) > 1:
        left = [_joined(left[0], left[1]), *left[2:]]
    return left[0] if left else make_block([], "")


def chosen_block(block: MemoryBlock, chosen: Array) -> MemoryBlock:
    """Only the chosen memories, given as a mask; no word of another stays."""
    if chosen.all():
        return block
    rows = numpy.flatnonzero(chosen[block.arrays.sections])
    columns = _join_columns([block.columns], numpy.flatnonzero(chosen))
    return _of_rows([block.arrays], rows, columns, block.columns.keys[block.arrays.sections[rows]])


def _joined(one: MemoryBlock, other: MemoryBlock) -> MemoryBlock:
    keys = numpy.concatenate((one.columns.keys, other.columns.keys))
    columns = _join_columns([one.columns, other.columns], numpy.argsort(keys, kind="stable"))
    owners = numpy.concatenate([block.columns.keys[block.arrays.sections] for block in (one, other)])
    order = numpy.argsort(owners, kind="stable")
    return _of_rows([one.arrays, other.arrays], order, columns, owners[order])


def _of_rows(parts: list[IndexArrays], order: Array, columns: MemoryColumns, owners: Array) -> MemoryBlock:
    """`order`: numbers of rows, counted through all parts; `owners`: the key of each row's memory. Rows without vectors
    are nowhere near."""
    before = len(parts[0].sections)
    of_second = order >= before
    joined = Gathered()
    join_rows(parts, stretches_of(of_second.astype(numpy.int64), order - before * of_second), joined)
    sections = numpy.searchsorted(columns.keys, owners).astype(numpy.int32)
    given = numpy.arange(len(columns.keys), dtype=numpy.int32)
    return MemoryBlock(IndexArrays(given=given, sections=sections, pages=sections, **joined), columns)


def _join_columns(parts: Sequence[MemoryColumns], order: Array) -> MemoryColumns:
    scope_names, scopes = unite([(part.scope_names, part.scopes) for part in parts])
    tag_names, tags = unite([(part.tag_names, part.tags) for part in parts])
    tagged = Rows(tags, starts_of(numpy.concatenate([numpy.diff(part.tag_starts) for part in parts])))
    scope_names, scopes = unite([(scope_names, scopes[order])])  # once more: no name stays of what is left out
    tag_names, tags = unite([(tag_names, tags[rows_of(tagged, order)])])
    return MemoryColumns(
        **{name: numpy.concatenate([getattr(part, name) for part in parts])[order] for name in _PLAIN_COLUMNS},
        scopes=scopes,
        tags=tags,
        tag_starts=starts_of(numpy.diff(tagged.starts)[order]),
        scope_names=scope_names,
        tag_names=tag_names,
    )


def unite(parts: Sequence[tuple[list[str], Array]]) -> tuple[list[str], Array]:
    """(names, numbers): all numbers one after the other, as numbers of all names that are used."""
    used = [numpy.unique(numbers).tolist() for _, numbers in parts]
    names = sorted({own[number] for (own, _), some in zip(parts, used, strict=True) for number in some})
    places = {name: place for place, name in enumerate(names)}
    found = []
    for (own, numbers), some in zip(parts, used, strict=True):
        renumbered = numpy.zeros(len(own) + 1, dtype=numpy.int32)
        renumbered[some] = [places[own[number]] for number in some]
        found.append(renumbered[numbers])
    return names, numpy.concatenate([numpy.zeros(0, dtype=numpy.int32), *found])


def pack_block(block: MemoryBlock) -> bytes:
    """Equal memories give equal bytes."""
    columns = dump(replace(block.columns, tag_names=list(map(json.dumps, block.columns.tag_names))))
    return len(columns).to_bytes(8, "little") + columns + dump(block.arrays)


def unpack_block(content: bytes) -> MemoryBlock:
    """Raises ValueError for bytes of another version: they are then read anew."""
    size = 8 + int.from_bytes(content[:8], "little")
    columns = load(memoryview(content)[8:size], MemoryColumns)
    columns = replace(columns, tag_names=list(map(json.loads, columns.tag_names)))
    return MemoryBlock(load(memoryview(content)[size:]), columns)
