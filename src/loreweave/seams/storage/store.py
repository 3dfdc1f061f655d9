"""The store: one database behind two dialects, spoken to in words both know.

SQL is written with `?` and only in the shelves beside this file. A read is one snapshot; a write is one transaction.
"""

import os
import select
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from typing import Any, ClassVar, Protocol

from loreweave.errors import Unavailable

Row = tuple[Any, ...]
REFUSED = "storage"  # the code of a refusal to write: a full disk, a database that may only be read


class Connection(Protocol):
    """One transaction of either dialect."""

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]: ...

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]: ...

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Runs a statement; answers how many rows it touched."""

    def execute_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None: ...

    def insert_many(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Adds rows in bulk, by whatever is fastest in the dialect."""


Heard = Callable[[str | None], None]


class Listening(ABC):
    """Calls `heard` in a thread of its own, which rests until something is told or it is closed."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._closing = False
        self._ear, self._mouth = os.pipe()
        self._thread = threading.Thread(target=self._listen, name="loreweave-ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing = True
        os.write(self._mouth, b"x")
        self._thread.join()
        os.close(self._ear)
        os.close(self._mouth)

    @abstractmethod
    def _listen(self) -> None:
        """Until it is closed."""

    def _wait(self, seconds: float | None, *told: int) -> None:
        watched = select.poll()  # `select` knows no descriptor beyond 1,023, and a server may have more of them
        for descriptor in (self._ear, *told):
            watched.register(descriptor, select.POLLIN)
        watched.poll(None if seconds is None else seconds * 1000)


class Dialect(Protocol):
    """What differs between the databases."""

    name: str
    types: ClassVar[dict[str, str]]  # words of the migrations that each dialect spells its own way

    def begin_read(self) -> AbstractContextManager[Connection]: ...

    def begin_glance(self) -> AbstractContextManager[Connection]: ...

    def begin_write(self) -> AbstractContextManager[Connection]: ...

    def begin_write_alone(self, name: str) -> AbstractContextManager[Connection]: ...

    def begin_write_if_free(self, name: str) -> AbstractContextManager[Connection | None]: ...

    def wipe(self, tables: Sequence[str], seconds: float) -> bool: ...

    def trouble(self) -> str | None:
        """Why nothing can be written, where that can be seen without trying."""

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Holds a named lock against every process on this store; a process that dies lets go."""

    def announce(self, connection: Connection, channel: str, text: str) -> None: ...

    def listen(self, channel: str, heard: Heard) -> Listening: ...

    def close(self) -> None: ...


class Store:
    """Opens transactions; knows nothing of what is kept."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._refusal: str | None = None  # what the last write was refused with

    @property
    def database(self) -> str:
        return self._dialect.name

    def read(self) -> AbstractContextManager[Connection]:
        """A snapshot: what other transactions commit meanwhile is not seen."""
        return self._dialect.begin_read()

    def glance(self) -> AbstractContextManager[Connection]:
        """For one reading statement, which is a snapshot by itself and saves what a transaction costs."""
        return self._dialect.begin_glance()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it, or, after an exception, nothing."""
        try:
            with self._dialect.begin_write() as connection:
                yield connection
        except Unavailable as trouble:
            if trouble.code == REFUSED:
                self._refusal = trouble.message
            raise
        self._refusal = None

    def keep(self, write: Callable[[Connection], None]) -> bool:
        """For what only saves the next reader work: where it cannot be written, reading goes on without."""
        with suppress(Unavailable), self.write() as connection:
            write(connection)
            return True
        return False

    def why_unwritable(self) -> str | None:
        """Nothing, or why writes are refused just now; after a refusal it is tried whether that still holds."""
        if trouble := self._dialect.trouble():
            return trouble
        return None if self._refusal is None or self.keep(_touch) else self._refusal

    def write_alone(self, name: str) -> AbstractContextManager[Connection]:
        """A write beside which no other of this name runs, in any process. What it deletes is overwritten."""
        return self._dialect.begin_write_alone(name)

    def write_if_free(self, name: str) -> AbstractContextManager[Connection | None]:
        """The same without waiting: nothing is given where another writes. A power cut may take it back."""
        return self._dialect.begin_write_if_free(name)

    def wipe(self, tables: Sequence[str], seconds: float = 10.0) -> bool:
        """Clears what deleted rows of these tables left in the database's files; false where others held it up."""
        return self._dialect.wipe(tables, seconds)

    def lock(self, name: str) -> AbstractContextManager[None]:
        return self._dialect.lock(name)

    def announce(self, connection: Connection, channel: str, text: str) -> None:
        """Tells the other processes on this store, once the transaction is committed."""
        self._dialect.announce(connection, channel, text)

    def listen(self, channel: str, heard: Heard) -> Listening:
        """Calls `heard`, in a thread of its own, with what others announce; with nothing where it can only be told
        that something may have changed."""
        return self._dialect.listen(channel, heard)

    def close(self) -> None:
        self._dialect.close()


def _touch(connection: Connection) -> None:
    connection.execute("UPDATE schema_steps SET name = name WHERE number = 1")


MOST_KEYS = 500  # in one IN (…), well under every dialect's limit


def rows_among(connection: Connection, sql: str, keys: Iterable[Any], given: Sequence[Any] = ()) -> Iterator[Row]:
    """The rows of a statement that ends with `IN`, whose other values are `given`, for any number of keys."""
    left = iter(dict.fromkeys(keys))
    while some := list(islice(left, MOST_KEYS)):
        yield from connection.rows(f"{sql} ({','.join('?' * len(some))})", (*given, *some))


def insertion(table: str, columns: str, rest: str = "") -> str:
    """The statement that adds a row of these columns; `rest` is what stands behind the values."""
    marks = ", ".join("?" for _ in columns.split(","))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) {rest}"


def replacement(table: str, columns: str, key: str) -> str:
    """The same; a row that has the key already gets the other columns."""
    others = [name for name in columns.split(", ") if name not in key.split(", ")]
    taken = ", ".join(f"{name} = excluded.{name}" for name in others)
    return insertion(table, columns, f"ON CONFLICT ({key}) DO UPDATE SET {taken}")


def one_row(connection: Connection, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
    return next(iter(connection.rows(sql, parameters)), None)


@contextmanager
def borrowed(pool: list[Any], make: Any) -> Iterator[Any]:
    """Takes a connection from a pool, or makes one; an exception takes its transaction back."""
    try:
        connection = pool.pop()
    except IndexError:
        connection = make()
    try:
        yield connection
    except BaseException:
        _take_back(connection, pool)
        raise
    pool.append(connection)


def _take_back(connection: Any, pool: list[Any]) -> None:
    try:
        connection.rollback()
    except Exception:  # the connection itself is broken: the next borrower makes a new one
        connection.close()
    else:
        pool.append(connection)
