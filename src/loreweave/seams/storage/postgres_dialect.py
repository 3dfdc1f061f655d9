"""PostgreSQL: several servers on one database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any, ClassVar

import psycopg

from loreweave.errors import Damaged, Unavailable
from loreweave.seams.storage.store import REFUSED, Connection, Heard, Listening, Row, borrowed

AGAIN_SECONDS = 1.0
_SAID = re.compile(r"FATAL:  (.+)|(Connection refused|timeout expired|Name or service not known)")


@lru_cache(maxsize=512)
def _spelled(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresConnection:
    def __init__(self, raw: psycopg.Connection) -> None:
        self._raw = raw
        self._news: list[tuple[str, str]] = []

    def add_news(self, channel: str, text: str) -> None:
        self._news.append((channel, text))

    def tell_news(self) -> None:
        """All at once: each statement is a way to the server and back."""
        if self._news:
            channels, texts = (list(part) for part in zip(*self._news, strict=True))
            notify = (
                "SELECT pg_notify(news.channel, news.text) FROM unnest(%s::text[], %s::text[]) news (channel, text)"
            )
            self._raw.execute(notify, (channels, texts))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self._raw.execute(_spelled(sql), parameters).fetchall()

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        with self._raw.cursor("stream") as cursor:
            cursor.itersize = 1000
            cursor.execute(_spelled(sql), parameters)
            yield from cursor

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        return self._raw.execute(_spelled(sql), parameters).rowcount

    def execute_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        with self._raw.cursor() as cursor:
            cursor.executemany(_spelled(sql), list(parameters))

    def insert_many(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        statement = f"COPY {table} ({','.join(columns)}) FROM STDIN"
        with self._raw.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)


def _kind(trouble: psycopg.Error) -> str:
    return f"{type(trouble).__name__} ({trouble.sqlstate or 'no code'})"


def _reason(trouble: psycopg.Error) -> str:
    """What the server said, or that none was there. The driver's other words may repeat a password."""
    words = _SAID.search(str(trouble))
    return f": {words[1] or words[2]}" if words else ""


def _number(name: str) -> int:
    """The number of an advisory lock."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


class PostgresDialect:
    name = "postgresql"
    types: ClassVar[dict[str, str]] = {
        "serial": "BIGSERIAL PRIMARY KEY",
        "blob": "BYTEA",
        "bigint": "BIGINT",
        "real": "DOUBLE PRECISION",
        "clustered": "",
    }

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: list[psycopg.Connection] = []

    def begin_read(self) -> AbstractContextManager[PostgresConnection]:
        return self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    @contextmanager
    def begin_glance(self) -> Iterator[PostgresConnection]:
        with self._spoken_to() as raw:
            yield PostgresConnection(raw)

    def begin_write(self) -> AbstractContextManager[PostgresConnection]:
        return self._transaction("BEGIN")

    @contextmanager
    def begin_write_alone(self, name: str) -> Iterator[PostgresConnection]:
        with self._transaction("BEGIN") as connection:
            connection.rows("SELECT pg_advisory_xact_lock(?)", (_number(name),))
            yield connection

    @contextmanager
    def begin_write_if_free(self, name: str) -> Iterator[PostgresConnection | None]:
        with self._transaction("BEGIN") as connection:
            connection.execute("SET LOCAL synchronous_commit = off")
            is_free = connection.rows("SELECT pg_try_advisory_xact_lock(?)", (_number(name),))[0][0]
            yield connection if is_free else None

    def wipe(self, tables: Sequence[str], seconds: float) -> bool:
        with self._spoken_to() as raw:
            raw.execute(f"VACUUM {', '.join(tables)}")
        return True

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[PostgresConnection]:
        with self._spoken_to() as raw:
            raw.execute(begin)
            connection = PostgresConnection(raw)
            yield connection
            connection.tell_news()
            raw.execute("COMMIT")

    @contextmanager
    def _spoken_to(self) -> Iterator[psycopg.Connection]:
        """A connection whose refusals are told plainly."""
        try:
            with borrowed(self._pool, self._connect) as raw:
                yield raw
        except (psycopg.errors.DiskFull, psycopg.errors.ReadOnlySqlTransaction) as trouble:
            raise Unavailable(
                f"The database refused: {trouble.diag.message_primary}", code=REFUSED, part="database"
            ) from None
        except psycopg.OperationalError:
            self.close()  # the other connections of the pool are as old as this one: the next try makes new ones
            raise Unavailable("The PostgreSQL database went away; try again.", part="database") from None
        except psycopg.ProgrammingError as trouble:
            if isinstance(trouble, (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)):
                raise Damaged(_kind(trouble)) from None
            raise  # a fault of ours
        except psycopg.DatabaseError as trouble:
            raise Damaged(_kind(trouble)) from None  # its words quote rows

    def trouble(self) -> str | None:
        return None  # its disk is not ours to see; a write that fails tells

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        number = _number(name)
        with self._spoken_to() as raw:
            raw.execute("SELECT pg_advisory_lock(%s)", (number,))
            try:
                yield
            finally:
                raw.execute("SELECT pg_advisory_unlock(%s)", (number,))

    def announce(self, connection: Connection, channel: str, text: str) -> None:
        assert isinstance(connection, PostgresConnection)
        connection.add_news(channel, text)

    def listen(self, channel: str, heard: Heard) -> PostgresEar:
        return PostgresEar(self._connect, channel, heard)

    def close(self) -> None:
        while self._pool:
            self._pool.pop().close()

    def _connect(self) -> psycopg.Connection:
        try:
            raw = psycopg.connect(self._url, autocommit=True, connect_timeout=10, client_encoding="utf8")
        except psycopg.Error as trouble:
            raise Unavailable(
                f"The PostgreSQL database cannot be reached{_reason(trouble)}.", part="database"
            ) from None
        encoding = raw.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raw.close()
            needed = f"is encoded in {encoding} and has to be in UTF8: make one WITH ENCODING 'UTF8' TEMPLATE template0"
            raise Unavailable(f"The PostgreSQL database {needed}.", part="database")
        return raw


class PostgresEar(Listening):
    """One connection that listens, made again when it breaks; what was missed meanwhile is told as a change."""

    def __init__(self, connect: Callable[[], psycopg.Connection], channel: str, heard: Heard) -> None:
        self._connect = connect
        self._channel = channel
        super().__init__(heard)

    def _listen(self) -> None:
        while not self._closing:
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {self._channel}")
                    self._heard(None)
                    self._hear(connection)
            except (psycopg.Error, Unavailable):
                self._wait(AGAIN_SECONDS)

    def _hear(self, connection: psycopg.Connection) -> None:
        """Rests until the server has something to say; a connection that broke says so too."""
        while not self._closing:
            for notice in connection.notifies(timeout=0):
                self._heard(notice.payload)
            self._wait(None, connection.fileno())
