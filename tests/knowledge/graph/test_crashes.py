"""Killed at every point: afterwards the old graph or the new one, never a mixture, and the next ingest goes well."""

import sys
from pathlib import Path

import pytest
from tests import forked
from tests.pace import PATIENCE

from loreweave.application import open_application
from loreweave.contracts.skill_graph import DiffRequest, ExportRequest, FuseRequest, GraphRequest
from loreweave.errors import NotFound
from loreweave.settings import Settings

OLD = {"a.md": "# A\n[[b]]", "b.md": "# B\n[[a]]", "c.md": "# C\n[[a]] [[ghost]]"}
NEW = {"a.md": "# A2\n[[d]]", "b.md": "# B\n[[a]]", "d.md": "# D\n[[a]]", "ghost.md": "# G"}
POINTS = ["closed", "chunk", "read", "linked", "publishing", "published"]

INGEST = """
import sys
from pathlib import Path
from loreweave.application import open_application
from loreweave.settings import load_settings
application = open_application(load_settings(embedder="none"))
application.graphs.ingest_folder(Path(sys.argv[1]), name="g")
"""
SEARCH = INGEST.replace(
    'graphs.ingest_folder(Path(sys.argv[1]), name="g")',
    "retrieval.search(SearchRequest(graphId='g', query='D')).results[0].name == 'D' or sys.exit(1)",
).replace("import sys", "import sys\nfrom loreweave.contracts.skill_graph import SearchRequest")
DELETE = INGEST.replace('ingest_folder(Path(sys.argv[1]), name="g")', "delete('g')")


