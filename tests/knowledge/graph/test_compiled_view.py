"""A view as it is compiled of stored rows."""

from array import array
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from loreweave.knowledge.graph.compile_view import gather_edges
from loreweave.knowledge.graph.graph_view import GraphView, ViewNode

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
    numbers = {node.key: place for place, node in enumerate(_nodes())}
    return GraphView("g", "skill", 1, _nodes(), gather_edges(numbers, _rows(found)))


def _edges(view: GraphView) -> list[tuple]:
    """(source, target, type, count, sentences) as they stand there."""
    table, starts = view.edges, view.edges.sentence_starts.tolist()
    columns = [part.tolist() for part in (table.source, table.target, table.type, table.count)]
    said = [table.sentences[first:last].tolist() for first, last in pairwise(starts)]
    return list(zip(*columns, said, strict=True))


@given(links)
def test_edges_stand_in_order_and_are_found_from_either_end(found: Links) -> None:
    view = _view(found)
    assert _edges(view) == [(*key, *found[key]) for key in sorted(found)]
    for side, near, far in ((view.outgoing, 0, 1), (view.incoming, 1, 0)):
        for node in range(COUNT):
            mine = slice(side.start[node], side.start[node + 1])
            expected = [(edge, key[far]) for edge, key in enumerate(sorted(found)) if key[near] == node]
            assert list(zip(side.edge[mine].tolist(), side.node[mine].tolist(), strict=True)) == expected


@given(links)
def test_clusters_are_the_parts_that_links_connect(found: Links) -> None:
    cluster = list(range(COUNT))
    for _ in range(COUNT):
        for source, target, _kind in found:
            cluster[source] = cluster[target] = min(cluster[source], cluster[target])
    assert _view(found).clusters.tolist() == cluster
