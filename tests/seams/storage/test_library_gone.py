"""A data folder that somebody took away or replaced under a process: nothing is acknowledged that nobody can read."""

import shutil
from pathlib import Path

import pytest
from tests.journeys.session_server import ask_step, plan_of

from loreweave.application import Application, open_application
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.errors import LoreError, Unavailable
from loreweave.operations.operation import Caller
from loreweave.operations.table import HOUSE_OPERATIONS
from loreweave.settings import Settings


def _open(folder: Path) -> Application:
    return open_application(Settings(data_dir=folder, model="demo", ingests_per_hour=0, embedder="none"))


def _health(application: Application) -> dict:
    return HOUSE_OPERATIONS[0].call(application, None, Caller("tester")).model_dump()


@pytest.mark.holds("house.storage.library-gone")
def test_a_library_that_was_removed_takes_nothing_more_and_health_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    application = _open(folder)
    application.memory.store(StoreRequest(content="Before."), actor="tester")
    shutil.rmtree(folder)
    with pytest.raises(Unavailable, match="no longer holds the database"):
        application.memory.store(StoreRequest(content="After."), actor="tester")
    with pytest.raises(LoreError):
        application.skills.run(plan_of(ask_step()))
    said = _health(application)
    assert said["status"] == "degraded"
    assert "no longer holds the database" in said["storage"]
    assert not (folder / "lore.db").exists()  # no new one was made unasked
    application.close()


@pytest.mark.holds("house.storage.library-gone")
def test_another_library_in_its_place_gets_nothing_and_the_own_one_goes_on_once_it_is_back(tmp_path: Path) -> None:
    folder, aside, other = tmp_path / "data", tmp_path / "aside", tmp_path / "other"
    application = _open(folder)
    application.memory.store(StoreRequest(content="Before."), actor="tester")
    another = _open(other)
    another.memory.store(StoreRequest(content="Another's."), actor="tester")
    another.close()
    folder.rename(aside)
    other.rename(folder)
    with pytest.raises(Unavailable, match="no longer holds the database"):
        application.memory.store(StoreRequest(content="After."), actor="tester")
    folder.rename(other)
    aside.rename(folder)
    application.memory.store(StoreRequest(content="After."), actor="tester")
    assert not _health(application).get("storage")
    application.close()
