"""From the stored rows of one revision to a GraphView."""

from array import array
from collections.abc import Iterable
from itertools import accumulate

from loreweave.entities.graph_rows import GraphRow, SegmentRow
from loreweave.knowledge.graph.graph_view import Edges, GraphView, VectorBlock, ViewNode
from loreweave.knowledge.graph.node_ids import path_order
from loreweave.knowledge.graph.segment_reader import IndexSegment
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

NO_DOMAIN = "general"


def compile_view(connection: Connection, graph: GraphRow, revision: int, *, with_index: bool = True) -> GraphView:
    """Reads what ranking and walking need; texts and vectors stay where they are."""
    nodes = _nodes(graph_shelf.notes_of_revision(connection, graph.key, revision))
    edges = _edges(nodes, graph_shelf.edges_of_revision(connection, graph.key, revision))
    segments = graph_shelf.segments_of_revision(connection, graph.key, revision) if with_index else []
    return GraphView(
        graph_id=graph.graph_id,
        kind=graph.kind,
        revision=revision,
        nodes=nodes,
        edges=edges,
        segments=[IndexSegment(segment.postings, segment.note_keys, segment.versions) for segment in segments],
    )


def read_vectors(connection: Connection, graph: GraphRow, revision: int, embedder: str) -> tuple[VectorBlock, ...]:
    """The vectors of a revision that this embedder made."""
    segments = {row.segment_key: row for row in graph_shelf.segments_of_revision(connection, graph.key, revision)}
    rows = graph_shelf.vectors_of_segments(connection, graph.key, sorted(segments))
    return tuple(_block(segments[row.segment_key], row.starts, row.vectors) for row in rows if row.embedder == embedder)


def _block(segment: SegmentRow, starts: array, vectors: bytes) -> VectorBlock:
    return VectorBlock(keys=segment.note_keys, versions=segment.versions, start=starts, vectors=vectors)


def _nodes(rows: Iterable[tuple]) -> list[ViewNode]:
    """In path order; a domain is shown as the first note in that order writes it."""
    first_written: dict[str, str] = {}
    nodes = []
    for key, version, node_id, path, name, kind, domain, updated, sections, full in sorted(
        rows, key=lambda row: path_order(row[3])
    ):
        shown = first_written.setdefault((domain or NO_DOMAIN).casefold(), domain or NO_DOMAIN)
        nodes.append(ViewNode(key, version, node_id, path, name, kind, shown, updated, sections, full))
    return nodes


def _edges(nodes: list[ViewNode], rows: Iterable[tuple]) -> Edges:
    """Every edge, ordered by (source, target, type)."""
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
