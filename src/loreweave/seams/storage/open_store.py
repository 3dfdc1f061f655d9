"""Chooses the dialect by the database's address and brings the tables up to date."""

from pathlib import Path

from loreweave.errors import InvalidInput
from loreweave.seams.storage.migrations import migrate
from loreweave.seams.storage.store import Dialect, Store


def open_store(data_dir: Path, database_url: str = "") -> Store:
    """`sqlite:///path`, `postgresql://…`, or nothing for `lore.db` in the data folder."""
    dialect = _dialect(data_dir, database_url)
    try:
        migrate(dialect)
    except BaseException:
        dialect.close()
        raise
    return Store(dialect)


def _dialect(data_dir: Path, database_url: str) -> Dialect:
    scheme, _, rest = database_url.partition("://")
    if not database_url or scheme == "sqlite":
        from loreweave.seams.storage.sqlite_dialect import SqliteDialect

        path = rest.removeprefix("/") if scheme == "sqlite" else ""
        return SqliteDialect(Path(path) if path else data_dir / "lore.db")
    if scheme in ("postgresql", "postgres"):
        from loreweave.seams.storage.postgres_dialect import PostgresDialect

        return PostgresDialect(database_url)
    message = "LORE_DATABASE_URL must begin with sqlite:/// or postgresql://"
    raise InvalidInput(message, field="LORE_DATABASE_URL")
