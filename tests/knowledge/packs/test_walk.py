"""Walking breadth-first, and what the links on the way say."""

from collections.abc import Sequence

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.packs.hand_made_view import Edge, make_note, make_terms, make_view

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.packs.assemble import Evidence, gather_evidence, steps_among, walk
from loreweave.knowledge.packs.graph_facts import Direction, facts_of


def depths(view: GraphView, start: str, most: int, direction: Direction = "out") -> dict[str, int]:
    number = view.number_of_id["skill:" + start]
    found = walk(facts_of(view), number, most, direction).tolist()
    return {view.nodes[node].id.removeprefix("skill:"): depth for node, depth in enumerate(found) if depth >= 0}


def evidence(
    notes: list[ParsedNote], query: str, start: int, direction: Direction = "out", extra_edges: Sequence[Edge] = ()
) -> Evidence:
    view = make_view(notes, extra_edges=extra_edges)
    facts, terms = facts_of(view), make_terms(view, notes)
    asked = terms.read(query)
    visited = walk(facts, start, 3, direction) >= 0
    return gather_evidence(facts, terms, asked, steps_among(facts, visited, direction), terms.relevance(asked))


def chain() -> GraphView:
    return make_view(
        [
            make_note("a.md", "[[b]] [[c]]"),
            make_note("b.md", "[[c]] [[d]]"),
            make_note("c.md", "[[d]] [[a]]"),
            make_note("d.md", "[[e]]"),
            make_note("e.md", ""),
        ]
    )


@pytest.mark.holds("graph.walk.breadth-first", "graph.walk.bounds")
def test_each_node_is_reached_once_at_its_least_depth() -> None:
    assert depths(chain(), "a", 10) == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}
    assert depths(chain(), "a", 1) == {"a": 0, "b": 1, "c": 1}
    assert depths(chain(), "a", 0) == {"a": 0}


@pytest.mark.holds("graph.walk.direction")
def test_a_walk_follows_links_out_in_or_both_ways() -> None:
    assert depths(chain(), "d", 1) == {"d": 0, "e": 1}
    assert depths(chain(), "d", 1, "in") == {"d": 0, "b": 1, "c": 1}
    assert depths(chain(), "d", 1, "both") == {"d": 0, "b": 1, "c": 1, "e": 1}


@pytest.mark.holds("graph.fuse.cross-domain")
@pytest.mark.parametrize("direction", ["out", "in", "both"])
def test_links_between_fused_graphs_are_walked_both_ways(direction: Direction) -> None:
    view = make_view([make_note("a.md"), make_note("b.md")], extra_edges=[("a", "b", "CROSS_DOMAIN")])
    assert depths(view, "a", 1, direction) == {"a": 0, "b": 1}
    assert depths(view, "b", 1, direction) == {"b": 0, "a": 1}


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.integers(0, 4), st.booleans())
@settings(max_examples=examples(60), deadline=None)
def test_a_walk_finds_what_repeated_steps_find(links: set[tuple[int, int]], most: int, back: bool) -> None:
    bodies = [" ".join(f"[[n{end}]]" for start, end in sorted(links) if start == number) for number in range(8)]
    view = make_view([make_note(f"n{number}.md", body) for number, body in enumerate(bodies)])
    steps = {(end, start) for start, end in links} if back else links
    expected = {0: 0}
    for depth in range(1, most + 1):
        for end in {end for start, end in steps if start in expected}:
            expected.setdefault(end, depth)
    found = depths(view, "n0", most, "in" if back else "out")
    assert found == {f"n{node}": depth for node, depth in expected.items()}


@pytest.mark.holds("graph.score.parts")
def test_the_best_sentence_among_the_visited_speaks_for_a_note() -> None:
    notes = [
        make_note("a.md", "Calm breath with [[c]]. Also [[b]]."),
        make_note("b.md", "Sleep and calm and breath with [[c]]."),
        make_note("c.md", "Grief needs [[a]]."),
    ]
    found = evidence(notes, "calm breath grief sleep", 0)
    # b lies as deep as c and its sentence is the better one; a link back speaks for the start too
    assert found.share.tolist() == [0.25, 0, 0.75]
    assert found.told_by.tolist() == [2, -1, 1]
    assert found.parent.tolist() == [2, 0, 1]
    back = evidence(notes, "calm breath grief sleep", 0, "in")
    assert back.share.tolist() == [0.5, 0.75, 0.25]
    assert back.told_by.tolist() == [2, 2, 0]


@pytest.mark.holds("graph.score.parts")
def test_a_link_is_worth_its_sentence_or_half_the_relevance_of_its_parent() -> None:
    notes = [make_note("a.md", "See [[b]]. For calm [[c]]."), make_note("b.md"), make_note("c.md")]
    found = evidence(notes, "calm", 0)
    assert found.link(numpy.array([0.8, 0.0, 0.0])).tolist() == [0.0, 0.4, 1.0]


def test_of_equal_sentences_the_one_from_the_note_first_by_id_is_named() -> None:
    notes = [
        make_note("a.md", "[[z]] [[b]]"),
        make_note("z.md", "calm [[c]]"),
        make_note("b.md", "calm [[c]]"),
        make_note("c.md", "x"),
    ]
    found = evidence(notes, "calm", 0)
    assert (found.told_by[3], found.parent[3]) == (2, 2)


def test_the_most_relevant_parent_counts() -> None:
    notes = [
        make_note("a.md", "[[b]] [[c]]"),
        make_note("b.md", "[[d]]"),
        make_note("c.md", "calm [[d]]"),
        make_note("d.md", "x"),
    ]
    assert evidence(notes, "calm", 0).parent.tolist() == [-1, 0, 0, 2]


@pytest.mark.holds("graph.score.parts")
def test_a_note_does_not_speak_for_itself_nor_for_what_was_not_visited() -> None:
    notes = [make_note("a.md", "calm"), make_note("b.md", "calm [[a]]"), make_note("c.md", "x")]
    assert evidence(notes, "calm", 0, extra_edges=[("a", "a", "REFERENCES")]).parent.tolist() == [-1, -1, -1]
