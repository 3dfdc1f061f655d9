"""The name of a process: the same after a crash, another beside a living one."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loreweave.errors import Unavailable
from loreweave.seams.engine.executor_slot import ExecutorSlot

pytestmark = pytest.mark.holds("session.engine.name")


def test_the_lowest_name_that_nobody_holds_is_taken(tmp_path: Path) -> None:
    first, second, third = (ExecutorSlot(tmp_path) for _ in range(3))
    assert len({first.executor_id, second.executor_id, third.executor_id}) == 3
    second.release()
    third.release()
    again = ExecutorSlot(tmp_path)
    assert again.executor_id == second.executor_id
    again.release()
    first.release()


def test_a_name_is_as_good_as_unique_among_data_folders(tmp_path: Path) -> None:
    one, two = ExecutorSlot(tmp_path / "one"), ExecutorSlot(tmp_path / "two")
    assert one.executor_id != two.executor_id
    one.release()
    two.release()


@pytest.mark.parametrize("left", [b"", b"0123", b"\xff" * 32, b"no name of ours, but as long ..."])
def test_a_name_that_a_crash_cut_short_gives_way_to_a_new_one(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "executors").mkdir()
    (tmp_path / "executors" / "0").write_bytes(left)
    slot = ExecutorSlot(tmp_path)
    slot.release()
    slot.release()
    assert len(slot.executor_id) == 32
    again = ExecutorSlot(tmp_path)
    assert again.executor_id == slot.executor_id
    again.release()


@contextmanager
def _no_file_may_grow() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_name_that_cannot_be_written_is_refused_and_its_place_stays_free(tmp_path: Path) -> None:
    for _ in range(2):
        with _no_file_may_grow(), pytest.raises(Unavailable, match="executors cannot be written"):
            ExecutorSlot(tmp_path)
    slot = ExecutorSlot(tmp_path)
    slot.release()
    assert [path.name for path in (tmp_path / "executors").iterdir()] == ["0"]
