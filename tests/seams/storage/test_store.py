"""The storage seam, on both databases."""

import secrets
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.pace import PATIENCE

from loreweave.errors import Conflict, InvalidInput, Unavailable
from loreweave.seams.storage import graph_shelf, migrations
from loreweave.seams.storage import open_store as opening
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Store


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    opened = open_store(tmp_path / "data", database_url)
    yield opened
    opened.close()


def _add(store: Store, name: str) -> None:
    with store.write() as connection:
        connection.execute(
            "INSERT INTO tokens (id, user_name, secret_hash, created_at) VALUES (?, ?, ?, ?)",
            (name, "u", "h", "t"),
        )


def _delete_all_and_fail(store: Store) -> None:
    with store.write() as connection:
        connection.execute("DELETE FROM tokens")
        raise ZeroDivisionError


def _names(store: Store) -> list[str]:
    with store.read() as connection:
        return sorted(row[0] for row in connection.rows("SELECT id FROM tokens"))


@pytest.mark.holds("house.storage.both-databases")
def test_a_write_is_all_or_nothing(store: Store) -> None:
    _add(store, "one")
    with pytest.raises(ZeroDivisionError):
        _delete_all_and_fail(store)
    assert _names(store) == ["one"]


@pytest.mark.holds("graph.revisions.readers-pinned")
def test_a_read_is_a_snapshot(store: Store) -> None:
    _add(store, "one")
    with store.read() as connection:
        assert len(connection.rows("SELECT id FROM tokens")) == 1
        _add(store, "two")
        assert len(connection.rows("SELECT id FROM tokens")) == 1
    assert _names(store) == ["one", "two"]


@pytest.mark.holds("house.storage.both-databases")
def test_bulk_rows_come_back_as_they_were(store: Store) -> None:
    rows = [(number, f"ä\t\\N{number}\n", bytes(range(256))) for number in range(1000)]
    with store.write() as connection:
        connection.execute(f"CREATE TABLE kept (number INTEGER, text TEXT, data {_blob(store)})")
        connection.insert_many("kept", ("number", "text", "data"), rows)
    with store.read() as connection:
        assert connection.rows("SELECT number, text, data FROM kept ORDER BY number") == rows
        assert list(connection.stream("SELECT number, text, data FROM kept ORDER BY number")) == rows


def _blob(store: Store) -> str:
    return "BLOB" if store.database == "sqlite" else "BYTEA"


@pytest.mark.holds("house.storage.append-only-migrations")
def test_a_database_without_tables_gets_them_and_one_at_a_time(tmp_path: Path, bare_postgres_database: str) -> None:
    starting = [threading.Thread(target=lambda: open_store(tmp_path, bare_postgres_database).close()) for _ in range(3)]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()
    store = open_store(tmp_path, bare_postgres_database)
    _add(store, "first")
    assert _names(store) == ["first"]
    store.close()


@pytest.mark.holds("house.storage.append-only-migrations")
def test_opening_again_takes_no_step_twice(store: Store, tmp_path: Path, database_url: str) -> None:
    _add(store, "one")
    again = open_store(tmp_path / "data", database_url)
    assert _names(again) == ["one"]
    again.close()


@pytest.mark.holds("house.storage.append-only-migrations")
def test_a_store_of_a_newer_version_is_refused(store: Store, tmp_path: Path, database_url: str) -> None:
    with store.write() as connection:
        number = len(migrations.MIGRATIONS) + 1
        connection.execute("INSERT INTO schema_steps (number, name) VALUES (?, ?)", (number, "future"))
    with pytest.raises(Conflict, match="newer version"):
        open_store(tmp_path / "data", database_url)


@pytest.mark.holds("house.settings.database-url")
def test_an_address_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        open_store(tmp_path, "mysql://user:secret@host/db")
    assert refused.value.facts["field"] == "LORE_DATABASE_URL"
    assert "secret" not in str(refused.value)


@pytest.mark.holds("house.settings.database-url")
def test_a_database_that_is_away_is_said_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        open_store(tmp_path, f"postgresql://user:s3cret@/nothing?host={tmp_path}")
    assert "s3cret" not in repr(refused.value.__cause__) + str(refused.value)


@pytest.mark.holds("house.settings.database-url")
def test_sqlite_can_be_put_elsewhere(tmp_path: Path) -> None:
    opened = open_store(tmp_path / "data", f"sqlite:///{tmp_path / 'else' / 'my.db'}")
    opened.close()
    assert (tmp_path / "else" / "my.db").exists()


