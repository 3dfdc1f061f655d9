"""The connected parts of a graph, links taken both ways."""

import numpy

from loreweave.knowledge.graph.note_numbers import Array


def find_clusters(root: Array, source: Array, target: Array) -> Array:
    """For each node the least node of its component. `root`: the same for a graph without these edges.

    Every round hangs each root that has a neighbour with a lesser root below the least of these; all nodes then point
    at their roots again, and edges within one tree are done with.
    """
    while len(source):
        one, other = root[source], root[target]
        apart = one != other
        source, target, one, other = source[apart], target[apart], one[apart], other[apart]
        root = root.copy()
        numpy.minimum.at(root, numpy.maximum(one, other), numpy.minimum(one, other))
        while (root != (above := root[root])).any():
            root = above
    return root
