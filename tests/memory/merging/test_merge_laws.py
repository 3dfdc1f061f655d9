"""Laws of merging over random graphs: undo is the identity, both ends agree, order is free."""

from collections.abc import Iterator
from itertools import count, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.memory.curator import START, Curator, lasting

from loreweave.settings import Settings

TYPES = ("relates_to", "depends_on", "supports", "supersedes", "contradicts")
STRATEGIES = ("union", "intersection", "weighted_average")
_scopes = count()

relations = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from(TYPES), st.sampled_from([0.2, 0.5, 1.0])),
    max_size=12,
)
importances = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=7, max_size=7)
# Pairs of places among the memories that are live when their turn comes.
merges = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from(STRATEGIES)), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Curator]:
    """One store for all examples, each in a scope of its own."""
    folder = tmp_path_factory.mktemp("laws")
    clock = folder / "clock"
    clock.write_text(START)
    opened = Curator(Settings(data_dir=folder / "data"), Path(clock))
    yield opened
    opened.close()


def plant(keeper: Curator, given_relations: list, given_importances: list) -> list[str]:
    scope = f"example-{next(_scopes)}"
    ids = [
        keeper.store(f"Common {scope}. Only {number}.", scope=scope, importance=importance)
        for number, importance in enumerate(given_importances)
    ]
    for number, node_id in enumerate(ids):
        outgoing = {
            (ids[target], type): weight
            for source, target, type, weight in given_relations
            if source == number and (target > number or (target < number and type != "supersedes"))
        }
        if outgoing:
            told = [
                {"target_id": target, "type": type, "weight": weight} for (target, type), weight in outgoing.items()
            ]
            keeper.edit(node_id, relations=told)
    return ids


def world(keeper: Curator, ids: list[str]) -> list[dict[str, Any]]:
    return [lasting(keeper.record(node_id)) for node_id in ids]


def merge_some(keeper: Curator, ids: list[str], given_merges: list) -> list[dict[str, Any]]:
    """Merges pairs of what is live, results of earlier merges included."""
    live, made = list(ids), []
    for first, second, strategy in given_merges:
        one, two = live[first % len(live)], live[second % len(live)]
        if one != two:
            answer = keeper.merge(one, two, merge_strategy=strategy, force_merge=True)
            live = [node_id for node_id in live if node_id not in (one, two)] + [answer["merged_id"]]
            made.append(answer)
    return made


@pytest.mark.holds("memory.undo.identity")
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(relations, importances, merges, st.randoms(use_true_random=False))
def test_merging_and_undoing_is_the_identity(
    keeper: Curator, given_relations: list, given_importances: list, given_merges: list, random: Any
) -> None:
    ids = plant(keeper, given_relations, given_importances)
    before = world(keeper, ids)
    open_merges = merge_some(keeper, ids, given_merges)
    while open_merges:
        inner = {node_id for each in open_merges for node_id in keeper.record(each["merged_id"])["derived_from"]}
        outermost = [each for each in open_merges if each["merged_id"] not in inner]
        undone = random.choice(outermost)
        keeper.undo(undone["reversal_hash"])
        open_merges.remove(undone)
    assert world(keeper, ids) == before


@pytest.mark.holds("memory.relations.agree")
@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(relations, importances, merges)
def test_both_ends_of_a_relation_tell_the_same_of_it(
    keeper: Curator, given_relations: list, given_importances: list, given_merges: list
) -> None:
    ids = plant(keeper, given_relations, given_importances)
    made = [answer["merged_id"] for answer in merge_some(keeper, ids, given_merges)]
    live = {node_id for node_id in ids + made if keeper.record(node_id)["state"] == "live"}
    told = {node_id: keeper.relations(node_id) for node_id in live}
    for node_id, relations_told in told.items():
        for relation in relations_told:
            source, target, _, weight = relation
            assert source != target
            assert {source, target} <= live
            assert 0 < weight <= 1
            assert relation in told[source if target == node_id else target]


@pytest.mark.holds("memory.merge.settled")
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(relations, importances, merges)
def test_relations_of_live_memories_do_not_change_when_windows_end(
    keeper: Curator, given_relations: list, given_importances: list, given_merges: list
) -> None:
    ids = plant(keeper, given_relations, given_importances)
    made = [answer["merged_id"] for answer in merge_some(keeper, ids, given_merges)]
    live = sorted(node_id for node_id in ids + made if keeper.record(node_id)["state"] == "live")
    before = [keeper.relations(node_id) for node_id in live]
    keeper.wait(30)
    keeper.application.memory.sweep(asked=True)
    assert [keeper.relations(node_id) for node_id in live] == before


@pytest.mark.holds("memory.merge.order-free")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_order_in_which_sources_are_named_changes_nothing(sqlite_curator: Curator, strategy: str) -> None:
    curator = sqlite_curator
    x = curator.store("x")
    ids = [
        curator.store(f"Common. Said {n}.", importance=n / 4, tags=[str(n), "t"], relations=[{"target_id": x}])
        for n in range(3)
    ]
    previews = [curator.merge(*order, merge_strategy=strategy, preview=True) for order in permutations(ids)]
    assert all(preview == previews[0] for preview in previews)
