"""Merging and undoing, case by case."""

import uuid

import pytest
from tests.memory.curator import START, Curator, lasting

from loreweave.errors import AlreadyDeleted, Conflict, Expired, NotFound


@pytest.mark.holds("memory.merge.answer")
def test_a_merge_makes_one_memory_of_several(curator: Curator) -> None:
    one = curator.store("Keys are in the vault.", tags=["keys"], importance=0.3)
    two = curator.store("Rotate keys.", tags=["rotation"], importance=0.6)
    curator.wait(1)
    answer = curator.merge(one, two, target_name="Keys")
    assert answer["merged_id"] not in (one, two)
    assert answer["reversal_hash"].startswith("sha256:")
    assert len(answer["reversal_hash"]) == 71
    assert (answer["sources_merged"], answer["strategy_used"]) == (2, "union")
    assert answer["reversible_until"] == "2026-02-01T00:00:00Z"
    record = curator.record(answer["merged_id"])
    assert (record["name"], record["tags"], record["importance"]) == ("Keys", ["keys", "rotation"], 0.6)
    assert record["derived_from"] == sorted([one, two])
    assert record["valid_from"] == START
    assert record["history"][0]["detail"] == {
        "rationale": "They say the same.", "strategy": "union", "source_ids": sorted([one, two]),
    }  # fmt: skip
    for source in (one, two):
        assert curator.record(source)["state"] == "merged"
        assert curator.record(source)["merged_into"] == answer["merged_id"]
        assert curator.actions(source)[-1] == "merged_into"
    assert curator.found("keys") == [answer["merged_id"]]


@pytest.mark.holds("memory.merge.checks")
def test_sources_must_be_live_and_of_one_scope(curator: Curator) -> None:
    one, far, unknown = curator.store("one"), curator.store("two", scope="far"), str(uuid.uuid4())
    with pytest.raises(NotFound, match=f"^Memory {unknown} not found"):
        curator.merge(one, unknown)
    for forced in (False, True):
        with pytest.raises(Conflict, match=r"^Sources are in different scopes"):
            curator.merge(one, far, force_merge=forced)
    assert curator.record(one)["state"] == "live"


@pytest.mark.holds("memory.merge.relations")
def test_relations_with_the_outside_become_the_merged_memorys(curator: Curator) -> None:
    x, y = curator.store("x"), curator.store("y")
    one = curator.store("one", relations=[{"target_id": x, "weight": 0.4}, {"target_id": y, "type": "supports"}])
    two = curator.store("two", relations=[{"target_id": x, "weight": 0.9}, {"target_id": one, "type": "part_of"}])
    z = curator.store("z", relations=[{"target_id": two, "type": "depends_on"}])
    merged = curator.merge(one, two)["merged_id"]
    expected = {(merged, x, "relates_to", 0.9), (merged, y, "supports", 1.0), (z, merged, "depends_on", 1.0)}
    assert curator.relations(merged) == expected
    assert curator.relations(x) == {(merged, x, "relates_to", 0.9)}
    assert curator.relations(z) == {(z, merged, "depends_on", 1.0)}


@pytest.mark.holds("memory.merge.relation-weights")
@pytest.mark.parametrize(
    ("strategy", "expected"), [("union", {0.8, 0.6}), ("intersection", {0.4}), ("weighted_average", {0.5, 0.45})]
)
def test_each_strategy_weighs_relations_its_own_way(curator: Curator, strategy: str, expected: set[float]) -> None:
    x, y = curator.store("x"), curator.store("y")
    one = curator.store(
        "Common. One.", importance=0.75, relations=[{"target_id": x, "weight": 0.4}, {"target_id": y, "weight": 0.6}]
    )
    two = curator.store("Common. Two.", importance=0.25, relations=[{"target_id": x, "weight": 0.8}])
    merged = curator.merge(one, two, merge_strategy=strategy)["merged_id"]
    assert {weight for *_, weight in curator.relations(merged)} == expected


@pytest.mark.holds("memory.merge.supersedes")
def test_outgoing_succession_stays_under_every_strategy(curator: Curator) -> None:
    old = curator.store("old")
    one = curator.store("Common. One.", relations=[{"target_id": old, "type": "supersedes"}])
    two = curator.store("Common. Two.")
    merged = curator.merge(one, two, merge_strategy="intersection")["merged_id"]
    assert curator.relations(merged) == {(merged, old, "supersedes", 1.0)}
    assert curator.record(old)["superseded_by"] == merged


