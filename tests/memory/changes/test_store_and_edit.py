"""Storing and editing."""

import uuid

import pytest
from tests.memory.curator import START, Curator

from loreweave.errors import AlreadyDeleted, Conflict, InvalidInput, NotFound


@pytest.mark.holds("memory.record.shape", "memory.record.defaults")
def test_a_stored_memory_is_read_back_exactly(curator: Curator) -> None:
    content = "First line\r\n---\n\ttabs, \u00e9 and e\u0301, trailing  \n"
    node_id = curator.store(content, tags=["b", "a", "a "], source="chat", importance=0.1234567)
    record = curator.record(node_id)
    assert uuid.UUID(node_id).version == 4
    assert record == {
        "node_id": node_id,
        "name": "First line",
        "content": content,
        "importance": 0.123457,
        "tags": ["a", "b"],
        "scope": "default",
        "source": "chat",
        "valid_from": None,
        "valid_until": None,
        "relations": [],
        "version": 1,
        "created_at": START,
        "updated_at": START,
        "last_accessed_at": None,
        "access_count": 0,
        "state": "live",
        "deleted_at": None,
        "recoverable_until": None,
        "merged_into": None,
        "derived_from": [],
        "superseded_by": None,
        "history": [{"at": START, "action": "stored", "actor": "test", "version": 1, "detail": {}}],
    }


@pytest.mark.holds("memory.record.defaults")
def test_a_long_first_line_names_a_memory_by_its_first_eighty_characters(curator: Curator) -> None:
    assert curator.record(curator.store("\n\n" + "word " * 40))["name"] == ("word " * 16).strip()


@pytest.mark.holds("memory.record.access")
def test_reading_counts_and_changes_no_version(curator: Curator) -> None:
    node_id = curator.store("The sky is blue")
    curator.wait(1)
    curator.found("sky")
    curator.call("get_memory", node_id=node_id)
    record = curator.record(node_id)
    assert (record["access_count"], record["version"]) == (2, 1)
    assert record["last_accessed_at"] == "2026-01-02T00:00:00Z"


@pytest.mark.holds("memory.store.duplicate")
def test_the_same_text_twice_is_one_memory(curator: Curator) -> None:
    first = curator.store("caf\u00e9  is open")
    again = curator.call("store_memory", content="cafe\u0301 is\nopen", importance=0.9)
    assert again == {"node_id": first, "created": False, "version": 1, "duplicate_of": first, "similar": []}
    assert curator.record(first)["importance"] == 0.5


@pytest.mark.holds("memory.store.duplicate")
def test_the_same_text_in_another_scope_or_in_the_trash_is_another_memory(curator: Curator) -> None:
    first = curator.store("the text")
    assert curator.store("the text", scope="other") != first
    curator.forget(first)
    second = curator.call("store_memory", content="the text")
    assert second["created"]
    assert second["node_id"] != first
    assert curator.record(first)["state"] == "deleted"


@pytest.mark.holds("memory.edit.replaces")
def test_an_edit_replaces_what_is_given_and_leaves_the_rest(curator: Curator) -> None:
    node_id = curator.store("old text", tags=["x"], source="here")
    curator.wait(1)
    answer = curator.call(
        "store_memory", node_id=node_id, expected_version=1, content="new text", tags=["y"], source=None
    )
    assert answer == {"node_id": node_id, "created": False, "version": 2, "duplicate_of": None, "similar": []}
    record = curator.record(node_id)
    assert (record["content"], record["name"], record["tags"], record["source"]) == (
        "new text",
        "new text",
        ["y"],
        None,
    )
    assert record["updated_at"] == "2026-01-02T00:00:00Z"
    assert record["history"][0]["action"] == "edited"
    assert record["history"][0]["detail"] == {
        "content": "old text",
        "name": "old text",
        "tags": ["x"],
        "source": "here",
    }
    assert curator.found("new") == [node_id]
    assert curator.found("missing") == []


