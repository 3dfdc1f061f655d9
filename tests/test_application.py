"""The composition root: a frozen bundle of services that are opened when they are asked for."""

import dataclasses
import threading
from pathlib import Path

import pytest

from loreweave.application import Application, open_application
from loreweave.parts import Parts
from loreweave.settings import Settings


@pytest.fixture
def opened(tmp_path: Path) -> Application:
    return open_application(Settings(data_dir=tmp_path / "data", embedder="none"))


@pytest.mark.holds("house.application.frozen-bundle")
def test_it_is_a_bundle_of_fields_without_methods() -> None:
    fields = {field.name for field in dataclasses.fields(Application)}
    own = {name for kind in (Application, Parts) for name in vars(kind) if not name.startswith("__")}
    assert own <= fields
    assert {"graphs", "retrieval", "asking", "memory", "routes", "sessions", "skills"} <= fields


@pytest.mark.holds("house.application.frozen-bundle")
def test_nothing_in_it_can_be_exchanged(opened: Application) -> None:
    for name in ("graphs", "settings", "close", "something_new"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(opened, name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del opened.graphs


@pytest.mark.holds("house.application.opened-when-asked")
def test_opening_it_opens_nothing(opened: Application) -> None:
    assert not opened.settings.data_dir.exists()
    assert opened.workspaces is opened.workspaces
    assert not opened.settings.data_dir.exists()
    assert opened.graphs.graphs().graphs == []
    assert opened.settings.data_dir.exists()
    opened.close()


@pytest.mark.holds("house.application.opened-when-asked")
def test_however_many_threads_ask_first_there_is_one(opened: Application) -> None:
    together, found = threading.Barrier(8), set()

    def ask() -> None:
        together.wait(timeout=30)
        found.add(id(opened.session_tools))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    opened.close()
    assert len(found) == 1


@pytest.mark.holds("house.application.opened-when-asked")
def test_closing_twice_closes_once_and_showing_it_opens_nothing(opened: Application) -> None:
    assert "data_dir" in repr(opened)
    assert not opened.settings.data_dir.exists()
    assert opened.memory is not None
    opened.close()
    opened.close()
