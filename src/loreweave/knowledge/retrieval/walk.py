"""Breadth-first along the links, and the links among the notes visited: each speaks for the one it leads to."""

from dataclasses import dataclass

import numpy

from loreweave.knowledge.retrieval.array_facts import Array, ArrayFacts, Direction


@dataclass(frozen=True, slots=True)
class Steps:
    """Links from a note to one it speaks for."""

    parent: Array
    child: Array
    edge: Array

    def where(self, kept: Array) -> "Steps":
        return Steps(self.parent[kept], self.child[kept], self.edge[kept])


def walk(arrays: ArrayFacts, start: int, max_depth: int, direction: Direction) -> Array:
    """For every node of the view its least depth, the start at 0, -1 where it is out of reach."""
    sides = arrays.sides(direction)
    depth = numpy.full(arrays.count, -1, dtype=numpy.int64)
    depth[start] = 0
    frontier = numpy.array([start], dtype=numpy.int64)
    for reached in range(1, max_depth + 1):
        for side in sides:
            ends = side.ends(frontier)
            depth[ends[depth[ends] < 0]] = reached
        frontier = numpy.flatnonzero(depth == reached)
        if not len(frontier):
            break
    return depth


def steps_among(arrays: ArrayFacts, visited: Array, direction: Direction) -> Steps:
    """Every link in a direction between two visited nodes, whatever their depths: one more link never says less."""
    nodes = numpy.flatnonzero(visited)
    parts = [Steps(*side.of(nodes)) for side in arrays.sides(direction)]
    steps = Steps(
        numpy.concatenate([part.parent for part in parts]),
        numpy.concatenate([part.child for part in parts]),
        numpy.concatenate([part.edge for part in parts]),
    )
    kept = visited[steps.child] & (steps.child != steps.parent)
    return steps if kept.all() else steps.where(kept)
