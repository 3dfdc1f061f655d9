"""One revision of a graph, compiled for walking and ranking: integer nodes, flat arrays, no text but names.

A view never changes. Nodes are numbered 0..N-1 in path order (depth, then code points of the path). What a node says
(description, texts, link sentences) is read by its note key when it is disclosed.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from loreweave.contracts.skill_graph import GraphKind
from loreweave.knowledge.graph.view_values import Adjacency, Edges, ViewNode

if TYPE_CHECKING:
    from loreweave.knowledge.graph.note_numbers import NoteNumbers

# From here on loading numpy costs less than doing without it.
MANY_NODES, MANY_EDGES = 5_000, 20_000


@dataclass(frozen=True)
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
    def note_numbers(self) -> "NoteNumbers":
        """The same and more for many keys at once; loads numpy."""
        from loreweave.knowledge.graph.note_numbers import NoteNumbers

        return NoteNumbers(self.nodes)

    @cached_property
    def clusters(self) -> Any:
        """For each node the least node of its undirected component, as an array of numpy."""
        import numpy

        from loreweave.knowledge.graph.find_clusters import find_clusters
        from loreweave.knowledge.graph.note_numbers import column

        return find_clusters(numpy.arange(len(self.nodes)), column(self.edges.source), column(self.edges.target))

    @cached_property
    def outgoing(self) -> Adjacency:
        return _grouped(len(self.nodes), self.edges.source, self.edges.target)

    @cached_property
    def incoming(self) -> Adjacency:
        return _grouped(len(self.nodes), self.edges.target, self.edges.source)

    def out_degree(self, node: int) -> int:
        return self.outgoing.start[node + 1] - self.outgoing.start[node]

    def in_degree(self, node: int) -> int:
        return self.incoming.start[node + 1] - self.incoming.start[node]

    def degree(self, node: int) -> int:
        return self.out_degree(node) + self.in_degree(node)


def _grouped(count: int, by: array, other: array) -> Adjacency:
    if len(by) < MANY_EDGES:
        return group_plainly(count, by, other)
    from loreweave.knowledge.graph.edge_table import group_edges

    return group_edges(count, by, other)


def group_plainly(count: int, by: array, other: array) -> Adjacency:
    """Counting sort of the edges by one of their ends; stays in edge order within a node."""
    start = array("q", bytes(8 * (count + 1)))
    for node in by:
        start[node + 1] += 1
    for node in range(count):
        start[node + 1] += start[node]
    fill = start[:]
    ends = array("q", bytes(8 * len(by)))
    numbers = array("q", bytes(8 * len(by)))
    for edge, node in enumerate(by):
        place = fill[node]
        fill[node] = place + 1
        ends[place] = other[edge]
        numbers[place] = edge
    return Adjacency(start=start, node=ends, edge=numbers)
