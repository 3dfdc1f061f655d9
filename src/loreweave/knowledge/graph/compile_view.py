"""The view of a revision: from its stored rows, or from the view before it by way of what changed between them."""

from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import replace

import numpy

from loreweave.entities.graph_rows import EDGE_TYPES, GraphRow
from loreweave.index.index_arrays import starts_of
from loreweave.knowledge.graph.graph_view import Array, Edges, GraphView, NoteNumbers, ViewNode, column, find_clusters
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

NO_DOMAIN = "general"
PATCHED_BELOW = 8  # notes of the view for each that changed; with more changes compiling anew is as quick


def compile_view(connection: Connection, graph: GraphRow, revision: int) -> GraphView:
    """Reads what walking needs; texts stay where they are."""
    rows = graph_shelf.notes_of_revision(connection, graph.key, revision)
    nodes = _show_domains([_node(row) for row in sorted(rows, key=lambda row: path_order(row[2]))])
    edges = gather_edges(NoteNumbers(nodes), graph_shelf.edges_of_revision(connection, graph.key, revision))
    return GraphView(graph.graph_id, graph.kind, revision, nodes, edges)


def _node(row: tuple) -> ViewNode:
    """`row`: as graph_shelf.notes_of_revision has it."""
    key, node_id, path, name, kind, domain, updated, sections, full = row
    return ViewNode(key, node_id, path, name, kind, domain or NO_DOMAIN, updated, sections, full, domain)


def _show_domains(nodes: Sequence[ViewNode]) -> list[ViewNode]:
    """A domain is shown as the first note in path order writes it."""
    first_written: dict[str, str] = {}
    shown = []
    for node in nodes:
        domain = node.written_domain or NO_DOMAIN
        domain = first_written.setdefault(domain.casefold(), domain)
        shown.append(node if node.domain == domain else replace(node, domain=domain))
    return shown


def gather_edges(numbers: NoteNumbers, rows: Sequence[tuple]) -> Edges:
    """`rows`: (note key, targets, types, counts, sentence counts, sentences) as they are stored."""
    return _in_order(len(numbers), _of_rows(numbers, rows))


def _of_rows(numbers: NoteNumbers, rows: Sequence[tuple]) -> Edges:
    """In the order of the rows."""
    keys = numpy.array([row[0] for row in rows], dtype=numpy.int64)
    targets, types, counts, sentence_counts, sentences = (
        b"".join([row[place] for row in rows]) for place in range(1, 6)
    )
    return Edges(
        source=numpy.repeat(numbers.of_keys(keys), numpy.array([len(row[2]) for row in rows], dtype=numpy.int64)),
        target=numbers.of_keys(column(targets)),
        type=numpy.frombuffer(types, dtype=numpy.uint8),
        count=column(counts),
        sentence_counts=numpy.frombuffer(sentence_counts, dtype=numpy.uint8).astype(numpy.int64),
        sentences=column(sentences),
    )


def _in_order(count: int, found: Edges) -> Edges:
    """By (source, target, type)."""
    order = numpy.argsort((found.source * count + found.target) * len(EDGE_TYPES) + found.type, kind="stable")
    lengths = found.sentence_counts[order]
    # Where the sentences of each edge lie before they are put in order, less where they will lie.
    shift = numpy.repeat(starts_of(found.sentence_counts)[:-1][order] - starts_of(lengths)[:-1], lengths)
    return Edges(
        source=found.source[order],
        target=found.target[order],
        type=found.type[order],
        count=found.count[order],
        sentence_counts=lengths,
        sentences=found.sentences[numpy.arange(len(shift)) + shift],
    )


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
        if patched := patch_view(view, revision, touched, notes, relinked, edges):
            return patched
    return compile_view(connection, graph, revision)


