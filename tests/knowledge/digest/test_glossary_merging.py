import pytest

from loreweave.entities.digest import GlossaryTerm
from loreweave.knowledge.digest.digest_file import find_term, merge_glossary


def _given(term: str, *aliases: str, definition: str = "Given.") -> GlossaryTerm:
    return GlossaryTerm(term, aliases, definition, given=True)


def _found(term: str, *aliases: str, definition: str = "Found.", section: str = "a") -> GlossaryTerm:
    return GlossaryTerm(term, aliases, definition, section)


@pytest.mark.holds("ask.glossary.merging")
def test_equal_terms_are_one_with_the_first_definition_and_all_aliases() -> None:
    merged = merge_glossary(
        (), [_found("Café", "C1", definition="One."), _found("CAFE\u0301", "c1", "C2", definition="Two.")]
    )
    assert merged == (_found("Café", "C1", "C2", definition="One."),)


@pytest.mark.holds("ask.glossary.merging")
def test_terms_are_sorted_without_regard_to_case() -> None:
    merged = merge_glossary((), [_found("beta"), _found("Alpha"), _found("alpine"), _found("Zed")])
    assert [entry.term for entry in merged] == ["Alpha", "alpine", "beta", "Zed"]


@pytest.mark.holds("ask.glossary.merging")
def test_a_term_that_is_an_alias_elsewhere_stays_an_entry_and_is_found_first() -> None:
    merged = merge_glossary((), [_found("Write Ahead Log", "WAL"), _found("WAL", definition="Itself.")])
    assert len(merged) == 2
    found = find_term(merged, " wal ")
    assert found is not None
    assert found.definition == "Itself."
    assert find_term(merged, "nothing") is None


@pytest.mark.holds("ask.glossary.given-replaces")
def test_what_was_given_replaces_what_was_found_but_keeps_the_place_where_it_is_defined() -> None:
    merged = merge_glossary([_given("Node", "n")], [_found("node", "vertex", section="graph#node")])
    assert merged == (GlossaryTerm("Node", ("n",), "Given.", "graph#node", given=True),)
