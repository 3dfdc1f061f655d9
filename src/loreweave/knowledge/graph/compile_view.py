"""From the stored rows of one revision to a GraphView."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from loreweave.entities.graph_rows import GraphRow
from loreweave.knowledge.graph.graph_view import MANY_EDGES, GraphView
from loreweave.knowledge.graph.view_values import Edges, ViewNode
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

NO_DOMAIN = "general"


def compile_view(connection: Connection, graph: GraphRow, revision: int) -> GraphView:
    """Reads what walking needs; texts stay where they are."""
    rows = graph_shelf.notes_of_revision(connection, graph.key, revision)
    nodes = show_domains([make_node(row) for row in sorted(rows, key=lambda row: path_order(row[3]))])
    edges = _edges(nodes, graph_shelf.edges_of_revision(connection, graph.key, revision))
    return GraphView(graph.graph_id, graph.kind, revision, nodes, edges)


def make_node(row: tuple) -> ViewNode:
    """`row`: as graph_shelf.notes_of_revision has it."""
    key, version, node_id, path, name, kind, domain, updated, sections, full = row
    return ViewNode(key, version, node_id, path, name, kind, domain or NO_DOMAIN, updated, sections, full, domain)


def show_domains(nodes: Sequence[ViewNode]) -> list[ViewNode]:
    """A domain is shown as the first note in path order writes it."""
    first_written: dict[str, str] = {}
    shown = []
    for node in nodes:
        domain = node.written_domain or NO_DOMAIN
        domain = first_written.setdefault(domain.casefold(), domain)
        shown.append(node if node.domain == domain else replace(node, domain=domain))
    return shown


def _edges(nodes: list[ViewNode], rows: Sequence[tuple]) -> Edges:
    """Every edge, ordered by (source, target, type)."""
    if sum(len(row[2]) for row in rows) >= MANY_EDGES:
        from loreweave.knowledge.graph.edge_table import gather_edges
        from loreweave.knowledge.graph.note_numbers import NoteNumbers

        return gather_edges(NoteNumbers(nodes), rows)
    return plain_edges(nodes, rows)


def plain_edges(nodes: Sequence[ViewNode], rows: Sequence[tuple]) -> Edges:
    """The same without numpy."""
    number = {node.key: position for position, node in enumerate(nodes)}
    edges = Edges(array("q"), array("q"), array("B"), array("q"), array("q", [0]), array("q"))
    for key, targets, types, count, sentence_counts, sentences in sorted(rows, key=lambda row: number[row[0]]):
        targets = [number[target] for target in array("q", targets)]
        order = sorted(range(len(targets)), key=lambda place: (targets[place], types[place]))
        edges.source.extend([number[key]] * len(order))
        edges.target.extend([targets[place] for place in order])
        edges.type.extend([types[place] for place in order])
        counts = array("q", count)
        edges.count.extend([counts[place] for place in order])
        _add_sentences(edges, array("q", sentences), sentence_counts, order)
    return edges


def _add_sentences(edges: Edges, sentences: array, counts: bytes, order: list[int]) -> None:
    ends = list(accumulate(counts))
    for place in order:
        edges.sentences.extend(sentences[ends[place] - counts[place] : ends[place]])
        edges.sentence_start.append(len(edges.sentences))
