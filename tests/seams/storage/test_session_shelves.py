"""Sessions, questions and executors as the database keeps them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from loreweave.entities.stored_session import QuestionRow, SessionRow
from loreweave.seams.storage import session_shelf
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Store


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    opened = open_store(tmp_path / "data", database_url)
    yield opened
    opened.close()


def session(session_id: str, created_at: int = 1, state: str = "executing", kind: str = "skill") -> SessionRow:
    return SessionRow(session_id, kind, state, None, "goal", created_at, 0, None, '{"a": 1}', "{}")


def question(session_id: str, question_id: str, asked_seq: int) -> QuestionRow:
    return QuestionRow(session_id, question_id, "question", "step", ("A", "B"), asked_seq, 2**62, "open")


def add(store: Store, *rows: SessionRow) -> None:
    with store.write() as connection:
        for row in rows:
            session_shelf.insert_session(connection, row)


@pytest.mark.holds("session.log.kept")
def test_a_session_comes_back_as_it_was(store: Store) -> None:
    add(store, session("one", created_at=2**53))
    with store.read() as connection:
        assert session_shelf.find_session(connection, "one") == session("one", created_at=2**53)
        assert session_shelf.find_session(connection, "two") is None


@pytest.mark.holds("session.log.kept")
def test_the_newest_come_first_and_only_so_many(store: Store) -> None:
    add(store, *[session(f"s{number}", created_at=number % 5) for number in range(10)])
    with store.read() as connection:
        found = [row[0] for row in session_shelf.newest_sessions(connection, 4)]
    assert found == ["s9", "s4", "s8", "s3"]


@pytest.mark.holds("session.log.kept")
def test_standings_of_many_are_found_at_once(store: Store) -> None:
    add(store, *[session(f"s{number:04}") for number in range(1_200)])
    with store.read() as connection:
        found = session_shelf.find_standings(connection, [f"s{number:04}" for number in range(1_100)] + ["nobody"])
        assert session_shelf.find_standings(connection, []) == []
    assert sorted(found) == [(f"s{number:04}", 0, "executing") for number in range(1_100)]


@pytest.mark.holds("session.log.kept")
def test_unfinished_sessions_are_neither_idle_nor_done(store: Store) -> None:
    add(
        store,
        session("late", created_at=4),
        session("waiting", created_at=3),
        session("done", state="done"),
        session("idle", state="idle", kind="build"),
        session("build", kind="build"),
        session("oldest", created_at=1),
    )
    with store.read() as connection:
        assert session_shelf.unfinished_sessions(connection) == {"oldest": 1, "waiting": 3, "late": 4, "build": 1}


@pytest.mark.holds("session.log.kept")
def test_deleting_one_leaves_nothing_of_it_and_all_of_the_others(store: Store) -> None:
    add(store, session("one"), session("two"))
    with store.write() as connection:
        for session_id in ("one", "two"):
            session_shelf.insert_events(connection, session_id, [(1, "k", "{}"), (2, None, "{}"), (3, None, "{}")])
            session_shelf.insert_question(connection, question(session_id, "q", 2))
        session_shelf.delete_session(connection, "one")
    with store.read() as connection:
        assert session_shelf.page_after(connection, "one", 0, 10) is None
        assert session_shelf.event_keys(connection, "one") == []
        assert session_shelf.questions_of(connection, "one") == []
        assert session_shelf.find_session(connection, "one") is None
        assert session_shelf.page_after(connection, "two", 1, 10) == ([(2, "{}"), (3, "{}")], 0, "executing")
        assert session_shelf.page_after(connection, "two", 3, 10) == ([], 0, "executing")
        assert session_shelf.event_keys(connection, "two") == ["k"]
        assert session_shelf.find_question(connection, "two", "q") == question("two", "q", 2)


@pytest.mark.holds("session.log.kept")
def test_events_under_a_known_key_are_not_taken(store: Store) -> None:
    add(store, session("one"), session("two"))
    with store.write() as connection:
        assert session_shelf.insert_events(connection, "one", [(1, "k", "first"), (2, None, "second")])
        assert not session_shelf.insert_events(connection, "one", [(3, "k", "again"), (4, None, "again")])
        assert session_shelf.insert_events(connection, "one", [(3, None, "third")])
        assert session_shelf.insert_events(connection, "two", [(1, "k", "its own")])
    with store.glance() as connection:
        found = session_shelf.page_after(connection, "one", 0, 10)
    assert found is not None
    assert found[0] == [(1, "first"), (2, "second"), (3, "third")]


@pytest.mark.holds("session.log.kept")
def test_a_runner_is_set_only_while_there_is_something_to_run(store: Store) -> None:
    add(store, session("one"), session("over", state="done"))
    with store.write() as connection:
        assert session_shelf.set_runner(connection, "one", "me")
        assert not session_shelf.set_runner(connection, "over", "me")
        assert not session_shelf.set_runner(connection, "nobody", "me")
        assert session_shelf.find_standing(connection, "one") == (0, "executing", "me")
        assert session_shelf.find_standing(connection, "nobody") is None


@pytest.mark.holds("session.log.kept")
def test_a_question_is_settled_once(store: Store) -> None:
    add(store, session("one"))
    with store.write() as connection:
        for number, question_id in enumerate(("b", "a", "c")):
            session_shelf.insert_question(connection, question("one", question_id, number))
        assert session_shelf.settle_question(connection, "one", "b", "answered", {"A": ["x", "\0", "\ud83d"]})
        assert not session_shelf.settle_question(connection, "one", "b", "late", None)
        assert session_shelf.settle_question(connection, "one", "a", "late", None)
        session_shelf.close_questions(connection, "one")
    with store.read() as connection:
        found = [(row.question_id, row.status, row.answer) for row in session_shelf.questions_of(connection, "one")]
    assert found == [("b", "answered", {"A": ["x", "\0", "\ud83d"]}), ("a", "late", None), ("c", "over", None)]


@pytest.mark.holds("session.log.kept")
def test_signs_of_life_are_counted(store: Store) -> None:
    with store.write() as connection:
        for executor_id in ("one", "two", "one"):
            session_shelf.beat(connection, executor_id)
    with store.write() as connection:
        assert session_shelf.all_beats(connection) == {"one": 2, "two": 1}
        session_shelf.delete_executor(connection, "one")
        assert session_shelf.all_beats(connection) == {"two": 1}
