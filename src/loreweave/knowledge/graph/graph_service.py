"""The one door to graphs as wholes: ingest, list, delete, validate, stats, export, fuse.

What only writers need is imported when something is written: a cold read does not pay for it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from loreweave.contracts.graph_reports import (
    DeleteAnswer,
    ExportAnswer,
    GraphList,
    GraphSource,
    GraphSummary,
    IngestAnswer,
    StatsAnswer,
    ValidateAnswer,
)
from loreweave.contracts.skill_graph import (
    ExportRequest,
    FuseRequest,
    GithubIngestRequest,
    GraphRequest,
    PageSettings,
    ZipIngestFields,
)
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import NotFound
from loreweave.knowledge.graph.graph_library import IngestTools, Progress, require_graph
from loreweave.knowledge.graph.stored_report import figures_of, validation_of
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.revisions.knowledge_shelf import sweep_frozen
from loreweave.seams.storage.store import Connection

if TYPE_CHECKING:
    from loreweave.entities.note import SourceListing
    from loreweave.knowledge.documents.source_paths import ReadingLimits


class Indexes(Protocol):
    """What is found by, kept beside the store."""

    def open(self, connection: Connection, graph: GraphRow) -> object: ...

    def forget(self, graph_key: int) -> None: ...


@dataclass(frozen=True, eq=False, repr=False)
class GraphService:
    """What can be done to and said of a graph as a whole."""

    tools: IngestTools
    open_indexes: "Callable[[], Indexes]"
    limits: "ReadingLimits"
    archive_url: str

    def check_source(self, request: ZipIngestFields | GithubIngestRequest) -> None:
        """Refuses what is wrong in the request itself, before anything is counted, read or fetched."""
        from loreweave.knowledge.documents.source_paths import clean_subdirectory

        clean_subdirectory(request.subdirectory)
        if isinstance(request, GithubIngestRequest):
            from loreweave.seams.archives.github import check_branch, parse_repository

            parse_repository(request.source)
            check_branch(request.branch)

    def ingest_zip(
        self, data: bytes, fields: ZipIngestFields, filename: str | None = None, progress: Progress | None = None
    ) -> IngestAnswer:
        from loreweave.knowledge.documents.archive import read_archive
        from loreweave.knowledge.documents.source_paths import archive_stem

        listing = read_archive(data, self.limits, stem=archive_stem(filename), subdirectory=fields.subdirectory)
        source = GraphSource(kind="zip", where=filename or "", subdirectory=fields.subdirectory)
        return self._ingest(listing, fields.name, fields, progress, source)

    def ingest_github(self, request: GithubIngestRequest, progress: Progress | None = None) -> IngestAnswer:
        from loreweave.knowledge.documents.archive import read_archive
        from loreweave.seams.archives.github import check_branch, fetch_repository, parse_repository

        self.check_source(request)
        owner, repository = parse_repository(request.source)
        reference = check_branch(request.branch)
        data = fetch_repository(
            owner, repository, reference, archive_url=self.archive_url, max_bytes=self.limits.max_zip_bytes
        )
        listing = read_archive(data, self.limits, repository=repository, subdirectory=request.subdirectory)
        source = GraphSource(
            kind="github",
            where=f"https://github.com/{owner}/{repository}",
            branch=request.branch,
            subdirectory=request.subdirectory,
        )
        return self._ingest(listing, request.name, request, progress, source)

    def ingest_folder(
        self, path: Path, *, name: str | None = None, subdirectory: str | None = None,
        pages: PageSettings | None = None, progress: Progress | None = None,
    ) -> IngestAnswer:  # fmt: skip
        from loreweave.knowledge.documents.folder import list_folder

        source = GraphSource(kind="folder", where=str(path.absolute()), subdirectory=subdirectory)
        return self._ingest(
            list_folder(path, subdirectory=subdirectory), name, pages or PageSettings(), progress, source
        )

    def ingest_demo(self) -> IngestAnswer:
        """The notes that come with the product, as the graph `demo`."""
        from importlib.resources import as_file, files

        with as_file(files("loreweave.bundled_skills") / "demo") as folder:
            return self.ingest_folder(folder, name="demo")

    def graphs(self) -> GraphList:
        with self.tools.store.read() as connection:
            found = sorted(graph_shelf.visible_graphs(connection), key=lambda graph: graph.graph_id)
            names = graph_shelf.all_beside(connection, "graph_names")
        return GraphList(graphs=[_summary(graph, names.get(graph.key)) for graph in found])

    def source_files(self, wanted: str) -> dict[str, str]:
        """The text of every file of a graph as ingested, by path."""
        from loreweave.knowledge.graph.stored_notes import unpack_text

        with self.tools.store.read() as connection:
            graph = require_graph(connection, wanted)
            paths = {file.note_key: file.path for file in graph_shelf.known_files(connection, graph)}
            found = graph_shelf.texts(connection, graph.key, graph.revision, sorted(paths), "source")
        return dict(sorted((paths[note_key], unpack_text(source)) for note_key, source in found))

    def revision(self, wanted: str) -> int:
        return self._row(wanted).revision

    def delete(self, wanted: str) -> DeleteAnswer:
        self._row(wanted)  # a lock leaves a file behind: none for a name that nobody has
        with self.tools.store.lock(f"graph:{wanted}"):
            graph = self._row(wanted)
            with self.tools.store.write() as connection:  # one transaction: what is refused has not happened
                hidden = graph_shelf.hide_graph(connection, graph)
                self.tools.fail_at("delete.hidden")
                graph_shelf.sweep_everything(connection, hidden)
                kept = sweep_frozen(connection, graph.graph_id, also_read=True)  # who deletes means all of it
            for key in (graph.key, *kept):
                self.open_indexes().forget(key)
        return DeleteAnswer(graphId=graph.graph_id)

    def validate(self, request: GraphRequest) -> ValidateAnswer:
        with self.tools.store.read() as connection:
            return validation_of(graph_shelf.with_report(connection, require_graph(connection, request.graphId)))

    def stats(self, request: GraphRequest) -> StatsAnswer:
        with self.tools.store.read() as connection:
            graph = require_graph(connection, request.graphId)
            figures = figures_of(connection, graph)
        return StatsAnswer(graphId=graph.graph_id, revision=graph.revision, kind=graph.kind, **figures)

    def export(self, request: ExportRequest) -> ExportAnswer | str:
        from loreweave.knowledge.graph.export_graph import export_graph

        with self.tools.library.pin(request.graphId) as pinned:
            return export_graph(pinned, request.format)

    def fuse(self, request: FuseRequest) -> IngestAnswer:
        from loreweave.knowledge.documents.source_paths import graph_id
        from loreweave.knowledge.graph.fuse_graphs import fuse_graphs

        return self._indexed(fuse_graphs(self.tools, graph_id(request.name, None), request.graphIds), None)

    def _row(self, wanted: str) -> GraphRow:
        with self.tools.store.read() as connection:
            return require_graph(connection, wanted)

    def _ingest(
        self, listing: "SourceListing", name: str | None, pages: PageSettings, progress: Progress | None,
        source: GraphSource,
    ) -> IngestAnswer:  # fmt: skip
        from loreweave.knowledge.documents.source_paths import graph_id
        from loreweave.knowledge.graph.ingest import ingest

        settings = PageSettings(**pages.model_dump(include=set(PageSettings.model_fields)))
        tools = replace(self.tools, progress=progress) if progress else self.tools
        answer = ingest(tools, graph_id(name, listing.name), listing, settings)
        del listing  # of a large folder it is much, and making the index needs the room
        with self.tools.store.write() as connection:
            if graph := graph_shelf.find_graph(connection, answer.graphId):
                graph_shelf.keep_beside(connection, "graph_sources", graph.key, source.model_dump_json())
                is_new = answer.revision == 1 and not answer.unchanged
                if name and is_new and (words := " ".join(name.split())) != answer.graphId:
                    graph_shelf.keep_beside(connection, "graph_names", graph.key, words)
        return self._indexed(answer, progress)

    def _indexed(self, answer: IngestAnswer, progress: Progress | None) -> IngestAnswer:
        """The first question waits for nothing: what is found by is made with what is read."""
        tell = progress or self.tools.progress
        tell("indexing", 0, 1)
        with self.tools.store.read() as connection, suppress(NotFound):  # deleted meanwhile
            self.open_indexes().open(connection, require_graph(connection, answer.graphId))
        tell("indexing", 1, 1)
        return answer


def _summary(graph: GraphRow, name: str | None) -> GraphSummary:
    return GraphSummary(
        graphId=graph.graph_id, revision=graph.revision, kind=graph.kind, nodeCount=graph.node_count,
        edgeCount=graph.edge_count, score=graph.score, contentHash=graph.content_hash,
        ingestedAt=graph.ingested_at or "", name=name,
    )  # fmt: skip
