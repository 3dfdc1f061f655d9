"""A graph in forms that other programs read. No form holds the text of a note."""

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from loreweave.contracts.graph_reports import ExportAnswer, ExportEdge
from loreweave.contracts.skill_graph import EdgeType, Level1Node
from loreweave.entities.graph_rows import EDGE_TYPES
from loreweave.knowledge.graph.graph_library import PinnedGraph
from loreweave.knowledge.graph.graph_view import GraphView

_NODE_FIELDS = ("name", "type", "domain", "description", "path")
_XML_HOSTILE = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 65534, 65535], "�")


def export_graph(pinned: PinnedGraph, form: str) -> ExportAnswer | str:
    nodes = sorted(pinned.level_one(range(len(pinned.view.nodes))).values(), key=lambda node: node.id)
    if form == "json":
        return _json(pinned, nodes)
    writers = {"graphml": _graphml, "mermaid": _mermaid, "dot": _dot}
    return "\n".join(writers[form](pinned.view, nodes)) + "\n"


def _json(pinned: PinnedGraph, nodes: list[Level1Node]) -> ExportAnswer:
    view = pinned.view
    contexts = pinned.contexts(range(len(view.edges.source)))
    edges = [
        ExportEdge(source=source, target=target, type=kind, count=count, contexts=list(contexts[edge]))
        for source, target, kind, count, edge in _edges(view)
    ]
    return ExportAnswer(graphId=view.graph_id, revision=view.revision, kind=view.kind, nodes=nodes, edges=edges)


def _edges(view: GraphView) -> list[tuple[str, str, EdgeType, int, int]]:
    """(source id, target id, type, count, edge number), sorted."""
    table, ids = view.edges, [node.id for node in view.nodes]
    columns = [part.tolist() for part in (table.source, table.target, table.type, table.count)]
    return sorted(
        (ids[source], ids[target], EDGE_TYPES[kind], count, edge)
        for edge, (source, target, kind, count) in enumerate(zip(*columns, strict=True))
    )


def _graphml(view: GraphView, nodes: list[Level1Node]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for field in _NODE_FIELDS:
        yield f'  <key id="{field}" for="node" attr.name="{field}" attr.type="string"/>'
    yield '  <key id="relation" for="edge" attr.name="type" attr.type="string"/>'
    yield '  <key id="count" for="edge" attr.name="count" attr.type="int"/>'
    yield f'  <graph id={_xml(view.graph_id)} edgedefault="directed">'
    for node in nodes:
        data = "".join(f'<data key="{field}">{_xml(getattr(node, field))[1:-1]}</data>' for field in _NODE_FIELDS)
        yield f"    <node id={_xml(node.id)}>{data}</node>"
    for source, target, kind, count, _ in _edges(view):
        data = f'<data key="relation">{kind}</data><data key="count">{count}</data>'
        yield f"    <edge source={_xml(source)} target={_xml(target)}>{data}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _xml(text: str) -> str:
    return quoteattr(text.translate(_XML_HOSTILE), {'"': "&quot;"})


def _mermaid(view: GraphView, nodes: list[Level1Node]) -> Iterator[str]:
    number = {node.id: place for place, node in enumerate(nodes)}
    yield "flowchart LR"
    for node in nodes:
        yield f'  n{number[node.id]}["{_mermaid_text(node.name)}"]'
    for source, target, kind, _, _ in _edges(view):
        yield f"  n{number[source]} -->|{kind}| n{number[target]}"


def _mermaid_text(text: str) -> str:
    """Anything but plain words as character codes, so that no name can be read as markup."""
    return "".join(letter if letter.isalnum() or letter in " -_.,'" else f"#{ord(letter)};" for letter in text)


def _dot(view: GraphView, nodes: list[Level1Node]) -> Iterator[str]:
    yield f"digraph {_dot_text(view.graph_id)} {{"
    for node in nodes:
        yield f"  {_dot_text(node.id)} [label={_dot_text(node.name)}, type={_dot_text(node.type)}];"
    for source, target, kind, count, _ in _edges(view):
        yield f"  {_dot_text(source)} -> {_dot_text(target)} [label={kind}, weight={count}];"
    yield "}"


def _dot_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
