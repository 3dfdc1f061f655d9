"""Breadth-first along the links."""

from array import array
from dataclasses import dataclass
from typing import Literal

from loreweave.knowledge.graph.graph_view import Adjacency
from loreweave.knowledge.retrieval.view_facts import Neighbours, ViewFacts

Direction = Literal["out", "in", "both"]


@dataclass(frozen=True, slots=True)
class Walk:
    """What was reached: each node's least depth, and the most relevant of the notes it was reached from."""

    direction: Direction
    depths: dict[int, int]
    parents: dict[int, int]


class Links:
    """The links of a view as a direction sees them. CROSS_DOMAIN edges lead both ways in every direction."""

    def __init__(self, facts: ViewFacts, direction: Direction) -> None:
        self._sides: list[Adjacency] = []
        self._crossing: list[Neighbours] = []
        if direction in ("out", "both"):
            self._sides.append(facts.view.outgoing)
        elif facts.crossing_out:
            self._crossing.append(facts.crossing_out)
        if direction in ("in", "both"):
            self._sides.append(facts.view.incoming)
        elif facts.crossing_in:
            self._crossing.append(facts.crossing_in)

    def ends(self, node: int) -> array:
        """The nodes one link away; a node comes once for each link."""
        first = self._sides[0]
        found = first.node[first.start[node] : first.start[node + 1]]
        for side in self._sides[1:]:
            found += side.node[side.start[node] : side.start[node + 1]]
        for crossing in self._crossing:
            found.extend(crossing.get(node, ()))
        return found


def walk(facts: ViewFacts, start: int, max_depth: int, direction: Direction, relevance: list[float]) -> Walk:
    """Every node within reach. At each depth the most relevant go first, so the first parent is the best."""
    links = Links(facts, direction)
    rank = facts.rank
    depths = {start: 0}
    parents: dict[int, int] = {}
    frontier = [start]
    for depth in range(1, max_depth + 1):
        reached: list[int] = []
        for node in frontier:
            for end in links.ends(node):
                if end not in depths:
                    depths[end] = depth
                    parents[end] = node
                    reached.append(end)
        if not reached:
            break
        frontier = sorted(reached, key=lambda node: (-relevance[node], rank[node]))
    return Walk(direction, depths, parents)
