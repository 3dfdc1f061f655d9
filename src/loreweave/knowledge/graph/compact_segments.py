"""Keeping the number of index segments small: many small ones are merged, empty ones go."""

from array import array

import numpy

from loreweave.entities.graph_rows import GraphRow, SegmentRow, VectorRow
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.segment_builder import merge_segments
from loreweave.knowledge.graph.segment_reader import GraphSegment
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

SMALL = 64  # live documents below which a segment is small; what a first ingest writes is not
MANY = 12  # small segments that are merged into one


def compact_segments(
    connection: Connection, graph: GraphRow, revision: int, next_segment_key: int, view: GraphView
) -> int:
    """Works on the revision to come, whose view is given; answers the next free segment key.

    A segment is merged again only until it is no longer small, so that the cost of an edit stays bounded.
    """
    rows = graph_shelf.segment_documents(connection, graph.key, revision)
    live = {
        segment: numpy.flatnonzero(view.note_numbers.of_documents(keys, versions) >= 0).tolist()
        for segment, keys, versions in rows
    }
    graph_shelf.drop_segments(connection, graph, revision, [segment for segment, kept in live.items() if not kept])
    small = [segment for segment, kept in live.items() if 0 < len(kept) < SMALL]
    if len(small) < MANY:
        return next_segment_key
    _merge(connection, graph, revision, small, [live[segment] for segment in small], next_segment_key)
    return next_segment_key + 1


def _merge(
    connection: Connection, graph: GraphRow, revision: int, small: list[int], live: list[list[int]], new_key: int
) -> None:
    rows = graph_shelf.segments_by_key(connection, graph.key, small)
    segments = [GraphSegment(row.postings, row.note_keys, row.versions) for row in rows]
    postings, order = merge_segments(segments, live)
    note_keys = array("q", [rows[place].note_keys[document] for place, document in order])
    versions = array("q", [rows[place].versions[document] for place, document in order])
    vectors = graph_shelf.vectors_of_segments(connection, graph.key, small)
    graph_shelf.add_segment(connection, graph.key, revision, SegmentRow(new_key, note_keys, versions, postings))
    if len(vectors) == len(rows) and len({row.embedder for row in vectors}) == 1:
        graph_shelf.add_vectors(connection, graph.key, _merged_vectors(vectors, order, new_key))
    graph_shelf.drop_segments(connection, graph, revision, small)


def _merged_vectors(vectors: list[VectorRow], order: list[tuple[int, int]], new_key: int) -> VectorRow:
    starts, parts = array("q", [0]), []
    for place, document in order:
        row = vectors[place]
        width = len(row.vectors) // max(1, row.starts[-1])
        first, last = row.starts[document], row.starts[document + 1]
        parts.append(row.vectors[first * width : last * width])
        starts.append(starts[-1] + last - first)
    return VectorRow(new_key, vectors[0].embedder, starts, b"".join(parts))
