"""A ZIP, a repository and a folder of the same notes are the same graph."""

import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import (
    ExportRequest,
    GithubIngestRequest,
    GraphRequest,
    NodeRequest,
    PageSettings,
    ZipIngestFields,
)
from loreweave.errors import InvalidInput, NotFound, TooLarge
from loreweave.settings import Settings

NOTES = {
    "index.md": "---\ntype: moc\n---\n[[big-idea]]\n",
    "deep/Big Idea.md": "---\naliases: [the idea]\nname: A Big Idea\n---\r\n# It\r\n\r\nText.\r\n",
    "page.mdx": "# Only kept\n",
}


def zipped(notes: dict[str, str], below: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in notes.items():
            archive.writestr(below + path, text)
    return buffer.getvalue()


def _folder(folder: Path) -> Path:
    for path, text in NOTES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return folder


class _Archives(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        body = zipped(NOTES, "repo-main/")
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def github() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Archives)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def hub(settings: Settings, github: ThreadingHTTPServer) -> Iterator[Application]:
    address = f"http://127.0.0.1:{github.server_address[1]}/{{owner}}/{{repo}}/{{ref}}"
    opened = open_application(replace(settings, github_archive_url=address, embedder="none"))
    yield opened
    opened.close()


@pytest.mark.holds(
    "graph.revisions.hash-same-across-sources", "graph.ingest.content-hash", "graph.ingest.id-order",
    "house.settings.github-archive-url", "graph.ingest.optional-name",
)  # fmt: skip
def test_zip_folder_and_repository_give_one_content_hash(
    hub: Application, tmp_path: Path, github: ThreadingHTTPServer
) -> None:
    folder = hub.graphs.ingest_folder(_folder(tmp_path / "Some Folder"))
    archive = hub.graphs.ingest_zip(zipped(NOTES), ZipIngestFields(sourceType="zip"), "My Vault.zip")
    wrapped = hub.graphs.ingest_zip(zipped(NOTES, "wrapper/"), ZipIngestFields(sourceType="zip"), "x.zip")
    named = hub.graphs.ingest_zip(zipped(NOTES), ZipIngestFields(sourceType="zip", name="Given Name"), "x.zip")
    request = GithubIngestRequest(sourceType="github", source="https://github.com/owner/repo", branch="main")
    repository = hub.graphs.ingest_github(request)
    answers = [folder, archive, wrapped, named, repository]
    assert [answer.graphId for answer in answers] == ["some-folder", "my-vault", "wrapper", "given-name", "repo"]
    assert len({answer.contentHash for answer in answers}) == 1
    exported = [hub.graphs.export(ExportRequest(graphId=answer.graphId)) for answer in answers]
    assert len({graph.model_dump_json(exclude={"graphId"}) for graph in exported}) == 1
    assert github.asked == ["/owner/repo/main"]  # type: ignore[attr-defined]


@pytest.mark.holds("graph.ingest.content-hash", "graph.ingest.same-id-replaces")
def test_how_pages_are_addressed_is_part_of_the_content_hash(hub: Application, tmp_path: Path) -> None:
    folder = _folder(tmp_path / "vault")
    first = hub.graphs.ingest_folder(folder)
    second = hub.graphs.ingest_folder(folder, pages=PageSettings(basePath="/handbook/"))
    assert second.contentHash != first.contentHash
    assert (second.graphId, second.revision, second.unchanged) == (first.graphId, 2, False)


@pytest.mark.holds("graph.sources.github.no-request-when-refused")
@pytest.mark.parametrize(
    "wrong",
    [
        {"source": "https://example.com/owner/repo"},
        {"source": "http://github.com/owner/repo"},
        {"source": "https://github.com@evil/owner/repo"},
        {"branch": "-x"},
        {"branch": "a..b"},
        {"subdirectory": "../up"},
        {"subdirectory": "/etc"},
    ],
)
def test_a_refused_request_goes_nowhere(hub: Application, github: ThreadingHTTPServer, wrong: dict[str, str]) -> None:
    fields = {"source": "https://github.com/owner/repo", **wrong}
    with pytest.raises(InvalidInput) as refused:
        hub.graphs.ingest_github(GithubIngestRequest(sourceType="github", **fields))
    assert refused.value.facts["field"] == next(iter(wrong))
    assert github.asked == []  # type: ignore[attr-defined]


@pytest.mark.holds("graph.sources.limits-everywhere")
def test_limits_hold_for_archives_whoever_asks(settings: Settings, tmp_path: Path) -> None:
    application = open_application(replace(settings, max_files=3, max_markdown_bytes=30, embedder="none"))
    with pytest.raises(TooLarge) as refused:
        application.graphs.ingest_zip(zipped(NOTES), ZipIngestFields(sourceType="zip"), "v.zip")
    assert refused.value.facts == {"what": "markdown_bytes", "limit": 30}
    assert application.graphs.ingest_folder(_folder(tmp_path / "v")).metrics.nodeCount == 3
    application.close()


@pytest.mark.holds("graph.id.accepted-forms")
@pytest.mark.parametrize(
    "reference", ["skill:big-idea", "big-idea", "deep/Big Idea.md", "the idea", "A Big Idea", "Big Idea"]
)
def test_a_node_is_known_by_id_path_alias_and_name(hub: Application, tmp_path: Path, reference: str) -> None:
    hub.graphs.ingest_folder(_folder(tmp_path / "v"))
    assert hub.retrieval.read_node(NodeRequest(graphId="v", id=reference)).id == "skill:big-idea"


@pytest.mark.holds("graph.id.unknown")
def test_an_unknown_node_or_graph_is_not_found(hub: Application, tmp_path: Path) -> None:
    hub.graphs.ingest_folder(_folder(tmp_path / "v"))
    for request in (
        NodeRequest(graphId="v", id="nobody"),
        NodeRequest(graphId="w", id="big-idea"),
        NodeRequest(graphId="v\0", id="x"),
    ):
        with pytest.raises(NotFound):
            hub.retrieval.read_node(request)


@pytest.mark.holds("graph.revisions.source-kept")
def test_the_source_of_every_file_is_kept_header_included(hub: Application, tmp_path: Path) -> None:
    hub.graphs.ingest_folder(_folder(tmp_path / "v"))
    with hub.store.read() as connection:
        from loreweave.knowledge.graph.stored_notes import unpack_text

        rows = connection.rows(
            "SELECT n.path, t.source FROM notes n JOIN note_texts t "
            "ON t.note_key = n.note_key AND t.version = n.version"
        )
    assert {path: unpack_text(source) for path, source in rows} == {
        path: text.replace("\r\n", "\n") for path, text in NOTES.items()
    }


@pytest.mark.holds("graph.quality.path-order")
def test_findings_are_listed_by_depth_and_then_by_path(hub: Application, tmp_path: Path) -> None:
    folder = tmp_path / "v"
    for path in ("z.md", "a/b.md", "B.md", "a.md"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("[[nowhere]]")
    answer = hub.graphs.ingest_folder(folder)
    assert answer.validation.orphans == ["B.md", "a.md", "z.md", "a/b.md"]
    assert [link.source for link in answer.validation.brokenLinks] == ["B.md", "a.md", "z.md", "a/b.md"]
    checked = hub.graphs.validate(GraphRequest(graphId="v"))
    assert [issue.file for issue in checked.issues.missingTypes] == ["B.md", "a.md", "z.md", "a/b.md"]
