"""The index of this process, kept up with the store, and what is stored so that the next process opens quickly.

An index is never changed: a change makes a new one that shares nearly everything with the one before (copy on write).
A lock lets one thread at a time bring it up to date; searches in others go on meanwhile.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace

import numpy

from loreweave.entities.stored_memory import MERGED, IndexedMemory, IndexSegment, Memory
from loreweave.index.index_arrays import Array
from loreweave.memory.search.memory_block import (
    MemoryBlock,
    chosen_block,
    join_blocks,
    make_block,
    pack_block,
    unpack_block,
)
from loreweave.memory.search.memory_index import MemoryIndex, Part, arrange, new_part, without_keys
from loreweave.memory.search.read_memory_text import TextReading, read_text, read_texts, reader_identity
from loreweave.seams.embedding.embedder import Embedder, LocalEmbedder
from loreweave.seams.storage import memory_index_shelf as shelf
from loreweave.seams.storage import memory_shelf
from loreweave.seams.storage.store import Connection, Store

WORTH_KEEPING = 1024  # memories of a bucket that no segment holds as they are
_READ_AT_ONCE = 256
_REMEMBERED = 4  # indexes of earlier revisions, for reads that began before the last change


class MemoryIndexLibrary:
    """`writes` is the name under which changes of memories go one after the other."""

    def __init__(self, store: Store, open_embedder: Callable[[], Embedder | None], *, writes: str = "memory") -> None:
        self._store = store
        self._open_embedder = open_embedder
        self._writes = writes
        self._lock = threading.RLock()
        self._indexes: dict[int, MemoryIndex] = {}  # by revision, the newest last
        self._unread: set[int] = set()  # keys whose stored readings are of another reader
        self._uncovered: Counter[int] = Counter()  # bucket: memories that its segment does not hold as they are
        self._embedder: Embedder | None = None
        self._is_open = False

    @property
    def embedder(self) -> Embedder | None:
        with self._lock:
            if not self._is_open:
                self._embedder = self._open_embedder()
                self._is_open = True
            return self._embedder

    def read(self, name: str, tags: Iterable[str], content: str) -> TextReading:
        """May ask a remote embedder: better before a transaction than in it."""
        return read_text(name, tags, content, self.embedder)

    def keep(self, connection: Connection, memory_key: int, reading: TextReading) -> None:
        shelf.keep_vectors(connection, [(memory_key, reading.reader, reading.vectors)])

    def drop(self, connection: Connection, memory_key: int) -> None:
        """Takes away what tells the text of a memory that is erased."""
        shelf.drop_vectors(connection, memory_key)
        shelf.drop_segment(connection, memory_key)

    def current(self, connection: Connection) -> MemoryIndex:
        """The index at the connection's revision. In a change it is asked for before anything is written."""
        revision = memory_shelf.revision_of(connection)
        with self._lock:
            known = self._indexes.get(revision)
            if known is not None:
                return known
            newest = max(self._indexes, default=None)
            if newest is None:
                parts = self._open(connection)
            elif revision < newest:  # the read is older than all that is remembered
                return self._indexes[newest]
            else:
                parts = self._updated(connection, self._indexes[newest].parts, newest)
            return self._remember(revision, parts)

    def beside(self, index: MemoryIndex, written: Sequence[tuple[Memory, TextReading]]) -> MemoryIndex:
        """The index as it will be with these memories: for the change that writes them, and kept nowhere."""
        block = self._block([_indexed(memory, reading) for memory, reading in written])
        left = without_keys(index.parts, [memory.key for memory, _ in written])
        return MemoryIndex([*left, new_part(block)], self.embedder)

    def tend(self) -> None:
        """Stores readings and segments that are missing. Best effort, outside of any transaction; cheap when idle."""
        self._store_readings()
        with self._lock:
            wanting = sorted(bucket for bucket, count in self._uncovered.items() if count >= WORTH_KEEPING)
        for bucket in wanting:
            self._store_segment(bucket)

    def _remember(self, revision: int, parts: Sequence[Part]) -> MemoryIndex:
        index = MemoryIndex(parts, self.embedder)
        self._indexes[revision] = index
        while len(self._indexes) > _REMEMBERED:
            del self._indexes[min(self._indexes)]
        return index

    def _block(self, memories: Sequence[IndexedMemory]) -> MemoryBlock:
        return make_block(memories, self.embedder.identity if self.embedder else "")

    def _open(self, connection: Connection) -> list[Part]:
        """From the stored segments, and memory by memory where none holds them as they are."""
        present = numpy.array(shelf.read_key_revisions(connection), dtype=numpy.int64).reshape(-1, 2)
        present = present[numpy.argsort(present[:, 0])]
        keys, revisions = present[:, 0], present[:, 1]
        is_stored = numpy.zeros(len(keys), dtype=bool)
        parts = []
        for segment in shelf.read_segments(connection, reader_identity(self.embedder)):
            try:
                block = unpack_block(segment.content)
            except (ValueError, KeyError, TypeError):
                continue  # of another version: a cache, made anew
            inside = (keys // shelf.BUCKET == segment.bucket) & (revisions <= segment.revision)
            parts.append(Part(block, numpy.isin(block.columns.keys, keys[inside], assume_unique=True)))
            is_stored |= inside & numpy.isin(keys, block.columns.keys, assume_unique=True)
        missing = keys[~is_stored]
        self._uncovered = Counter((missing // shelf.BUCKET).tolist())
        for bucket in sorted(self._uncovered):
            fetched = _fetched(connection, bucket, missing[missing // shelf.BUCKET == bucket])
            parts.append(new_part(self._made(connection, fetched)))
        return arrange(parts, shelf.BUCKET // 2)

    def _updated(self, connection: Connection, parts: Sequence[Part], known: int) -> list[Part]:
        changed = shelf.rows_since(connection, known)
        erased = shelf.erased_since(connection, known)
        for key in erased:  # its segment went with it
            self._uncovered[shelf.bucket_of(key)] = shelf.BUCKET
        self._uncovered.update(shelf.bucket_of(row.key) for row in changed)
        self._unread.difference_update(erased)
        return self._replaced(connection, parts, changed, erased)

    def _replaced(
        self, connection: Connection, parts: Sequence[Part], changed: list[IndexedMemory], erased: list[int]
    ) -> list[Part]:
        left = without_keys(parts, [*(row.key for row in changed), *erased])
        if changed:
            left.append(new_part(self._made(connection, changed)))
        return arrange(left, shelf.BUCKET // 2)

    def _made(self, connection: Connection, memories: list[IndexedMemory]) -> MemoryBlock:
        """What was read by another reader is read anew, though never over a network from here."""
        reader = reader_identity(self.embedder)
        stale = [memory.key for memory in memories if _is_stale(memory, reader)]
        self._unread.difference_update(memory.key for memory in memories)
        self._unread.update(stale)
        near = self.embedder if isinstance(self.embedder, LocalEmbedder) else None
        texts = [(memory.name, memory.tags, memory.content) for memory in memories if _is_stale(memory, reader)]
        vectors = dict(zip(stale, (reading.vectors for reading in read_texts(texts, near)), strict=True))
        return self._block([replace(one, vectors=vectors[one.key]) if one.key in vectors else one for one in memories])

    def _store_readings(self) -> None:
        while self._unread:
            with self._lock:
                keys = sorted(self._unread)[:_READ_AT_ONCE]
            with self._store.read() as connection:
                texts = shelf.texts_by_key(connection, keys)
            readings = read_texts(list(texts.values()), self.embedder)
            if any(reading.reader != reader_identity(self.embedder) for reading in readings):
                return  # a remote embedder is away: another time
            with self._store.write_alone(self._writes) as connection:
                now = shelf.texts_by_key(connection, keys)
                rows = [
                    (key, reading.reader, reading.vectors)
                    for (key, text), reading in zip(texts.items(), readings, strict=True)
                    if now.get(key) == text
                ]
                shelf.keep_vectors(connection, rows)
            self._read_again(keys)

    def _read_again(self, keys: list[int]) -> None:
        """Takes newly stored readings into the index, though no memory changed."""
        with self._store.read() as connection, self._lock:
            self._unread.difference_update(keys)
            index = self.current(connection)
            fetched = shelf.rows_by_key(connection, keys)
            self._uncovered.update(shelf.bucket_of(row.key) for row in fetched)
            self._remember(memory_shelf.revision_of(connection), self._replaced(connection, index.parts, fetched, []))

    def _store_segment(self, bucket: int) -> None:
        """In a change of its own: nobody erases one of its memories meanwhile."""
        with self._store.write_alone(self._writes) as connection, self._lock:
            index = self.current(connection)
            self._uncovered.pop(bucket, None)
            reader = reader_identity(self.embedder)
            if shelf.is_covered(connection, reader, bucket, WORTH_KEEPING // 2):
                return  # by another process
            block = _block_of_bucket(index, bucket)
            if len(block) < WORTH_KEEPING or any(shelf.bucket_of(key) == bucket for key in self._unread):
                return
            segment = IndexSegment(bucket, memory_shelf.revision_of(connection), pack_block(block))
            shelf.keep_segment(connection, reader, segment)


def _is_stale(memory: IndexedMemory, reader: str) -> bool:
    return memory.reader != reader and memory.state != MERGED


def _indexed(memory: Memory, reading: TextReading) -> IndexedMemory:
    *own, _, _ = fields(IndexedMemory)
    values = [getattr(memory, field.name) for field in own]
    return IndexedMemory(*[*values, reading.reader, reading.vectors])


def _block_of_bucket(index: MemoryIndex, bucket: int) -> MemoryBlock:
    first, last = bucket * shelf.BUCKET, (bucket + 1) * shelf.BUCKET
    chosen = []
    for part in index.parts:
        keys = part.block.columns.keys
        inside = part.present & (keys >= first) & (keys < last)
        if inside.any():
            chosen.append(chosen_block(part.block, inside))
    return join_blocks(chosen)


def _fetched(connection: Connection, bucket: int, keys: Array) -> list[IndexedMemory]:
    if len(keys) < WORTH_KEEPING:
        return shelf.rows_by_key(connection, keys.tolist())
    wanted = set(keys.tolist())
    return [row for row in shelf.rows_of_bucket(connection, bucket) if row.key in wanted]
