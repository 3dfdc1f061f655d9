"""What ranking needs of a view again and again, worked out once a view and forgotten with it."""

import threading
import weakref
from functools import cached_property
from typing import Any

from loreweave.knowledge.graph.graph_view import GraphView

_HOME_NAMES = frozenset(("index", "readme", "home"))
MILLION = 1_000_000
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


class ViewFacts:
    """Derived tables of one view; holds the view weakly so as not to keep it alive."""

    def __init__(self, view: GraphView) -> None:
        self._view = weakref.ref(view)
        self.arrays: Any = None  # the same tables for numpy, filled by those who use it
        self.scans = 0  # how often the view was scanned
        self.numbers: dict[str, tuple[tuple[int, ...], ...]] = {}  # of the terms asked lately; see query_terms

    @property
    def view(self) -> GraphView:
        view = self._view()
        if view is None:
            raise ReferenceError("the view of these facts is gone")
        return view

    @cached_property
    def by_rank(self) -> list[int]:
        """Node numbers in the order of their ids."""
        nodes = self.view.nodes
        return sorted(range(len(nodes)), key=lambda node: nodes[node].id)

    @cached_property
    def rank(self) -> list[int]:
        """For each node its place in the order of ids: ties are settled by comparing integers."""
        ranks = [0] * len(self.by_rank)
        for rank, node in enumerate(self.by_rank):
            ranks[node] = rank
        return ranks

    @cached_property
    def degrees(self) -> list[int]:
        outgoing, incoming = self.view.outgoing.start, self.view.incoming.start
        return [
            outgoing[node + 1] - outgoing[node] + incoming[node + 1] - incoming[node]
            for node in range(len(self.view.nodes))
        ]

    @cached_property
    def by_degree(self) -> list[int]:
        """Node numbers from the most linked to the least, then by id."""
        return sorted(self.by_rank, key=lambda node: -self.degrees[node])

    @cached_property
    def standing(self) -> list[int]:
        """The part of each node's score that no query changes."""
        nodes = self.view.nodes
        newest = max((node.updated for node in nodes if node.updated is not None), default=0)
        return [
            standing_points(degree, node.type, None if node.updated is None else newest - node.updated)
            for node, degree in zip(nodes, self.degrees, strict=True)
        ]

    @cached_property
    def domains(self) -> dict[str, list[int]]:
        """Nodes by domain, letter case ignored."""
        found: dict[str, list[int]] = {}
        for number, node in enumerate(self.view.nodes):
            found.setdefault(node.domain.casefold(), []).append(number)
        return found

    @cached_property
    def mocs(self) -> list[int]:
        return [number for number, node in enumerate(self.view.nodes) if node.type == "moc"]

    @cached_property
    def home(self) -> int | None:
        """The shallowest note named index, readme or home; ties by degree, then id."""
        found = [
            (node.path.count("/"), -self.degrees[number], self.rank[number], number)
            for number, node in enumerate(self.view.nodes)
            if {node.path.rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold(), node.name.casefold()} & _HOME_NAMES
        ]
        return min(found)[-1] if found else None

    @cached_property
    def whole_segments(self) -> list[bool]:
        """For each segment, whether all its documents belong to this revision."""
        return [-1 not in numbers for numbers in self.view.documents]

    @cached_property
    def places(self) -> list[tuple[int, int] | None]:
        """For each node the segment and document that hold its words."""
        found: list[tuple[int, int] | None] = [None] * len(self.view.nodes)
        for segment, numbers in enumerate(self.view.documents):
            for document, node in enumerate(numbers):
                if node >= 0:
                    found[node] = (segment, document)
        return found


_facts: dict[int, ViewFacts] = {}
_lock = threading.Lock()


def facts_of(view: GraphView) -> ViewFacts:
    """The facts of a view; views compare by content, so they are told apart by identity."""
    key = id(view)
    facts = _facts.get(key)
    if facts is None:
        with _lock:
            facts = _facts.get(key)
            if facts is None:
                facts = _facts[key] = ViewFacts(view)
                weakref.finalize(view, _facts.pop, key, None)
    return facts