def patch_view(
    view: GraphView, revision: int, touched: Set[int], notes: Sequence[tuple], relinked: Set[int], rows: Sequence[tuple]
) -> GraphView | None:
    """The next revision's view; None where the changes do not fit the view.

    `notes` are those of the touched that are still there, `rows` the edges of those of the relinked that have some.
    """
    place_of = view.number_of_key
    before = {key: view.nodes[place_of[key]] for key in touched if key in place_of}
    fresh = {row[0]: _node(row) for row in notes}
    is_moved = before.keys() != fresh.keys() or any(before[key].path != node.path for key, node in fresh.items())
    nodes = _moved(view, before, fresh) if is_moved else _replaced(view, before, fresh)
    numbers = NoteNumbers(nodes) if is_moved else view.note_numbers
    new_number = numbers.of_keys(numpy.array([node.key for node in view.nodes], dtype=numpy.int64))
    replaced = new_number < 0
    replaced[[place_of[key] for key in relinked if key in place_of]] = True
    edges = _patch_edges(view.edges, numbers, new_number, replaced, rows) if is_moved or relinked else view.edges
    if edges is None:
        return None
    patched = GraphView(view.graph_id, view.kind, revision, nodes, edges)
    patched.__dict__["note_numbers"] = numbers
    if not is_moved:  # the same keys at the same places
        patched.__dict__["number_of_key"] = place_of
        _keep_clusters(view, patched, replaced)
    return patched


def _replaced(view: GraphView, before: dict[int, ViewNode], fresh: dict[int, ViewNode]) -> list[ViewNode]:
    """Every note where it was."""
    nodes = list(view.nodes)
    for key, node in fresh.items():
        nodes[view.number_of_key[key]] = replace(node, domain=before[key].domain)
    if all(before[key].written_domain == node.written_domain for key, node in fresh.items()):
        return nodes
    return _show_domains(nodes)


def _moved(view: GraphView, before: dict[int, ViewNode], fresh: dict[int, ViewNode]) -> list[ViewNode]:
    """Notes come and go, in path order."""
    nodes = [node for node in view.nodes if node.key not in before]
    for node in fresh.values():
        place = bisect_left(nodes, path_order(node.path), key=lambda other: path_order(other.path))
        nodes.insert(place, node)
    return _show_domains(nodes)


def _patch_edges(
    old: Edges, numbers: NoteNumbers, new_number: Array, replaced: Array, rows: Sequence[tuple]
) -> Edges | None:
    """The edges of an older view with those of some sources replaced; None where one leads to a note that is gone.

    `new_number`: for each node of the older view its number in the new one, -1 where it is gone. `replaced`: for each
    node of the older view whether its edges are to be taken from the rows.
    """
    kept = ~replaced[old.source]
    spoken = numpy.repeat(kept, old.sentence_counts)
    new = _of_rows(numbers, rows)
    joined = Edges(
        source=numpy.concatenate((new_number[old.source[kept]], new.source)),
        target=numpy.concatenate((new_number[old.target[kept]], new.target)),
        type=numpy.concatenate((old.type[kept], new.type)),
        count=numpy.concatenate((old.count[kept], new.count)),
        sentence_counts=numpy.concatenate((old.sentence_counts[kept], new.sentence_counts)),
        sentences=numpy.concatenate((old.sentences[spoken], new.sentences)),
    )
    if min(joined.source.min(initial=0), joined.target.min(initial=0)) < 0:
        return None
    return _in_order(len(numbers), joined)


def _keep_clusters(before: GraphView, after: GraphView, changed: Array) -> None:
    """Hands the clusters on from a view with the same nodes where no link was lost: new links only join clusters.

    `changed`: for each node whether its links were written anew.
    """
    old, new = _links_of(before, changed), _links_of(after, changed)
    if numpy.isin(old, new).all():
        source, target = numpy.divmod(new[~numpy.isin(new, old)], len(after.nodes))
        after.__dict__["clusters"] = find_clusters(before.clusters, source, target)


def _links_of(view: GraphView, nodes: Array) -> Array:
    wanted = nodes[view.edges.source]
    return view.edges.source[wanted] * len(view.nodes) + view.edges.target[wanted]
