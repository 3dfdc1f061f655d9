"""Digests of ingested graphs, on both databases."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge.digest.tree_reader import read_tree

from loreweave.application import Application
from loreweave.contracts.ask import BuildReport
from loreweave.contracts.wire import committed_json
from loreweave.errors import NotFound
from loreweave.knowledge.digest.build_digest import BuildOptions
from loreweave.knowledge.digest.digest_file import digest_bytes
from loreweave.knowledge.digest.digest_library import DigestLibrary
from loreweave.knowledge.digest.digest_service import DigestService

PAGES = {
    "index.md": "# Acme\n\nAcme makes widgets.\n\n## Install\n\nRun `acme --now`.\n",
    "api/cli.mdx": "import X from 'x'\n\n# CLI\n\nThe command.\n\n## Flags\n\nUse `--depth`.\n",
}


class GraphBuilds:
    """The door to builds over the application's store; `library` stands for a server that runs all the while."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.library = DigestLibrary(application.store, application.indexes)
        self.model: Any = None
        self.told: list[str] = []
        self.service = DigestService(lambda: application.store, lambda: self.library, lambda name: self.model)

    def ingest(self, folder: Path) -> Any:
        return self.application.graphs.ingest_folder(folder, name="g")

    def build(self, **options: Any) -> BuildReport:
        if "assemble" in options:
            options["assemble"] = json.dumps(options["assemble"]).encode()
        return self.service.build_graph("g", BuildOptions(**options), self.told.append)

    def nodes(self) -> dict[str, str]:
        return {section.id: section.summary for section in self.library.open("g").sections}


@pytest.fixture
def builds(application: Application) -> GraphBuilds:
    return GraphBuilds(application)


@pytest.mark.holds("ask.digest.graph-build", "ask.digest.build-report")
def test_a_graph_is_built_once_and_a_running_reader_sees_it_at_the_next_look(
    builds: GraphBuilds, docs: Any, scripted: Callable[..., Any]
) -> None:
    builds.ingest(docs(PAGES))
    assert builds.nodes()["index"] == "Acme makes widgets."
    model = builds.model = scripted()
    report = builds.build()
    assert (report.status, report.path, report.sections, report.distilled) == ("built", "g", 4, 4)
    assert report.contentHash == builds.library.open("g").digest.content_hash
    assert builds.nodes()["index"] == "About index."
    assert builds.library.open("g").digest.context == "Written context."
    again = builds.build()
    assert (again.status, again.distilled, len(model.sent)) == ("skipped", 0, 1)


@pytest.mark.holds("ask.digest.graph-build", "ask.digest.incremental")
def test_after_an_ingest_only_what_changed_is_sent(
    builds: GraphBuilds, docs: Any, scripted: Callable[..., Any]
) -> None:
    folder = docs(PAGES)
    builds.ingest(folder)
    model = builds.model = scripted()
    builds.build()
    docs({"index.md": PAGES["index.md"].replace("--now", "--then")})
    builds.ingest(folder)
    assert builds.nodes()["index#install"] == "Run acme --then."
    assert builds.nodes()["index"] == "About index."
    assert builds.build().status == "updated"
    assert model.sent[1:] == [["index#install"]]
    assert builds.nodes()["index#install"] == "About index#install."


@pytest.mark.holds("ask.digest.graph-build", "ask.digest.equal-bytes")
def test_a_graph_and_its_folder_give_the_same_file(
    builds: GraphBuilds, builder: Any, docs: Any, tmp_path: Path
) -> None:
    folder = docs(PAGES)
    builds.ingest(folder)
    builder.build(folder, out=tmp_path / "folder.json")
    builds.build(out=tmp_path / "graph.json", tree=tmp_path / "tree")
    assert (tmp_path / "graph.json").read_bytes() == (tmp_path / "folder.json").read_bytes()
    assert committed_json(read_tree(tmp_path / "tree")) == (tmp_path / "graph.json").read_bytes()
    assert (tmp_path / "tree" / "_source" / "api" / "cli.mdx").read_text() == PAGES["api/cli.mdx"]


@pytest.mark.holds("ask.digest.key-free")
def test_ingestion_makes_the_key_free_digest_at_once(builds: GraphBuilds, docs: Any) -> None:
    builds.ingest(docs(PAGES))
    digest = builds.library.open("g").digest
    assert len(digest.sections) == 4
    assert digest.suggestions
    assert not any(section.distilled for section in digest.sections)
    assert builds.build(key_free=True).distilled == 0


