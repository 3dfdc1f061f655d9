"""What the page asks beyond the tools: the history of all memories, lists, and looks that count as no access."""

from typing import Any

import pytest
from tests.memory.curator import Curator, lasting


def changes(curator: Curator, **arguments: Any) -> list[dict[str, Any]]:
    return curator.call("list_changes", **arguments)["changes"]


def take_back(curator: Curator, action: str) -> dict[str, Any]:
    """Passes the newest call on that takes such a change back, unchanged."""
    undo = next(each["undo"] for each in changes(curator) if each["action"] == action)
    return curator.call(undo["tool"], **undo["arguments"])


@pytest.mark.holds("page.memory.changes")
def test_each_change_of_any_memory_is_listed_with_a_call_that_takes_it_back(curator: Curator) -> None:
    node_id = curator.store("Deploys go out on Tuesdays.", tags=["ship"], importance=0.4)
    before = curator.record(node_id)
    curator.edit(node_id, content="Deploys go out on Fridays.", tags=["week"], source="a talk")
    curator.call("boost_importance", node_id=node_id, delta=0.2)
    assert [each["action"] for each in changes(curator)] == ["boosted", "edited", "stored"]
    take_back(curator, "edited")
    take_back(curator, "boosted")
    assert lasting(curator.record(node_id)) == lasting(before)

    curator.forget(node_id, reason="old")
    assert changes(curator)[0]["name"] == "Deploys go out on Tuesdays."
    take_back(curator, "forgotten")
    assert curator.record(node_id)["state"] == "live"
    take_back(curator, "restored")
    assert curator.record(node_id)["state"] == "deleted"


@pytest.mark.holds("page.memory.changes")
def test_what_became_something_else_since_cannot_be_taken_back(curator: Curator) -> None:
    node_id = curator.store("Deploys go out on Tuesdays.")
    curator.edit(node_id, content="Deploys go out on Fridays.", tags=["week"])
    curator.edit(node_id, content="Deploys go out on Mondays.")
    newest, older = (each for each in changes(curator) if each["action"] == "edited")
    assert newest["undo"]["arguments"]["content"] == "Deploys go out on Fridays."
    assert older["undo"] is None
    curator.forget(node_id)
    assert [each["action"] for each in changes(curator) if each["undo"]] == ["forgotten"]
    curator.forget(node_id, soft_delete=False)
    assert [(each["action"], each["name"], each["undo"]) for each in changes(curator)] == [("erased", None, None)]


@pytest.mark.holds("page.memory.changes")
def test_a_merge_is_taken_back_from_its_line_while_its_window_lasts(curator: Curator) -> None:
    one, two = curator.store("The gate opens at eight."), curator.store("The gate closes at ten.")
    answer = curator.merge(one, two)
    first, *others = changes(curator)[:3]
    assert first["action"] == "merged_from"
    assert first["undo"]["arguments"] == {"reversal_hash": answer["reversal_hash"]}
    assert first["undo"]["until"] == answer["reversible_until"]
    assert [each["undo"] for each in others] == [first["undo"], first["undo"]]
    curator.wait(30)
    assert all(each["undo"] is None for each in changes(curator))


@pytest.mark.holds("page.memory.changes")
def test_pages_of_changes_follow_one_another_and_the_revision_tells_that_something_happened(curator: Curator) -> None:
    ids = [curator.store(f"Fact number {number} of a long list") for number in range(5)]
    first = curator.call("list_changes", limit=3)
    second = curator.call("list_changes", limit=3, before=first["next"])
    assert [each["node_id"] for each in first["changes"] + second["changes"]] == ids[::-1]
    assert second["next"] is None
    assert curator.call("list_changes")["revision"] == first["revision"]
    assert first["now"] == curator.now
    curator.forget(ids[0])
    assert curator.call("list_changes")["revision"] > first["revision"]


@pytest.mark.holds("page.memory.reopened")
def test_a_dismissed_task_is_told_of_and_can_be_asked_again(curator: Curator) -> None:
    ids = sorted(curator.store(f"The standup is at nine in room blue{mark}") for mark in (".", "!", "?!"))
    (task,) = curator.call("get_memetic_status")["curation_tasks"]
    curator.call("dismiss_task", task_id=task["task_id"], reason="three rooms")
    assert curator.call("get_memetic_status")["curation_tasks"] == []
    (kept,) = curator.call("list_changes")["kept"]
    assert (kept["task_id"], kept["node_ids"], kept["reason"]) == (task["task_id"], ids, "three rooms")
    assert curator.call("reopen_task", task_id=kept["task_id"])["dismissed"] is False
    assert curator.call("get_memetic_status")["curation_tasks"] == [task]
    assert curator.call("list_changes")["kept"] == []


@pytest.mark.holds("page.memory.inbox-reads-nothing")
def test_looking_at_a_stale_memory_leaves_it_stale(curator: Curator) -> None:
    node_id = curator.store("An old door code", importance=0.1)
    curator.wait(91)
    (task,) = curator.call("get_memetic_status")["curation_tasks"]
    (shown,) = curator.call("show_memories", node_ids=task["target_nodes"])["items"]
    assert (shown["node_id"], shown["content"], shown["access_count"]) == (node_id, "An old door code", 0)
    assert curator.call("get_memetic_status")["curation_tasks"] == [task]


@pytest.mark.holds("page.memory.copies-before")
def test_what_would_still_hold_a_text_is_told_before_it_is_erased(curator: Curator) -> None:
    one, two = curator.store("The gate opens at eight."), curator.store("The gate closes at ten.")
    merged = curator.merge(one, two)["merged_id"]
    told = curator.call("show_memories", node_ids=[one], copies=True)["remaining_copies"]
    assert told == [merged]
    assert curator.forget(one, soft_delete=False)["remaining_copies"] == told
    assert curator.call("show_memories", node_ids=[one]) == {"items": []}


@pytest.mark.holds("page.memory.origins")
def test_a_preview_tells_who_makes_each_statement(curator: Curator) -> None:
    one = curator.store("The gate opens at eight. It is blue.")
    curator.wait(1)
    two = curator.store("It is blue. Nobody has the key.")
    told = curator.merge(one, two, preview=True)["statements"]
    assert [(each["text"], set(each["source_ids"])) for each in told] == [
        ("The gate opens at eight.", {one}),
        ("It is blue.", {one, two}),
        ("Nobody has the key.", {two}),
    ]
    assert "statements" not in curator.merge(one, two)


@pytest.mark.holds("page.memory.list")
def test_live_memories_are_listed_in_order_with_all_the_tags(curator: Curator) -> None:
    plain = curator.store("one", tags=["a"], importance=0.9)
    curator.wait(1)
    both = curator.store("two", tags=["a", 'b "quoted" é'], importance=0.2)
    curator.wait(1)
    other = curator.store("three", scope="team", tags=["ab"], importance=0.5)
    curator.wait(1)
    curator.edit(plain, content="one and a half")

    def listed(**arguments: Any) -> list[str]:
        return [each["node_id"] for each in curator.call("list_memories", **arguments)["items"]]

    assert listed() == [other, both, plain]
    assert listed(sort="important") == [plain, other, both]
    assert listed(sort="changed") == [plain, other, both]
    assert listed(tags=["a"]) == [both, plain]
    assert listed(tags=["a", 'b "quoted" é']) == [both]
    assert listed(scope="team") == [other]
    page = curator.call("list_memories", limit=1, offset=1)
    assert ([each["node_id"] for each in page["items"]], page["total"]) == ([both], 3)
