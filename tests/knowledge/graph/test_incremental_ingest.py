"""A graph brought up to date equals a graph made anew."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import (
    ContextRequest,
    ExportRequest,
    GraphRequest,
    ScanRequest,
    SearchRequest,
)
from loreweave.settings import Settings

NAMES = ["a", "b", "x/a", "x/b", "y/a", "y/index", "x/SKILL", "ab"]
LINES = [
    "[[a]]", "[[b|c]]", "[[x/a]] and so on.", "[[ab#Head]]", "[[Other Name]]", "[[y]]", "[[ghost]]", "# Head",
    "[m](../a.md)", "[[alias]]", "plain words about cats", "```\n[[a]]\n```",
]  # fmt: skip
HEADERS = [
    "",
    "---\nname: Other Name\ntype: moc\n---\n",
    "---\naliases: [alias]\ndomain: D\ndescription: words\n---\n",
    "---\nextends: b\ndomain: d\n---\n",
]
texts = st.builds(
    lambda header, lines: header + "\n\n".join(lines),
    st.sampled_from(HEADERS),
    st.lists(st.sampled_from(LINES), max_size=4),
)
vaults = st.dictionaries(st.sampled_from(NAMES).map(lambda name: name + ".md"), texts, min_size=1, max_size=6)


def _lay(folder: Path, notes: dict[str, str]) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in notes.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def _everything(application: Application) -> list[dict]:
    answers = [
        application.graphs.export(ExportRequest(graphId="g")),
        application.graphs.validate(GraphRequest(graphId="g")),
        application.graphs.stats(GraphRequest(graphId="g")),
        application.retrieval.scan(ScanRequest(graphId="g", query="words a")),
        application.retrieval.search(SearchRequest(graphId="g", query="cats head other")),
        application.retrieval.context(ContextRequest(graphId="g", query="words about cats")),
    ]
    return [answer.model_dump(exclude={"revision"}) for answer in answers]


@pytest.mark.holds("graph.revisions.equals-fresh", "graph.revisions.relinks-affected")
@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(vaults, min_size=2, max_size=4))
def test_a_graph_brought_up_to_date_equals_a_graph_made_anew(tmp_path_factory, states: list[dict[str, str]]) -> None:
    folder = tmp_path_factory.mktemp("vault")
    updated = open_application(Settings(data_dir=lay_tables(folder / "one"), embedder="none"))
    fresh = open_application(Settings(data_dir=lay_tables(folder / "two"), embedder="none"))
    try:
        for notes in states:
            last = updated.graphs.ingest_folder(_lay(folder / "g", notes))
        new = fresh.graphs.ingest_folder(folder / "g")
        same = {"metrics", "validation", "contentHash", "warnings", "warningCount"}
        assert last.model_dump(include=same) == new.model_dump(include=same)
        assert _everything(updated) == _everything(fresh)
    finally:
        updated.close()
        fresh.close()


@pytest.mark.lengthy
@pytest.mark.holds(
    "graph.revisions.equals-fresh", "graph.revisions.relinks-affected", "graph.speed.change-proportional"
)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(vaults, min_size=3, max_size=4))
def test_a_few_notes_changed_among_many_give_the_graph_made_anew(
    tmp_path_factory, states: list[dict[str, str]]
) -> None:
    """Among many notes a change is patched into what the process remembers of the revision before."""
    folder = tmp_path_factory.mktemp("vault")
    many = {
        f"z/m{number}.md": f"[[m{number // 2}]] and [[{NAMES[number % 8]}]], [[lost-{number}]]" for number in range(60)
    }
    updated = open_application(Settings(data_dir=lay_tables(folder / "one"), embedder="none"))
    fresh = open_application(Settings(data_dir=lay_tables(folder / "two"), embedder="none"))
    try:
        for notes in states:
            last = updated.graphs.ingest_folder(_lay(folder / "g", {**many, **notes}))
            _everything(updated)
        new = fresh.graphs.ingest_folder(folder / "g")
        same = {"metrics", "validation", "contentHash", "warnings", "warningCount"}
        assert last.model_dump(include=same) == new.model_dump(include=same)
        assert _everything(updated) == _everything(fresh)
    finally:
        updated.close()
        fresh.close()


@pytest.mark.holds("graph.revisions.equals-fresh", "graph.speed.change-proportional")
def test_many_small_edits_leave_nothing_behind_and_the_same_answers(application: Application, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    notes = {f"n{number}.md": f"# Note {number}\nAbout [[n{number + 1}]] and cats." for number in range(20)}
    _lay(folder, notes)
    for number in range(30):
        notes[f"n{number % 20}.md"] += f"\nEdit number{number} about dogs."
        (folder / f"n{number % 20}.md").write_text(notes[f"n{number % 20}.md"], encoding="utf-8")
        application.graphs.ingest_folder(folder)
    with application.store.read() as connection:
        [(kept_texts,)] = connection.rows("SELECT count(*) FROM note_texts")
    assert kept_texts == 20
    edited = _everything(application)
    application.graphs.delete("g")
    application.graphs.ingest_folder(folder)
    assert _everything(application) == edited


@pytest.mark.holds("graph.revisions.only-changed-parsed")
def test_a_file_with_the_same_size_and_time_is_not_read_again(sqlite_application: Application, tmp_path: Path) -> None:
    import os

    folder = _lay(tmp_path / "g", {"a.md": "one", "b.md": "two"})
    for path in folder.iterdir():
        os.utime(path, ns=(10**18, 10**18))
    sqlite_application.graphs.ingest_folder(folder)
    (folder / "a.md").write_text("six")
    os.utime(folder / "a.md", ns=(10**18, 10**18))
    assert sqlite_application.graphs.ingest_folder(folder).unchanged
    os.utime(folder / "a.md", ns=(10**18 + 1, 10**18 + 1))
    assert sqlite_application.graphs.ingest_folder(folder).changes.changed == 1


@pytest.mark.holds("graph.revisions.only-changed-parsed")
def test_a_file_written_this_very_moment_is_not_trusted_by_its_time(
    sqlite_application: Application, tmp_path: Path
) -> None:
    import os

    folder = _lay(tmp_path / "g", {"a.md": "one"})
    sqlite_application.graphs.ingest_folder(folder)
    stamp = (folder / "a.md").stat().st_mtime_ns
    (folder / "a.md").write_text("six")
    os.utime(folder / "a.md", ns=(stamp, stamp))
    assert not sqlite_application.graphs.ingest_folder(folder).unchanged
