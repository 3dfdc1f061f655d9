"""SQLite: one file, write-ahead log, several processes at once."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from loreweave.errors import Damaged, Unavailable
from loreweave.private_folder import cannot_write, private_file, private_folder
from loreweave.seams.storage.file_watch import LOOK_SECONDS, FileWatch
from loreweave.seams.storage.store import REFUSED, Connection, Heard, Row, borrowed

BUSY_SECONDS = 60.0
LEAST_ROOM = 256 * 1024  # bytes: less is needed for a write of any size


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
        self._wiping_pool: list[sqlite3.Connection] = []  # what these delete is overwritten with zeros
        self._hasty_pool: list[sqlite3.Connection] = []  # these neither wait for a lock nor for the disk
        self._writing = threading.Lock()
        private_file(private_folder(path.parent) / path.name)

    @contextmanager
    def begin_read(self) -> Iterator[SqliteConnection]:
        with _told_plainly(), borrowed(self._pool, self._connect) as raw:
            raw.execute("BEGIN")
            yield SqliteConnection(raw)
            raw.execute("COMMIT")

    @contextmanager
    def begin_glance(self) -> Iterator[SqliteConnection]:
        with _told_plainly(), borrowed(self._pool, self._connect) as raw:
            yield SqliteConnection(raw)

    @contextmanager
    def begin_write(self) -> Iterator[SqliteConnection]:
        # Threads of one process queue here in order, instead of racing for the file's lock with waits between.
        with _told_plainly(), self._writing, borrowed(self._pool, self._connect) as raw:
            raw.execute("BEGIN IMMEDIATE")
            yield SqliteConnection(raw)
            raw.execute("COMMIT")

    @contextmanager
    def begin_write_alone(self, name: str) -> Iterator[SqliteConnection]:
        """Every write is alone here."""
        with _told_plainly(), self._writing, borrowed(self._wiping_pool, self._connect_wiping) as raw:
            raw.execute("BEGIN IMMEDIATE")
            yield SqliteConnection(raw)
            raw.execute("COMMIT")

    @contextmanager
    def begin_write_if_free(self, name: str) -> Iterator[SqliteConnection | None]:
        if not self._writing.acquire(blocking=False):
            yield None
            return
        try:
            with _told_plainly(), borrowed(self._hasty_pool, self._connect_hasty) as raw:
                if not _begun(raw):
                    yield None
                    return
                yield SqliteConnection(raw)
                raw.execute("COMMIT")
        finally:
            self._writing.release()

    def wipe(self, tables: Sequence[str], seconds: float) -> bool:
        """Rows are overwritten already; the write-ahead log still tells them."""
        with _told_plainly(), self._writing, borrowed(self._wiping_pool, self._connect_wiping) as raw:
            raw.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
            try:
                busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                raw.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
        return not busy

    def is_full(self) -> bool:
        room = os.statvfs(self._path.parent)
        return room.f_bavail * room.f_frsize < LEAST_ROOM

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        folder = private_folder(self._path.parent / "locks")
        with private_file(folder / hashlib.sha256(name.encode()).hexdigest()[:32]).open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield
            finally:  # closing alone would not let go while a process begun meanwhile has the file open too
                fcntl.flock(file, fcntl.LOCK_UN)

    def announce(self, connection: Connection, channel: str, text: str) -> None:
        """The file itself tells that it changed."""

    def listen(self, channel: str, heard: Heard) -> FileWatch:
        return FileWatch(self._path, self._connect, heard)

    def close(self) -> None:
        for pool in (self._pool, self._wiping_pool, self._hasty_pool):
            while pool:
                pool.pop().close()

    def _connect_wiping(self) -> sqlite3.Connection:
        raw = self._connect()
        raw.execute("PRAGMA secure_delete = ON")
        return raw

    def _connect_hasty(self) -> sqlite3.Connection:
        raw = self._connect()
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("PRAGMA synchronous = NORMAL")
        raw.execute("PRAGMA busy_timeout = 0")
        return raw

    def _connect(self) -> sqlite3.Connection:
        try:
            raw = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            _log_ahead(raw)
            raw.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute("PRAGMA mmap_size = 268435456")
        except sqlite3.DatabaseError as trouble:
            if getattr(trouble, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN:
                raise cannot_write(self._path.parent, f"{self._path.name} cannot be opened in it") from None
            raise _plain(trouble) from None
        return raw


# Disk full, read-only, locked too long, unreadable: nothing was changed, and a later try may do better.
_PASSING = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
}


@contextmanager
def _told_plainly() -> Iterator[None]:
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a fault of ours
    except sqlite3.DatabaseError as trouble:
        raise _plain(trouble) from None  # its words may quote a row


def _plain(trouble: sqlite3.DatabaseError) -> Unavailable:
    code = getattr(trouble, "sqlite_errorcode", None)
    if code is None:  # the driver's own: it quotes what it could not read
        return Damaged("a text is not readable")
    if code & 0xFF in _PASSING:
        return Unavailable(f"The database refused: {trouble}", code=REFUSED, part="database")
    if isinstance(trouble, sqlite3.IntegrityError):  # a rule's own words may quote the row that it refused
        return Damaged(f"a rule of its tables refuses a row ({trouble.sqlite_errorname})")
    return Damaged(str(trouble))


def _log_ahead(raw: sqlite3.Connection) -> None:
    """Only the first opening changes the file. SQLite does not wait for another that changes it at that moment."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            raw.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
        time.sleep(LOOK_SECONDS)


def _begun(raw: sqlite3.Connection) -> bool:
    try:
        raw.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as trouble:
        if trouble.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True
