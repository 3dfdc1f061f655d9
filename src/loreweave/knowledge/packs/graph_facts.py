"""What ranking needs of a view again and again, worked out once a view and forgotten with it."""

import threading
import weakref
from functools import cached_property
from typing import Any, Literal

import numpy

from loreweave.entities.graph_rows import EDGE_TYPES
from loreweave.knowledge.graph.graph_view import Array, GraphView, Side
from loreweave.knowledge.packs.read_query import terms_of

Direction = Literal["out", "in", "both"]
_CROSS_DOMAIN = EDGE_TYPES.index("CROSS_DOMAIN")
_HOME_NAMES = frozenset(("index", "readme", "home"))
MILLION = 1_000_000  # scores are summed in integers of one millionth so that halves round the same way everywhere
MOST_HUB_POINTS = 10
TYPE_POINTS = {"moc": 5, "framework": 4, "technique": 2}
RECENCY_POINTS = 5
RECENCY_DAYS = 100
TEXT_POINTS = 55
LINK_POINTS = 20
DOMAIN_POINTS = 5  # where the question names the node's domain


def standing_points(degree: int, node_type: str, age_days: int | None) -> int:
    """The points a node has whatever is asked: hub, type and recency, in millionths of a point.

    `age_days` counts back from the newest note of the graph; None for a note without a date.
    """
    recency = 0
    if age_days is not None:
        recency = RECENCY_POINTS * MILLION // RECENCY_DAYS * max(0, RECENCY_DAYS - age_days)
    return (min(MOST_HUB_POINTS, degree) + TYPE_POINTS.get(node_type, 0)) * MILLION + recency


class GraphFacts:
    """Derived tables of one view; holds the view weakly so as not to keep it alive."""

    def __init__(self, view: GraphView) -> None:
        self._view = weakref.ref(view)
        self.count = len(view.nodes)
        self.outlines: dict[int, Any] = {}  # of notes that were opened; filled by those who open them
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
        return self.view.out_degrees + self.view.in_degrees

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
    def named_domains(self) -> list[tuple[frozenset[str], Array]]:
        """The same, by the terms of their names."""
        return [(terms, nodes) for domain, nodes in self.domains.items() if (terms := terms_of(domain))]

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
    def _crossing(self) -> Array:
        return self.view.edges.type == _CROSS_DOMAIN

    def sides(self, direction: Direction) -> list[Side]:
        """The links that lead on in a direction. CROSS_DOMAIN edges lead both ways in every direction."""
        view, crossing = self.view, self._crossing
        out = view.outgoing if direction != "in" else view.outgoing.only(crossing)
        back = view.incoming if direction != "out" else view.incoming.only(crossing)
        return [side for side in (out, back) if len(side.edge)]

    def in_domain(self, nodes: Array, domain: str | None) -> Array:
        """Those of the nodes that belong to a domain, letter case ignored."""
        if domain is None or not domain.strip():
            return nodes
        return nodes[numpy.isin(nodes, self.domains.get(domain.strip().casefold(), ()))]

    def in_order(self, nodes: Array, scores: Array) -> Array:
        """Nodes by their scores from high to low, then id; `scores` is of every node of the view."""
        return nodes[numpy.lexsort((self.rank[nodes], -scores[nodes]))]


_facts: weakref.WeakKeyDictionary[GraphView, GraphFacts] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def facts_of(view: GraphView) -> GraphFacts:
    with _lock:
        facts = _facts.get(view)
        if facts is None:
            facts = _facts[view] = GraphFacts(view)
    return facts


def score_nodes(facts: GraphFacts, asked: frozenset[str], relevance: Array, link: Array) -> Array:
    """The score of every node, half-up to whole points: what each has anyway, and what the question adds.
    `asked`: its terms."""
    points = facts.standing + numpy.floor(TEXT_POINTS * MILLION * relevance + 0.5).astype(numpy.int64)
    points += numpy.floor(LINK_POINTS * MILLION * link + 0.5).astype(numpy.int64)
    for named, nodes in facts.named_domains:
        if named <= asked:  # every word of it is asked for
            points[nodes] += DOMAIN_POINTS * MILLION
    return (2 * points + MILLION) // (2 * MILLION)