@pytest.mark.holds("memory.merge.conflicts")
def test_conflicts_refuse_a_merge_until_it_is_forced(curator: Curator) -> None:
    one = curator.store("one two three")
    two = curator.store("two three four", relations=[{"target_id": one, "type": "contradicts"}])
    curator.store("outside", relations=[{"target_id": one, "type": "supersedes"}])
    with pytest.raises(Conflict, match=r"^Sources conflict: .*\. Set force_merge=true to override") as refusal:
        curator.merge(one, two)
    assert f"{two} contradicts {one}" in refusal.value.message
    assert f"{one} is superseded by" in refusal.value.message
    answer = curator.merge(one, two, force_merge=True)
    assert len(answer["warnings"]) == 2
    assert curator.relations(answer["merged_id"]) == set()
    assert curator.record(answer["merged_id"])["superseded_by"] is None


@pytest.mark.holds("memory.merge.conflicts")
def test_times_that_never_meet_are_a_conflict(curator: Curator) -> None:
    one = curator.store("the same thing", valid_from="2020-01-01T00:00:00Z", valid_until="2021-01-01T00:00:00Z")
    two = curator.store("the same thing again", valid_from="2021-01-01T00:00:00Z")
    with pytest.raises(Conflict, match=r"^Sources conflict: validity does not overlap"):
        curator.merge(one, two)
    record = curator.record(curator.merge(one, two, force_merge=True)["merged_id"])
    assert (record["valid_from"], record["valid_until"]) == ("2020-01-01T00:00:00Z", None)


@pytest.mark.holds("memory.merge.low-similarity")
def test_little_in_common_is_only_a_warning(curator: Curator) -> None:
    answer = curator.merge(curator.store("apples and pears"), curator.store("quantum chromodynamics"))
    assert len(answer["warnings"]) == 1
    assert answer["warnings"][0].startswith("Low similarity (0.00) between ")


@pytest.mark.holds("memory.merge.preview")
def test_a_preview_changes_nothing_and_has_no_hash(curator: Curator) -> None:
    x = curator.store("x")
    one = curator.store("one", relations=[{"target_id": x}])
    two = curator.store("two", relations=[{"target_id": one, "type": "contradicts"}])
    before = [lasting(curator.record(node_id)) for node_id in (x, one, two)]
    answer = curator.merge(one, two, preview=True)
    told = {"preview", "sources_merged", "strategy_used", "merged", "statements", "conflicts", "warnings"}
    assert set(answer) == told
    assert set(answer["merged"]["content"].split()) == {"one", "two"}
    assert answer["conflicts"] == [f"{two} contradicts {one}"]
    assert [each["target_id"] for each in answer["merged"]["relations"]] == [x]
    assert [lasting(curator.record(node_id)) for node_id in (x, one, two)] == before
    assert [curator.actions(node_id) for node_id in (x, one, two)] == [["stored"]] * 3
    assert curator.call("list_deleted")["merges"] == []


@pytest.mark.holds("memory.merge.sources-are-gone")
def test_a_merged_source_is_deleted_for_everybody_and_tells_where_it_went(curator: Curator) -> None:
    one, two = curator.store("one"), curator.store("two")
    answer = curator.merge(one, two)
    with pytest.raises(AlreadyDeleted) as refusal:
        curator.forget(one)
    assert (refusal.value.facts["state"], refusal.value.facts["merged_into"]) == ("merged", answer["merged_id"])
    with pytest.raises(Conflict) as refused:
        curator.restore(one)
    assert refused.value.facts["merged_into"] == answer["merged_id"]
    assert refused.value.facts["reversal_hash"] == answer["reversal_hash"]


@pytest.mark.holds("memory.undo.answer", "memory.undo.identity")
def test_an_undone_merge_leaves_the_sources_as_they_were(curator: Curator) -> None:
    x = curator.store("x")
    one = curator.store("one", tags=["a"], relations=[{"target_id": x, "weight": 0.3}])
    two = curator.store("two", importance=0.9)
    before = [curator.record(node_id) for node_id in (x, one, two)]
    answer = curator.merge(one, two)
    curator.wait(10)
    assert curator.undo(answer["reversal_hash"]) == {
        "merged_id": answer["merged_id"],
        "restored_ids": sorted([one, two]),
        "missing_ids": [],
        "merged_state": "deleted",
        "partial": False,
    }
    assert [lasting(curator.record(node_id)) for node_id in (x, one, two)] == [lasting(record) for record in before]
    assert curator.actions(one) == ["stored", "merged_into", "merge_undone"]
    curator.restore(answer["merged_id"])
    assert curator.relations(answer["merged_id"]) == {(answer["merged_id"], x, "relates_to", 0.3)}


