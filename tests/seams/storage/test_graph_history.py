"""What is kept of earlier revisions: which files each changed, and the texts that it left behind."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as settings_of_examples
from hypothesis import strategies as st
from tests.examples import examples
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.contracts.graph_reports import DiffAnswer
from loreweave.contracts.skill_graph import ChangesRequest, DiffRequest, FuseRequest, GraphRequest
from loreweave.errors import NotFound
from loreweave.seams.storage.revisions import history_shelf
from loreweave.settings import Settings

KEPT = ("graph_revisions", "revision_files")


def _read(application: Application, folder: Path, notes: Mapping[str, str], graph: str = "g") -> int:
    """The folder holds these notes and no others, and is read."""
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    for name, text in notes.items():
        (folder / name).write_text(text, encoding="utf-8")
    return application.graphs.ingest_folder(folder, name=graph).revision


def _diff(application: Application, revision: int, path: str, graph: str = "g") -> DiffAnswer:
    return application.history.diff(DiffRequest(graphId=graph, revision=revision, path=path))


def _told(application: Application) -> list[tuple[int, int, int, int, bool]]:
    found = application.history.revisions(GraphRequest(graphId="g")).revisions
    return [(row.revision, *(list(row.changes.model_dump().values())[:3]), row.keepsFiles) for row in found]


def _rows(application: Application) -> int:
    with application.store.read() as connection:
        return sum(connection.rows(f"SELECT count(*) FROM {table}")[0][0] for table in KEPT)


@pytest.mark.holds("graph.history.kept")
def test_revisions_are_listed_and_each_tells_what_it_changed_in_a_file(
    application: Application, tmp_path: Path
) -> None:
    soil = "# Soil\n\nFed by compost.\n"
    _read(application, tmp_path / "g", {"soil.md": soil, "sun.md": "# Sun\n"})
    _read(application, tmp_path / "g", {"soil.md": soil.replace("compost", "leaves"), "rain.md": "# Rain\n"})
    _read(application, tmp_path / "g", {"soil.md": "# Soil\n", "rain.md": "# Rain\n"})
    assert _told(application) == [(3, 0, 1, 0, True), (2, 1, 1, 1, True), (1, 2, 0, 0, True)]
    dates = [row.at for row in application.history.revisions(GraphRequest(graphId="g")).revisions]
    assert all(dates)
    assert dates == sorted(dates, reverse=True)
    second = application.history.changes(ChangesRequest(graphId="g", revision=2))
    assert [[file.path for file in files] for files in (second.added, second.changed, second.removed)] == [
        ["rain.md"], ["soil.md"], ["sun.md"],
    ]  # fmt: skip
    assert second.changed[0].name == "Soil"
    assert _diff(application, 2, "soil.md").diff.split("\n")[-2:] == ["-Fed by compost.", "+Fed by leaves."]
    assert _diff(application, 3, "soil.md").diff.split("\n")[-2:] == ["-", "-Fed by leaves."]
    added, removed = _diff(application, 2, "rain.md"), _diff(application, 2, "sun.md")
    assert (added.change, added.diff.split("\n")[-1]) == ("added", "+# Rain")
    assert (removed.change, removed.diff.split("\n")[-1]) == ("removed", "-# Sun")


@pytest.mark.holds("graph.history.kept")
def test_what_is_not_kept_is_refused_by_name(application: Application, tmp_path: Path) -> None:
    for text in ("# One\n", "# Two\n"):
        _read(application, tmp_path / "g", {"a.md": text, "b.md": "# B\n"})
    with pytest.raises(NotFound, match=r"Revision 2 did not change it: b\.md"):
        _diff(application, 2, "b.md")
    with pytest.raises(NotFound, match="Nothing is kept of revision 9 of g"):
        _diff(application, 9, "a.md")
    with pytest.raises(NotFound, match="Nothing is kept of revision 9 of g"):
        application.history.changes(ChangesRequest(graphId="g", revision=9))


@pytest.mark.holds("graph.history.bounded")
def test_the_oldest_go_first_by_number_and_by_size(
    application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_shelf, "KEPT_REVISIONS", 4)
    for number in range(6):
        _read(application, tmp_path / "g", {"a.md": f"# A {number}\n"})
    assert [row[0] for row in _told(application)] == [6, 5, 4, 3]
    one = _diff(application, 6, "a.md")
    monkeypatch.setattr(history_shelf, "KEPT_BYTES", 3 * history_shelf.ROW_BYTES)  # texts of two, with their paths
    _read(application, tmp_path / "g", {"a.md": "# A 6\n"})
    assert _told(application) == [(7, 0, 1, 0, True), (6, 0, 1, 0, True), (5, 0, 1, 0, False), (4, 0, 1, 0, False)]
    assert _diff(application, 6, "a.md") == one.model_copy(update={"revision": 6})
    with pytest.raises(NotFound, match=r"Revision 5 keeps no texts any more: a\.md"):
        _diff(application, 5, "a.md")
    assert application.history.changes(ChangesRequest(graphId="g", revision=5)).changes.changed == 1


@pytest.mark.holds("graph.history.deleted")
def test_a_deleted_graph_leaves_no_former_text(application: Application, tmp_path: Path, unguessable: str) -> None:
    _read(application, tmp_path / "g", {"a.md": f"# A\n\n{unguessable}\n"})
    _read(application, tmp_path / "g", {"a.md": "# A\n"})
    assert unguessable in _diff(application, 2, "a.md").diff
    application.graphs.delete("g")
    assert _rows(application) == 0
    _read(application, tmp_path / "g", {"a.md": "# A\n"})
    assert _told(application) == [(3, 1, 0, 0, True)]


@pytest.mark.holds("graph.history.kept")
def test_a_fused_graph_has_a_history_too(application: Application, tmp_path: Path) -> None:
    for name in ("one", "two"):
        _read(application, tmp_path / name, {"a.md": "# A\n"}, name)
    application.graphs.fuse(FuseRequest(name="g", graphIds=["one", "two"]))
    _read(application, tmp_path / "one", {"a.md": "# Other\n"}, "one")
    application.graphs.fuse(FuseRequest(name="g", graphIds=["one", "two"]))
    assert _told(application) == [(2, 0, 1, 0, True), (1, 2, 0, 0, True)]
    assert _diff(application, 2, "one/a.md").diff.split("\n")[-2:] == ["-# A", "+# Other"]


@pytest.mark.holds("graph.history.backup")
def test_a_backup_carries_the_history(application: Application, tmp_path: Path) -> None:
    for text in ("# One\n", "# Two\n"):
        _read(application, tmp_path / "g", {"a.md": text})
    before = _diff(application, 2, "a.md").diff
    application.library.backup(tmp_path / "kept.db")
    application.graphs.delete("g")
    application.library.restore(tmp_path / "kept.db", replace=True)
    assert _diff(application, 2, "a.md").diff == before
    _read(application, tmp_path / "g", {"a.md": "# Three\n"})
    told = _told(application)
    assert [row[1:] for row in told] == [(0, 1, 0, True), (0, 1, 0, True), (1, 0, 0, True)]
    assert _diff(application, 2, "a.md").diff == before


@pytest.fixture(scope="module")
def shared_application(tmp_path_factory: pytest.TempPathFactory):
    data = tmp_path_factory.mktemp("history") / "data"
    lay_tables(data)
    opened = open_application(Settings(data_dir=data, embedder="none"))
    yield opened
    opened.close()


TEXTS = st.lists(st.sampled_from(["# A", "one", "two", "", "```"]), max_size=3).map(lambda lines: "\n".join(lines))
STATES = st.lists(st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md"]), TEXTS, min_size=1), min_size=2, max_size=4)


@pytest.mark.holds("graph.history.law")
@settings_of_examples(max_examples=examples(10))
@given(states=STATES)
def test_every_revision_gives_back_the_texts_before_and_after_it(
    shared_application: Application, tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, str]]
) -> None:
    """Of texts as short as these a diff shows every line."""
    folder = tmp_path_factory.mktemp("states")
    seen: dict[int, dict[str, str]] = {}
    for notes in states:
        seen[_read(shared_application, folder, notes)] = notes
    told = shared_application.history.revisions(GraphRequest(graphId="g")).revisions
    assert [row.revision for row in told] == sorted(seen, reverse=True)
    before: dict[str, str] = {}
    for number, after in seen.items():
        turned = {path for path in {*before, *after} if before.get(path) != after.get(path)}
        for path in turned if before else ():
            lines = _diff(shared_application, number, path).diff.split("\n")[1:]
            assert [line[1:] for line in lines if line[0] in " -"] == before.get(path, "").splitlines()
            assert [line[1:] for line in lines if line[0] in " +"] == after.get(path, "").splitlines()
        before = after
    shared_application.graphs.delete("g")
