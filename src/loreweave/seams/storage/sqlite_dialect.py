"""SQLite: one file, write-ahead log, several processes at once."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from loreweave.errors import Damaged, LoreError, Unavailable
from loreweave.private_folder import cannot_write, private_file, private_folder
from loreweave.seams.storage.store import REFUSED, Connection, Heard, Listening, Row, borrowed

BUSY_SECONDS = 60.0
LOOK_SECONDS = 0.05
AWAKE_SECONDS = 2.0  # of looking after a change was told: longer than a disk takes to keep it
REST_SECONDS = 5.0  # the longest without a look, should the system have told nothing
AGAIN_SECONDS = 1.0
_MODIFIED = 0x2  # IN_MODIFY of inotify
MAPPED_BYTES = 64 * 1024 * 1024  # of the file, by each connection: what is read is in memory as long as it is open
GONE = "The data folder no longer holds the database that was opened: start Loreweave anew"
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
        self._opened: tuple[int, int] | None = None  # the file that the path meant
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

    def begin_write(self) -> AbstractContextManager[SqliteConnection]:
        return self._queued(self._pool, self._connect)

    def begin_write_alone(self, name: str) -> AbstractContextManager[SqliteConnection]:
        """Every write is alone here."""
        return self._queued(self._wiping_pool, self._connect_wiping)

    @contextmanager
    def _queued(self, pool: list[sqlite3.Connection], connect: Callable[[], Any]) -> Iterator[SqliteConnection]:
        # Threads of one process queue here in order, instead of racing for the file's lock with waits between.
        with _told_plainly(), self._writing, borrowed(pool, connect) as raw:
            raw.execute("BEGIN IMMEDIATE")
            yield SqliteConnection(raw)
            self._commit(raw)

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
                self._commit(raw)
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

    def trouble(self) -> str | None:
        if self._is_gone():
            return GONE
        room = os.statvfs(self._path.parent)
        full = f"The disk of {self._path.parent} is full: nothing is written until there is room again"
        return full if room.f_bavail * room.f_frsize < LEAST_ROOM else None

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

    def _commit(self, raw: sqlite3.Connection) -> None:
        if self._is_gone():  # a file that nobody can open again takes every write, and keeps it to this process
            raise Unavailable(GONE, code=REFUSED, part="database")
        raw.execute("COMMIT")

    def _is_gone(self) -> bool:
        return self._opened is not None and self._opened != _file_at(self._path)

    def _connect_wiping(self) -> sqlite3.Connection:
        raw = self._connect()
        raw.execute("PRAGMA secure_delete = ON")
        return raw

    def _connect_hasty(self) -> sqlite3.Connection:
        raw = self._connect_wiping()
        raw.execute("PRAGMA synchronous = NORMAL")
        raw.execute("PRAGMA busy_timeout = 0")
        return raw

    def _connect(self) -> sqlite3.Connection:
        if self._is_gone():  # SQLite would make a new one
            raise Unavailable(GONE, part="database")
        try:
            raw = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            _log_ahead(raw)
            raw.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        except sqlite3.DatabaseError as trouble:
            if getattr(trouble, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN:
                raise cannot_write(self._path.parent, f"{self._path.name} cannot be opened in it") from None
            if known := self.trouble():  # SQLite tells it as any other trouble with a file
                raise Unavailable(known, code=REFUSED, part="database") from None
            raise _plain(trouble) from None
        self._opened = self._opened or _file_at(self._path)
        return raw


def _file_at(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        return (found := path.stat()).st_dev, found.st_ino
    return None


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


class FileWatch(Listening):
    """Notices that another process has changed the file: woken by the system, and looking only then. What changed
    before the first look is told as a change too.

    What is written goes to the write-ahead log first, of which the system tells, and can be read a moment later, of
    which nobody does. So a change wakes a watch that looks many times a second for a while; without any it rests.
    """

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection], heard: Heard) -> None:
        self._log = Path(f"{path}-wal")
        self._connect = connect
        super().__init__(heard)

    def _listen(self) -> None:
        while not self._closing:
            try:
                with closing(self._connect()) as raw:
                    self._look(raw)
            except (sqlite3.Error, LoreError):
                self._wait(AGAIN_SECONDS)

    def _look(self, raw: sqlite3.Connection) -> None:
        seen: int | None = None
        version = _data_version(raw)  # the first look opens the log
        told = _told_of_changes(self._log)
        awake = 0.0
        try:
            while not self._closing:
                if version != seen:
                    self._heard(None)
                    seen = version
                if awake > 0.0 or told is None:
                    self._wait(LOOK_SECONDS)
                else:
                    self._wait(REST_SECONDS, told)
                awake = AWAKE_SECONDS if told is not None and _was_told(told) else awake - LOOK_SECONDS
                version = _data_version(raw)
        finally:
            if told is not None:
                os.close(told)


def _was_told(told: int) -> bool:
    with suppress(BlockingIOError):
        return bool(os.read(told, 65536))
    return False


def _data_version(raw: sqlite3.Connection) -> int | None:
    with suppress(sqlite3.OperationalError):  # busy: look again
        return int(raw.execute("PRAGMA data_version").fetchone()[0])
    return None


def _told_of_changes(file: Path) -> int | None:
    """A descriptor that can be read when the file was written to; nothing where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return None
    system = ctypes.CDLL(None, use_errno=True)
    told = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if told < 0:
        return None
    if system.inotify_add_watch(told, os.fsencode(file), _MODIFIED) < 0:
        os.close(told)
        return None
    return int(told)
