"""From the view of one revision to that of the next by way of what changed between them."""

from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy

from loreweave.entities.graph_rows import GraphRow
from loreweave.knowledge.graph.compile_view import compile_view, make_node, show_domains
from loreweave.knowledge.graph.edge_table import patch_edges
from loreweave.knowledge.graph.find_clusters import find_clusters
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.note_numbers import Array, NoteNumbers, column
from loreweave.knowledge.graph.view_values import Edges, ViewNode
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

PATCHED_BELOW = 8  # notes of the view for each that changed; with more changes compiling anew is as quick


@dataclass(frozen=True, slots=True)
class ViewChanges:
    """What the next revision has otherwise, by note key; rows as the shelf hands them out."""

    touched: Set[int]
    notes: Sequence[tuple]  # of those of the touched that are still there
    relinked: Set[int]
    edges: Sequence[tuple]  # of those of the relinked that have edges


def next_view(
    connection: Connection,
    graph: GraphRow,
    revision: int,
    view: GraphView | None,
    touched: Set[int],
    relinked: Set[int],
) -> GraphView:
    """The view of the revision to come: patched where the present one is at hand, else compiled.

    `touched`: keys of the notes that were added, changed, renamed or removed; `relinked`: keys of the notes whose edges
    were written anew or taken away.
    """
    if view and view.kind == graph.kind and PATCHED_BELOW * len(touched | relinked) < len(view.nodes):
        notes = graph_shelf.notes_by_key(connection, graph.key, revision, sorted(touched))
        edges = graph_shelf.edges_of_notes(connection, graph.key, revision, sorted(relinked))
        if patched := patch_view(view, revision, ViewChanges(touched, notes, relinked, edges)):
            return patched
    return compile_view(connection, graph, revision)


def patch_view(view: GraphView, revision: int, changes: ViewChanges) -> GraphView | None:
    """The next revision's view; None where the changes do not fit the view."""
    place_of = view.number_of_key
    before = {key: view.nodes[place_of[key]] for key in changes.touched if key in place_of}
    fresh = {row[0]: make_node(row) for row in changes.notes}
    if before.keys() != fresh.keys() or any(before[key].path != node.path for key, node in fresh.items()):
        return _with_moved_nodes(view, revision, _moved(view, before, fresh), changes)
    numbers = view.note_numbers
    relinked = numpy.zeros(len(view.nodes), dtype=bool)
    relinked[[place_of[key] for key in changes.relinked]] = True
    edges: Edges | None = view.edges
    if changes.relinked:
        edges = patch_edges(view.edges, numbers, numpy.arange(len(view.nodes)), relinked, changes.edges)
    if edges is None:
        return None
    patched = GraphView(view.graph_id, view.kind, revision, _replaced(view, before, fresh), edges)
    patched.__dict__.update(number_of_key=place_of, note_numbers=numbers)  # the same keys at the same places
    _keep_clusters(view, patched, relinked)
    return patched


def _with_moved_nodes(view: GraphView, revision: int, nodes: list[ViewNode], changes: ViewChanges) -> GraphView | None:
    numbers = NoteNumbers(nodes)
    new_number = numbers.of_keys(numpy.array([node.key for node in view.nodes], dtype=numpy.int64))
    replaced = new_number < 0
    replaced[[view.number_of_key[key] for key in changes.relinked if key in view.number_of_key]] = True
    edges = patch_edges(view.edges, numbers, new_number, replaced, changes.edges)
    if edges is None:
        return None
    patched = GraphView(view.graph_id, view.kind, revision, nodes, edges)
    patched.__dict__["note_numbers"] = numbers
    return patched


def _replaced(view: GraphView, before: dict[int, ViewNode], fresh: dict[int, ViewNode]) -> list[ViewNode]:
    """Every note where it was."""
    nodes = list(view.nodes)
    for key, node in fresh.items():
        nodes[view.number_of_key[key]] = replace(node, domain=before[key].domain)
    if all(before[key].written_domain == node.written_domain for key, node in fresh.items()):
        return nodes
    return show_domains(nodes)


def _moved(view: GraphView, before: dict[int, ViewNode], fresh: dict[int, ViewNode]) -> list[ViewNode]:
    """Notes come and go, in path order."""
    nodes = [node for node in view.nodes if node.key not in before]
    for node in fresh.values():
        place = bisect_left(nodes, path_order(node.path), key=lambda other: path_order(other.path))
        nodes.insert(place, node)
    return show_domains(nodes)


def _keep_clusters(before: GraphView, after: GraphView, changed: Array) -> None:
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
