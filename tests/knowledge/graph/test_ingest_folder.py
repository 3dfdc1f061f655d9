"""From a folder to a graph, on both databases."""

from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.skill_graph import ExportRequest, FuseRequest, GraphRequest
from loreweave.entities.digest import reader_of
from loreweave.errors import NoMarkdown, NotFound
from loreweave.knowledge.documents.page_record import unpack_record
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.stored_notes import page_settings
from loreweave.seams.storage import ask_shelf

NOTES = {
    "index.md": "---\ntype: moc\ndomain: therapy\ndescription: Start here.\n---\n"
    "Begin with [[cbt]] and, e.g. when it is loud, with [[Grounding|grounding techniques]].\n",
    "cbt.md": "---\ntype: framework\ndomain: Therapy\ndescription: How thoughts and feelings meet.\n"
    'extends: "[[grounding]]"\n---\n# CBT\nThe [[thought-journals]] worksheet. Also [[cbt]] itself.\n',
    "sub/grounding.md": "# Grounding\n\nBack to [the index](../index.md) or [gone](../gone.md).\n",
}


def write(folder: Path, notes: dict[str, str]) -> Path:
    for path, text in notes.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def edges(application: Application, graph: str) -> list[tuple]:
    answer = application.graphs.export(ExportRequest(graphId=graph))
    return [(edge.source, edge.target, edge.type, edge.count, edge.contexts) for edge in answer.edges]


@pytest.mark.holds(
    "graph.links.one-edge", "graph.links.edge-type", "graph.links.header-edge-types", "graph.links.self",
    "graph.links.header-context", "graph.links.context-sentence", "house.storage.both-databases", "graph.export.json",
)  # fmt: skip
def test_links_become_typed_edges_with_their_sentences(application: Application, tmp_path: Path) -> None:
    application.graphs.ingest_folder(write(tmp_path / "vault", NOTES))
    sentence = "Begin with [[cbt]] and, e.g. when it is loud, with [[Grounding|grounding techniques]]."
    assert edges(application, "vault") == [
        ("skill:cbt", "skill:grounding", "EXTENDS", 1, ["frontmatter: extends"]),
        (
            "skill:grounding",
            "skill:index",
            "REFERENCES",
            1,
            ["Back to [the index](../index.md) or [gone](../gone.md)."],
        ),
        ("skill:index", "skill:cbt", "CLUSTERS", 1, [sentence]),
        ("skill:index", "skill:grounding", "CLUSTERS", 1, [sentence]),
    ]


@pytest.mark.holds(
    "graph.ingest.answer-shape", "graph.ingest.findings-are-paths", "graph.ingest.missing-lists",
    "graph.links.broken-entry", "graph.links.broken-markdown-link", "graph.metrics.domains",
    "graph.ingest.kind-is-skill",
    "graph.metrics.type-breakdown", "graph.ingest.broken-link-shape",
)  # fmt: skip
def test_an_ingest_says_what_it_found(application: Application, tmp_path: Path) -> None:
    answer = application.graphs.ingest_folder(write(tmp_path / "vault", NOTES)).model_dump()
    assert answer["graphId"] == "vault"
    assert answer["revision"] == 1
    assert answer["kind"] == "skill"
    assert answer["unchanged"] is False
    assert answer["changes"] == {"added": 3, "changed": 0, "removed": 0, "unchanged": 0}
    assert answer["metrics"] == {
        "nodeCount": 3,
        "edgeCount": 4,
        "density": 0.67,
        "domains": ["Therapy", "general"],
        "typeBreakdown": {"framework": 1, "moc": 1, "skill": 1},
        "clusterCount": 1,
        "orphanCount": 0,
    }
    assert answer["validation"] == {
        "score": min(100, 100 - 10 - 5 - 2 - 1 + 10 + 10),
        "brokenLinks": [
            {
                "source": "cbt.md",
                "target": "thought-journals",
                "context": "The [[thought-journals]] worksheet.",
                "raw": "thought-journals",
                "line": 8,
                "suggestion": None,
            }
        ],
        "missingDescriptions": ["sub/grounding.md"],
        "missingTypes": ["sub/grounding.md"],
        "missingDomains": ["sub/grounding.md"],
        "orphans": [],
        "circularOnly": [],
    }
    assert [warning["code"] for warning in answer["warnings"]] == ["broken_markdown_link"]
    assert answer["warningCount"] == 1


