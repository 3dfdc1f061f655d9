"""The index follows the store, in every process and on both databases."""

import random
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.memory.search.memory_shelf_rows import Shelf, next_revision, ranking_of

from loreweave.memory.search import memory_index_library
from loreweave.seams.storage import memory_index_shelf, migrations
from loreweave.seams.storage import open_store as opening
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Store

WORDS = ["harbour", "violin", "copper", "lantern", "meadow", "glacier", "saffron", "piston"]


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets of eight memories, each worth a segment with two."""
    monkeypatch.setattr(memory_index_shelf, "BUCKET", 8)
    monkeypatch.setattr(memory_index_library, "WORTH_KEEPING", 2)


def _everything(shelf: Shelf) -> list[Any]:
    """What searches of all kinds answer."""
    index = shelf.index()
    ids = {key: node_id for node_id, key in shelf.keys().items()}
    answers: list[Any] = [len(index)]
    for word, other in pairwise(WORDS):
        hits = ranking_of(index, f"{word} {other}", scope=None)
        answers.append([(ids[hit.key], hit.relevance, hit.score) for hit in hits])
        answers.append([ids[key] for key in index.holding(word, None, "deleted")])
        answers.append(shelf.near(f"{word} {other} {word}", limit=3))
        answers.append(shelf.twins(f"{word} {other}"))
    return answers


def _live_through(shelf: Shelf, steps: int, tend_every: int = 0) -> None:
    """A life of memories; the same one in every run."""
    chance = random.Random(5)
    ids: list[str] = []
    for step in range(steps):
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 5)))
        action = chance.random()
        if action < 0.5 or len(ids) < 3:
            ids += shelf.add(text, importance=round(chance.random(), 6), tags=[chance.choice(WORDS)])
        elif action < 0.6:
            shelf.change(chance.choice(ids), content=text)
        elif action < 0.8:
            shelf.change(chance.choice(ids), state=chance.choice(["live", "deleted", "merged"]), deleted_at=step)
        elif action < 0.9:
            shelf.change(chance.choice(ids), importance=round(chance.random(), 6))
        else:
            shelf.erase(ids.pop(chance.randrange(len(ids))))
        if chance.random() < 0.3:
            shelf.index()
        if tend_every and step % tend_every == 0:
            shelf.index()
            shelf.library.tend()


@pytest.mark.holds("memory.index.revision")
def test_a_change_of_one_process_is_seen_by_the_next_search_of_another(shelf: Shelf) -> None:
    other = shelf.reopened()
    assert other.found("copper") == []
    first, second = shelf.add("copper lantern", "copper violin")
    assert sorted(other.found("copper")) == [first, second]
    shelf.change(first, content="a meadow", name="a meadow")
    assert other.found("copper") == [second]
    assert other.found("meadow") == [first]
    shelf.change(second, state="deleted")
    assert other.found("copper") == []
    assert other.found("copper", state="deleted") == [second]
    shelf.change(second, state="live")
    shelf.erase(second)
    assert other.found("copper") == []


@pytest.mark.holds("memory.index.rollback")
def test_a_change_that_is_taken_back_leaves_nothing(shelf: Shelf) -> None:
    (kept,) = shelf.add("copper lantern")

    def fail() -> None:
        with shelf.store.write_alone("memory") as connection:
            shelf.library.current(connection)
            connection.execute("UPDATE memories SET state = 'deleted', revision = ?", (next_revision(connection),))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert shelf.found("copper") == [kept]
    (other,) = shelf.add("copper violin")  # takes the same number of a revision
    assert sorted(shelf.found("copper")) == [kept, other]


def test_a_read_that_began_earlier_searches_the_index_of_then(shelf: Shelf) -> None:
    (first,) = shelf.add("copper lantern")
    with shelf.store.read() as connection:
        before = shelf.library.current(connection)
        shelf.add("copper violin")
        assert len(shelf.found("copper")) == 2
        assert shelf.library.current(connection) is before
    assert len(ranking_of(before, "copper", scope=None)) == 1
    assert first in shelf.found("copper")


@pytest.mark.holds("memory.index.pure", "memory.index.segments")
@pytest.mark.usefixtures("small_segments")
@pytest.mark.parametrize("embedder", ["none", "static"])
def test_an_index_that_grew_equals_one_that_is_opened(sqlite_shelf: Shelf, embedder: str) -> None:
    shelf = Shelf(sqlite_shelf.store, embedder)
    _live_through(shelf, 120, tend_every=20)
    grown = _everything(shelf)
    assert grown == _everything(shelf.reopened())
    with shelf.store.write() as connection:
        assert connection.execute("DELETE FROM memory_segments") > 1
    assert grown == _everything(shelf.reopened())
    with shelf.store.write() as connection:
        connection.execute("DELETE FROM memory_vectors")
    assert grown == _everything(shelf.reopened())
    assert len(shelf.index().parts) < 16


@pytest.mark.holds("memory.index.pure")
@pytest.mark.usefixtures("small_segments")
def test_both_databases_find_the_same(tmp_path: Path, postgres_database: str) -> None:
    answers = []
    for number, url in enumerate(("", postgres_database)):
        store = open_store(tmp_path / str(number), url)
        shelf = Shelf(store)
        _live_through(shelf, 60, tend_every=15)
        answers.append(_everything(shelf))
        answers.append(_everything(shelf.reopened()))
        store.close()
    assert answers[0] == answers[1] == answers[2] == answers[3]


@pytest.mark.holds("memory.index.segments")
@pytest.mark.usefixtures("small_segments")
def test_segments_of_another_version_are_read_anew(shelf: Shelf) -> None:
    shelf.add(*(f"copper {word}" for word in WORDS))
    expected = _everything(shelf)
    shelf.library.tend()
    with shelf.store.write() as connection:
        assert connection.execute("UPDATE memory_segments SET content = ?", (b"something else",))
    assert _everything(shelf.reopened()) == expected


@pytest.mark.holds("memory.index.erased")
@pytest.mark.usefixtures("small_segments")
def test_no_word_of_an_erased_memory_is_stored(shelf: Shelf) -> None:
    ids = shelf.add(*(f"copper {word}" for word in WORDS), "the unspeakable xylograph", tags=["zythum"])
    shelf.index()
    shelf.library.tend()
    assert _tables_hold(shelf.store, b"xylograph")
    shelf.erase(ids[-1])
    assert not _tables_hold(shelf.store, b"xylograph")
    shelf.library.tend()  # with an index that has not seen the erasure yet
    other = shelf.reopened()
    other.index()
    other.library.tend()
    assert not _tables_hold(shelf.store, b"xylograph")
    assert other.found("xylograph") == shelf.found("xylograph") == []


def _tables_hold(store: Store, word: bytes) -> bool:
    with store.read() as connection:
        stored = connection.rows("SELECT content FROM memory_segments")
    return any(word in bytes(row[0]) for row in stored)


@pytest.mark.holds("memory.index.reader")
def test_what_another_embedder_read_is_read_anew(shelf: Shelf) -> None:
    (first,) = shelf.add("His car is in the garage")
    static = Shelf(shelf.store, "static")
    assert static.found("automobile") == [first]
    static.library.tend()
    with shelf.store.read() as connection:
        readers = {row[0] for row in connection.rows("SELECT reader FROM memory_vectors")}
    assert readers == {static.library.read("n", (), "text").reader}
    assert static.found("automobile") == [first]
    assert shelf.reopened().found("car") == [first]


@pytest.mark.holds("memory.index.reader")
def test_a_store_whose_memories_were_read_otherwise_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = "His car is in the garage", "The violin is made of copper"
    names = [name for name, _ in migrations.MIGRATIONS]
    with monkeypatch.context() as older:
        older.setattr(opening, "MIGRATIONS", migrations.MIGRATIONS[: names.index("memory passages")])
        store = open_store(tmp_path / "old")
        before = Shelf(store, "static")
        older.setattr(before.library, "keep", lambda *_: None)  # it knew no such table
        ids = before.add(*texts)
        with store.write() as connection:
            connection.execute("INSERT INTO memory_readings SELECT memory_key, 'old', ?, ? FROM memories", (b"", b""))
            connection.execute("INSERT INTO memory_segments VALUES (0, 'old', 1, ?)", (b"garage",))
        store.close()
    store, fresh = open_store(tmp_path / "old"), open_store(tmp_path / "new")
    expected = Shelf(fresh, "static")
    assert expected.add(*texts) == ids
    again = Shelf(store, "static")
    assert again.found("automobile") == [ids[0]]
    assert _everything(again) == _everything(expected)
    again.library.tend()
    assert not _tables_hold(store, b"garage")
    assert _everything(again.reopened()) == _everything(expected)
    store.close()
    fresh.close()


@pytest.mark.holds("memory.index.threads")
def test_searches_go_on_while_memories_change(sqlite_shelf: Shelf) -> None:
    shelf = sqlite_shelf
    shelf.add("copper lantern")
    done = threading.Event()
    troubles: list[BaseException] = []
    counts: list[int] = []

    def search() -> None:
        try:
            while not done.is_set():
                counts.append(len(shelf.rank("copper")))
        except BaseException as trouble:  # told below
            troubles.append(trouble)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        shelf.add(f"copper number {number}")
    done.set()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert counts
    assert len(shelf.rank("copper")) == 61
