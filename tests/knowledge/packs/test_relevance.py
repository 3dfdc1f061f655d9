"""T by hand, and what a question asks for of a graph."""

from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.packs.hand_made_view import make_note, make_terms, make_view

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.packs.note_terms import Match

WORDS = ["calm", "anchor", "breath", "grief", "sleep"]


def relevance(notes: list[ParsedNote], query: str, *, scan: bool = False) -> list[float]:
    terms = make_terms(make_view(notes), notes)
    return terms.relevance(terms.read(query), scan=scan).tolist()


def known_terms(notes: list[ParsedNote], query: str) -> list[str]:
    return [term.term for term in make_terms(make_view(notes), notes).read(query).terms]


@pytest.mark.holds("graph.score.text-relevance")
def test_relevance_is_the_saturated_weight_of_each_term_by_its_rarity() -> None:
    notes = [
        make_note("a.md", "calm calm", name="Anchor"),
        make_note("b.md", "nothing", name="B", tags="[calm]", description="a calm one"),
        make_note("c.md", "else", name="C"),
    ]
    calm = log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # in two notes of three
    anchor = log(1 + (3 - 1 + 0.5) / (1 + 0.5))  # in one
    assert relevance(notes, "calm anchors") == pytest.approx(
        [(calm * 1 / 2.2 + anchor * 3 / 4.2) / (calm + anchor), (calm * 4 / 5.2) / (calm + anchor), 0]
    )


@pytest.mark.holds("graph.score.text-relevance")
def test_every_field_has_its_weight() -> None:
    notes = [
        make_note("a.md", "plain", name="calm"),
        make_note("b.md", "plain", name="B", aliases="[calm]"),
        make_note("c.md", "plain", name="C", tags="[calm]"),
        make_note("d.md", "plain", name="D", description="calm"),
        make_note("e.md", "plain\n\n# calm", name="E"),
        make_note("f.md", "plain\n\n# top\n\n## calm\n\nplain", name="F"),
        make_note("g.md", "plain\n\n##### calm\n\nplain", name="G"),  # found as a part of the text, too
        make_note("h.md", "calm", name="H"),
    ]
    weights = [3, 3, 2, 2, 1.5, 1.5, 1.5 + 0.5, 0.5]
    assert relevance(notes, "calm") == pytest.approx([f / (f + 1.2) for f in weights])


@pytest.mark.holds("graph.scan.fields")
def test_scan_reads_only_what_heads_a_note() -> None:
    notes = [make_note("a.md", "# calm\n\ncalm", name="A"), make_note("b.md", "calm", name="Calm")]
    assert relevance(notes, "calm", scan=True) == pytest.approx([0, 3 / 4.2])


def test_unknown_words_do_not_lower_the_relevance_of_known_ones() -> None:
    notes = [make_note("a.md", "calm", name="A")]
    assert relevance(notes, "calm xylophones") == relevance(notes, "calm")


def test_a_query_without_known_words_is_relevant_to_nothing() -> None:
    notes = [make_note("a.md", "calm", name="A")]
    assert relevance(notes, "zebra !!!") == [0.0]


@pytest.mark.holds("graph.terms.stop-words")
def test_a_query_of_stop_words_finds_them() -> None:
    notes = [make_note("a.md", "x", name="The Who"), make_note("b.md", "x", name="Other")]
    assert relevance(notes, "the who")[0] > 0.5
    assert relevance(notes, "the who")[1] == 0


@pytest.mark.holds("graph.terms.cjk")
def test_a_text_without_blanks_is_found_by_a_part_of_it() -> None:
    notes = [make_note("a.md", "認知行動療法の基本", name="A"), make_note("b.md", "東京", name="B")]
    assert relevance(notes, "行動療法")[0] > 0
    assert relevance(notes, "行動療法")[1] == 0


@pytest.mark.holds("retrieval.index.one-core")
@pytest.mark.parametrize("query", ["cafe", "CAFÉ", "retries", "max_retries"])
def test_a_scan_reads_words_as_a_search_does(query: str) -> None:
    notes = [make_note("a.md", "x", name="Café maxRetries"), make_note("b.md", "x", name="Other")]
    found = relevance(notes, query, scan=True)
    assert found[0] > 0
    assert found[1] == 0


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
    notes = [make_note("a.md", "catastrophization grounding calm", name="A")]
    assert known_terms(notes, query) == found
    assert (relevance(notes, query)[0] > 0) == bool(found)


@pytest.mark.holds("graph.terms.unknown-term")
def test_words_near_an_unknown_one_count_together_as_one_term() -> None:
    notes = [
        make_note("a.md", "anchorage anchorite", name="A"),
        make_note("b.md", "anchorage", name="B"),
        make_note("c.md", "calm", name="C"),
    ]
    assert relevance(notes, "ancho") == pytest.approx([1 / 2.2, 0.5 / 1.7, 0])


@pytest.mark.holds("graph.terms.unknown-term")
def test_a_prefix_goes_before_an_edit() -> None:
    notes = [make_note("a.md", "anchorage", name="A"), make_note("b.md", "anchos", name="B")]
    assert relevance(notes, "anchor")[0] > 0
    assert relevance(notes, "anchor")[1] == 0


def test_matches_name_the_asked_word_and_its_fields() -> None:
    notes = [make_note("a.md", "calm", name="Calming anchors", tags="[grief]")]
    terms = make_terms(make_view(notes), notes)
    assert terms.matches(terms.read("grieve anchor calm grief"), 0) == [
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


@given(notes_of_few_words(), st.sampled_from(["calm", "calm anchor grie"]), st.randoms(use_true_random=False))
@settings(max_examples=examples(40), deadline=None)
def test_relevance_does_not_depend_on_the_order_of_notes(notes: list[ParsedNote], query: str, chance: Random) -> None:
    moved = chance.sample(notes, len(notes))
    for scan in (False, True):
        found = dict(zip([note.path for note in moved], relevance(moved, query, scan=scan), strict=True))
        assert relevance(notes, query, scan=scan) == [found[note.path] for note in notes]
        assert all(0 <= share <= 1 for share in found.values())


def test_a_long_pasted_text_is_answered() -> None:
    notes = [make_note("a.md", "calm anchors", name="A")]
    assert relevance(notes, " ".join(f"anchr{number}x" for number in range(1500)) + " calm")[0] > 0
