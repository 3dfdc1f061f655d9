"""The rows of all memories when a process opens the store: segments, and what they do not hold as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.entities.memory_index_rows import IndexedMemory
from loreweave.memory.search.index_vocabulary import IndexVocabulary
from loreweave.memory.search.memory_rows import MemoryRows
from loreweave.memory.search.memory_segments import unpack_rows
from loreweave.seams.storage import memory_index_shelf as shelf
from loreweave.seams.storage.store import Connection

Array = numpy.ndarray
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
