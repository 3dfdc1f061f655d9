"""Which id a link that leads nowhere most likely meant, whatever was known before."""

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.language.edits import LEAST_LIKENESS, suggest_again, suggest_ids

SLUGS = st.text("ab-é", min_size=1, max_size=8)
IDS = st.sets(SLUGS.map("skill:{}".format), max_size=12)


def _likest(slug: str, ids: Collection[str]) -> str | None:
    """By the definition: of two sets of letter triples, twice what they share by what they have."""
    found = [(-_likeness(slug, each.removeprefix("skill:")), each) for each in ids]
    return min(found)[1] if found and -min(found)[0] >= LEAST_LIKENESS else None


def _likeness(one: str, other: str) -> float:
    sets = [{f"  {text} "[start : start + 3] for start in range(len(text) + 1)} for text in (one, other)]
    return 2 * len(sets[0] & sets[1]) / (len(sets[0]) + len(sets[1]))


@pytest.mark.holds("graph.links.suggestion")
@given(st.sets(SLUGS, max_size=8), IDS)
def test_the_likest_id_is_suggested_and_of_equals_the_first(wanted: set[str], ids: set[str]) -> None:
    assert suggest_ids(wanted, ids) == {slug: _likest(slug, ids) for slug in wanted}


@pytest.mark.holds("graph.links.suggestion")
@given(st.sets(SLUGS, max_size=8), st.sets(SLUGS, max_size=8), IDS, IDS)
def test_after_a_change_of_ids_what_was_known_is_no_other(
    wanted: set[str], before: set[str], old: set[str], ids: set[str]
) -> None:
    assert suggest_again(wanted, ids, suggest_ids(before, old), ids - old) == suggest_ids(wanted, ids)
