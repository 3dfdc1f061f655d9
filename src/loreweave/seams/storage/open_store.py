"""Chooses the dialect by the database's address and brings the tables up to date."""

from contextlib import closing
from pathlib import Path

from loreweave.errors import Conflict, InvalidInput
from loreweave.private_folder import tighten
from loreweave.seams.storage.migrations import MIGRATIONS
from loreweave.seams.storage.store import Connection, Dialect, Store
from loreweave.settings import sqlite_file


def open_store(data_dir: Path, database_url: str = "") -> Store:
    """`sqlite:///path`, `postgresql://…`, or nothing for `lore.db` in the data folder."""
    tighten(data_dir)
    dialect = _dialect(data_dir, database_url)
    try:
        migrate(dialect)
    except BaseException:
        dialect.close()
        raise
    return Store(dialect)


def holds_library(data_dir: Path, database_url: str) -> bool:
    """Whether anybody has written there; looking makes nothing."""
    file = sqlite_file(data_dir, database_url)
    if file is not None:
        return file.exists()
    with closing(_dialect(data_dir, database_url)) as dialect:
        return _steps_taken(dialect) > 0


def _dialect(data_dir: Path, database_url: str) -> Dialect:
    file = sqlite_file(data_dir, database_url)
    if file is not None:
        from loreweave.seams.storage.sqlite_dialect import SqliteDialect

        return SqliteDialect(file)
    if database_url.startswith(("postgresql://", "postgres://")):
        from loreweave.seams.storage.postgres_dialect import PostgresDialect

        return PostgresDialect(database_url)
    raise InvalidInput("LORE_DATABASE_URL must begin with sqlite:/// or postgresql://", field="LORE_DATABASE_URL")


def migrate(dialect: Dialect) -> None:
    """Takes the missing steps; several processes opening a new store at once take each step once."""
    if _steps_taken(dialect) == len(MIGRATIONS):
        return
    with dialect.lock("migrations"), dialect.begin_write() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        taken = len(connection.rows("SELECT number FROM schema_steps"))
        _refuse_newer(taken)
        for number, (name, statements) in enumerate(MIGRATIONS[taken:], start=taken + 1):
            for statement in statements:
                connection.execute(statement.format(**dialect.types))
            connection.execute("INSERT INTO schema_steps (number, name) VALUES (?, ?)", (number, name))


def _steps_taken(dialect: Dialect) -> int:
    with dialect.begin_read() as connection:
        if not _has_steps_table(connection, dialect.name):
            return 0
        taken = connection.rows("SELECT count(*) FROM schema_steps")[0][0]
    _refuse_newer(taken)
    return taken


def _has_steps_table(connection: Connection, database: str) -> bool:
    if database == "sqlite":
        return bool(connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'schema_steps'"))
    return connection.rows("SELECT to_regclass('schema_steps')")[0][0] is not None


def _refuse_newer(taken: int) -> None:
    if taken > len(MIGRATIONS):
        raise Conflict("This data folder was written by a newer version of Loreweave; update to read it.")
