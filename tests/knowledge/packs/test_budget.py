"""Two passes under a hard ceiling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.knowledge.graph.graph_view import ViewNode
from loreweave.knowledge.packs.pack_passages import Loaded, Miss, Missed, Pack, fill_budget

Sizes = list[tuple[int, int]]  # tokens of the sections, tokens of the full text


def fill(sizes: Sizes, most: int, budget: int) -> Pack:
    nodes = [
        ViewNode(number, f"skill:{number}", f"{number}.md", "", "skill", "general", None, sections, full)
        for number, (sections, full) in enumerate(sizes)
    ]
    return fill_budget(nodes, range(len(nodes)), most, budget)


@pytest.mark.holds("graph.budget.first-pass", "graph.budget.second-pass")
def test_many_sections_come_before_few_full_texts() -> None:
    pack = fill([(100, 500), (100, 300), (100, 400)], most=8, budget=600)
    # 300 for the sections of all; of the 300 left 400 do not fit the first, 200 raise the second
    assert pack.loaded == {0: Loaded(3, 100, lacking=100), 1: Loaded(4, 300), 2: Loaded(3, 100, lacking=200)}
    assert pack.tokens == 500


@pytest.mark.holds("graph.budget.first-pass")
def test_a_full_text_no_dearer_than_its_sections_is_loaded_at_once() -> None:
    assert fill([(50, 50), (60, 40)], most=8, budget=90).loaded == {0: Loaded(4, 50), 1: Loaded(4, 40)}


@pytest.mark.holds("graph.budget.first-pass", "graph.budget.passes-over")
def test_a_text_without_sections_is_loaded_in_full_or_not_at_all() -> None:
    assert fill([(0, 50)], most=8, budget=50).loaded == {0: Loaded(4, 50)}
    pack = fill([(0, 50), (10, 40)], most=8, budget=40)
    assert (pack.loaded, pack.missed) == ({1: Loaded(4, 40)}, {0: Missed(Miss.NO_ROOM, needed=50, left=40)})


@pytest.mark.holds("graph.budget.passes-over")
def test_what_does_not_fit_and_what_has_no_text_is_passed_over() -> None:
    pack = fill([(700, 900), (0, 0), (200, 900), (10, 90)], most=1, budget=500)
    assert pack.loaded == {2: Loaded(3, 200, lacking=400)}
    assert pack.missed == {
        0: Missed(Miss.NO_ROOM, needed=700, left=500),
        1: Missed(Miss.NO_TEXT),
    }


@pytest.mark.parametrize(("most", "budget"), [(0, 6000), (8, 0)])
def test_nothing_is_loaded_into_nothing(most: int, budget: int) -> None:
    pack = fill([(1, 1), (5, 9)], most, budget)
    assert (pack.loaded, pack.tokens) == ({}, 0)


@pytest.mark.holds("graph.budget.hard-ceiling")
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 90)), max_size=12),
    st.integers(0, 9),
    st.integers(0, 200),
)
def test_no_pack_exceeds_its_budget(sizes: Sizes, most: int, budget: int) -> None:
    pack = fill(sizes, most, budget)
    assert pack.tokens == sum(found.tokens for found in pack.loaded.values()) <= budget
    assert len(pack.loaded) <= most
    tried = sorted([*pack.loaded, *pack.missed])
    assert tried == list(range(len(tried)))
    assert len(tried) == len(sizes) or len(pack.loaded) == most
    for node, found in pack.loaded.items():
        assert found.tokens == sizes[node][0 if found.level == 3 else 1]
        assert found.tokens > 0
    left = budget - pack.tokens
    assert all(found.level == 4 or sizes[node][1] - found.tokens > left for node, found in pack.loaded.items())
