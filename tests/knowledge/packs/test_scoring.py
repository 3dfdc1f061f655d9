"""The points of a node, part by part."""

import numpy
import pytest
from tests.knowledge.packs.hand_made_view import make_note, make_view

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.packs.graph_facts import MILLION, facts_of, score_nodes, standing_points
from loreweave.knowledge.packs.read_query import terms_of


def scores(view: GraphView, query: str, relevance: list[float], link: list[float] | None = None) -> list[int]:
    link = link or [0.0] * len(relevance)
    return score_nodes(facts_of(view), terms_of(query), numpy.array(relevance), numpy.array(link)).tolist()


@pytest.mark.holds("graph.score.parts")
@pytest.mark.parametrize(
    ("degree", "kind", "age", "points"),
    [
        (0, "skill", None, 0),
        (3, "skill", None, 3),
        (25, "skill", None, 10),
        (0, "moc", None, 5),
        (0, "framework", None, 4),
        (0, "technique", None, 2),
        (0, "claim", None, 0),
        (0, "skill", 0, 5),
        (0, "skill", 40, 3),
        (0, "skill", 100, 0),
        (0, "skill", 4000, 0),
    ],
)
def test_hub_type_and_recency_have_their_points(degree: int, kind: str, age: int | None, points: int) -> None:
    assert standing_points(degree, kind, age) == points * MILLION


@pytest.mark.holds("graph.score.parts")
def test_text_gives_fifty_five_points_and_a_link_twenty() -> None:
    view = make_view([make_note("a.md"), make_note("b.md"), make_note("c.md")])
    assert scores(view, "x", [0.8, 0.2, 0.0], [0.0, 0.25, 0.4]) == [44, 16, 8]


@pytest.mark.holds("graph.score.parts")
def test_a_domain_named_in_the_query_gives_five_points() -> None:
    view = make_view([make_note("a.md", domain="Sleep Medicine"), make_note("b.md", domain="therapy")])
    assert scores(view, "medicines for sleeping", [0.0, 0.0]) == [5, 0]
    assert scores(view, "sleep", [0.0, 0.0]) == [0, 0]


@pytest.mark.holds("graph.score.parts")
def test_a_domain_may_be_named_by_stop_words() -> None:
    view = make_view([make_note("a.md", domain="IT"), make_note("b.md", domain="How To")])
    assert scores(view, "budget of IT", [0.0, 0.0]) == [5, 0]
    assert scores(view, "how to bake bread", [0.0, 0.0]) == [0, 5]


@pytest.mark.holds("graph.score.recency-from-newest")
def test_recency_counts_back_from_the_newest_note() -> None:
    view = make_view(
        [
            make_note("a.md", updated="2001-01-01"),
            make_note("b.md", updated="2000-11-02"),  # 60 days before
            make_note("c.md", updated="1990-01-01"),
            make_note("d.md"),
        ]
    )
    assert scores(view, "x", [0.0] * 4) == [5, 2, 0, 0]


def test_half_a_point_of_recency_goes_up() -> None:
    days = {"a": "2001-04-11", "b": "2001-01-11", "c": "2001-01-10"}  # of 100 days 90 and 91
    view = make_view([make_note(f"{name}.md", updated=day) for name, day in days.items()])
    assert scores(view, "x", [0.0] * 3) == [5, 1, 0]


@pytest.mark.holds("graph.score.order")
def test_order_is_rounded_score_then_id() -> None:
    view = make_view([make_note("c.md"), make_note("a.md"), make_note("b.md")])
    found = numpy.array(scores(view, "x", [0.501, 0.5, 0.9]))  # 27.6 and 27.5 both round to 28
    order = facts_of(view).in_order(numpy.arange(3), found)
    assert [view.nodes[node].id for node in order] == ["skill:b", "skill:a", "skill:c"]
