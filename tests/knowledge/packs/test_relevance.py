"""T by hand, whatever the spread of notes over segments and whatever older texts lie about."""

from array import array
from dataclasses import replace
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.packs.hand_made_view import make_note, make_segments, make_view

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.segment_builder import build_segment
from loreweave.knowledge.graph.segment_reader import GraphSegment
from loreweave.knowledge.packs.array_facts import arrays_of
from loreweave.knowledge.packs.query_terms import read_query
from loreweave.knowledge.packs.relevance import Match, matches, scan_relevance, text_relevance
from loreweave.knowledge.packs.view_facts import facts_of

WORDS = ["calm", "anchor", "breath", "grief", "sleep"]


def relevance(view: GraphView, query: str, *, scan: bool = False) -> list[float]:
    facts = facts_of(view)
    asked = read_query(facts, query)
    if scan:
        found = scan_relevance(facts, asked)
        return [found.get(node, 0.0) for node in range(len(view.nodes))]
    return text_relevance(facts, arrays_of(facts), asked).tolist()


def known_terms(view: GraphView, query: str) -> list[str]:
    return [term.term for term in read_query(facts_of(view), query).terms]


@pytest.mark.holds("graph.score.text-relevance")
def test_relevance_is_the_saturated_weight_of_each_term_by_its_rarity() -> None:
    view = make_view(
        [
            make_note("a.md", "calm calm", name="Anchor"),
            make_note("b.md", "nothing", name="B", tags="[calm]", description="a calm one"),
            make_note("c.md", "else", name="C"),
        ]
    )
    calm = log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # in two notes of three
    anchor = log(1 + (3 - 1 + 0.5) / (1 + 0.5))  # in one
    assert relevance(view, "calm anchors") == pytest.approx(
        [
            (calm * 1 / 2.2 + anchor * 3 / 4.2) / (calm + anchor),
            (calm * 4 / 5.2) / (calm + anchor),
            0,
        ]
    )


@pytest.mark.holds("graph.score.text-relevance")
def test_every_field_has_its_weight() -> None:
    notes = [
        make_note("a.md", "plain", name="calm"),
        make_note("b.md", "plain", name="B", aliases="[calm]"),
        make_note("c.md", "plain", name="C", tags="[calm]"),
        make_note("d.md", "plain", name="D", description="calm"),
        make_note("e.md", "plain\n\n# calm", name="E"),  # a heading is a line of the body too
        make_note("f.md", "calm", name="F"),
    ]
    weights = [3, 3, 2, 2, 1.5 + 0.5, 0.5]
    assert relevance(make_view(notes), "calm") == pytest.approx([f / (f + 1.2) for f in weights])


@pytest.mark.holds("graph.scan.fields")
def test_scan_reads_only_what_heads_a_note() -> None:
    view = make_view([make_note("a.md", "# calm\n\ncalm", name="A"), make_note("b.md", "calm", name="Calm")])
    assert relevance(view, "calm", scan=True) == pytest.approx([0, 3 / 4.2])


def test_unknown_words_do_not_lower_the_relevance_of_known_ones() -> None:
    view = make_view([make_note("a.md", "calm", name="A")])
    assert relevance(view, "calm xylophones") == relevance(view, "calm")


def test_a_query_without_known_words_is_relevant_to_nothing() -> None:
    view = make_view([make_note("a.md", "calm", name="A")])
    assert relevance(view, "zebra !!!") == [0.0]


@pytest.mark.holds("graph.terms.stop-words")
def test_a_query_of_stop_words_finds_them() -> None:
    view = make_view([make_note("a.md", "x", name="The Who"), make_note("b.md", "x", name="Other")])
    assert relevance(view, "the who")[0] > 0.5
    assert relevance(view, "the who")[1] == 0


@pytest.mark.holds("graph.terms.cjk")
def test_a_text_without_blanks_is_found_by_a_part_of_it() -> None:
    view = make_view([make_note("a.md", "認知行動療法の基本", name="A"), make_note("b.md", "東京", name="B")])
    assert relevance(view, "行動療法")[0] > 0
    assert relevance(view, "行動療法")[1] == 0


