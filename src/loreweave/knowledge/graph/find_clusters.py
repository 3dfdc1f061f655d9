"""The connected parts of a graph, links taken both ways."""

import numpy

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.note_numbers import Array, column


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


def keep_clusters(before: GraphView, after: GraphView, changed: Array) -> None:
    """Hands the clusters on from a view with the same nodes where no link was lost: new links only join clusters.

    `changed`: for each node whether its links were written anew.
    """
    old, new = _links_of(before, changed), _links_of(after, changed)
    if numpy.isin(old, new).all():
        source, target = numpy.divmod(new[~numpy.isin(new, old)], len(after.nodes))
        after.__dict__["clusters"] = find_clusters(before.clusters, source, target)


def _links_of(view: GraphView, nodes: Array) -> Array:
    source, target = column(view.edges.source), column(view.edges.target)
    wanted = nodes[source]
    return source[wanted] * len(view.nodes) + target[wanted]