@pytest.mark.holds("memory.edit.replaces")
def test_a_name_follows_the_text_unless_it_was_given(curator: Curator) -> None:
    unnamed = curator.store("Deploys go out on Wednesdays.")
    curator.edit(unnamed, content="Deploys go out on Thursdays.")
    assert curator.record(unnamed)["name"] == "Deploys go out on Thursdays."
    assert curator.found("Wednesdays") == []
    curator.edit(unnamed, name="Deploys")
    curator.edit(unnamed, content="Deploys go out on Fridays.")
    assert curator.record(unnamed)["name"] == "Deploys"
    curator.edit(unnamed, name="Deploys go out on Fridays.")
    curator.edit(unnamed, content="Deploys rest.", name="Deploys go out on Fridays.")
    assert curator.record(unnamed)["name"] == "Deploys go out on Fridays."


@pytest.mark.holds("memory.edit.unchanged")
def test_an_edit_that_changes_nothing_writes_nothing(curator: Curator) -> None:
    node_id = curator.store("text", tags=["x"])
    assert curator.edit(node_id, content="text", tags=["x"], relations=[])["version"] == 1
    assert curator.actions(node_id) == ["stored"]


@pytest.mark.holds("memory.edit.version")
def test_an_edit_of_an_older_version_is_refused_and_tells_the_present_one(curator: Curator) -> None:
    node_id = curator.store("text")
    curator.edit(node_id, content="other text")
    with pytest.raises(Conflict, match=f"^Memory {node_id} changed meanwhile") as refusal:
        curator.call("store_memory", node_id=node_id, expected_version=1, content="lost?")
    assert refusal.value.facts["version"] == 2
    assert curator.record(node_id)["content"] == "other text"


@pytest.mark.holds("memory.edit.replaced-text-expires")
def test_what_an_edit_replaced_stays_in_the_history_for_the_window(curator: Curator) -> None:
    node_id = curator.store("old text")
    curator.edit(node_id, content="new text")
    curator.wait(29.9)
    curator.application.memory.sweep(asked=True)
    assert curator.record(node_id)["history"][0]["detail"] == {"content": "old text", "name": "old text"}
    curator.wait(0.1)
    curator.application.memory.sweep(asked=True)
    assert curator.record(node_id)["history"][0]["detail"] == {}


@pytest.mark.holds("memory.relations.given")
def test_relations_are_seen_from_both_ends(curator: Curator) -> None:
    base = curator.store("the base")
    node_id = curator.store("the rest", relations=[{"target_id": base, "type": "depends_on", "weight": 0.25}])
    expected = {(node_id, base, "depends_on", 0.25)}
    assert curator.relations(node_id) == expected == curator.relations(base)


@pytest.mark.holds("memory.relations.given")
def test_given_relations_replace_the_outgoing_ones(curator: Curator) -> None:
    one, two = curator.store("one"), curator.store("two")
    node_id = curator.store("three", relations=[{"target_id": one}])
    curator.store("four", relations=[{"target_id": node_id}])
    curator.edit(node_id, relations=[{"target_id": two, "type": "supports"}])
    assert {each[1:3] for each in curator.relations(node_id)} == {(two, "supports"), (node_id, "relates_to")}
    assert curator.relations(one) == set()
    assert curator.record(node_id)["history"][0]["detail"] == {
        "relations": [{"target_id": one, "type": "relates_to", "weight": 1.0}]
    }


@pytest.mark.holds("memory.relations.live-ends")
def test_a_relation_to_a_memory_that_is_not_live_is_refused_with_its_sentence(curator: Curator) -> None:
    gone, unknown = curator.store("gone"), str(uuid.uuid4())
    curator.forget(gone)
    with pytest.raises(AlreadyDeleted, match=r"^Memory already deleted"):
        curator.store("text", relations=[{"target_id": gone}])
    with pytest.raises(NotFound, match=f"^Memory {unknown} not found"):
        curator.store("text", relations=[{"target_id": unknown}])
    assert curator.found("text") == []


@pytest.mark.holds("memory.relations.bounds")
def test_relations_stay_in_their_scope_and_never_lead_back(curator: Curator) -> None:
    far = curator.store("far", scope="other")
    one = curator.store("one")
    with pytest.raises(InvalidInput, match="another scope"):
        curator.store("text", relations=[{"target_id": far}])
    with pytest.raises(InvalidInput, match="itself"):
        curator.edit(one, relations=[{"target_id": one}])
    with pytest.raises(InvalidInput, match="repeats"):
        curator.edit(curator.store("two"), relations=[{"target_id": one}, {"target_id": one, "weight": 0.5}])