@pytest.mark.holds("ask.digest.assemble", "ask.digest.corpus")
def test_corpus_and_assemble_work_on_a_graph(builds: GraphBuilds, docs: Any, tmp_path: Path) -> None:
    builds.ingest(docs(PAGES))
    builds.build(corpus=tmp_path / "corpus.json")
    corpus = json.loads((tmp_path / "corpus.json").read_bytes())
    summaries = [{"id": part["id"], "summary": "Mine.", "hash": part["hash"]} for part in corpus["sections"]]
    assert builds.build(assemble={"summaries": [*summaries, {"id": "ghost", "summary": "x"}]}).status == "built"
    assert set(builds.nodes().values()) == {"Mine."}
    assert builds.told == ["There is no section ghost; its summary was left out."]
    builds.build(corpus=tmp_path / "corpus.json")
    assert json.loads((tmp_path / "corpus.json").read_bytes())["sections"] == []


@pytest.mark.holds("ask.digest.travels")
def test_a_committed_digest_travels_with_its_documents(builds: GraphBuilds, builder: Any, docs: Any) -> None:
    folder = docs(PAGES)
    given = {
        "context": "Ours.",
        "suggestions": ["Why?"],
        "glossary": [{"term": "Widget", "aliases": [], "definition": "A thing."}],
        "summaries": [{"id": "index", "summary": "Written."}, {"id": "index#install", "summary": "Written, too."}],
    }
    builder.build(folder, assemble=given)
    docs({"index.md": PAGES["index.md"].replace("--now", "--then")})
    answer = builds.ingest(folder)
    assert not answer.warnings
    digest = builds.library.open("g").digest
    assert (digest.context, digest.suggestions) == ("Ours.", ("Why?",))
    assert [entry.term for entry in digest.glossary] == ["Widget"]
    assert builds.nodes()["index"] == "Written."
    assert builds.nodes()["index#install"] == "Run acme --then."


@pytest.mark.holds("ask.digest.travels")
def test_a_newer_committed_digest_goes_before_an_older_build(builds: GraphBuilds, builder: Any, docs: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder, assemble={"context": "First."})
    builds.ingest(folder)
    builds.build(assemble={"context": "Built here."})
    assert builds.library.open("g").digest.context == "Built here."
    builder.build(folder, assemble={"context": "Second."})
    builds.ingest(folder)
    assert builds.library.open("g").digest.context == "Second."


@pytest.mark.holds("ask.digest.travels", "ask.digest.unreadable-digest")
@pytest.mark.parametrize("damaged", [b"{", b'{"version": 0}', b"\xff\xfe", b"null"])
def test_a_committed_digest_that_cannot_be_read_is_a_warning(builds: GraphBuilds, docs: Any, damaged: bytes) -> None:
    folder = docs({**PAGES, ".ask/digest.json": damaged})
    for _ in range(2):  # also when nothing changed
        answer = builds.ingest(folder)
        assert [(found.code, found.file) for found in answer.warnings] == [("bad_digest", ".ask/digest.json")]
    assert len(builds.nodes()) == 4


@pytest.mark.holds("ask.digest.graph-build")
def test_a_deleted_graph_takes_its_build_along(builds: GraphBuilds, docs: Any) -> None:
    folder = docs(PAGES)
    builds.ingest(folder)
    builds.build(assemble={"context": "Gone."})
    builds.application.graphs.delete("g")
    with pytest.raises(NotFound):
        builds.build()
    builds.ingest(folder)
    assert builds.library.open("g").digest.context.startswith("Acme.")


@pytest.mark.holds("ask.verify.kinds")
def test_a_graph_is_verified_against_its_own_documents(
    builds: GraphBuilds, builder: Any, docs: Any, tmp_path: Path
) -> None:
    folder = docs(PAGES)
    builder.build(folder, out=tmp_path / "old.json")
    docs({"index.md": PAGES["index.md"].replace("--now", "--then")})
    builds.ingest(folder)
    assert builds.service.verify_graph("g").model_dump() == {"ok": True, "problems": []}
    report = builds.service.verify_graph("g", tmp_path / "old.json")
    assert {problem.kind for problem in report.problems} == {"stale", "fact"}


@pytest.mark.holds("ask.digest.incremental-equals-fresh")
def test_readings_kept_in_the_store_give_what_reading_anew_gives(builds: GraphBuilds, docs: Any) -> None:
    folder = docs(PAGES)
    builds.ingest(folder)
    builds.library.open("g")
    docs({"new.md": "# New\n\n[[Acme]] and [x](api/cli.mdx#flags).\n", "index.md": "# Acme\n\nOther.\n"})
    builds.ingest(folder)
    kept = digest_bytes(builds.library.open("g").digest)
    builds.application.graphs.ingest_folder(folder, name="fresh")
    fresh = digest_bytes(DigestLibrary(builds.application.store, builds.application.indexes).open("fresh").digest)
    assert kept == fresh
