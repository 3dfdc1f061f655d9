"""A folder that a server watches: what could not be read just now is read later, and nothing ends the watching."""

import threading
from pathlib import Path
from typing import Any

import pytest
from tests.waits import eventually

from loreweave.application import Application
from loreweave.contracts.graph_reports import GraphSource, GraphWatch
from loreweave.contracts.skill_graph import WatchRequest
from loreweave.errors import Unavailable
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.work import folder_watches
from loreweave.work.folder_watches import FolderWatches


@pytest.fixture
def patch(application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is to be watched."""
    monkeypatch.setattr(folder_watches, "AGAIN_SECONDS", 0.1)
    monkeypatch.setattr(folder_watches, "LOOK_SECONDS", 0.1)
    folder = tmp_path / "patch"
    folder.mkdir()
    (folder / "soil.md").write_text("# Soil\n")
    application.graphs.ingest_folder(folder)
    application.watches.tell(WatchRequest(graphId="patch", watching=True))
    (folder / "rain.md").write_text("# Rain\n")
    return folder


def state_of(application: Application, watches: FolderWatches, folder: Path) -> GraphWatch:
    with application.store.read() as connection:
        graph = require_graph(connection, "patch")
    return watches.state_of(graph, GraphSource(kind="folder", where=str(folder)))


@pytest.mark.holds("house.watch.goes-on")
def test_a_change_that_the_database_could_not_take_is_taken_once_it_is_back(
    application: Application, patch: Path
) -> None:
    is_away, tried = threading.Event(), threading.Event()
    is_away.set()

    def read(*place: Any, **how: Any) -> None:
        tried.set()
        if is_away.is_set():
            raise Unavailable("The PostgreSQL database went away; try again.", part="database")
        application.graphs.ingest_folder(*place, **how)

    with FolderWatches(application.store, read) as watches:
        eventually(lambda: state_of(application, watches, patch).told, "the refusal to be told")
        assert application.graphs.revision("patch") == 1
        is_away.clear()  # and nothing in the folder changes any more
        eventually(lambda: application.graphs.revision("patch") == 2, "the change to be taken in")
        eventually(lambda: not state_of(application, watches, patch).told, "the refusal to be forgotten")


@pytest.mark.holds("house.watch.goes-on")
def test_a_fault_of_ours_is_told_and_ends_no_watcher(
    application: Application, patch: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watchers: set[int] = set()

    def read(*place: Any, **how: Any) -> None:
        watchers.add(threading.get_ident())
        if len(reads := list(patch.glob("*.md"))) < 3:
            raise KeyError(str(reads))
        application.graphs.ingest_folder(*place, **how)

    with FolderWatches(application.store, read) as watches:
        eventually(lambda: state_of(application, watches, patch).told, "the fault to be told")
        (patch / "sun.md").write_text("# Sun\n")
        eventually(lambda: application.graphs.revision("patch") == 2, "the change to be taken in")
    assert len(watchers) == 1
    assert "KeyError" in caplog.text
    assert str(patch) not in caplog.text
