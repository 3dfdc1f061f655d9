"""Commands that read, join and delete graphs (contract 000)."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.faces.cli.command_parts import (
    Budget,
    Data,
    Domain,
    Graph,
    Json,
    Limit,
    MaxNodes,
    given,
    opened,
    show,
    write,
)

if TYPE_CHECKING:
    from loreweave.application import Application


def add_to(app: typer.Typer) -> None:
    for command in (graphs, scan, node, traverse, context, search, validate, stats, export, fuse, delete):
        app.command()(command)


def _ask(application: "Application", graph: str | None, model: str, **values: Any) -> Any:
    """The contract's request of this name, about the graph named or the one ingested last."""
    from loreweave.contracts import skill_graph
    from loreweave.faces.request_values import read_request

    values = given(graphId=application.graph_library.latest() if graph is None else graph, **values)
    return read_request(getattr(skill_graph, model), values)


def graphs(data: Data = None, json: Json = False) -> None:
    """List every graph."""
    with opened(data) as application:
        show(application.graphs.graphs(), json)


def scan(
    query: Annotated[str, typer.Argument(help="Words to look for; none lists all notes.")] = "",
    domain: Domain = None,
    limit: Limit = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Find notes by name, aliases, tags and description."""
    with opened(data) as application:
        request = _ask(application, graph, "ScanRequest", query=query, domain=domain, limit=limit)
        show(application.retrieval.scan(request), json)


def node(
    id: Annotated[str, typer.Argument(help="Id, path, alias or name of a note.")],
    level: Annotated[int | None, typer.Option("--level", metavar="N", help="How much to show, 0 to 4 (1).")] = None,
    section: Annotated[str | None, typer.Option("--section", metavar="ANCHOR", help="One section by itself.")] = None,
    query: Annotated[str | None, typer.Option("--query", metavar="Q", help="What it says about a question.")] = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Show one note at a level of disclosure."""
    with opened(data) as application:
        request = _ask(application, graph, "NodeRequest", id=id, level=level, section=section, query=query)
        show(application.retrieval.read_node(request), json)


def traverse(
    start: Annotated[str | None, typer.Argument(help="Where to begin; by default the best entry.")] = None,
    query: Annotated[str | None, typer.Option("--query", metavar="Q", help="What it is about.")] = None,
    max_depth: Annotated[
        int | None, typer.Option("--max-depth", metavar="N", help="How far to go, 0 to 10 (3).")
    ] = None,
    max_nodes: MaxNodes = None,
    budget: Budget = None,
    direction: Annotated[str | None, typer.Option("--direction", metavar="D", help="out, in or both (out).")] = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Walk the links from a note within a token budget."""
    with opened(data) as application:
        request = _ask(
            application,
            graph,
            "TraverseRequest",
            startNode=start,
            query=query,
            maxDepth=max_depth,
            maxNodes=max_nodes,
            tokenBudget=budget,
            direction=direction,
        )
        show(application.retrieval.traverse(request), json)


def context(
    query: Annotated[str, typer.Argument(help="The question.")],
    budget: Budget = None,
    max_nodes: MaxNodes = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Pack what a question needs into a token budget."""
    with opened(data) as application:
        request = _ask(application, graph, "ContextRequest", query=query, tokenBudget=budget, maxNodes=max_nodes)
        show(application.retrieval.context(request), json)


def search(
    query: Annotated[str, typer.Argument(help="Words to look for in all fields, bodies too.")],
    limit: Limit = None,
    domain: Domain = None,
    type: Annotated[str | None, typer.Option("--type", metavar="T", help="Only notes of this type.")] = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Search all fields of the notes."""
    with opened(data) as application:
        request = _ask(application, graph, "SearchRequest", query=query, limit=limit, domain=domain, type=type)
        show(application.retrieval.search(request), json)


def validate(graph: Graph = None, data: Data = None, json: Json = False) -> None:
    """Grade a graph and list what is wrong with it."""
    with opened(data) as application:
        show(application.graphs.validate(_ask(application, graph, "GraphRequest")), json)


def stats(graph: Graph = None, data: Data = None, json: Json = False) -> None:
    """Show the figures of a graph."""
    with opened(data) as application:
        show(application.graphs.stats(_ask(application, graph, "GraphRequest")), json)


def export(
    format: Annotated[
        str | None, typer.Option("--format", metavar="F", help="json, graphml, mermaid or dot (json).")
    ] = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Print a graph in a form other tools read."""
    from loreweave.contracts.wire import to_json

    with opened(data) as application:
        answer = application.graphs.export(_ask(application, graph, "ExportRequest", format=format))
    write(answer.encode() if isinstance(answer, str) else to_json(answer))


def fuse(
    name: Annotated[str, typer.Argument(help="What the new graph is called.")],
    graphs: Annotated[list[str], typer.Argument(metavar="GRAPH...", help="2 to 20 graphs to join.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Join several graphs into one."""
    from loreweave.contracts.skill_graph import FuseRequest
    from loreweave.faces.request_values import read_request

    with opened(data) as application:
        show(application.graphs.fuse(read_request(FuseRequest, {"name": name, "graphIds": graphs})), json)


def delete(
    graph_id: Annotated[str | None, typer.Argument(metavar="ID", help="The graph to delete.")] = None,
    graph: Annotated[str | None, typer.Option("--graph", metavar="ID", help="The same, as an option.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Delete a graph."""
    if (graph_id is None) == (graph is None):
        raise typer.BadParameter("name the graph to delete, once")
    with opened(data) as application:
        request = _ask(application, graph_id or graph or "", "GraphRequest")
        show(application.graphs.delete(request.graphId), json)
