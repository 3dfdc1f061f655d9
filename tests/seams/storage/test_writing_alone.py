"""Writes that go one after the other, writes that do not wait, and wiping what was deleted."""

import sqlite3
import threading
from pathlib import Path

import psycopg
import pytest
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.errors import Unavailable
from loreweave.seams.storage.open_store import open_store


@pytest.mark.holds("memory.processes.one-winner")
def test_writes_of_one_name_go_one_after_the_other(application: Application) -> None:
    store = application.store
    entered, let_go, order = threading.Event(), threading.Event(), []

    def first() -> None:
        with store.write_alone("memory"):
            entered.set()
            let_go.wait(PATIENCE)
            order.append("first")

    def second() -> None:
        with store.write_alone("memory"):
            order.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert entered.wait(PATIENCE)
    threads[1].start()
    with store.write_if_free("memory") as connection:
        assert connection is None
    let_go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["first", "second"]


@pytest.mark.holds("memory.record.access")
def test_a_write_that_does_not_wait_is_kept_where_nobody_writes(application: Application) -> None:
    with application.store.write_if_free("memory") as connection:
        assert connection is not None
        connection.execute("UPDATE memory_counter SET revision = 7")
    with application.store.read() as connection:
        assert connection.rows("SELECT revision FROM memory_counter") == [(7,)]


@pytest.mark.holds("memory.erase.no-trace")
def test_wiping_says_when_a_reader_holds_it_up_and_works_afterwards(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with store.write_alone("memory") as connection:
        connection.execute("INSERT INTO memory_requests VALUES ('r', 't', 'zyxsecret', '{}', 0)")
    reader = sqlite3.connect(tmp_path / "lore.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory_requests").fetchall()
    with store.write_alone("memory") as connection:
        connection.execute("DELETE FROM memory_requests")
    assert not store.wipe(["memory_requests"], seconds=0.01)
    reader.execute("COMMIT")
    reader.close()
    assert store.wipe(["memory_requests"])
    store.close()
    assert not any(b"zyxsecret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.holds("memory.processes.one-winner")
def test_a_lock_is_refused_plainly_by_a_postgresql_that_went_away_and_held_once_it_is_back(
    tmp_path: Path, postgres_database: str
) -> None:
    store = open_store(tmp_path, postgres_database)
    with psycopg.connect(postgres_database, autocommit=True) as cluster:
        cluster.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(Unavailable, match="PostgreSQL database went away"), store.lock("graph:notes"):
        pytest.fail("nobody holds a lock of a server that is away")
    with store.lock("graph:notes"):
        assert store.wipe(["memory_requests"])
    store.close()
