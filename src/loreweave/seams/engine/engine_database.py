"""Where and how the engine records its steps: a file of its own on SQLite, a schema of its own on PostgreSQL, as JSON,
since a database is no place for code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy
from dbos import Serializer

from loreweave.clock import SystemClock
from loreweave.errors import InvalidInput, Unavailable
from loreweave.private_folder import private_file, private_folder

if TYPE_CHECKING:
    import psycopg

REFUSED = "The engine's database refused."
BUSY_SECONDS = 30
CONNECT_SECONDS = 10
PATIENCE_SECONDS = 300  # for a free connection: those who wait are many, and each is done in milliseconds
IDLE_MILLISECONDS = 60_000  # a process that froze inside a transaction lets go of its locks
CONNECTIONS = 8  # on PostgreSQL


@contextmanager
def told_plainly(sentence: str) -> Iterator[None]:
    """Without the library's own message, which repeats its statements."""
    try:
        yield
    except sqlalchemy.exc.SQLAlchemyError as trouble:
        cause = type(getattr(trouble, "orig", None) or trouble).__name__
        raise Unavailable(sentence, part="database", cause=cause) from None


def open_database(data_dir: Path, database_url: str) -> sqlalchemy.Engine:
    scheme = database_url.partition("://")[0]
    if not database_url or scheme == "sqlite":
        return _sqlite(data_dir / "engine.db")
    if scheme in ("postgresql", "postgres"):
        return _postgres(database_url)
    raise InvalidInput("LORE_DATABASE_URL must begin with sqlite:/// or postgresql://", field="LORE_DATABASE_URL")


def _sqlite(path: Path) -> sqlalchemy.Engine:
    """One connection: threads queue for it in order, instead of racing for the file's lock with waits between."""
    private_file(private_folder(path.parent) / path.name)
    database = sqlalchemy.create_engine(
        sqlalchemy.URL.create("sqlite", database=str(path)),
        poolclass=sqlalchemy.QueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=PATIENCE_SECONDS,
        hide_parameters=True,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )
    sqlalchemy.event.listen(database, "connect", _prepare_sqlite)
    sqlalchemy.event.listen(database, "begin", _begin_sqlite)
    return database


def _prepare_sqlite(raw: Any, _: Any) -> None:
    raw.isolation_level = None  # the driver would leave reads and changes of tables outside of transactions
    # DBOS trusts that a Python from 3.12 on brings a newer one.
    if raw.execute("SELECT sqlite_version() < '3.42'").fetchone()[0]:
        raw.create_function("unixepoch", 1, lambda _: SystemClock().now().timestamp())
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")  # what was recorded survives a power cut
    raw.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: sqlalchemy.Connection) -> None:
    """Every transaction is whole, new tables too: killed in the midst of its first start, the file still opens."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgres(database_url: str) -> sqlalchemy.Engine:
    """The driver reads the address itself, as it does for the store, so that every form of it works here too."""

    def connect() -> psycopg.Connection:
        import psycopg

        try:
            return psycopg.connect(database_url, connect_timeout=CONNECT_SECONDS)
        except psycopg.Error:
            # The driver's message may repeat the address, and with it a password.
            raise psycopg.OperationalError("connection failed") from None

    database = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=PATIENCE_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    sqlalchemy.event.listen(database, "connect", _prepare_postgres)
    return database


def _prepare_postgres(raw: psycopg.Connection, _: Any) -> None:
    raw.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MILLISECONDS}")
    raw.commit()


class JsonSerializer(Serializer):
    def serialize(self, data: Any) -> str:
        if isinstance(data, BaseException):  # of the database: those of a step are recorded as its outcome
            return json.dumps({"refused": type(data).__name__})
        return json.dumps(data)  # ASCII only: PostgreSQL refuses some of the rest

    def deserialize(self, serialized_data: str) -> Any:
        found = json.loads(serialized_data)
        if isinstance(found, dict) and "refused" in found:
            return Unavailable(REFUSED, part="database")
        return found

    def name(self) -> str:
        return "loreweave_json"
