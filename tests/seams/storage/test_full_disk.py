"""A disk without room: reads go on, and every answer is true."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.journeys.session_server import ask_step, plan_of

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.skill_graph import ContextRequest, ScanRequest
from loreweave.errors import LoreError, Unavailable
from loreweave.operations.operation import Caller
from loreweave.operations.table import HOUSE_OPERATIONS
from loreweave.settings import Settings

ROOM = "12m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "lore-test", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here: it needs the rights of root")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.fixture
def full(disk: Path) -> Iterator[Application]:
    """A server whose disk has just become full; nothing has been asked of its graph yet."""
    application = open_application(Settings(data_dir=disk / "data", model="demo", ingests_per_hour=0))
    application.graphs.ingest_demo()
    _ = application.workshop.engine
    _fill(disk)
    yield application
    (disk / "filler").unlink(missing_ok=True)
    application.close()


def _fill(disk: Path) -> None:
    with open(disk / "filler", "wb", buffering=0) as filler:
        for size in (1024 * 1024, 4096, 1):
            while _written(filler.fileno(), size):
                pass


def _written(file: int, size: int) -> bool:
    try:
        return os.write(file, b"x" * size) == size
    except OSError:
        return False


def _health(application: Application) -> dict:
    return HOUSE_OPERATIONS[0].call(application, None, Caller("tester")).model_dump()


@pytest.mark.holds("house.storage.full-disk")
def test_reading_needs_no_room(full: Application) -> None:
    graph = full.graph_library.latest()
    assert full.asking.search(AskRequest(query="worry"), graph).results
    assert full.asking.search(AskRequest(query="qqxzv"), graph).results == []  # a gap that cannot be noted
    assert full.retrieval.scan(ScanRequest(graphId=graph, query="worry")).results
    assert full.retrieval.context(ContextRequest(graphId=graph, query="worry")).telemetry.nodesLoaded


@pytest.mark.holds("house.storage.full-disk")
def test_what_is_refused_has_not_happened_and_health_says_why(full: Application, disk: Path) -> None:
    graph = full.graph_library.latest()
    nodes = full.graphs.graphs().graphs[0].nodeCount
    refused = 0
    try:
        full.graphs.delete(graph)
    except Unavailable:
        refused += 1
        assert full.graphs.graphs().graphs[0].nodeCount == nodes
    else:
        assert full.graphs.graphs().graphs == []
    try:
        started = full.skills.run(plan_of(ask_step())).session_id
    except LoreError:
        refused += 1
        assert full.sessions.list() == []
    else:
        assert [each.id for each in full.sessions.list()] == [started]
    assert refused  # the disk was full indeed
    said = _health(full)
    assert said["status"] == "degraded"
    assert "full" in said["storage"]
    (disk / "filler").unlink()
    assert _health(full)["status"] == "ready"


@pytest.mark.holds("house.storage.full-disk")
def test_a_library_that_cannot_be_opened_for_want_of_room_says_so(disk: Path) -> None:
    settings = Settings(data_dir=disk / "data", embedder="none")
    before = open_application(settings)
    before.graphs.ingest_demo()
    before.close()
    _fill(disk)
    another = open_application(settings)
    with pytest.raises(Unavailable, match=r"The disk of .* is full"):
        another.graphs.graphs()
    (disk / "filler").unlink()
    assert another.graphs.graphs().graphs
    another.close()


@pytest.mark.holds("house.storage.full-disk")
def test_a_delete_refused_in_its_midst_has_not_happened_on_postgresql(tmp_path: Path, postgres_database: str) -> None:
    application = open_application(Settings(data_dir=tmp_path, database_url=postgres_database, model="demo"))
    graph = application.graphs.ingest_demo().graphId
    with psycopg.connect(postgres_database, autocommit=True) as other:
        other.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$"
        )
        other.execute("CREATE TRIGGER full_disk BEFORE DELETE OR UPDATE ON note_edges EXECUTE FUNCTION refuse()")
        other.execute("CREATE TRIGGER full_disk BEFORE UPDATE ON schema_steps EXECUTE FUNCTION refuse()")
        with pytest.raises(Unavailable, match="no room"):
            application.graphs.delete(graph)
        assert [each.graphId for each in application.graphs.graphs().graphs] == [graph]
        assert _health(application)["storage"] == "The database refused: no room"
        other.execute("DROP TRIGGER full_disk ON note_edges")
        other.execute("DROP TRIGGER full_disk ON schema_steps")
        assert _health(application)["status"] == "ready"
        application.graphs.delete(graph)
    assert application.graphs.graphs().graphs == []
    application.close()