@pytest.mark.holds("memory.undo.one-use")
def test_a_merge_is_undone_once_and_in_time(curator: Curator) -> None:
    merges = [curator.merge(curator.store(f"{n} a"), curator.store(f"{n} b"))["reversal_hash"] for n in range(2)]
    curator.undo(merges[0])
    with pytest.raises(Conflict, match=r"^Merge already undone"):
        curator.undo(merges[0])
    with pytest.raises(NotFound, match=r"^Unknown reversal_hash"):
        curator.undo("sha256:" + "0" * 64)
    curator.wait(30)
    for _ in range(2):
        with pytest.raises(Expired, match=r"^Reversal window ended at 2026-01-31T00:00:00Z"):
            curator.undo(merges[1])
        curator.application.memory.sweep(asked=True)


@pytest.mark.holds("memory.undo.changed")
@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("store_memory", {"content": "edited", "expected_version": 1}, "edited"),
        ("store_memory", {"relations": [], "expected_version": 1}, "relations given"),
        ("boost_importance", {"delta": 0.2}, "boosted"),
    ],
)
def test_a_changed_merged_memory_stops_undo_until_told_what_to_do(
    curator: Curator, tool: str, arguments: dict, told: str
) -> None:
    x = curator.store("x")
    one, two = curator.store("one", relations=[{"target_id": x}]), curator.store("two")
    answer = curator.merge(one, two)
    merged = answer["merged_id"]
    curator.call(tool, node_id=merged, **arguments)
    with pytest.raises(Conflict, match=f"^Merged memory {merged} changed since the merge: {told}") as refusal:
        curator.undo(answer["reversal_hash"])
    assert refusal.value.facts["changes"] == [told]
    preview = curator.undo(answer["reversal_hash"], preview=True)
    assert (preview["preview"], preview["merged_state"], len(preview["conflicts"])) == (True, "live", 1)
    before = lasting(curator.record(merged))
    assert curator.undo(answer["reversal_hash"], on_conflict="keep_merged")["merged_state"] == "live"
    assert lasting(curator.record(merged)) == before
    assert curator.record(one)["state"] == "live"


@pytest.mark.holds("memory.undo.changed")
def test_a_changed_merged_memory_can_be_discarded(curator: Curator) -> None:
    answer = curator.merge(curator.store("one"), curator.store("two"))
    curator.edit(answer["merged_id"], content="edited")
    assert curator.undo(answer["reversal_hash"], on_conflict="discard_merged")["merged_state"] == "deleted"
    assert curator.record(answer["merged_id"])["content"] == "edited"


@pytest.mark.holds("memory.undo.no-change")
def test_a_restore_an_access_and_a_boost_there_and_back_are_no_change(curator: Curator) -> None:
    x = curator.store("x")
    answer = curator.merge(curator.store("one", relations=[{"target_id": x}]), curator.store("two"))
    merged = answer["merged_id"]
    curator.forget(merged)
    curator.restore(merged)
    curator.call("get_memory", node_id=merged)
    curator.call("boost_importance", node_id=merged, delta=0.25)
    curator.call("boost_importance", node_id=merged, delta=-0.25)
    curator.merge(x, curator.store("y"))
    assert curator.undo(answer["reversal_hash"])["merged_state"] == "deleted"


@pytest.mark.holds("memory.undo.merged-is-gone")
def test_undo_works_when_the_merged_memory_is_in_the_trash_or_erased(curator: Curator) -> None:
    for soft, state in ((True, "deleted"), (False, "erased")):
        one, two = curator.store(f"one {state}"), curator.store(f"two {state}")
        answer = curator.merge(one, two)
        curator.forget(answer["merged_id"], soft_delete=soft)
        assert curator.undo(answer["reversal_hash"])["merged_state"] == state
        assert curator.found(f"one {state}")[0] == one


