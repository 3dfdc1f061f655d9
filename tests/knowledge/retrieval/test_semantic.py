"""Meaning raises relevance and never lowers it."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.retrieval.hand_made_view import make_note, make_view
from tests.knowledge.retrieval.letter_embedder import AbsentEmbedder, LetterEmbedder, letter_block

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.retrieval.semantic import MEANING_WEIGHT, raise_by_meaning
from loreweave.knowledge.retrieval.view_facts import facts_of


def view_of_pieces(*pieces: list[str], embedder: str = "letters:1") -> GraphView:
    notes = [make_note(f"n{number}.md", " ".join(some)) for number, some in enumerate(pieces)]
    return make_view(notes, vectors=[letter_block(pieces)], embedder=embedder)


@pytest.mark.holds("graph.score.embedder-raises-only")
def test_relevance_rises_by_a_share_of_the_best_piece_of_each_note() -> None:
    view = view_of_pieces(["zzz", "abab"], ["zzz"], [])
    raised = raise_by_meaning(facts_of(view), LetterEmbedder(), "ab", numpy.array([0.1, 0.2, 0.3]))
    assert raised.tolist() == pytest.approx([0.1 + MEANING_WEIGHT * 0.9, 0.2, 0.3], abs=0.005)


@given(
    st.lists(st.lists(st.text(alphabet="abcxyz", max_size=4), max_size=3), min_size=1, max_size=5),
    st.text(alphabet="abcxyz ", max_size=6),
    st.data(),
)
@settings(max_examples=examples(60), deadline=None)
@pytest.mark.holds("graph.score.embedder-raises-only")
def test_no_relevance_is_lowered_or_leaves_its_range(pieces: list[list[str]], query: str, data: st.DataObject) -> None:
    lexical = [data.draw(st.floats(0, 1)) for _ in pieces]
    view = view_of_pieces(*pieces)
    raised = raise_by_meaning(facts_of(view), LetterEmbedder(), query, numpy.array(lexical))
    if raised is not None:
        assert all(before <= after <= 1 for before, after in zip(lexical, raised, strict=True))


def test_vectors_of_another_embedder_are_not_compared() -> None:
    view = view_of_pieces(["ab"], embedder="letters:2")
    assert raise_by_meaning(facts_of(view), LetterEmbedder(), "ab", numpy.zeros(1)) is None


def test_without_an_embedder_or_with_one_that_is_away_words_alone_count() -> None:
    view = view_of_pieces(["ab"])
    assert raise_by_meaning(facts_of(view), None, "ab", numpy.zeros(1)) is None
    assert raise_by_meaning(facts_of(view), AbsentEmbedder(), "ab", numpy.zeros(1)) is None


def test_vectors_of_older_texts_are_left_out() -> None:
    view = make_view([make_note("a.md", "x")], vectors=[letter_block([["zz"], ["ab"]])], embedder="letters:1")
    assert raise_by_meaning(facts_of(view), LetterEmbedder(), "ab", numpy.zeros(1)).tolist() == [0.0]
