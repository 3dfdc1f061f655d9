"""The view of a revision, from its stored rows."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from sys import intern

import numpy

from loreweave.entities.graph_rows import EDGE_TYPES, GraphRow
from loreweave.index.index_arrays import starts_of
from loreweave.knowledge.graph.graph_view import Array, Edges, GraphView, ViewNode
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

NO_DOMAIN = "general"


def compile_view(connection: Connection, graph: GraphRow, revision: int) -> GraphView:
    """Reads what walking needs; texts stay where they are."""
    rows = graph_shelf.notes_of_revision(connection, graph.key, revision)
    nodes = _show_domains(sorted(map(_node, rows), key=lambda node: path_order(node.path)))
    numbers = {node.key: number for number, node in enumerate(nodes)}
    edges = gather_edges(numbers, graph_shelf.edges_of_revision(connection, graph.key, revision))
    return GraphView(graph.graph_id, graph.kind, revision, nodes, edges)


def _node(row: tuple) -> ViewNode:
    """`row`: as graph_shelf.notes_of_revision has it."""
    key, node_id, path, name, kind, domain, updated, sections, full = row
    domain = domain and intern(domain)  # a few words for all notes
    return ViewNode(key, node_id, path, name, intern(kind), domain or NO_DOMAIN, updated, sections, full, domain)


def _show_domains(nodes: Sequence[ViewNode]) -> list[ViewNode]:
    """A domain is shown as the first note in path order writes it."""
    first_written: dict[str, str] = {}
    shown = []
    for node in nodes:
        domain = node.written_domain or NO_DOMAIN
        domain = first_written.setdefault(domain.casefold(), domain)
        shown.append(node if node.domain == domain else node._replace(domain=domain))
    return shown


def gather_edges(numbers: Mapping[int, int], rows: Iterable[tuple]) -> Edges:
    """By (source, target, type). `numbers`: of notes by their keys; `rows`: (note key, targets, types, counts, sentence
    counts, sentences) as they are stored."""
    sources, lengths = array("q"), array("q")
    targets, types, counts, sentence_counts, sentences = gathered = [bytearray() for _ in range(5)]
    for key, *columns in rows:
        sources.append(numbers[key])
        lengths.append(len(columns[1]))
        for column, values in zip(gathered, columns, strict=True):
            column += values
    source = numpy.repeat(_column(sources), _column(lengths))
    target = numpy.array([numbers[key] for key in _column(targets).tolist()], dtype=numpy.int64)
    kind, held = numpy.frombuffer(types, numpy.uint8), numpy.frombuffer(sentence_counts, numpy.uint8)
    order = numpy.argsort((source * len(numbers) + target) * len(EDGE_TYPES) + kind, kind="stable")
    ordered = held[order].astype(numpy.int64)
    # Where the sentences of each edge lie before they are put in order, less where they will lie.
    shift = numpy.repeat(starts_of(held)[:-1][order] - starts_of(ordered)[:-1], ordered)
    return Edges(
        source=source[order],
        target=target[order],
        type=kind[order],
        count=_column(counts)[order],
        sentence_counts=ordered,
        sentences=_column(sentences)[numpy.arange(len(shift)) + shift],
    )


def _column(values: bytearray | array) -> Array:
    """Whole numbers of eight bytes, not copied."""
    return numpy.frombuffer(values, dtype=numpy.int64)
