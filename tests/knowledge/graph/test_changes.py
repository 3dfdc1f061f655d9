"""What the present revision changed, by name."""

from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.graph_reports import ChangedFile, Changes, ChangesAnswer
from loreweave.contracts.skill_graph import ChangesRequest, ExportRequest, FuseRequest, PageSettings
from loreweave.knowledge.graph.stored_report import SHOWN_FILES

NOTES = {"soil.md": "# Soil\n\nFed by [[compost]].\n", "compost.md": "# Compost\n", "beds/roses.md": "# Roses\n"}


def _lay(folder: Path, notes: dict[str, str]) -> Path:
    for path, text in notes.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def _changes(application: Application, graph: str = "g") -> ChangesAnswer:
    return application.history.changes(ChangesRequest(graphId=graph))


def _paths(answer: ChangesAnswer) -> tuple[list[str], list[str], list[str]]:
    return tuple([file.path for file in files] for files in (answer.added, answer.changed, answer.removed))


@pytest.mark.holds("graph.revisions.changes-named")
def test_a_first_revision_adds_every_file(application: Application, tmp_path: Path) -> None:
    ingested = application.graphs.ingest_folder(_lay(tmp_path / "g", NOTES))
    answer = _changes(application)
    assert (answer.graphId, answer.revision, answer.changes) == ("g", 1, ingested.changes)
    assert _paths(answer) == (["compost.md", "soil.md", "beds/roses.md"], [], [])
    assert answer.added[0] == ChangedFile(path="compost.md", id="skill:compost", name="Compost")


@pytest.mark.holds("graph.revisions.changes-named")
def test_added_changed_and_removed_files_are_named_as_ingest_counted_them(
    application: Application, tmp_path: Path
) -> None:
    folder = _lay(tmp_path / "g", NOTES)
    application.graphs.ingest_folder(folder)
    _lay(folder, {"soil.md": "# Good Soil\n", "sun.md": "# Sun\n"})
    (folder / "beds/roses.md").unlink()
    ingested = application.graphs.ingest_folder(folder)
    answer = _changes(application)
    assert answer.changes == ingested.changes == Changes(added=1, changed=1, removed=1, unchanged=1)
    assert answer.added == [ChangedFile(path="sun.md", id="skill:sun", name="Sun")]
    assert answer.changed == [ChangedFile(path="soil.md", id="skill:soil", name="Good Soil")]
    assert answer.removed == [ChangedFile(path="beds/roses.md", id="skill:roses", name="Roses")]


@pytest.mark.holds("graph.revisions.changes-named")
def test_only_the_last_revision_is_told_and_reading_the_same_again_keeps_it(
    application: Application, tmp_path: Path
) -> None:
    folder = _lay(tmp_path / "g", NOTES)
    for text in ("# Soil two\n", "# Soil three\n"):
        application.graphs.ingest_folder(folder)
        _lay(folder, {"soil.md": text})
    _lay(folder, {"soil.md": NOTES["soil.md"], "sun.md": "# Sun\n"})
    third = application.graphs.ingest_folder(folder)
    assert third.revision == 3
    told = _changes(application)
    assert _paths(told) == (["sun.md"], ["soil.md"], [])
    assert application.graphs.ingest_folder(folder).unchanged
    assert _changes(application) == told


@pytest.mark.holds("graph.revisions.changes-named")
def test_a_note_that_only_changed_its_id_has_not_changed(application: Application, tmp_path: Path) -> None:
    folder = _lay(tmp_path / "g", {"beds/roses.md": "# Roses\n"})
    application.graphs.ingest_folder(folder)
    _lay(folder, {"roses.md": "# More roses\n"})
    ingested = application.graphs.ingest_folder(folder)
    exported = application.graphs.export(ExportRequest(graphId="g"))
    assert [node.id for node in exported.nodes] == ["skill:beds-roses", "skill:roses"]
    answer = _changes(application)
    assert _paths(answer) == (["roses.md"], [], [])
    assert answer.changes == ingested.changes


@pytest.mark.holds("graph.revisions.changes-named")
def test_a_revision_of_other_settings_changes_no_file(application: Application, tmp_path: Path) -> None:
    folder = _lay(tmp_path / "g", NOTES)
    application.graphs.ingest_folder(folder)
    application.graphs.ingest_folder(folder, pages=PageSettings(basePath="/other/"))
    answer = _changes(application)
    assert answer.revision == 2
    assert answer.changes == Changes(added=0, changed=0, removed=0, unchanged=3)


@pytest.mark.holds("graph.revisions.changes-named")
def test_a_fused_graph_tells_what_its_sources_changed(application: Application, tmp_path: Path) -> None:
    one, two = _lay(tmp_path / "one", NOTES), _lay(tmp_path / "two", NOTES)
    application.graphs.ingest_folder(one)
    application.graphs.ingest_folder(two)
    application.graphs.fuse(FuseRequest(name="both", graphIds=["one", "two"]))
    _lay(one, {"soil.md": "# Other soil\n"})
    (one / "compost.md").unlink()
    application.graphs.ingest_folder(one)
    fused = application.graphs.fuse(FuseRequest(name="both", graphIds=["one", "two"]))
    answer = _changes(application, "both")
    assert _paths(answer) == ([], ["one/soil.md"], ["one/compost.md"])
    assert answer.changes == fused.changes


@pytest.mark.holds("graph.revisions.changes-named")
def test_a_graph_deleted_and_read_again_begins_anew(application: Application, tmp_path: Path) -> None:
    folder = _lay(tmp_path / "g", NOTES)
    application.graphs.ingest_folder(folder)
    application.graphs.delete("g")
    application.graphs.ingest_folder(folder)
    answer = _changes(application)
    assert (answer.revision, answer.changes.added, answer.changes.removed) == (2, 3, 0)


def test_the_lists_are_cut_where_the_counts_are_not(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {f"n{number:03}.md": f"# {number}\n" for number in range(SHOWN_FILES + 5)}
    sqlite_application.graphs.ingest_folder(_lay(tmp_path / "g", notes))
    answer = _changes(sqlite_application)
    assert answer.changes.added == SHOWN_FILES + 5
    assert [file.path for file in answer.added] == sorted(notes)[:SHOWN_FILES]
