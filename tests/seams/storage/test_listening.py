"""Hearing of changes made elsewhere: each is heard, also those made while nobody could listen."""

import os
import queue
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.pace import PATIENCE

from loreweave.errors import Unavailable
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Store


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    opened = open_store(tmp_path / "data", database_url)
    yield opened
    opened.close()


@pytest.fixture
def elsewhere(store: Store, tmp_path: Path, database_url: str) -> Iterator[Store]:
    """The same database as another process has it."""
    opened = open_store(tmp_path / "data", database_url)
    yield opened
    opened.close()


def change(store: Store, name: str) -> None:
    with store.write() as connection:
        sql = "INSERT INTO tokens (id, user_name, secret_hash, created_at) VALUES (?, 'u', 'h', 't')"
        connection.execute(sql, (name,))
        store.announce(connection, "changes", name)


def announce_and_fail(store: Store) -> None:
    with store.write() as connection:
        store.announce(connection, "changes", "never")
        raise ZeroDivisionError


def names(store: Store) -> set[str]:
    with store.read() as connection:
        return {row[0] for row in connection.rows("SELECT id FROM tokens")}


class Listener:
    """Notes what it can read each time it hears something, and refuses to listen at first where it is told to."""

    def __init__(self, store: Store, refusals: int = 0) -> None:
        self._store = store
        self._refusals = refusals
        self.heard: queue.Queue[tuple[str | None, set[str]]] = queue.Queue()

    def __call__(self, text: str | None) -> None:
        if self._refusals:
            self._refusals -= 1
            raise Unavailable("The database is away.", part="database")
        self.heard.put((text, names(self._store)))

    def await_name(self, name: str) -> None:
        while True:
            text, readable = self.heard.get(timeout=PATIENCE)
            if text == name or (text is None and name in readable):
                assert name in readable
                return


@pytest.mark.holds("session.log.listening")
def test_every_change_is_heard_and_can_be_read_by_then(store: Store, elsewhere: Store) -> None:
    listener = Listener(store)
    listening = store.listen("changes", listener)
    for number in range(30):
        change(elsewhere if number % 2 else store, f"n{number}")
        listener.await_name(f"n{number}")
    listening.close()


@pytest.mark.holds("session.log.listening")
def test_what_happened_before_listening_began_is_told_as_a_change(store: Store, elsewhere: Store) -> None:
    listener = Listener(store)
    change(elsewhere, "early")
    listening = store.listen("changes", listener)
    assert listener.heard.get(timeout=PATIENCE) == (None, {"early"})
    listening.close()


@pytest.mark.holds("session.log.listening")
def test_a_database_that_was_away_is_listened_to_again(store: Store, elsewhere: Store) -> None:
    listener = Listener(store, refusals=1)
    change(elsewhere, "missed")
    listening = store.listen("changes", listener)
    listener.await_name("missed")
    change(elsewhere, "heard")
    listener.await_name("heard")
    listening.close()


@pytest.mark.holds("session.log.listening")
def test_what_was_taken_back_is_not_told(store: Store, elsewhere: Store) -> None:
    listener = Listener(store)
    listening = store.listen("changes", listener)
    with pytest.raises(ZeroDivisionError):
        announce_and_fail(elsewhere)
    change(elsewhere, "real")
    listener.await_name("real")
    listening.close()
    assert "never" not in {text for text, _ in listener.heard.queue}


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """As a server has with more than a thousand connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2_048, hard), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    yield
    for descriptor in held:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.holds("session.log.listening")
def test_changes_are_heard_among_a_thousand_descriptors(many_descriptors: None, store: Store, elsewhere: Store) -> None:
    listener = Listener(store)
    listening = store.listen("changes", listener)
    for name in ("one", "two"):
        change(elsewhere, name)
        listener.await_name(name)
    listening.close()


@pytest.mark.holds("session.log.listening")
def test_closing_ends_listening(store: Store, elsewhere: Store) -> None:
    listener = Listener(store)
    listening = store.listen("changes", listener)
    change(elsewhere, "one")
    listener.await_name("one")
    listening.close()
    heard = listener.heard.qsize()
    change(elsewhere, "two")
    assert listener.heard.qsize() == heard


@pytest.mark.holds("session.log.listening")
def test_a_line_that_was_cut_is_made_again(tmp_path: Path, postgres_database: str) -> None:
    store = open_store(tmp_path, postgres_database)
    listener = Listener(store)
    listening = store.listen("changes", listener)
    change(store, "before")
    listener.await_name("before")
    with psycopg.connect(postgres_database, autocommit=True) as operator:
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        operator.execute(f"{cut} AND datname = current_database()")
        operator.execute(
            "INSERT INTO tokens (id, user_name, secret_hash, created_at) VALUES ('meanwhile', 'u', 'h', 't')"
        )  # and nobody tells
    listener.await_name("meanwhile")
    change(store, "after")
    listener.await_name("after")
    listening.close()
    store.close()


@pytest.mark.holds("session.log.listening")
def test_a_locked_file_is_looked_at_again(tmp_path: Path) -> None:
    store = open_store(tmp_path, "")
    listener = Listener(store)
    listening = store.listen("changes", listener)
    (file,) = (path for path in tmp_path.glob("*.db"))
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("BEGIN EXCLUSIVE")
    raw.execute("INSERT INTO tokens (id, user_name, secret_hash, created_at) VALUES ('locked', 'u', 'h', 't')")
    raw.execute("COMMIT")
    raw.close()
    listener.await_name("locked")
    listening.close()
    store.close()
