"""Finding all pairs anew gives what storing, editing, merging and undoing has kept up to date."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.examples import examples
from tests.memory.curator import START, Curator

from loreweave.errors import LoreError
from loreweave.settings import Settings

WORDS = "the team meets every monday morning in the small room beside the kitchen to plan the work of the week"
TEXTS = [
    WORDS,
    WORDS.upper(),
    WORDS.replace("small", "little"),
    WORDS.replace("small", "tiny").replace("plan", "shape"),
    WORDS.replace("team", "crew"),
    "Tea at five, please.",
    "tea at five please",
    "Tea at six, please.",
    "something else altogether",
]
STEPS = some.lists(
    some.tuples(
        some.sampled_from(["store", "store", "store", "edit", "edit", "forget", "restore", "merge", "undo", "erase"]),
        some.integers(0, 30),
        some.integers(0, 30),
    ),
    max_size=25,
)


class _Play:
    """Steps made up by chance; what is refused is left."""

    def __init__(self, curator: Curator) -> None:
        self.curator = curator
        self.ids: list[str] = []
        self.hashes: list[str] = []

    def step(self, action: str, one: int, two: int) -> None:
        try:
            getattr(self, f"_{action}")(one, two)
        except LoreError:
            return

    def _store(self, one: int, two: int) -> None:
        self.ids.append(self.curator.store(TEXTS[one % len(TEXTS)], scope="ab"[two % 4 == 0]))

    def _edit(self, one: int, two: int) -> None:
        scope: dict[str, Any] = {"scope": "ab"[two % 2]} if two > 25 else {}
        self.curator.edit(self._id(one), content=TEXTS[two % len(TEXTS)], **scope)

    def _forget(self, one: int, two: int) -> None:
        self.curator.forget(self._id(one))

    def _erase(self, one: int, two: int) -> None:
        self.curator.forget(self._id(one), soft_delete=False)

    def _restore(self, one: int, two: int) -> None:
        self.curator.restore(self._id(one))

    def _merge(self, one: int, two: int) -> None:
        merge = self.curator.merge(self._id(one), self._id(two))
        self.hashes.append(merge["reversal_hash"])
        self.ids.append(merge["merged_id"])

    def _undo(self, one: int, two: int) -> None:
        if self.hashes:
            self.curator.undo(self.hashes[one % len(self.hashes)], allow_partial=True)

    def _id(self, number: int) -> str:
        if not self.ids:
            raise LoreError("There is nothing yet.")
        return self.ids[number % len(self.ids)]


def _tasks(curator: Curator, *, refresh: bool) -> dict[str, Any]:
    status = curator.call("get_memetic_status", limit=50, refresh=refresh)
    return {"tasks": status["curation_tasks"], "total": status["total_tasks"]}


def _pairs(curator: Curator) -> list[tuple[Any, ...]]:
    with curator.application.store.read() as connection:
        return sorted(connection.rows("SELECT first_id, second_id, similarity FROM memory_pairs"))


@pytest.mark.holds("memory.inbox.refresh")
@settings(max_examples=examples(40))
@given(STEPS)
def test_refreshing_changes_nothing_whatever_happened_before(steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock_file = Path(folder) / "clock"
        clock_file.write_text(START)
        curator = Curator(Settings(data_dir=Path(folder) / "data"), clock_file)
        play = _Play(curator)
        for action, one, two in steps:
            play.step(action, one, two)
        kept, pairs = _tasks(curator, refresh=False), _pairs(curator)
        assert _tasks(curator, refresh=True) == kept
        assert _pairs(curator) == pairs
        curator.close()


@pytest.mark.holds("memory.inbox.refresh")
def test_refreshing_finds_pairs_that_were_lost(curator: Curator) -> None:
    for text in TEXTS:
        curator.store(text)
    kept = _tasks(curator, refresh=False)
    assert kept["total"] == 2
    with curator.application.store.write() as connection:
        connection.execute("DELETE FROM memory_pairs")
    assert _tasks(curator, refresh=False)["total"] == 0
    assert _tasks(curator, refresh=True) == kept
