"""The figures of a graph."""

from collections import Counter
from dataclasses import dataclass

import numpy

from loreweave.contracts.graph_reports import DegreeRecord
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.half_up import half_up, rounded
from loreweave.knowledge.graph.note_numbers import Array, column
from loreweave.knowledge.graph.view_values import EDGE_TYPES


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
    count = len(view.nodes)
    source, target = column(view.edges.source), column(view.edges.target)
    out_degrees, in_degrees = numpy.bincount(source, minlength=count), numpy.bincount(target, minlength=count)
    degrees = out_degrees + in_degrees
    cluster_of = view.clusters
    is_cluster = numpy.bincount(cluster_of, minlength=count) > 1
    mocs = [number for number, node in enumerate(view.nodes) if node.type == "moc"]
    clusters = int(is_cluster.sum())
    with_moc = len(set(cluster_of[mocs][is_cluster[cluster_of[mocs]]].tolist())) if mocs else 0
    dead = int((degrees <= 1).sum())
    return Measures(
        node_count=count,
        edge_count=len(source),
        density=rounded(len(source), count * (count - 1), 2) if count > 1 else 0.0,
        average_degree=rounded(2 * len(source), count, 1),
        max_in=_greatest(view, in_degrees),
        max_out=_greatest(view, out_degrees),
        cluster_count=clusters,
        orphans=tuple(numpy.flatnonzero(degrees == 0).tolist()),
        circular_pairs=tuple(_circular_pairs(count, source, target)),
        domains=tuple(sorted({node.domain for node in view.nodes})),
        types=dict(sorted(Counter([node.type for node in view.nodes]).items())),
        edge_types=_edge_types(view),
        moc_coverage=half_up(10 * with_moc, max(1, clusters)),
        link_density_health=half_up(max(0, 10 * (count - 2 * dead)), count),
    )


def _greatest(view: GraphView, degrees: Array) -> DegreeRecord:
    """The first in path order among the greatest."""
    node = int(degrees.argmax())
    return DegreeRecord(nodeId=view.nodes[node].id, value=int(degrees[node]))


def _edge_types(view: GraphView) -> dict[str, int]:
    counted = numpy.bincount(numpy.array(view.edges.type, dtype=numpy.uint8), minlength=len(EDGE_TYPES)).tolist()
    return {name: number for name, number in zip(EDGE_TYPES, counted, strict=True) if number}


def _circular_pairs(count: int, source: Array, target: Array) -> list[tuple[int, int]]:
    """A links to B and B to A, and neither has another neighbour."""
    pairs = source * count + target
    once = numpy.diff(pairs, prepend=-1) != 0  # edges of several types between two notes follow each other
    source, target = source[once], target[once]
    single = (numpy.bincount(source, minlength=count) == 1) & (numpy.bincount(target, minlength=count) == 1)
    only = numpy.full(count, -1)
    only[source] = target
    first = numpy.flatnonzero(single)
    second = only[first]
    found = (first < second) & single[second] & (only[second] == first)
    return list(zip(first[found].tolist(), second[found].tolist(), strict=True))
