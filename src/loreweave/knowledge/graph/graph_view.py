"""One revision of a graph, compiled for walking and ranking: integer nodes, flat arrays, no text but names.

A view never changes. Nodes are numbered 0..N-1 in path order (depth, then code points of the path). What a node says
(description, texts, link sentences) is read by its note key when it is disclosed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy

from loreweave.contracts.skill_graph import GraphKind
from loreweave.index.index_arrays import Rows, rows_of, starts_of

Array = numpy.ndarray


class ViewNode(NamedTuple):
    """What ranking and walking need of a node."""

    key: int  # the note's key in the store
    id: str
    path: str
    name: str
    type: str
    domain: str  # as first written; "general" where the note has none
    updated: int | None  # day number of the note's own date
    tokens_sections: int
    tokens_full: int
    written_domain: str | None = None  # as this very note writes it


@dataclass(frozen=True, eq=False)
class Edges:
    """Every edge of the graph, ordered by (source, target, type); columns of int64 but for the types."""

    source: Array  # node numbers
    target: Array
    type: Array  # uint8, index into EDGE_TYPES
    count: Array  # how often the link is written
    sentence_counts: Array  # the sentences of each edge follow those of the one before
    sentences: Array  # numbers of sentences local to the source note (ParsedNote.sentences)

    @cached_property
    def sentence_starts(self) -> Array:
        """E+1: where the sentences of each edge begin."""
        return starts_of(self.sentence_counts)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Links grouped by the node they are seen from: those of node n are at start[n]:start[n+1]."""

    start: Array  # N+1
    node: Array  # the node at the other end
    edge: Array  # the number of the edge in GraphView.edges

    def of(self, nodes: Array) -> tuple[Array, Array, Array]:
        """Every link of these nodes: the node it is seen from, the node at the other end, the edge."""
        places = self._places(nodes)
        return numpy.repeat(nodes, self.start[nodes + 1] - self.start[nodes]), self.node[places], self.edge[places]

    def ends(self, nodes: Array) -> Array:
        """The nodes at the other ends of the links of these nodes."""
        return self.node[self._places(nodes)]

    def only(self, wanted: Array) -> "Side":
        """The same side with the wanted edges alone."""
        kept = wanted[self.edge]
        return Side(starts_of(kept)[self.start], self.node[kept], self.edge[kept])

    def _places(self, nodes: Array) -> Array:
        return rows_of(Rows(self.node, self.start), nodes)


@dataclass(frozen=True, eq=False)
class GraphView:
    """Everything that is asked of a revision again and again; tables made of it are made when first needed."""

    graph_id: str
    kind: GraphKind
    revision: int
    nodes: Sequence[ViewNode]
    edges: Edges

    @cached_property
    def number_of_id(self) -> dict[str, int]:
        return {node.id: number for number, node in enumerate(self.nodes)}

    @cached_property
    def number_of_key(self) -> dict[int, int]:
        return {node.key: number for number, node in enumerate(self.nodes)}

    @cached_property
    def clusters(self) -> Array:
        """For each node the least node of its undirected component."""
        return find_clusters(len(self.nodes), self.edges.source, self.edges.target)

    @cached_property
    def outgoing(self) -> Side:
        return self._grouped(self.edges.source, self.edges.target)

    @cached_property
    def incoming(self) -> Side:
        return self._grouped(self.edges.target, self.edges.source)

    def _grouped(self, by: Array, other: Array) -> Side:
        """In edge order within a node."""
        order = numpy.argsort(by, kind="stable")
        return Side(starts_of(numpy.bincount(by, minlength=len(self.nodes))), other[order], order)

    @cached_property
    def out_degrees(self) -> Array:
        return numpy.diff(self.outgoing.start)

    @cached_property
    def in_degrees(self) -> Array:
        return numpy.diff(self.incoming.start)


def find_clusters(count: int, source: Array, target: Array) -> Array:
    """The connected parts of a graph, links taken both ways: for each node the least node of its part.

    Every round hangs each root that has a neighbour with a lesser root below the least of these; all nodes then point
    at their roots again, and edges within one tree are done with.
    """
    root = numpy.arange(count)
    while len(source):
        one, other = root[source], root[target]
        apart = one != other
        source, target, one, other = source[apart], target[apart], one[apart], other[apart]
        numpy.minimum.at(root, numpy.maximum(one, other), numpy.minimum(one, other))
        while (root != (above := root[root])).any():
            root = above
    return root


def half_up(numerator: int, denominator: int, places: int = 0) -> int:
    """numerator / denominator in units of the last place, halves upward; for values that are not negative. Python's own
    `round` goes to the even neighbour and works on binary fractions."""
    return (2 * numerator * 10**places + denominator) // (2 * denominator)


def rounded(numerator: int, denominator: int, places: int) -> float:
    """The same as a number: rounded(67, 552, 2) is 0.12."""
    return half_up(numerator, denominator, places) / 10**places
