"""What ranking needs of a view again and again, worked out once a view and forgotten with it."""

import threading
import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.view_values import EDGE_TYPES, Adjacency

Direction = Literal["out", "in", "both"]
Array = numpy.ndarray

_CROSS_DOMAIN = EDGE_TYPES.index("CROSS_DOMAIN")
_HOME_NAMES = frozenset(("index", "readme", "home"))
MILLION = 1_000_000  # scores are summed in integers of one millionth so that halves round the same way everywhere
MOST_HUB_POINTS = 10
TYPE_POINTS = {"moc": 5, "framework": 4, "technique": 2}
RECENCY_POINTS = 5
RECENCY_DAYS = 100


def standing_points(degree: int, node_type: str, age_days: int | None) -> int:
    """The points a node has whatever is asked: hub, type and recency, in millionths of a point.

    `age_days` counts back from the newest note of the graph; None for a note without a date.
    """
    recency = 0
    if age_days is not None:
        recency = RECENCY_POINTS * MILLION // RECENCY_DAYS * max(0, RECENCY_DAYS - age_days)
    return (min(MOST_HUB_POINTS, degree) + TYPE_POINTS.get(node_type, 0)) * MILLION + recency


@dataclass(frozen=True, slots=True)
class Side:
    """Links grouped by the node they are seen from: those of node n are at start[n]:start[n+1]."""

    start: Array
    node: Array
    edge: Array

    def of(self, nodes: Array) -> tuple[Array, Array, Array]:
        """Every link of these nodes: the node it is seen from, the node at the other end, the edge."""
        places = self._places(nodes)
        return numpy.repeat(nodes, self.start[nodes + 1] - self.start[nodes]), self.node[places], self.edge[places]

    def ends(self, nodes: Array) -> Array:
        """The nodes at the other ends of the links of these nodes."""
        return self.node[self._places(nodes)]

    def _places(self, nodes: Array) -> Array:
        first = self.start[nodes]
        lengths = self.start[nodes + 1] - first
        shift = numpy.repeat(first - numpy.concatenate(([0], numpy.cumsum(lengths)[:-1])), lengths)
        return numpy.arange(len(shift)) + shift


class GraphFacts:
    """Derived tables of one view; holds the view weakly so as not to keep it alive."""

    def __init__(self, view: GraphView) -> None:
        self._view = weakref.ref(view)
        self.count = len(view.nodes)
        self.terms: Any = None  # how the index that was asked last has the notes; filled by those who ask

    @property
    def view(self) -> GraphView:
        view = self._view()
        if view is None:
            raise ReferenceError("the view of these facts is gone")
        return view

    @cached_property
    def by_rank(self) -> Array:
        """Node numbers in the order of their ids."""
        ids = [node.id for node in self.view.nodes]
        return numpy.array(sorted(range(self.count), key=ids.__getitem__), dtype=numpy.int64)

    @cached_property
    def rank(self) -> Array:
        """For each node its place in the order of ids: ties are settled by comparing integers."""
        rank = numpy.empty(self.count, dtype=numpy.int64)
        rank[self.by_rank] = numpy.arange(self.count)
        return rank

    @cached_property
    def degrees(self) -> Array:
        return numpy.diff(self.outgoing.start) + numpy.diff(self.incoming.start)

    @cached_property
    def standing(self) -> Array:
        """The part of each node's score that no query changes."""
        nodes = self.view.nodes
        newest = max((node.updated for node in nodes if node.updated is not None), default=0)
        points = [
            standing_points(degree, node.type, None if node.updated is None else newest - node.updated)
            for node, degree in zip(nodes, self.degrees.tolist(), strict=True)
        ]
        return numpy.array(points, dtype=numpy.int64)

    @cached_property
    def domains(self) -> dict[str, Array]:
        """Nodes by domain, letter case ignored."""
        found: dict[str, list[int]] = {}
        for number, node in enumerate(self.view.nodes):
            found.setdefault(node.domain.casefold(), []).append(number)
        return {domain: numpy.array(nodes, dtype=numpy.int64) for domain, nodes in found.items()}

    @cached_property
    def mocs(self) -> list[int]:
        return [number for number, node in enumerate(self.view.nodes) if node.type == "moc"]

    @cached_property
    def home(self) -> int | None:
        """The shallowest note named index, readme or home; ties by degree, then id."""
        found = [
            (node.path.count("/"), -int(self.degrees[number]), int(self.rank[number]), number)
            for number, node in enumerate(self.view.nodes)
            if {node.path.rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold(), node.name.casefold()} & _HOME_NAMES
        ]
        return min(found)[-1] if found else None

    @cached_property
    def outgoing(self) -> Side:
        return _side(self.view.outgoing)

    @cached_property
    def incoming(self) -> Side:
        return _side(self.view.incoming)

    @cached_property
    def sources(self) -> Array:
        return numpy.array(self.view.edges.source, dtype=numpy.int64)

    @cached_property
    def _crossing(self) -> Array:
        return numpy.array(self.view.edges.type, dtype=numpy.uint8) == _CROSS_DOMAIN

    def sides(self, direction: Direction) -> list[Side]:
        """The links that lead on in a direction. CROSS_DOMAIN edges lead both ways in every direction."""
        out = self.outgoing if direction != "in" else _only(self.outgoing, self._crossing)
        back = self.incoming if direction != "out" else _only(self.incoming, self._crossing)
        return [side for side in (out, back) if len(side.edge)]

    def in_domain(self, nodes: Array, domain: str | None) -> Array:
        """Those of the nodes that belong to a domain, letter case ignored."""
        if domain is None or not domain.strip():
            return nodes
        return nodes[numpy.isin(nodes, self.domains.get(domain.strip().casefold(), ()))]

    def in_order(self, nodes: Array, scores: Array) -> Array:
        """Nodes by their scores from high to low, then id; `scores` is of every node of the view."""
        return nodes[numpy.lexsort((self.rank[nodes], -scores[nodes]))]


def _side(adjacency: Adjacency) -> Side:
    return Side(*(numpy.array(part, dtype=numpy.int64) for part in (adjacency.start, adjacency.node, adjacency.edge)))


def _only(side: Side, wanted: Array) -> Side:
    """The same side with the wanted edges alone."""
    kept = wanted[side.edge]
    start = numpy.concatenate(([0], numpy.cumsum(kept)))[side.start]
    return Side(start, side.node[kept], side.edge[kept])


_facts: dict[int, GraphFacts] = {}
_lock = threading.Lock()


def facts_of(view: GraphView) -> GraphFacts:
    """The facts of a view; views compare by content, so they are told apart by identity."""
    key = id(view)
    facts = _facts.get(key)
    if facts is None:
        with _lock:
            facts = _facts.get(key)
            if facts is None:
                facts = _facts[key] = GraphFacts(view)
                weakref.finalize(view, _facts.pop, key, None)
    return facts