def _lay(folder: Path, notes: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, text in notes.items():
        (folder / name).write_text(text)
    return folder


def _run(code: str, settings: Settings, folder: Path, failpoint: str = "") -> int:
    environment = {
        "LORE_DATA_DIR": str(settings.data_dir),
        "LORE_DATABASE_URL": settings.database_url,
        "LORE_FAILPOINT": failpoint,
        "PATH": "/usr/bin:/bin",
    }
    return forked.run([sys.executable, "-c", code, str(folder)], env=environment, timeout=PATIENCE).returncode


def _seen(settings: Settings) -> dict:
    application = open_application(settings)
    try:
        answer = application.graphs.export(ExportRequest(graphId="g"))
        return answer.model_dump(exclude={"revision"})
    finally:
        application.close()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """What an untroubled ingest of each state shows."""
    found = {}
    for name, notes in (("old", OLD), ("new", NEW)):
        folder = tmp_path_factory.mktemp(name)
        settings = Settings(data_dir=folder / "data", embedder="none")
        application = open_application(settings)
        application.graphs.ingest_folder(_lay(folder / "g", notes), name="g")
        application.close()
        found[name] = _seen(settings)
    return found


@pytest.mark.holds(
    "graph.revisions.killed-ingest", "house.storage.kill-nine", "house.settings.failpoint", "graph.history.kept"
)
@pytest.mark.parametrize("point", POINTS)
def test_an_ingest_killed_at_any_point_leaves_one_whole_revision(
    point: str, settings: Settings, tmp_path: Path, expected: dict[str, dict]
) -> None:
    folder = _lay(tmp_path / "g", OLD)
    assert _run(INGEST, settings, folder) == 0
    assert _seen(settings) == expected["old"]
    _lay(folder, NEW)
    assert _run(INGEST, settings, folder, f"ingest.{point}") == -9
    assert _seen(settings) == expected["new" if point == "published" else "old"]
    assert _run(INGEST, settings, folder) == 0
    assert _seen(settings) == expected["new"]
    assert _leftovers(settings) == 0
    assert _former(settings) == [[2, 1], "-# A", "-[[b]]"]


@pytest.mark.holds("graph.revisions.killed-ingest")
def test_a_first_ingest_that_is_killed_leaves_no_graph(
    settings: Settings, tmp_path: Path, expected: dict[str, dict]
) -> None:
    folder = _lay(tmp_path / "g", NEW)
    assert _run(INGEST, settings, folder, "ingest.linked") == -9
    with pytest.raises(NotFound):
        _seen(settings)
    assert _run(INGEST, settings, folder) == 0
    assert _seen(settings) == expected["new"]


@pytest.mark.holds("retrieval.index.at-ingest", "house.storage.kill-nine")
def test_a_writer_of_an_index_that_is_killed_half_way_leaves_nothing_that_is_read_or_stays(
    settings: Settings, tmp_path: Path, expected: dict[str, dict]
) -> None:
    folder, indexes = _lay(tmp_path / "g", OLD), settings.data_dir / "indexes"
    assert _run(INGEST, settings, folder) == 0
    (whole,) = indexes.iterdir()
    _lay(folder, NEW)
    assert _run(INGEST, settings, folder, "ingest.index") == -9
    (half,) = set(indexes.iterdir()) - {whole}
    assert half.suffix == ".unfinished"
    assert _seen(settings) == expected["new"]
    assert _run(SEARCH, settings, folder) == 0
    (made,) = indexes.iterdir()
    assert made not in (whole, half)


@pytest.mark.holds("house.storage.kill-nine")
def test_a_delete_that_is_killed_has_not_happened(
    settings: Settings, tmp_path: Path, expected: dict[str, dict]
) -> None:
    folder = _lay(tmp_path / "g", OLD)
    assert _run(INGEST, settings, folder) == 0
    assert _run(DELETE, settings, folder, "delete.hidden") == -9
    assert _seen(settings) == expected["old"]
    assert _run(DELETE, settings, folder) == 0
    with pytest.raises(NotFound):
        _seen(settings)
    assert _leftovers(settings) == 0


@pytest.mark.holds("house.storage.kill-nine")
def test_a_fuse_that_is_killed_leaves_the_sources_and_no_half(settings: Settings, tmp_path: Path) -> None:
    application = open_application(settings)
    for name in ("one", "two"):
        application.graphs.ingest_folder(_lay(tmp_path / name, OLD))
    fuse = INGEST.replace(
        'application.graphs.ingest_folder(Path(sys.argv[1]), name="g")',
        "from loreweave.contracts.skill_graph import FuseRequest\n"
        "application.graphs.fuse(FuseRequest(name='g', graphIds=['one', 'two']))",
    )
    assert _run(fuse, settings, tmp_path, "fuse.copied") == -9
    with pytest.raises(NotFound):
        _seen(settings)
    answer = application.graphs.fuse(FuseRequest(name="g", graphIds=["one", "two"]))
    assert answer.metrics.nodeCount == 6
    application.close()


def _former(settings: Settings) -> list:
    """The revisions that are told of, and what the last of them took from a file."""
    application = open_application(settings)
    told = application.history.revisions(GraphRequest(graphId="g")).revisions
    diff = application.history.diff(DiffRequest(graphId="g", revision=2, path="a.md")).diff.split("\n")
    application.close()
    return [[row.revision for row in told], *(line for line in diff if line.startswith("-"))]


def _leftovers(settings: Settings) -> int:
    """Rows that no revision shows, but for the notes that tell what the present one changed."""
    application = open_application(settings)
    with application.store.read() as connection:
        told = (
            "NOT EXISTS (SELECT 1 FROM graphs g WHERE g.graph_key = n.graph_key AND n.last_revision = g.revision - 1)"
        )
        closed = sum(
            connection.rows(f"SELECT count(*) FROM {table} n WHERE last_revision IS NOT NULL{but}")[0][0]
            for table, but in (("notes", f" AND {told}"), ("note_edges", ""))
        )
        orphaned = connection.rows(
            "SELECT count(*) FROM note_texts t WHERE NOT EXISTS (SELECT 1 FROM notes n "
            "WHERE n.graph_key = t.graph_key AND n.note_key = t.note_key AND n.version = t.version "
            "AND n.last_revision IS NULL)"
        )[0][0]
    application.close()
    return closed + orphaned