@pytest.mark.holds("house.storage.both-databases")
def test_a_database_that_goes_away_is_said_and_found_again(tmp_path: Path, postgres_database: str) -> None:
    import psycopg

    store = open_store(tmp_path, postgres_database)
    _add(store, "one")
    with psycopg.connect(postgres_database, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    with pytest.raises(Unavailable, match="went away"):
        _names(store)
    assert _names(store) == ["one"]
    store.close()


@pytest.mark.holds("house.storage.append-only-migrations", "retrieval.index.one-core")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_graph_of_an_older_version_is_kept_without_the_words_it_was_found_by(
    tmp_path: Path, bare_postgres_database: str, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    url = bare_postgres_database if kind == "postgresql" else ""
    names = [name for name, _ in migrations.MIGRATIONS]
    with monkeypatch.context() as older:
        older.setattr(opening, "MIGRATIONS", migrations.MIGRATIONS[: names.index("one index")])
        store = open_store(tmp_path, url)
        with store.write() as connection:
            connection.execute(
                "INSERT INTO graphs (graph_id, kind, revision, highest_revision, next_note_key, next_segment_key, "
                "unfinished, ingest_number, node_count, edge_count, score, content_hash, report) "
                "VALUES ('g', 'skill', 3, 3, 7, 5, 0, 1, 6, 0, 90, 'h', '{}')"
            )
            connection.execute(
                "INSERT INTO segments (graph_key, segment_key, first_revision, note_keys, versions, postings) "
                "SELECT graph_key, 4, 3, ?, ?, ? FROM graphs",
                (b"k", b"v", b"words of a note"),
            )
        store.close()
    store = open_store(tmp_path, url)
    with store.read() as connection:
        graph = graph_shelf.find_graph(connection, "g")
        assert graph
        assert (graph.revision, graph.next_note_key, graph.node_count) == (3, 7, 6)
    with store.read() as connection, pytest.raises(Exception, match="segments"):
        connection.rows("SELECT postings FROM segments")
    store.close()


@pytest.mark.holds("house.storage.second-process")
def test_whoever_opens_a_new_file_waits_for_another_that_is_just_making_it(tmp_path: Path) -> None:
    """SQLite itself refuses at once to change a file's mode while another writes its first pages."""
    (tmp_path / "data").mkdir(mode=0o700)
    other = sqlite3.connect(tmp_path / "data" / "lore.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    opened: list[Store] = []
    second = threading.Thread(target=lambda: opened.append(open_store(tmp_path / "data")))
    second.start()
    second.join(0.2)
    assert second.is_alive()  # it would have failed by now
    other.execute("COMMIT")
    other.close()
    second.join(PATIENCE)
    assert [_names(store) for store in opened] == [[]]
    opened[0].close()


@pytest.mark.holds("house.settings.database-url")
def test_a_postgresql_that_lets_nobody_in_is_told_in_its_own_words(postgres_server: str, tmp_path: Path) -> None:
    address = f"postgresql://lore:sesame@/nowhere?host={postgres_server}"
    with pytest.raises(Unavailable, match=r'^The PostgreSQL database cannot be reached: database "nowhere" does not'):
        open_store(tmp_path / "data", address)
    with pytest.raises(Unavailable) as refused:
        open_store(tmp_path / "data", "postgresql://lore:sesame@127.0.0.1:1/lore")
    assert refused.value.message == "The PostgreSQL database cannot be reached: Connection refused."
    with pytest.raises(Unavailable) as refused:
        open_store(tmp_path / "data", "postgresql://lore:ses/ame@127.0.0.1/lore")
    assert "ame" not in refused.value.message


@pytest.mark.holds("house.settings.database-url")
def test_a_postgresql_in_another_encoding_is_refused_by_name(postgres_server: str, tmp_path: Path) -> None:
    server = f"postgresql://lore@/{{}}?host={postgres_server}"
    name = f"lore_{secrets.token_hex(6)}"
    with psycopg.connect(server.format("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' TEMPLATE template0")
        try:
            with pytest.raises(
                Unavailable, match=r"^The PostgreSQL database is encoded in SQL_ASCII and has to be in UTF8"
            ):
                open_store(tmp_path / "data", server.format(name))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
