"""Several writes to a transaction: each is whole, none hurts another, and nobody is told too early."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from tests.pace import PATIENCE

from loreweave.errors import Unavailable
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Connection, Store
from loreweave.work.sessions.group_writer import GroupWriter


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    opened = open_store(tmp_path / "data", database_url)
    with opened.write() as connection:
        connection.execute("CREATE TABLE slips (note TEXT PRIMARY KEY)")
    yield opened
    opened.close()


@pytest.fixture
def writer(store: Store) -> Iterator[GroupWriter]:
    opened = GroupWriter(store)
    yield opened
    opened.close()


def note(text: str) -> Callable[[Connection], str]:
    def job(connection: Connection) -> str:
        connection.execute("INSERT INTO slips (note) VALUES (?)", (text,))
        return text

    return job


def notes(store: Store) -> list[str]:
    with store.read() as connection:
        return sorted(row[0] for row in connection.rows("SELECT note FROM slips"))


class Gate:
    """A job that holds its transaction open until it is let go, so that others gather behind it."""

    def __init__(self, writer: GroupWriter) -> None:
        self._entered = threading.Event()
        self._go = threading.Event()
        self.future = writer.submit("", self._job)
        assert self._entered.wait(PATIENCE)

    def _job(self, connection: Connection) -> None:
        self._entered.set()
        assert self._go.wait(PATIENCE)

    def open(self) -> None:
        self._go.set()


class Wrong(Exception):
    pass


def fails_after(text: str) -> Callable[[Connection], None]:
    def job(connection: Connection) -> None:
        connection.execute("INSERT INTO slips (note) VALUES (?)", (text,))
        raise Wrong(text)

    return job


@pytest.mark.holds("session.log.group-writes")
def test_a_write_that_fails_leaves_nothing_and_hurts_no_other(store: Store, writer: GroupWriter) -> None:
    gate = Gate(writer)
    futures = [writer.submit(f"row {n}", note(f"n{n}") if n % 3 else fails_after(f"n{n}")) for n in range(9)]
    gate.open()
    wait(futures, PATIENCE)
    assert [type(future.exception()) for future in futures] == [type(None) if n % 3 else Wrong for n in range(9)]
    assert notes(store) == [f"n{n}" for n in range(9) if n % 3]


@pytest.mark.holds("session.log.group-writes")
def test_what_the_database_refuses_of_one_is_refused_to_one(store: Store, writer: GroupWriter) -> None:
    gate = Gate(writer)
    futures = [writer.submit(f"row {n}", note(text)) for n, text in enumerate(("a", "a", "b"))]
    gate.open()
    wait(futures, PATIENCE)
    assert [future.exception() is None for future in futures] == [True, False, True]
    assert notes(store) == ["a", "b"]


@pytest.mark.holds("session.log.group-writes")
def test_nobody_is_told_before_it_can_be_read(store: Store, writer: GroupWriter) -> None:
    seen = []

    def look(done: "Future[str]") -> None:
        seen.append(done.result() in notes(store))

    def write(number: int) -> None:
        future = writer.submit(str(number), note(str(number)))
        future.add_done_callback(look)
        future.result(PATIENCE)

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(write, range(100)))
    writer.close()
    assert seen == [True] * 100


@pytest.mark.holds("session.log.group-writes")
def test_writes_of_one_row_keep_their_order(store: Store, writer: GroupWriter) -> None:
    order: list[tuple[str, int]] = []
    gate = Gate(writer)
    futures = [
        writer.submit(row, lambda _, row=row, n=n: order.append((row, n)))  # type: ignore[misc]
        for n in range(20)
        for row in ("b", "a")
    ]
    gate.open()
    wait(futures, PATIENCE)
    assert order == [("a", n) for n in range(20)] + [("b", n) for n in range(20)]


@pytest.mark.holds("session.log.group-writes")
def test_a_transaction_that_fails_fails_everybody_in_it(store: Store, writer: GroupWriter) -> None:
    with store.write() as connection:
        connection.execute(
            "CREATE TABLE replies (slip TEXT REFERENCES slips (note) DEFERRABLE INITIALLY DEFERRED)"
        )  # refused only when the transaction is to be committed

    def reply_to_nothing(connection: Connection) -> None:
        connection.execute("INSERT INTO replies (slip) VALUES ('nothing')")

    gate = Gate(writer)
    futures = [
        writer.submit("1", note("before")),
        writer.submit("2", reply_to_nothing),
        writer.submit("3", note("after")),
    ]
    gate.open()
    wait(futures, PATIENCE)
    assert all(future.exception() for future in futures)
    assert gate.future.exception() is None
    assert notes(store) == []
    assert writer.submit("4", note("later")).result(PATIENCE) == "later"
    assert notes(store) == ["later"]


@pytest.mark.holds("session.log.group-writes")
def test_what_ended_a_transaction_is_what_everybody_hears(store: Store, writer: GroupWriter) -> None:
    def end_it(connection: Connection) -> None:
        connection.execute("ROLLBACK")
        raise Unavailable("The disk is full.", part="database")

    gate = Gate(writer)
    futures = [writer.submit("1", note("before")), writer.submit("2", end_it)]
    gate.open()
    wait(futures, PATIENCE)
    assert [str(future.exception()) for future in futures] == ["The disk is full."] * 2


@pytest.mark.holds("session.log.group-writes")
def test_closing_finishes_what_was_submitted_and_takes_no_more(store: Store) -> None:
    writer = GroupWriter(store)
    gate = Gate(writer)
    futures = [writer.submit(str(n), note(str(n))) for n in range(600)]  # more than one transaction takes
    closing = threading.Thread(target=writer.close)
    closing.start()
    gate.open()
    closing.join(PATIENCE)
    assert all(future.done() for future in futures)
    assert len(notes(store)) == 600
    with pytest.raises(Unavailable):
        writer.submit("late", note("late"))
    writer.close()


@pytest.mark.holds("session.log.group-writes")
def test_whoever_left_meanwhile_changes_nothing_for_the_others(store: Store, writer: GroupWriter) -> None:
    gate = Gate(writer)
    left, stayed = writer.submit("1", note("left")), writer.submit("2", note("stayed"))
    assert left.cancel()
    gate.open()
    assert stayed.result(PATIENCE) == "stayed"
    assert notes(store) == ["left", "stayed"]


@pytest.mark.holds("session.log.group-writes")
def test_writers_of_several_processes_lock_in_one_order(store: Store, tmp_path: Path, database_url: str) -> None:
    """Two writers over one store, as two processes have them, that change the same rows in opposite orders."""
    with store.write() as connection:
        for number in range(10):
            connection.execute("INSERT INTO slips (note) VALUES (?)", (f"{number} ",))
    twin = open_store(tmp_path / "data", database_url)
    writers = [GroupWriter(store), GroupWriter(twin)]

    def change(connection: Connection, number: int) -> int:
        return connection.execute("UPDATE slips SET note = note || 'x' WHERE note LIKE ?", (f"{number} %",))

    futures = []
    for _ in range(20):
        for writer, numbers in zip(writers, (range(10), reversed(range(10))), strict=True):
            futures += [writer.submit(str(n), lambda connection, n=n: change(connection, n)) for n in numbers]
    wait(futures, PATIENCE)
    assert [future.result() for future in futures] == [1] * 400
    assert notes(store) == [f"{number} {'x' * 40}" for number in range(10)]
    for writer in writers:
        writer.close()
    twin.close()