@pytest.mark.holds("memory.undo.later-merge")
def test_a_merge_inside_a_later_merge_is_undone_after_it(curator: Curator) -> None:
    one, two, three = (curator.store(text) for text in ("one", "two", "three"))
    before = [lasting(curator.record(node_id)) for node_id in (one, two, three)]
    inner = curator.merge(one, two)
    outer = curator.merge(inner["merged_id"], three)
    with pytest.raises(Conflict, match=f"was merged into {outer['merged_id']}; undo that merge first") as refusal:
        curator.undo(inner["reversal_hash"])
    assert refusal.value.facts["blocking_reversal_hash"] == outer["reversal_hash"]
    curator.undo(outer["reversal_hash"])
    curator.undo(inner["reversal_hash"])
    assert [lasting(curator.record(node_id)) for node_id in (one, two, three)] == before


@pytest.mark.holds("memory.undo.partial")
def test_an_erased_source_stops_undo_unless_the_rest_is_wanted(curator: Curator) -> None:
    x = curator.store("x")
    one, two = curator.store("one", relations=[{"target_id": x}]), curator.store("two")
    answer = curator.merge(one, two)
    curator.forget(one, soft_delete=False)
    assert curator.relations(answer["merged_id"]) == {(answer["merged_id"], x, "relates_to", 1.0)}
    with pytest.raises(Conflict) as refusal:
        curator.undo(answer["reversal_hash"])
    assert refusal.value.facts["missing_ids"] == [one]
    undone = curator.undo(answer["reversal_hash"], allow_partial=True)
    assert (undone["restored_ids"], undone["missing_ids"], undone["partial"]) == ([two], [one], True)
    with pytest.raises(NotFound):
        curator.record(one)


@pytest.mark.holds("memory.undo.neighbours")
def test_undo_finds_a_neighbour_where_it_went_meanwhile(curator: Curator) -> None:
    a, b = curator.store("a"), curator.store("b")
    x = curator.store("x", relations=[{"target_id": a, "weight": 0.5}])
    first = curator.merge(a, b)
    second = curator.merge(x, curator.store("y"))
    x2 = second["merged_id"]
    assert curator.relations(x2) == {(x2, first["merged_id"], "relates_to", 0.5)}
    curator.undo(first["reversal_hash"])
    assert curator.relations(a) == {(x2, a, "relates_to", 0.5)}
    curator.undo(second["reversal_hash"])
    assert curator.relations(a) == {(x, a, "relates_to", 0.5)}


@pytest.mark.holds("memory.merge.settled")
def test_relations_outlast_the_time_in_which_a_merge_can_be_undone(curator: Curator) -> None:
    x = curator.store("x")
    one = curator.store("one", relations=[{"target_id": x, "weight": 0.5}])
    z = curator.store("z", relations=[{"target_id": one, "type": "supports"}])
    answer = curator.merge(one, curator.store("two"))
    merged = answer["merged_id"]
    expected = {(merged, x, "relates_to", 0.5), (z, merged, "supports", 1.0)}
    assert curator.relations(merged) == expected
    curator.wait(30)
    assert curator.relations(merged) == expected
    assert curator.application.memory.sweep(asked=True).purged == 2
    assert curator.relations(merged) == expected
    assert curator.call("list_deleted") == {"items": [], "merges": []}


@pytest.mark.holds("memory.trash.merges")
def test_open_merges_are_listed_with_what_undo_needs(curator: Curator) -> None:
    one, two = curator.store("one"), curator.store("two")
    answer = curator.merge(one, two, target_name="Both", rationale="why not")
    listed = curator.call("list_deleted")
    assert listed["items"] == []
    assert listed["merges"] == [
        {
            "reversal_hash": answer["reversal_hash"],
            "merged_id": answer["merged_id"],
            "source_ids": sorted([one, two]),
            "target_name": "Both",
            "rationale": "why not",
            "reversible_until": "2026-01-31T00:00:00Z",
        }
    ]


@pytest.mark.holds("memory.trash.merges")
def test_open_merges_are_found_by_scope_also_when_a_source_was_erased(curator: Curator) -> None:
    ids = [curator.store(text, scope="here") for text in ("one", "two")]
    answer = curator.merge(*ids)
    for node_id in ids:
        assert [each["merged_id"] for each in curator.call("list_deleted", scope="here")["merges"]] == [
            answer["merged_id"]
        ]
        curator.forget(node_id, soft_delete=False)
    assert curator.call("list_deleted", scope="elsewhere")["merges"] == []