@pytest.mark.holds("memory.relations.bounds")
def test_succession_never_goes_round_in_a_circle(curator: Curator) -> None:
    first = curator.store("first")
    second = curator.store("second", relations=[{"target_id": first, "type": "supersedes"}])
    third = curator.store("third", relations=[{"target_id": second, "type": "supersedes"}])
    curator.forget(second)  # asleep, not gone
    with pytest.raises(Conflict, match="circle"):
        curator.edit(first, relations=[{"target_id": third, "type": "supersedes"}])


@pytest.mark.holds("memory.relations.bounds")
def test_a_related_memory_stays_in_its_scope(curator: Curator) -> None:
    one = curator.store("one")
    two = curator.store("two", relations=[{"target_id": one}])
    with pytest.raises(Conflict, match="scopes"):
        curator.edit(two, scope="other")
    curator.edit(two, relations=[])
    curator.edit(two, scope="other")
    assert curator.found("two", scope="other") == [two]


@pytest.mark.holds("memory.retry.same-answer")
def test_a_repeated_request_gives_the_first_answer_and_changes_nothing(curator: Curator) -> None:
    first = curator.call("store_memory", content="text", request_id="r1")
    assert curator.call("store_memory", content="text", request_id="r1") == {**first, "replayed": True}
    boosted = curator.call("boost_importance", node_id=first["node_id"], delta=0.1, request_id="r2")
    again = curator.call("boost_importance", node_id=first["node_id"], delta=0.1, request_id="r2")
    assert again == {**boosted, "replayed": True}
    assert curator.record(first["node_id"])["importance"] == 0.6
    curator.wait(1)
    later = curator.call("boost_importance", node_id=first["node_id"], delta=0.1, request_id="r2")
    assert "replayed" not in later
    assert later["new_importance"] == 0.7


@pytest.mark.holds("memory.retry.other-call")
def test_a_request_id_is_not_lent_to_another_call(curator: Curator) -> None:
    node_id = curator.call("store_memory", content="text", request_id="r1")["node_id"]
    for tool, arguments in (("store_memory", {"content": "other"}), ("restore_concept", {"node_id": node_id})):
        with pytest.raises(Conflict, match=r"^request_id 'r1' was used for a different call"):
            curator.call(tool, **arguments, request_id="r1")


@pytest.mark.holds("memory.retry.failures")
def test_a_failure_is_not_remembered(curator: Curator) -> None:
    node_id = curator.store("text")
    with pytest.raises(Conflict, match=f"^Memory {node_id} is not deleted"):
        curator.restore(node_id, request_id="r")
    curator.forget(node_id)
    assert curator.restore(node_id, request_id="r")["restored"]


@pytest.mark.holds("memory.retry.same-answer")
def test_a_repeated_merge_answers_as_it_did(curator: Curator) -> None:
    ids = [curator.store("one"), curator.store("two")]
    first = curator.merge(*ids, request_id="m")
    assert curator.merge(*ids, request_id="m") == {**first, "replayed": True}
    assert set(first["merged"]["content"].split()) == {"one", "two"}


@pytest.mark.holds("memory.boost.rule")
@pytest.mark.parametrize(
    ("start", "delta", "new", "clamped"),
    [
        (0.5, 0.2, 0.7, False),
        (0.5, 1.0, 1.0, True),
        (0.5, -1.0, 0.0, True),
        (1.0, -1.0, 0.0, False),
        (0.3, 0.7, 1.0, False),
        (0.1, 0.2, 0.3, False),
        (0.5, 0, 0.5, False),
        (0.0, -0.0, 0.0, False),
    ],
)
def test_a_boost_is_clamped_and_says_so(
    curator: Curator, start: float, delta: float, new: float, clamped: bool
) -> None:
    node_id = curator.store("text", importance=start)
    assert curator.call("boost_importance", node_id=node_id, delta=delta) == {
        "node_id": node_id,
        "old_importance": start,
        "delta": delta,
        "new_importance": new,
        "clamped": clamped,
    }
    line = curator.record(node_id)["history"][0]
    assert (line["action"], line["detail"]) == ("boosted", {"old": start, "delta": delta, "new": new})
