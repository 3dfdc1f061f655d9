"""The edges of large views, by numpy: from stored rows, or from an older view and the rows that changed."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from loreweave.knowledge.graph.note_numbers import Array, NoteNumbers, column
from loreweave.knowledge.graph.view_values import EDGE_TYPES, Adjacency, Edges

_TYPES = len(EDGE_TYPES)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Edges in any order; the sentences of each follow those of the one before."""

    source: Array
    target: Array
    type: Array
    count: Array
    sentence_counts: Array
    sentences: Array


def gather_edges(numbers: NoteNumbers, rows: Sequence[tuple]) -> Edges:
    """`rows`: (note key, targets, types, counts, sentence counts, sentences) as they are stored."""
    return _in_order(len(numbers), _of_rows(numbers, rows))


def patch_edges(
    edges: Edges, numbers: NoteNumbers, new_number: Array, replaced: Array, rows: Sequence[tuple]
) -> Edges | None:
    """The edges of an older view with those of some sources replaced; None where one leads to a note that is gone.

    `new_number`: for each node of the older view its number in the new one, -1 where it is gone. `replaced`: for each
    node of the older view whether its edges are to be taken from the rows.
    """
    old = _of_edges(edges)
    kept = ~replaced[old.source]
    spoken = numpy.repeat(kept, old.sentence_counts)
    new = _of_rows(numbers, rows)
    joined = _Columns(
        source=numpy.concatenate((new_number[old.source[kept]], new.source)),
        target=numpy.concatenate((new_number[old.target[kept]], new.target)),
        type=numpy.concatenate((old.type[kept], new.type)),
        count=numpy.concatenate((old.count[kept], new.count)),
        sentence_counts=numpy.concatenate((old.sentence_counts[kept], new.sentence_counts)),
        sentences=numpy.concatenate((old.sentences[spoken], new.sentences)),
    )
    if min(joined.source.min(initial=0), joined.target.min(initial=0)) < 0:
        return None
    return _in_order(len(numbers), joined)


def group_edges(count: int, by: array, other: array) -> Adjacency:
    """Edges by one of their ends, in edge order within a node."""
    ends = column(by)
    order = numpy.argsort(ends, kind="stable")
    start = numpy.concatenate(([0], numpy.cumsum(numpy.bincount(ends, minlength=count))))
    return Adjacency(start=_stored(start), node=_stored(column(other)[order]), edge=_stored(order))


def _of_rows(numbers: NoteNumbers, rows: Sequence[tuple]) -> _Columns:
    keys = numpy.array([row[0] for row in rows], dtype=numpy.int64)
    targets, types, counts, sentence_counts, sentences = (
        b"".join([row[place] for row in rows]) for place in range(1, 6)
    )
    return _Columns(
        source=numpy.repeat(numbers.of_keys(keys), [len(row[2]) for row in rows]),
        target=numbers.of_keys(column(targets)),
        type=numpy.frombuffer(types, dtype=numpy.uint8),
        count=column(counts),
        sentence_counts=numpy.frombuffer(sentence_counts, dtype=numpy.uint8).astype(numpy.int64),
        sentences=column(sentences),
    )


def _of_edges(edges: Edges) -> _Columns:
    return _Columns(
        source=column(edges.source),
        target=column(edges.target),
        type=numpy.frombuffer(edges.type, dtype=numpy.uint8) if edges.type else numpy.empty(0, dtype=numpy.uint8),
        count=column(edges.count),
        sentence_counts=numpy.diff(column(edges.sentence_start)),
        sentences=column(edges.sentences),
    )


def _in_order(count: int, found: _Columns) -> Edges:
    """By (source, target, type)."""
    order = numpy.argsort((found.source * count + found.target) * _TYPES + found.type, kind="stable")
    ends = numpy.cumsum(found.sentence_counts)
    lengths = found.sentence_counts[order]
    start = numpy.concatenate(([0], numpy.cumsum(lengths)))
    # Where the sentences of each edge lie before they are put in order, less where they will lie.
    shift = numpy.repeat((ends - found.sentence_counts)[order] - start[:-1], lengths)
    return Edges(
        source=_stored(found.source[order]),
        target=_stored(found.target[order]),
        type=array("B", found.type[order].tobytes()),
        count=_stored(found.count[order]),
        sentence_start=_stored(start),
        sentences=_stored(found.sentences[numpy.arange(len(shift)) + shift]),
    )


def _stored(values: Any) -> array:
    return array("q", values.astype(numpy.int64, copy=False).tobytes())
