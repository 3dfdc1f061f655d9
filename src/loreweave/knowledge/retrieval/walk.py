"""Breadth-first along the links. Every link on the way is kept, for it speaks for the note it leads to."""

from dataclasses import dataclass

import numpy

from loreweave.knowledge.retrieval.array_facts import Array, ArrayFacts, Direction, Side


@dataclass(frozen=True, slots=True)
class Steps:
    """Links from a note to one it speaks for."""

    parent: Array
    child: Array
    edge: Array

    def where(self, kept: Array) -> "Steps":
        return Steps(self.parent[kept], self.child[kept], self.edge[kept])


def join_steps(parts: list[Steps]) -> Steps:
    return Steps(
        numpy.concatenate([part.parent for part in parts]),
        numpy.concatenate([part.child for part in parts]),
        numpy.concatenate([part.edge for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class Walk:
    depth: Array  # of every node of the view, -1 where it was not reached
    steps: Steps  # every walked link from a node to one a step deeper


def links_of(sides: list[Side], nodes: Array) -> Steps:
    """Every link of these nodes as seen from them."""
    return join_steps([Steps(*side.of(nodes)) for side in sides])


def walk(arrays: ArrayFacts, start: int, max_depth: int, direction: Direction) -> Walk:
    """Every node within reach at its least depth, the start at 0."""
    sides = arrays.sides(direction)
    depth = numpy.full(arrays.count, -1, dtype=numpy.int64)
    depth[start] = 0
    frontier = numpy.array([start], dtype=numpy.int64)
    walked = [links_of(sides, frontier[:0])]
    for reached in range(1, max_depth + 1):
        links = links_of(sides, frontier)
        depth[links.child[depth[links.child] < 0]] = reached
        walked.append(links.where(depth[links.child] == reached))
        frontier = numpy.flatnonzero(depth == reached)
        if not len(frontier):
            break
    return Walk(depth, join_steps(walked))
