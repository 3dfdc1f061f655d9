"""Where a walk begins."""

import pytest
from tests.knowledge.retrieval.hand_made_view import make_note, make_view

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.retrieval.array_facts import arrays_of
from loreweave.knowledge.retrieval.entry import choose_entry
from loreweave.knowledge.retrieval.query_terms import read_query
from loreweave.knowledge.retrieval.relevance import text_relevance
from loreweave.knowledge.retrieval.view_facts import facts_of


def entry(notes: list[ParsedNote], query: str) -> str:
    view = make_view(notes)
    facts = facts_of(view)
    arrays = arrays_of(facts)
    relevance = text_relevance(facts, arrays, read_query(facts, query))
    return view.nodes[choose_entry(facts, arrays, relevance)].path


@pytest.mark.holds("graph.entry.best-moc")
def test_a_moc_is_chosen_by_its_own_text_and_its_best_target() -> None:
    notes = [
        make_note("calm.md", "x", type="skill", name="Calm calm calm"),
        make_note("map-one.md", "[[grief]]", type="moc", name="One"),
        make_note("map-two.md", "[[calm]]", type="moc", name="Two"),
        make_note("grief.md", "x", name="Grief"),
    ]
    assert entry(notes, "calm") == "map-two.md"
    assert entry(notes, "grief") == "map-one.md"


@pytest.mark.holds("graph.entry.best-moc")
def test_half_the_best_target_counts_less_than_the_moc_itself() -> None:
    notes = [
        make_note("a.md", "[[target]]", type="moc", name="A"),
        make_note("b.md", "calm", type="moc", name="B"),
        make_note("target.md", "calm", name="T"),
    ]
    assert entry(notes, "calm") == "b.md"


@pytest.mark.holds("graph.entry.best-moc", "graph.entry.ties")
def test_equal_mocs_are_told_apart_by_degree_then_id() -> None:
    notes = [
        make_note("z.md", "[[x]] [[y]]", type="moc"),
        make_note("b.md", "[[x]]", type="moc"),
        make_note("a.md", "[[y]]", type="moc"),
        make_note("x.md", "text"),
        make_note("y.md", "text"),
    ]
    assert entry(notes, "") == "z.md"
    assert entry(notes[1:], "") == "a.md"


@pytest.mark.holds("graph.entry.index-note")
def test_without_a_moc_the_shallowest_index_readme_or_home_is_the_entry() -> None:
    notes = [
        make_note("calm.md", "calm", name="Calm"),
        make_note("deep/down/index.md", "[[calm]]"),
        make_note("deep/README.md", "x"),
    ]
    assert entry(notes, "calm") == "deep/README.md"
    assert entry([*notes, make_note("start.md", "x", name="Home")], "calm") == "start.md"


@pytest.mark.holds("graph.entry.best-text")
def test_without_these_the_best_text_is_the_entry_and_then_the_greatest_degree() -> None:
    notes = [make_note("a.md", "calm"), make_note("b.md", "x", name="Calm"), make_note("c.md", "[[a]] [[b]]")]
    assert entry(notes, "calm") == "b.md"
    assert entry(notes, "zebra") == "c.md"


@pytest.mark.holds("graph.entry.ties")
def test_equal_texts_are_told_apart_by_degree_then_id() -> None:
    notes = [
        make_note("b.md", "calm"),
        make_note("a.md", "calm"),
        make_note("c.md", "x [[d]]"),
        make_note("d.md"),
    ]
    assert entry(notes, "calm") == "a.md"
    assert entry([*notes, make_note("e.md", "[[b]]")], "calm") == "b.md"