@pytest.mark.holds("graph.quality.validate-shape", "graph.metrics.stats-shape", "graph.metrics.edge-type-breakdown")
def test_validate_and_stats_say_the_same_again(application: Application, tmp_path: Path) -> None:
    application.graphs.ingest_folder(write(tmp_path / "vault", NOTES))
    stats = application.graphs.stats(GraphRequest(graphId="vault")).model_dump(exclude_none=True)
    assert stats["maxInDegree"] == {"nodeId": "skill:grounding", "value": 2}
    assert stats["edgeTypeBreakdown"] == {"REFERENCES": 1, "CLUSTERS": 2, "EXTENDS": 1}
    assert stats["avgDegree"] == 2.7
    checked = application.graphs.validate(GraphRequest(graphId="vault"))
    assert checked.maxScore == 100
    assert [issue.file for issue in checked.issues.missingDomains] == ["sub/grounding.md"]
    assert checked.summary.startswith("1 broken link, 1 missing description, 1 missing type and 1 missing domain.")


@pytest.mark.holds("graph.revisions.unchanged", "graph.revisions.rise-with-content", "graph.ingest.changes")
def test_equal_content_keeps_the_revision_and_changed_content_raises_it(
    application: Application, tmp_path: Path
) -> None:
    folder = write(tmp_path / "vault", NOTES)
    first = application.graphs.ingest_folder(folder)
    again = application.graphs.ingest_folder(folder)
    assert (again.revision, again.unchanged, again.contentHash) == (1, True, first.contentHash)
    assert again.validation == first.validation
    assert again.warnings == first.warnings
    (folder / "cbt.md").unlink()
    write(folder, {"new.md": "# New", "index.md": NOTES["index.md"] + "\nMore."})
    third = application.graphs.ingest_folder(folder)
    assert (third.revision, third.unchanged) == (2, False)
    assert third.changes.model_dump() == {"added": 1, "changed": 1, "removed": 1, "unchanged": 1}


@pytest.mark.holds("graph.revisions.deleted-id-counts-on", "house.http.delete-graph")
def test_a_deleted_graph_is_gone_and_its_revisions_go_on_counting(application: Application, tmp_path: Path) -> None:
    folder = write(tmp_path / "vault", NOTES)
    application.graphs.ingest_folder(folder)
    assert application.graphs.delete("vault").model_dump() == {"graphId": "vault", "deleted": True}
    with pytest.raises(NotFound):
        application.graphs.stats(GraphRequest(graphId="vault"))
    with pytest.raises(NotFound):
        application.graphs.delete("vault")
    with pytest.raises(NotFound):
        application.graph_library.latest()
    assert application.graphs.graphs().graphs == []
    assert application.graphs.ingest_folder(folder).revision == 2


def test_a_name_that_nobody_has_leaves_no_file_behind(sqlite_application: Application) -> None:
    locks = sqlite_application.settings.data_dir / "locks"
    before = sorted(locks.glob("*"))
    with pytest.raises(NotFound):
        sqlite_application.graphs.delete("nobody")
    with pytest.raises(NotFound):
        sqlite_application.graphs.fuse(FuseRequest(name="all", graphIds=["nobody", "none"]))
    assert sorted(locks.glob("*")) == before


@pytest.mark.holds("graph.ingest.refusal-leaves-old-graph")
def test_refused_input_leaves_the_old_graph_untouched(application: Application, tmp_path: Path) -> None:
    folder = write(tmp_path / "vault", NOTES)
    before = application.graphs.ingest_folder(folder)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NoMarkdown):
        application.graphs.ingest_folder(empty, name="vault")
    assert application.graphs.revision("vault") == before.revision
    assert len(edges(application, "vault")) == 4


