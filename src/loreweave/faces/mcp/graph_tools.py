"""The `graph` toolset: contract 000 as tools. Arguments are the contract's requests, results its answers."""

from collections.abc import Callable
from pathlib import Path

from loreweave.application import Application
from loreweave.contracts import skill_graph as asked
from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.disclosed_nodes import ScanAnswer
from loreweave.contracts.graph_reports import GraphList, IngestAnswer, StatsAnswer, ValidateAnswer
from loreweave.contracts.node_answers import NodeAnswer
from loreweave.errors import Forbidden, NotFound
from loreweave.faces.mcp.tool import Caller, Tool, reading_tool

CountIngest = Callable[[str], None]


def graph_tools(application: Application, *, folders: bool, count_ingest: CountIngest | None = None) -> list[Tool]:
    """`folders`: may folders of this computer be read; `count_ingest`: in whose hour an ingest counts."""
    graphs, retrieval = application.graphs, application.retrieval

    def ingest_folder(request: asked.FolderIngestRequest, caller: Caller) -> IngestAnswer:
        if not folders:
            raise Forbidden("ingest_folder works only while the server is open on loopback")
        path = _folder(request.path)
        if count_ingest and caller.user:
            count_ingest(caller.user)
        return graphs.ingest_folder(path, name=request.name, subdirectory=request.subdirectory)

    return [
        reading_tool("scan", "Scan a graph", _SCAN, asked.ScanRequest, ScanAnswer, retrieval.scan),
        reading_tool("traverse", "Walk a graph", _TRAVERSE, asked.TraverseRequest, TraverseAnswer, retrieval.traverse),
        reading_tool("context", "Pack context", _CONTEXT, asked.ContextRequest, ContextAnswer, retrieval.context),
        reading_tool("read_node", "Read a note", _READ_NODE, asked.NodeRequest, NodeAnswer, retrieval.read_node),
        reading_tool("validate", "Grade a graph", _VALIDATE, asked.GraphRequest, ValidateAnswer, graphs.validate),
        reading_tool("stats", "Figures of a graph", _STATS, asked.GraphRequest, StatsAnswer, graphs.stats),
        reading_tool("list_graphs", "List graphs", _LIST, asked.GraphsRequest, GraphList, lambda _: graphs.graphs()),
        Tool(
            name="ingest_folder",
            title="Ingest a folder",
            description=_INGEST,
            request=asked.FolderIngestRequest,
            answer=IngestAnswer,
            call=ingest_folder,
            read_only=False,
            destructive=True,  # the same id again replaces the graph
            idempotent=True,
        ),
    ]


def _folder(path: str) -> Path:
    """`~` is a home; a home that nobody has is a folder that is not there."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise NotFound(f"There is no folder {path}", field="path") from None


_SCAN = "Find notes of a graph by name, aliases, tags and description. Answers level 1: never the text of a note."
_TRAVERSE = (
    "Walk the links from a note (or from the best entry) and load what fits the query, "
    "never more than tokenBudget tokens."
)
_CONTEXT = "Pack what a question needs from a graph into at most tokenBudget tokens: the usual way to read a graph."
_READ_NODE = (
    "Read one note, by id, path, alias or name. Level 0 names it, 1 describes it, 2 adds links, "
    "3 the opening of each section, 4 the whole text."
)
_VALIDATE = "The quality of a graph: its score, broken links and other findings, each with its penalty."
_STATS = "Figures of a graph: counts, density, degrees, clusters, domains and types."
_LIST = (
    "Every graph of this library with its id, revision, counts and score. Ask this first: other tools need a graphId."
)
_INGEST = "Read a folder of markdown on this computer into a graph. The same name again replaces that graph."