@pytest.mark.holds("graph.terms.unknown-term")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("catastro", ["catastro"]),  # a prefix of four letters or more
        ("cata", ["cata"]),
        ("cat", []),  # three are too few
        ("katastrophisation", []),  # two edits and no prefix
        ("grounded", ["ground"]),  # known by its stem
        ("groumding", ["groumd"]),  # one letter replaced
        ("gronding", ["grond"]),  # one missing
        ("groxunding", ["groxund"]),  # one too many
        ("gruonding", ["gruond"]),  # two swapped
        ("clam", []),  # one edit from "calm", but only four letters
    ],
)
def test_an_unknown_term_tries_prefix_then_one_edit(query: str, found: list[str]) -> None:
    view = make_view([make_note("a.md", "catastrophization grounding calm", name="A")])
    assert known_terms(view, query) == found
    assert (relevance(view, query)[0] > 0) == bool(found)


@pytest.mark.holds("graph.terms.unknown-term")
def test_words_near_an_unknown_one_count_together_as_one_term() -> None:
    view = make_view(
        [
            make_note("a.md", "anchorage anchorite", name="A"),
            make_note("b.md", "anchorage", name="B"),
            make_note("c.md", "calm", name="C"),
        ]
    )
    assert relevance(view, "ancho") == pytest.approx([1 / 2.2, 0.5 / 1.7, 0])


@pytest.mark.holds("graph.terms.unknown-term")
def test_a_prefix_goes_before_an_edit() -> None:
    view = make_view([make_note("a.md", "anchorage", name="A"), make_note("b.md", "anchos", name="B")])
    assert relevance(view, "anchor")[0] > 0
    assert relevance(view, "anchor")[1] == 0


def test_matches_name_the_asked_word_and_its_fields() -> None:
    view = make_view([make_note("a.md", "calm", name="Calming anchors", tags="[grief]")])
    facts = facts_of(view)
    query = read_query(facts, "grieve anchor calm grief")
    assert matches(facts, query, 0) == [
        Match("anchor", ("name",)),
        Match("calm", ("name", "body")),
        Match("grief", ("tag",)),
    ]


@st.composite
def notes_of_few_words(draw: st.DrawFn) -> list[ParsedNote]:
    text = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
    return [
        make_note(f"n{number}.md", draw(text), name=f"N{number} {draw(text)}", description=f'"{draw(text)}"')
        for number in range(draw(st.integers(1, 6)))
    ]


@given(
    notes_of_few_words(),
    st.lists(st.integers(1, 3), max_size=4),
    st.sampled_from(["calm", "calm anchor grie"]),
)
@settings(max_examples=examples(60), deadline=None)
def test_relevance_does_not_depend_on_the_spread_over_segments(
    notes: list[ParsedNote], sizes: list[int], query: str
) -> None:
    whole = make_view(notes)
    split = make_view(notes, sizes=sizes)
    assert relevance(whole, query) == relevance(split, query)
    assert relevance(whole, query, scan=True) == relevance(split, query, scan=True)
    assert all(0 <= found <= 1 for found in relevance(whole, query))


@given(notes_of_few_words(), notes_of_few_words(), st.sampled_from(["calm", "slee", "anchr brea", "grief sleep"]))
@settings(max_examples=examples(60), deadline=None)
def test_older_texts_in_a_segment_change_nothing(notes: list[ParsedNote], older: list[ParsedNote], query: str) -> None:
    fresh = make_view(notes)
    both = [*older, *notes]
    keys = array("q", [*range(1, len(older) + 1), *range(1, len(notes) + 1)])
    versions = array("q", [*([0] * len(older)), *([1] * len(notes))])
    dirty = replace(fresh, segments=[GraphSegment(build_segment(both), keys, versions)])
    assert relevance(dirty, query) == relevance(fresh, query)
    assert relevance(dirty, query, scan=True) == relevance(fresh, query, scan=True)
    assert known_terms(dirty, query) == known_terms(fresh, query)


def test_a_long_pasted_text_is_answered() -> None:
    notes = [make_note("a.md", "calm anchors", name="A")]
    view = replace(make_view(notes), segments=make_segments(notes))
    assert relevance(view, " ".join(f"anchr{number}x" for number in range(1500)) + " calm")[0] > 0
