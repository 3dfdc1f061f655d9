"""SQLite: one file, write-ahead log, several processes at once."""

import fcntl
import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from loreweave.errors import Unavailable
from loreweave.seams.storage.store import Row, borrowed

BUSY_SECONDS = 60.0


class SqliteConnection:
    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self._raw.execute(sql, parameters).fetchall()

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        return self._raw.execute(sql, parameters)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        return self._raw.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        self._raw.executemany(sql, parameters)

    def insert_many(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        marks = ",".join("?" * len(columns))
        self._raw.executemany(f"INSERT INTO {table} ({','.join(columns)}) VALUES ({marks})", rows)


class SqliteDialect:
    name = "sqlite"
    types: ClassVar[dict[str, str]] = {
        "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
        "blob": "BLOB",
        "bigint": "INTEGER",
        "real": "REAL",
        "clustered": "WITHOUT ROWID",
    }

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pool: list[sqlite3.Connection] = []
        self._writing = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def begin_read(self) -> Iterator[SqliteConnection]:
        with borrowed(self._pool, self._connect) as raw:
            raw.execute("BEGIN")
            yield SqliteConnection(raw)
            raw.execute("COMMIT")

    @contextmanager
    def begin_write(self) -> Iterator[SqliteConnection]:
        # Threads of one process queue here in order, instead of racing for the file's lock with waits between.
        with self._writing, borrowed(self._pool, self._connect) as raw:
            raw.execute("BEGIN IMMEDIATE")
            yield SqliteConnection(raw)
            raw.execute("COMMIT")

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        folder = self._path.parent / "locks"
        folder.mkdir(exist_ok=True)
        with (folder / hashlib.sha256(name.encode()).hexdigest()[:32]).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield
            finally:  # closing alone would not let go while a process begun meanwhile has the file open too
                fcntl.flock(file, fcntl.LOCK_UN)

    def close(self) -> None:
        while self._pool:
            self._pool.pop().close()

    def _connect(self) -> sqlite3.Connection:
        try:
            raw = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute("PRAGMA mmap_size = 268435456")
        except sqlite3.Error as trouble:
            raise Unavailable(f"The database cannot be opened: {trouble}", part="database") from trouble
        return raw
