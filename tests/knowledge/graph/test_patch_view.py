"""A view derived from the one before equals a view compiled anew."""

from array import array
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.application import Application
from loreweave.knowledge.graph.compile_view import compile_view, gather_edges, patch_view
from loreweave.knowledge.graph.grade import measure
from loreweave.knowledge.graph.graph_view import GraphView, NoteNumbers, ViewNode
from loreweave.seams.storage import graph_shelf

COUNT = 12
places = st.integers(0, COUNT - 1)
links = st.dictionaries(
    st.tuples(places, places, st.integers(0, 4)).filter(lambda key: key[0] != key[1]),
    st.tuples(st.integers(1, 3), st.lists(st.integers(0, 9), max_size=3)),
    max_size=30,
)
Links = dict[tuple[int, int, int], tuple[int, list[int]]]


def _nodes() -> list[ViewNode]:
    """Keys go down where places go up, so that neither is taken for the other."""
    return [
        ViewNode(100 - place, f"skill:n{place:02}", f"n{place:02}.md", f"N{place}", "skill", "general", None, 1, 1)
        for place in range(COUNT)
    ]


def _rows(found: Links) -> list[tuple]:
    """As they are stored: a row for each note with links, its targets by key."""
    rows = []
    for source in {key[0] for key in found}:
        mine = sorted((100 - target, kind, *said) for (of, target, kind), said in found.items() if of == source)
        rows.append(
            (
                100 - source,
                array("q", [link[0] for link in mine]).tobytes(),
                bytes(link[1] for link in mine),
                array("q", [link[2] for link in mine]).tobytes(),
                bytes(len(link[3]) for link in mine),
                array("q", [number for link in mine for number in link[3]]).tobytes(),
            )
        )
    return rows


def _view(found: Links) -> GraphView:
    return GraphView("g", "skill", 1, _nodes(), gather_edges(NoteNumbers(_nodes()), _rows(found)))


def _edges(view: GraphView) -> list[tuple]:
    """(source, target, type, count, sentences) as they stand there."""
    table, starts = view.edges, view.edges.sentence_starts.tolist()
    columns = [part.tolist() for part in (table.source, table.target, table.type, table.count)]
    said = [table.sentences[first:last].tolist() for first, last in pairwise(starts)]
    return list(zip(*columns, said, strict=True))


def _facts(view: GraphView) -> tuple:
    return view.graph_id, view.kind, view.revision, list(view.nodes), _edges(view)


@given(links)
def test_edges_stand_in_order_and_are_found_from_either_end(found: Links) -> None:
    view = _view(found)
    assert _edges(view) == [(*key, *found[key]) for key in sorted(found)]
    for side, near, far in ((view.outgoing, 0, 1), (view.incoming, 1, 0)):
        for node in range(COUNT):
            mine = slice(side.start[node], side.start[node + 1])
            expected = [(edge, key[far]) for edge, key in enumerate(sorted(found)) if key[near] == node]
            assert list(zip(side.edge[mine].tolist(), side.node[mine].tolist(), strict=True)) == expected


@given(links, links)
@pytest.mark.holds("graph.revisions.equals-fresh")
def test_a_view_whose_links_were_replaced_is_the_view_of_the_new_links(old: Links, new: Links) -> None:
    view = _view(old)
    measure(view)  # so that there is something to hand on
    changed = {node.key for node in view.nodes[: COUNT // 2]}
    after = {key: said for key, said in old.items() if key[0] >= COUNT // 2}
    after |= {key: said for key, said in new.items() if key[0] < COUNT // 2}
    rows = [row for row in _rows(after) if row[0] in changed]
    patched = patch_view(view, 1, frozenset(), (), changed, rows)
    assert patched
    assert _facts(patched) == _facts(_view(after))
    assert measure(patched) == measure(_view(after))


@given(links)
def test_clusters_are_the_parts_that_links_connect(found: Links) -> None:
    cluster = list(range(COUNT))
    for _ in range(COUNT):
        for source, target, _kind in found:
            cluster[source] = cluster[target] = min(cluster[source], cluster[target])
    assert _view(found).clusters.tolist() == cluster


@pytest.mark.holds("graph.revisions.equals-fresh", "graph.speed.change-proportional")
def test_the_view_held_after_an_edit_is_the_one_a_reader_would_compile(
    application: Application, tmp_path: Path
) -> None:
    folder = tmp_path / "g"
    folder.mkdir()
    for number in range(40):
        text = (
            f"---\ndomain: {'Field' if number else 'FIELD'}\n---\n[[n{number + 1:02}]] and [[n{number * 7 % 40:02}]]."
        )
        (folder / f"n{number:02}.md").write_text(text, encoding="utf-8")
    application.graphs.ingest_folder(folder)
    edits = {
        "n07.md": "Only words.",
        "n09.md": "[[n01]] again, and [[nowhere]].",
        "a.md": "New, with [[n03]].",
        "n40.md": "What n39 leads to.",
        "n00.md": "---\ndomain: fIELD\n---\nSpelled otherwise.",
        "n20.md": None,
    }
    for name, text in edits.items():
        before = _held(application)
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
        application.graphs.ingest_folder(folder)
        held = _held(application)
        with application.store.read() as connection:
            graph = graph_shelf.find_graph(connection, "g")
            assert graph
            fresh = compile_view(connection, graph, graph.revision)
        assert _facts(held) == _facts(fresh)
        assert held.revision == before.revision + 1
        kept = set(map(id, before.nodes)) & set(map(id, held.nodes))
        assert len(kept) >= 1  # taken over, not read again


def _held(application: Application) -> GraphView:
    with application.store.read() as connection:
        graph = graph_shelf.find_graph(connection, "g")
    assert graph
    view = application.library.held(graph)
    assert view
    return view
