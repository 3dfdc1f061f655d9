"""The figures of a graph."""

from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from operator import add

from loreweave.contracts.graph_reports import DegreeRecord
from loreweave.knowledge.graph.graph_view import EDGE_TYPES, GraphView
from loreweave.knowledge.graph.half_up import half_up, rounded


@dataclass(frozen=True, slots=True)
class Measures:
    """All that stats and quality say of the shape of a graph; nodes by number, in path order."""

    node_count: int
    edge_count: int
    density: float
    average_degree: float
    max_in: DegreeRecord
    max_out: DegreeRecord
    cluster_count: int
    orphans: tuple[int, ...]
    circular_pairs: tuple[tuple[int, int], ...]
    domains: tuple[str, ...]
    types: dict[str, int]
    edge_types: dict[str, int]
    moc_coverage: int
    link_density_health: int


def measure(view: GraphView) -> Measures:
    """Of a graph with at least one node; no other is ever published."""
    count, edges = len(view.nodes), len(view.edges.source)
    out_degrees, in_degrees = _degrees(view.outgoing.start), _degrees(view.incoming.start)
    degrees = list(map(add, out_degrees, in_degrees))
    cluster_of = _clusters(view)
    sizes = Counter(cluster_of)
    clusters = {cluster for cluster, size in sizes.items() if size > 1}
    with_moc = {cluster_of[number] for number, node in enumerate(view.nodes) if node.type == "moc"} & clusters
    dead = sum(1 for degree in degrees if degree <= 1)
    return Measures(
        node_count=count,
        edge_count=edges,
        density=rounded(edges, count * (count - 1), 2) if count > 1 else 0.0,
        average_degree=rounded(2 * edges, count, 1),
        max_in=_greatest(view, in_degrees),
        max_out=_greatest(view, out_degrees),
        cluster_count=len(clusters),
        orphans=tuple(node for node, degree in enumerate(degrees) if degree == 0),
        circular_pairs=tuple(_circular_pairs(view)),
        domains=tuple(sorted({node.domain for node in view.nodes})),
        types=dict(sorted(Counter(node.type for node in view.nodes).items())),
        edge_types=_edge_types(view),
        moc_coverage=half_up(10 * len(with_moc), max(1, len(clusters))),
        link_density_health=half_up(max(0, 10 * (count - 2 * dead)), count),
    )


def _degrees(starts: array) -> list[int]:
    return [end - start for start, end in pairwise(starts)]


def _clusters(view: GraphView) -> list[int]:
    """For each node the least node of its undirected component."""
    parent = list(range(len(view.nodes)))
    for one, other in zip(view.edges.source, view.edges.target, strict=True):
        while parent[one] != one:
            parent[one] = one = parent[parent[one]]
        while parent[other] != other:
            parent[other] = other = parent[parent[other]]
        if one < other:
            parent[other] = one
        elif other < one:
            parent[one] = other
    for node in range(len(parent)):  # a parent is never greater than its child, so one pass in order settles all
        parent[node] = parent[parent[node]]
    return parent


def _greatest(view: GraphView, degrees: list[int]) -> DegreeRecord:
    """The first in path order among the greatest."""
    node = degrees.index(max(degrees))
    return DegreeRecord(nodeId=view.nodes[node].id, value=degrees[node])


def _edge_types(view: GraphView) -> dict[str, int]:
    counted = Counter(view.edges.type)
    return {name: counted[number] for number, name in enumerate(EDGE_TYPES) if counted[number]}


def _circular_pairs(view: GraphView) -> list[tuple[int, int]]:
    """A links to B and B to A, and neither has another neighbour."""
    only = {}
    for node in range(len(view.nodes)):
        targets = set(view.outgoing.node[view.outgoing.start[node] : view.outgoing.start[node + 1]])
        sources = set(view.incoming.node[view.incoming.start[node] : view.incoming.start[node + 1]])
        if len(targets) == 1 and targets == sources:
            only[node] = targets.pop()
    return [(node, other) for node, other in only.items() if node < other and only.get(other) == node]
