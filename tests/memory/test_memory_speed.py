"""What each call costs, held against the machine's pace in a store of a few thousand memories."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest
from tests.benchmarks.memory_fill import fill_memories, text_maker
from tests.memory.curator import START, Curator
from tests.pace import within

from loreweave.settings import Settings

MEMORIES = 4_000
TIMES = 20


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Curator]:
    folder = tmp_path_factory.mktemp("many")
    clock = folder / "clock"
    clock.write_text(START)
    curator = Curator(Settings(data_dir=folder / "data"), Path(clock))
    fill_memories(curator.application, MEMORIES)
    curator.found("nothing")
    yield curator
    curator.close()


@pytest.mark.holds("memory.speed.calls")
def test_calls_are_answered_within_their_time(filled: Curator) -> None:
    make = text_maker(2)
    ids: list[str] = []

    def store_some() -> None:
        ids.extend(filled.store(make(None)) for _ in range(TIMES))

    within(0.010 * TIMES, store_some)
    within(0.015 * TIMES, lambda: [filled.found(make(3)) for _ in range(TIMES)])
    within(0.005 * TIMES, lambda: [filled.record(node_id) for node_id in ids[:TIMES]])


@pytest.mark.holds("memory.speed.merge")
def test_a_merge_of_ten_and_its_undo_cost_the_same_in_a_large_store(filled: Curator, sqlite_curator: Curator) -> None:
    make = text_maker(3)
    texts = [make(None) for _ in range(10)]
    sources = {curator: [curator.store(text) for text in texts] for curator in (filled, sqlite_curator)}

    def merge_and_undo(curator: Curator) -> None:
        curator.undo(curator.merge(*sources[curator])["reversal_hash"])

    within(0.1, lambda: merge_and_undo(filled))
    taken = {curator: min(_taken(merge_and_undo, curator) for _ in range(5)) for curator in sources}
    assert taken[filled] < 4 * taken[sqlite_curator] + 0.02


def _taken(work: Callable[[Curator], None], curator: Curator) -> float:
    started = process_time()
    work(curator)
    return process_time() - started
