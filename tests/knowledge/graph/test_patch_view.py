"""A view derived from the one before equals a view compiled anew; what arrays do equals what loops do."""

from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.application import Application
from loreweave.knowledge.graph.compile_view import compile_view, plain_edges
from loreweave.knowledge.graph.edge_table import gather_edges, group_edges
from loreweave.knowledge.graph.graph_view import GraphView, group_plainly
from loreweave.knowledge.graph.measure import measure
from loreweave.knowledge.graph.note_numbers import NoteNumbers
from loreweave.knowledge.graph.patch_view import ViewChanges, patch_view
from loreweave.knowledge.graph.view_values import ViewNode
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
        ViewNode(100 - place, 1, f"skill:n{place:02}", f"n{place:02}.md", f"N{place}", "skill", "general", None, 1, 1)
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
    return GraphView("g", "skill", 1, _nodes(), plain_edges(_nodes(), _rows(found)))


@given(links)
def test_edges_gathered_by_numpy_are_those_gathered_by_loops(found: Links) -> None:
    plain = plain_edges(_nodes(), _rows(found))
    assert gather_edges(NoteNumbers(_nodes()), _rows(found)) == plain
    for by, other in ((plain.source, plain.target), (plain.target, plain.source)):
        assert group_edges(COUNT, by, other) == group_plainly(COUNT, by, other)


@given(links, links)
@pytest.mark.holds("graph.revisions.equals-fresh")
def test_a_view_whose_links_were_replaced_is_the_view_of_the_new_links(old: Links, new: Links) -> None:
    view = _view(old)
    measure(view)  # so that there is something to hand on
    changed = {node.key for node in view.nodes[: COUNT // 2]}
    after = {key: said for key, said in old.items() if key[0] >= COUNT // 2}
    after |= {key: said for key, said in new.items() if key[0] < COUNT // 2}
    rows = [row for row in _rows(after) if row[0] in changed]
    patched = patch_view(view, 1, ViewChanges(frozenset(), (), changed, rows))
    assert patched == _view(after)
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
        assert held == fresh
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
