"""Contract 000: graphs ingested, read, graded, joined and deleted."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from loreweave.contracts import graph_reports as reports
from loreweave.contracts import skill_graph as asked
from loreweave.contracts.context_packs import ContextAnswer, NodeAnswer, NodeAnswer1, PageAnswer, TraverseAnswer
from loreweave.errors import Forbidden, InvalidInput, NotFound
from loreweave.operations.operation import ENDS, SETTLES, Address, AsTool, Caller, Document, Operation

if TYPE_CHECKING:
    from loreweave.application import Application

EXPORT_TYPES = {
    "graphml": ("application/graphml+xml", "graphml"),
    "mermaid": ("text/plain", "mmd"),
    "dot": ("text/plain", "dot"),
}


def _get(name: str, **options: Any) -> Address:
    return Address(method="GET", path=f"/api/skillgraph/{name}", tag="skill graph", cached=True, **options)


def _post(name: str, **options: Any) -> Address:
    return Address(method="POST", path=f"/api/skillgraph/{name}", tag="skill graph", **options)


def _has_hour_left(application: "Application", _: Any, caller: Caller) -> None:
    if caller.user is not None:
        application.access.check_ingest(caller.user)


def _demo(application: "Application", _: Any, caller: Caller) -> reports.IngestAnswer:
    """The notes that come with the product: an ingest like any other."""
    if caller.user is not None:
        application.access.count_ingest(caller.user)
    return application.graphs.ingest_demo()


def _read_again(application: "Application", request: asked.RereadRequest, caller: Caller) -> reports.IngestAnswer:
    source, pages = application.library.source_of(request.graphId)
    if source.kind == "folder" and not caller.reads_folders:
        raise Forbidden("A folder of the server is read again only while it is open on loopback")
    if caller.user is not None:
        application.access.count_ingest(caller.user)
    if request.basePath:
        pages = pages.model_copy(update={"basePath": request.basePath})
    name, below = request.graphId, source.subdirectory
    if source.kind == "folder":
        return application.graphs.ingest_folder(Path(source.where), name=name, subdirectory=below, pages=pages)
    found = {"source": source.where, "branch": source.branch, "subdirectory": below, "name": name}
    again = asked.GithubIngestRequest.model_validate({"sourceType": "github", **found, **pages.model_dump()})
    return application.graphs.ingest_github(again)


def _watch(application: "Application", request: asked.WatchRequest, caller: Caller) -> reports.WatchAnswer:
    if request.watching and not caller.reads_folders:
        raise Forbidden("A folder of the server is watched only while it is open on loopback")
    return application.watches.tell(request)


def _export(application: "Application", request: asked.ExportRequest, _: Caller) -> reports.ExportAnswer | Document:
    answer = application.graphs.export(request)
    if not isinstance(answer, str):
        return answer
    media_type, suffix = EXPORT_TYPES[request.format]
    return Document(answer.encode(), media_type, f"graph.{suffix}")


def _read(application: "Application", request: asked.ReadRequest, _: Caller) -> PageAnswer:
    if request.id is None:
        return application.pages.read(request.slug, request.graphId)
    if request.slug is not None:
        raise InvalidInput("A document is read by its slug or by its note: leave out one of them.", field="slug")
    note = application.retrieval.read_node(asked.NodeRequest(graphId=request.graphId, id=request.id))
    assert isinstance(note, NodeAnswer1)
    return application.pages.read(note.path, request.graphId)


def _ingest_folder(
    application: "Application", request: asked.FolderIngestRequest, caller: Caller
) -> reports.IngestAnswer:
    if not caller.reads_folders:
        raise Forbidden("ingest_folder works only while the server is open on loopback")
    try:
        path = Path(request.path).expanduser()
    except RuntimeError:  # a home that nobody has is a folder that is not there
        raise NotFound(f"There is no folder {request.path}", field="path") from None
    if caller.user is not None:
        application.access.count_ingest(caller.user)
    return application.graphs.ingest_folder(path, name=request.name, subdirectory=request.subdirectory)


GRAPH_OPERATIONS = (
    Operation(
        name="ingest",
        summary="Read a ZIP or a GitHub repository into a graph",
        request=asked.GithubIngestRequest,
        answer=reports.IngestAnswer,
        hints=ENDS,
        http=_post("ingest", form=asked.ZipIngestFields),
    ),
    Operation(
        name="demo",
        summary="Read the notes that come with the product into the graph `demo`",
        request=asked.DemoRequest,
        answer=reports.IngestAnswer,
        call=_demo,
        hints=ENDS,
        http=_post("demo", before=_has_hour_left, slow=True),
    ),
    Operation(
        name="reread",
        summary="Read a graph again from where it was read",
        request=asked.RereadRequest,
        answer=reports.IngestAnswer,
        call=_read_again,
        hints=ENDS,
        http=_post("reread", before=_has_hour_left, slow=True),
    ),
    Operation(
        name="cards",
        summary="What a card shows of every graph beside its figures: source, repairs, picture",
        request=asked.GraphsRequest,
        answer=reports.CardList,
        call=lambda application, _request, _: application.library.cards(),
        http=_get("cards"),
    ),
    Operation(
        name="places",
        summary="Where the notes of a graph stand on its map",
        request=asked.GraphRequest,
        answer=reports.PlacesAnswer,
        call=lambda application, request, _: application.library.places(request),
        http=_get("places"),
    ),
    Operation(
        name="keep_places",
        summary="Keep where the notes of a graph stand on its map",
        request=asked.KeepPlacesRequest,
        answer=reports.PlacesAnswer,
        call=lambda application, request, _: application.library.keep_places(request),
        hints=SETTLES,
        http=_post("places", large=True),
    ),
    Operation(
        name="scan",
        summary="Find notes by name, tags and description; level 1, never a body",
        request=asked.ScanRequest,
        answer=asked.ScanAnswer,
        call=lambda application, request, _: application.retrieval.scan(request),
        http=_post("scan"),
        tool=AsTool(
            toolset="graph",
            title="Scan a graph",
            description="Find notes by name, aliases, tags and description; never their text.",
        ),
    ),
    Operation(
        name="traverse",
        summary="Walk the links from a note within a token budget",
        request=asked.DrawnTraverseRequest,
        answer=TraverseAnswer,
        call=lambda application, request, _: application.retrieval.traverse(request),
        http=_post("traverse"),
        tool=AsTool(
            toolset="graph",
            title="Walk a graph",
            description="Walk the links from a note, or the best entry, and load what fits the query in tokenBudget.",
            request=asked.TraverseRequest,
        ),
    ),
    Operation(
        name="context",
        summary="Pack what a question needs into a token budget",
        request=asked.DrawnContextRequest,
        answer=ContextAnswer,
        call=lambda application, request, _: application.retrieval.context(request),
        http=_post("context"),
        tool=AsTool(
            toolset="graph",
            title="Pack context",
            description="Pack what a question needs into tokenBudget tokens: the usual way to read a graph.",
            request=asked.ContextRequest,
        ),
    ),
    Operation(
        name="node",
        summary="One note at a level of disclosure, one section of it, or what it says about a question",
        request=asked.NodeRequest,
        answer=NodeAnswer,
        call=lambda application, request, _: application.retrieval.read_node(request),
        http=_get("node"),
        tool=AsTool(
            toolset="graph",
            name="read_node",
            title="Read a note",
            description="Read a note by id, path, alias or name. Level 0 names it, 1 describes it, 2 adds links, 3 the "
            "opening of each section, 4 all its text; or one section by its anchor, or its best passages for a query.",
        ),
    ),
    Operation(
        name="read",
        summary="A document laid out as a page, with the pages around it",
        request=asked.ReadRequest,
        answer=PageAnswer,
        call=_read,
        http=_get("read"),
    ),
    Operation(
        name="validate",
        summary="Grade a graph and list what is wrong with it",
        request=asked.GraphRequest,
        answer=reports.ValidateAnswer,
        call=lambda application, request, _: application.graphs.validate(request),
        http=_post("validate"),
        tool=AsTool(
            toolset="graph",
            title="Grade a graph",
            description="The score of a graph, its broken links and other findings.",
        ),
    ),
    Operation(
        name="stats",
        summary="Figures of a graph",
        request=asked.GraphRequest,
        answer=reports.StatsAnswer,
        call=lambda application, request, _: application.graphs.stats(request),
        http=_get("stats"),
        tool=AsTool(
            toolset="graph",
            title="Figures of a graph",
            description="Figures of a graph: counts, degrees, domains, types.",
        ),
    ),
    Operation(
        name="graphs",
        summary="Every graph of this library",
        request=asked.GraphsRequest,
        answer=reports.GraphList,
        call=lambda application, _request, _: application.graphs.graphs(),
        http=_get("graphs"),
        tool=AsTool(
            toolset="graph",
            name="list_graphs",
            title="List graphs",
            description="Every graph with its id, counts and score. Tools without graphId read the one ingested last.",
        ),
    ),
    Operation(
        name="ingest_folder",
        summary="Read a folder of this computer into a graph",
        request=asked.FolderIngestRequest,
        answer=reports.IngestAnswer,
        call=_ingest_folder,
        hints=ENDS,  # the same id again replaces the graph
        tool=AsTool(
            toolset="graph",
            title="Ingest a folder",
            description="Read a folder of markdown on this computer into a graph; the same name replaces it.",
        ),
    ),
    Operation(
        name="search",
        summary="Search all fields, bodies too; answers level 1",
        request=asked.SearchRequest,
        answer=asked.SearchAnswer,
        call=lambda application, request, _: application.retrieval.search(request),
        http=_post("search"),
    ),
    Operation(
        name="fuse",
        summary="Join several graphs into one",
        request=asked.FuseRequest,
        answer=reports.IngestAnswer,
        call=lambda application, request, _: application.graphs.fuse(request),
        hints=ENDS,
        http=_post("fuse", slow=True),
    ),
    Operation(
        name="changes",
        summary="Which files the present revision, or an earlier one, added, changed and removed",
        request=asked.ChangesRequest,
        answer=reports.ChangesAnswer,
        call=lambda application, request, _: application.history.changes(request),
        http=_get("changes"),
    ),
    Operation(
        name="history",
        summary="The revisions of a graph, newest first, with how many files each changed",
        request=asked.GraphRequest,
        answer=reports.HistoryAnswer,
        call=lambda application, request, _: application.history.revisions(request),
        http=_get("history"),
    ),
    Operation(
        name="diff",
        summary="What a revision changed in one file, line by line",
        request=asked.DiffRequest,
        answer=reports.DiffAnswer,
        call=lambda application, request, _: application.history.diff(request),
        http=_get("diff"),
    ),
    Operation(
        name="rename",
        summary="Give a graph a name for people; its id and addresses stay",
        request=asked.RenameRequest,
        answer=reports.NameAnswer,
        call=lambda application, request, _: application.library.rename(request),
        hints=SETTLES,
        http=_post("rename"),
    ),
    Operation(
        name="watch",
        summary="Have the server read the folder of a graph again whenever something changes there, or no more",
        request=asked.WatchRequest,
        answer=reports.WatchAnswer,
        call=_watch,
        hints=SETTLES,
        http=_post("watch"),
    ),
    Operation(
        name="export",
        summary="A graph as JSON, GraphML, Mermaid or DOT",
        request=asked.ExportRequest,
        answer=reports.ExportAnswer,
        call=_export,
        http=_get("export", answers=tuple(media_type for media_type, _ in EXPORT_TYPES.values())),
    ),
    Operation(
        name="delete",
        summary="Delete a graph",
        request=asked.GraphRequest,
        answer=reports.DeleteAnswer,
        call=lambda application, request, _: application.graphs.delete(request.graphId),
        hints=ENDS,
        http=Address(method="DELETE", path="/api/skillgraph/graphs/{graphId}", tag="skill graph", slow=True),
    ),
)