@pytest.mark.holds("graph.links.missing-heading", "graph.links.ambiguous", "graph.links.suggestion")
def test_links_that_leave_doubts_are_said(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {
        "s.md": "[[far/away/note#Known]] [[note#Unknown]] [[twin]] [[grounding-technique]]",
        "t.md": "[one of two](twin)",
        "far/away/note.md": "# Known\n",
        "a/twin.md": "",
        "b/twin.md": "",
        "grounding-techniques.md": "",
    }
    answer = sqlite_application.graphs.ingest_folder(write(tmp_path / "vault", notes))
    assert [warning.code for warning in answer.warnings if warning.file == "s.md"] == [
        "ambiguous_link",
        "missing_heading",
    ]
    doubt = "could mean 2 notes; a/twin.md is nearest"
    assert [warning.message for warning in answer.warnings if warning.code == "ambiguous_link"] == [
        f"[[twin]] {doubt}",
        f"(twin) {doubt}",
    ]
    assert [link.suggestion for link in answer.validation.brokenLinks] == ["skill:grounding-techniques"]


@pytest.mark.holds("graph.links.missing-heading")
def test_anchors_of_headings_with_code_are_known_however_a_generator_spells_them(
    sqlite_application: Application, tmp_path: Path
) -> None:
    anchors = ["fsopenpath-flags", "fs-open-path-flags", "class-fsdir", "class-fsdir-1", "exitcode_1", "nothing"]
    notes = {
        "s.md": " ".join(f"[here](fs.md#{anchor})" for anchor in anchors),
        "fs.md": "## `fs.open(path[, flags])`\n\n## Class: `fs.Dir`\n\n## Class: `fs.Dir`\n\n## `exitCode`\n",
    }
    answer = sqlite_application.graphs.ingest_folder(write(tmp_path / "vault", notes))
    assert [warning.message for warning in answer.warnings] == ["fs.md has no heading “nothing”"]


@pytest.mark.holds("graph.links.media-ignored", "graph.links.embed-is-link")
def test_embeds_are_links_and_missing_media_is_no_fault(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {"s.md": "![[other]] ![[picture.png]] [[paper.pdf]]", "other.md": ""}
    answer = sqlite_application.graphs.ingest_folder(write(tmp_path / "vault", notes))
    assert answer.metrics.edgeCount == 1
    assert answer.validation.brokenLinks == []


@pytest.mark.holds("graph.ingest.warnings-capped")
def test_two_hundred_warnings_are_shown_and_all_are_counted(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {f"n{number:03}.md": "[x](gone.md)" for number in range(250)}
    answer = sqlite_application.graphs.ingest_folder(write(tmp_path / "vault", notes))
    assert (len(answer.warnings), answer.warningCount) == (200, 250)
    assert [warning.file for warning in answer.warnings[:2]] == ["n000.md", "n001.md"]


@pytest.mark.holds("graph.links.media-ignored", "graph.links.broken-entry")
def test_a_name_that_looks_like_an_ending_is_a_name(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {"s.md": "[[base]] [[pdf]] [x](md) [[a.m4v]] [[v.numbers]] [[talk.key]]"}
    answer = sqlite_application.graphs.ingest_folder(write(tmp_path / "vault", notes))
    assert [link.target for link in answer.validation.brokenLinks] == ["base", "pdf"]
    assert answer.warnings == []


@pytest.mark.holds("graph.ingest.id-order")
def test_a_long_name_gives_an_id_that_can_be_asked_for(sqlite_application: Application, tmp_path: Path) -> None:
    folder = write(tmp_path / "vault", {"a.md": "text"})
    answer = sqlite_application.graphs.ingest_folder(folder, name="ﷺ word " * 500)
    assert len(answer.graphId) <= 200
    assert sqlite_application.graphs.stats(GraphRequest(graphId=answer.graphId)).nodeCount == 1


@pytest.mark.holds("retrieval.reading.one-parse")
def test_an_ingest_leaves_what_asking_and_the_index_read_of_every_document(
    application: Application, tmp_path: Path
) -> None:
    """A reading belongs to the text it was made of: whoever asks next finds it and parses nothing."""
    folder = write(tmp_path / "vault", NOTES)

    def readings() -> dict[str, tuple[int, bytes | None]]:
        """By path, as they are when the index begins to be made."""
        found: dict[str, tuple[int, bytes | None]] = {}

        def look(phase: str, done: int, total: int) -> None:
            if (phase, done) != ("indexing", 0):
                return
            with application.store.read() as connection:
                graph = require_graph(connection, "vault")
                rows = ask_shelf.documents(connection, graph)
                keys, reader = [key for _, key, _, _ in rows], reader_of(page_settings(graph))
                made = ask_shelf.readings_of(connection, graph, reader, keys)
            found.update((path, (version, made.get(key))) for path, key, version, _ in rows)

        application.graphs.ingest_folder(folder, progress=look)
        return found

    first = readings()
    (folder / "cbt.md").write_text("# Another\n\nText.\n", encoding="utf-8")
    second = readings()
    assert set(first) == set(second) == set(NOTES)
    assert {path for path in NOTES if first[path] != second[path]} == {"cbt.md"}
    made = {path: unpack_record(reading) for path, (_, reading) in second.items() if reading}
    assert {path: record.name for path, record in made.items()} == {
        "index.md": "Home", "cbt.md": "Another", "sub/grounding.md": "Grounding"
    }  # fmt: skip
