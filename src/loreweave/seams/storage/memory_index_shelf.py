"""The shelf of the index over memories: what it is read from, and what is kept to read it faster."""

import json
from collections.abc import Iterable
from functools import lru_cache

from loreweave.entities.stored_memory import IndexedMemory, IndexSegment
from loreweave.seams.storage.store import Connection, Row, replacement, rows_among

BUCKET = 8192  # memories of one segment, by their keys
_ROWS = (
    "SELECT m.memory_key, m.node_id, m.scope, m.name, m.content, m.importance, m.tags, m.valid_from, m.valid_until, "
    "m.created_at, m.state, m.deleted_at, v.reader, v.vectors FROM memories m "
    "LEFT JOIN memory_vectors v ON v.memory_key = m.memory_key"
)


def bucket_of(memory_key: int) -> int:
    return memory_key // BUCKET


def read_key_revisions(connection: Connection) -> list[Row]:
    """(memory_key, revision) of all memories; read from an index alone where the database can."""
    return connection.rows("SELECT memory_key, revision FROM memories ORDER BY revision")


def rows_since(connection: Connection, revision: int) -> list[IndexedMemory]:
    return [_indexed(row) for row in connection.rows(f"{_ROWS} WHERE m.revision > ?", (revision,))]


def rows_by_key(connection: Connection, keys: Iterable[int]) -> list[IndexedMemory]:
    return [_indexed(row) for row in rows_among(connection, f"{_ROWS} WHERE m.memory_key IN", keys)]


def rows_of_bucket(connection: Connection, bucket: int) -> list[IndexedMemory]:
    sql = f"{_ROWS} WHERE m.memory_key >= ? AND m.memory_key < ?"
    return [_indexed(row) for row in connection.rows(sql, (bucket * BUCKET, (bucket + 1) * BUCKET))]


def texts_by_key(connection: Connection, keys: Iterable[int]) -> dict[int, tuple[str, tuple[str, ...], str]]:
    """(name, tags, content) by key."""
    rows = rows_among(connection, "SELECT memory_key, name, tags, content FROM memories WHERE memory_key IN", keys)
    return {key: (name, tuple(json.loads(tags)), content) for key, name, tags, content in rows}


def erased_since(connection: Connection, revision: int) -> list[int]:
    return [row[0] for row in connection.rows("SELECT memory_key FROM memory_erasures WHERE revision > ?", (revision,))]


def keep_vectors(connection: Connection, vectors: Iterable[tuple[int, str, bytes]]) -> None:
    """`vectors`: (memory_key, reader, vectors)."""
    connection.execute_many(replacement("memory_vectors", "memory_key, reader, vectors", "memory_key"), vectors)


def drop_vectors(connection: Connection, memory_key: int) -> None:
    connection.execute("DELETE FROM memory_vectors WHERE memory_key = ?", (memory_key,))


def read_segments(connection: Connection, reader: str) -> list[IndexSegment]:
    sql = "SELECT bucket, revision, content FROM memory_segments WHERE reader = ? ORDER BY bucket"
    return [IndexSegment(row[0], row[1], bytes(row[2])) for row in connection.rows(sql, (reader,))]


def is_covered(connection: Connection, reader: str, bucket: int, but: int) -> bool:
    """Whether a segment holds all memories of a bucket but so many as they are."""
    found = connection.rows(
        "SELECT s.revision FROM memory_segments s WHERE s.bucket = ? AND s.reader = ?", (bucket, reader)
    )
    if not found:
        return False
    sql = "SELECT count(*) FROM memories WHERE memory_key >= ? AND memory_key < ? AND revision > ?"
    return bool(connection.rows(sql, (bucket * BUCKET, (bucket + 1) * BUCKET, found[0][0]))[0][0] <= but)


def keep_segment(connection: Connection, reader: str, segment: IndexSegment) -> None:
    columns = "bucket, reader, revision, content"
    row = (segment.bucket, reader, segment.revision, segment.content)
    connection.execute(replacement("memory_segments", columns, "bucket"), row)


def drop_segment(connection: Connection, memory_key: int) -> None:
    """Of the bucket this memory is in: it holds its words."""
    connection.execute("DELETE FROM memory_segments WHERE bucket = ?", (bucket_of(memory_key),))


def _indexed(row: Row) -> IndexedMemory:
    fields = list(row)
    fields[6] = _tags(fields[6])
    fields[13] = bytes(fields[13] or b"")
    return IndexedMemory(*fields)


@lru_cache(maxsize=4096)
def _tags(stored: str) -> tuple[str, ...]:
    """Many memories have the same tags."""
    return tuple(json.loads(stored))
