"""Rows in the store: many memories in a segment, and one by one where no segment holds them as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy

from loreweave.entities.stored_memory import IndexedMemory
from loreweave.memory.search.memory_rows import IndexVocabulary, MemoryRows
from loreweave.seams.storage import memory_index_shelf as shelf
from loreweave.seams.storage.store import Connection

Array = numpy.ndarray
_MAGIC = b"lore-memories-1\n"


def pack_rows(rows: MemoryRows, vocabulary: IndexVocabulary) -> bytes:
    """Equal rows give equal bytes only within one process: numbers follow its vocabulary."""
    words, tokens = _renumbered(rows.tokens >> 1, vocabulary.spellings)
    scopes, scope_numbers = _renumbered(rows.scopes, list(vocabulary.scopes))
    tags, tag_numbers = _renumbered(rows.tags, list(vocabulary.tags))
    changed = {"tokens": 2 * tokens + (rows.tokens & 1), "scopes": scope_numbers, "tags": tag_numbers}
    arrays = {entry.name: changed.get(entry.name, getattr(rows, entry.name)) for entry in fields(MemoryRows)}
    head = {
        "words": words,
        "scopes": scopes,
        "tags": tags,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    opening = json.dumps(head, ensure_ascii=False).encode()
    parts = [numpy.ascontiguousarray(array).tobytes() for array in arrays.values()]
    return b"".join([_MAGIC, len(opening).to_bytes(8, "little"), opening, *parts])


def unpack_rows(content: bytes, vocabulary: IndexVocabulary) -> MemoryRows:
    """Raises ValueError for bytes of another version: they are then read anew."""
    if not content.startswith(_MAGIC):
        raise ValueError("These bytes hold no memories of this version")
    start = len(_MAGIC) + 8
    place = start + int.from_bytes(content[len(_MAGIC) : start], "little")
    head = json.loads(content[start:place])
    arrays: dict[str, Array] = {}
    for name, kind, shape in head["arrays"]:
        count = int(numpy.prod(shape))
        arrays[name] = numpy.frombuffer(content, dtype=kind, count=count, offset=place).reshape(shape)
        place += arrays[name].nbytes
    if arrays.keys() != {entry.name for entry in fields(MemoryRows)}:
        raise ValueError("These bytes hold other columns of memories")
    words = _numbers(head["words"], vocabulary.number)
    tokens = arrays["tokens"]
    arrays["tokens"] = 2 * words[tokens >> 1] + (tokens & 1)
    arrays["scopes"] = _numbers(head["scopes"], vocabulary.scope)[arrays["scopes"]]
    arrays["tags"] = _numbers(head["tags"], vocabulary.tag)[arrays["tags"]]
    return MemoryRows(**arrays)


def _renumbered(numbers: Array, names: list[str]) -> tuple[list[str], Array]:
    used, places = numpy.unique(numbers, return_inverse=True)
    return [names[number] for number in used.tolist()], places.astype(numpy.int32)


def _numbers(names: list[str], number: Callable[[str], int]) -> Array:
    return numpy.array([number(name) for name in names], dtype=numpy.int32)


_MOSTLY = 1024  # missing memories of a bucket from which on all of it is read at once


@dataclass(frozen=True, slots=True)
class OpenedRows:
    stored: list[MemoryRows]  # from segments
    fetched: list[IndexedMemory]  # one by one
    uncovered: list[int]  # keys of those


def open_rows(connection: Connection, reader: str, vocabulary: IndexVocabulary) -> OpenedRows:
    present = numpy.array(shelf.read_key_revisions(connection), dtype=numpy.int64).reshape(-1, 2)
    present = present[numpy.argsort(present[:, 0])]
    keys, revisions = present[:, 0], present[:, 1]
    is_stored = numpy.zeros(len(keys), dtype=bool)
    stored: list[MemoryRows] = []
    for segment in shelf.read_segments(connection, reader):
        try:
            rows = unpack_rows(segment.content, vocabulary)
        except (ValueError, KeyError, TypeError):
            continue  # of another version: a cache, made anew
        inside = numpy.flatnonzero((keys // shelf.BUCKET == segment.bucket) & (revisions <= segment.revision))
        kept = numpy.flatnonzero(numpy.isin(rows.keys, keys[inside], assume_unique=True))
        stored.append(rows if len(kept) == len(rows) else rows.take(kept))
        is_stored[inside[numpy.isin(keys[inside], rows.keys, assume_unique=True)]] = True
    uncovered = keys[~is_stored].tolist()
    return OpenedRows(stored, _fetched(connection, keys[~is_stored]), uncovered)


def _fetched(connection: Connection, missing: Array) -> list[IndexedMemory]:
    buckets, counts = numpy.unique(missing // shelf.BUCKET, return_counts=True)
    found: list[IndexedMemory] = []
    for bucket in buckets[counts >= _MOSTLY].tolist():
        wanted = set(missing[missing // shelf.BUCKET == bucket].tolist())
        found += [row for row in shelf.rows_of_bucket(connection, bucket) if row.key in wanted]
    few = numpy.isin(missing // shelf.BUCKET, buckets[counts < _MOSTLY])
    return found + shelf.rows_by_key(connection, missing[few].tolist())
