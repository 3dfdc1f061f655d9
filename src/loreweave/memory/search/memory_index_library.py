"""The index of this process, kept up with the store, and what is stored so that the next process opens quickly.

An index is never changed: a change makes a new one that shares nearly everything with the one before (copy on write).
A lock lets one thread at a time bring it up to date; searches in others go on meanwhile.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from loreweave.entities.stored_memory import MERGED, IndexedMemory, IndexSegment, Memory
from loreweave.memory.search.index_parts import Part, arrange, new_part, present_rows, without_keys
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_rows import IndexVocabulary, MemoryRows, join_rows, make_rows
from loreweave.memory.search.read_memory_text import TextReading, read_text, read_texts, reader_identity
from loreweave.memory.search.stored_rows import open_rows, pack_rows
from loreweave.seams.embedding.embedder import Embedder, LocalEmbedder
from loreweave.seams.storage import memory_index_shelf as shelf
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
        self._vocabulary = IndexVocabulary()
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
        shelf.keep_readings(connection, [(memory_key, reading.reader, reading.words, reading.vectors)])

    def drop(self, connection: Connection, memory_key: int) -> None:
        """Takes away what tells the text of a memory that is erased."""
        shelf.drop_reading(connection, memory_key)
        shelf.drop_segment(connection, memory_key)

    def current(self, connection: Connection) -> MemoryIndex:
        """The index at the connection's revision. In a change it is asked for before anything is written."""
        revision = shelf.read_revision(connection)
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
        with self._lock:
            rows = make_rows([_indexed(memory, reading) for memory, reading in written], self._vocabulary)
            left = without_keys(index.parts, [memory.key for memory, _ in written])
            return MemoryIndex([*left, new_part(rows, self._vocabulary)], self._vocabulary, self.embedder)

    def tend(self) -> None:
        """Stores readings and segments that are missing. Best effort, outside of any transaction; cheap when idle."""
        self._store_readings()
        with self._lock:
            wanting = sorted(bucket for bucket, count in self._uncovered.items() if count >= WORTH_KEEPING)
        for bucket in wanting:
            self._store_segment(bucket)

    def _remember(self, revision: int, parts: Sequence[Part]) -> MemoryIndex:
        index = MemoryIndex(parts, self._vocabulary, self.embedder)
        self._indexes[revision] = index
        while len(self._indexes) > _REMEMBERED:
            del self._indexes[min(self._indexes)]
        return index

    def _open(self, connection: Connection) -> list[Part]:
        opened = open_rows(connection, reader_identity(self.embedder), self._vocabulary)
        self._uncovered = Counter(map(shelf.bucket_of, opened.uncovered))
        fetched = self._made_rows(connection, opened.fetched)
        rows = join_rows([*opened.stored, fetched])
        return [new_part(rows, self._vocabulary)] if len(rows) else []

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
            left.append(new_part(self._made_rows(connection, changed), self._vocabulary))
        return arrange(left, self._vocabulary)

    def _made_rows(self, connection: Connection, memories: list[IndexedMemory]) -> MemoryRows:
        """Rows of memories; what was read by another reader is read anew, though never over a network from here."""
        reader = reader_identity(self.embedder)
        stale = [memory.key for memory in memories if memory.reader != reader and memory.state != MERGED]
        self._unread.difference_update(memory.key for memory in memories)
        self._unread.update(stale)
        readings = self._readings_of(shelf.texts_by_key(connection, stale)) if stale else {}
        return make_rows(
            [
                replace(memory, words=readings[memory.key].words, vectors=readings[memory.key].vectors)
                if memory.key in readings
                else memory
                for memory in memories
            ],
            self._vocabulary,
        )

    def _readings_of(self, texts: dict[int, tuple[str, tuple[str, ...], str]]) -> dict[int, TextReading]:
        near = self.embedder if isinstance(self.embedder, LocalEmbedder) else None
        return dict(zip(texts, read_texts(list(texts.values()), near), strict=True))

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
                    (key, reading.reader, reading.words, reading.vectors)
                    for (key, text), reading in zip(texts.items(), readings, strict=True)
                    if now.get(key) == text
                ]
                shelf.keep_readings(connection, rows)
            self._read_again(keys)

    def _read_again(self, keys: list[int]) -> None:
        """Takes newly stored readings into the index, though no memory changed."""
        with self._store.read() as connection, self._lock:
            self._unread.difference_update(keys)
            index = self.current(connection)
            fetched = shelf.rows_by_key(connection, keys)
            self._uncovered.update(shelf.bucket_of(row.key) for row in fetched)
            self._remember(shelf.read_revision(connection), self._replaced(connection, index.parts, fetched, []))

    def _store_segment(self, bucket: int) -> None:
        """In a change of its own: nobody erases one of its memories meanwhile."""
        with self._store.write_alone(self._writes) as connection, self._lock:
            index = self.current(connection)
            self._uncovered.pop(bucket, None)
            reader = reader_identity(self.embedder)
            if shelf.is_covered(connection, reader, bucket, WORTH_KEEPING // 2):
                return  # by another process
            rows = _rows_of_bucket(index, bucket)
            if rows is None or any(shelf.bucket_of(key) == bucket for key in self._unread):
                return
            segment = IndexSegment(bucket, shelf.read_revision(connection), pack_rows(rows, self._vocabulary))
            shelf.keep_segment(connection, reader, segment)


def _indexed(memory: Memory, reading: TextReading) -> IndexedMemory:
    return IndexedMemory(
        key=memory.key,
        node_id=memory.node_id,
        scope=memory.scope,
        importance=memory.importance,
        tags=memory.tags,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        created_at=memory.created_at,
        state=memory.state,
        deleted_at=memory.deleted_at,
        reader=reading.reader,
        words=reading.words,
        vectors=reading.vectors,
    )


def _rows_of_bucket(index: MemoryIndex, bucket: int) -> MemoryRows | None:
    """None where the bucket is hardly filled."""
    first, last = bucket * shelf.BUCKET, (bucket + 1) * shelf.BUCKET
    chosen = []
    for part in index.parts:
        keys = part.block.rows.keys
        inside = part.present & (keys >= first) & (keys < last)
        if inside.any():
            chosen.append(present_rows(Part(part.block, inside)))
    rows = join_rows(chosen) if chosen else None
    return rows if rows is not None and len(rows) >= WORTH_KEEPING else None
