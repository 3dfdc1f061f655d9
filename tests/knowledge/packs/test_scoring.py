"""The points of a node, part by part."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.knowledge.packs.hand_made_view import make_note, make_view

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.packs.array_facts import arrays_of
from loreweave.knowledge.packs.query_terms import read_query
from loreweave.knowledge.packs.rank_nodes import in_order, score_nodes
from loreweave.knowledge.packs.scoring import score_hits, whole_points
from loreweave.knowledge.packs.view_facts import MILLION, facts_of, standing_points


def scores(view: GraphView, query: str, relevance: list[float], link: list[float] | None = None) -> list[int]:
    """By arrays, and node by node: both must agree."""
    facts = facts_of(view)
    asked = read_query(facts, query)
    link = link or [0.0] * len(relevance)
    many = score_nodes(facts, arrays_of(facts), asked, numpy.array(relevance), numpy.array(link)).tolist()
    if not any(link):
        assert many == list(score_hits(facts, asked, dict(enumerate(relevance))).values())
    return many


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


@given(st.floats(0, 1))
def test_scores_by_arrays_equal_scores_one_by_one(text: float) -> None:
    scores(make_view([make_note("a.md", type="moc", domain="x")]), "x", [text])


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


@pytest.mark.parametrize(
    ("millionths", "points"),
    [(0, 0), (499_999, 0), (500_000, 1), (1_499_999, 1), (1_500_000, 2), (2_500_000, 3)],
)
def test_halves_go_up(millionths: int, points: int) -> None:
    assert whole_points(millionths) == points


def test_half_a_point_of_recency_goes_up() -> None:
    assert whole_points(standing_points(0, "skill", 90)) == 1
    assert whole_points(standing_points(0, "skill", 91)) == 0


@pytest.mark.holds("graph.score.order")
def test_order_is_rounded_score_then_id() -> None:
    view = make_view([make_note("c.md"), make_note("a.md"), make_note("b.md")])
    facts = facts_of(view)
    arrays = arrays_of(facts)
    found = numpy.array(scores(view, "x", [0.501, 0.5, 0.9]))  # 27.6 and 27.5 both round to 28
    order = in_order(arrays, numpy.arange(3), found)
    assert [view.nodes[node].id for node in order] == ["skill:b", "skill:a", "skill:c"]
