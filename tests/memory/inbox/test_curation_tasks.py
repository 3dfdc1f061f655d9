"""Tasks of the inbox: when there are any, in which order, and that what they propose works as it stands."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.memory.curator import Curator
from tests.memory.inbox.inbox_reading import LONG, NEAR, tasks

from loreweave.contracts.memory_requests import CONTENT_LIMIT
from loreweave.entities.stored_memory import LIVE, Memory
from loreweave.memory.inbox.curation_tasks import merge_task


def kinds(curator: Curator) -> list[str]:
    return [task["task_type"] for task in tasks(curator)]


def accept(curator: Curator, task: dict[str, Any]) -> dict[str, Any]:
    return curator.call(task["suggested_tool"], **task["suggested_arguments"])


@pytest.mark.holds("memory.inbox.potential-merge", "memory.inbox.suggestions-work")
def test_near_texts_are_proposed_for_a_merge_that_works(curator: Curator) -> None:
    one, two = curator.store(LONG, name="Meeting", importance=0.9), curator.store(NEAR, name="Other")
    [task] = tasks(curator)
    assert task["task_id"] == f"potential_merge:{'+'.join(sorted((one, two)))}"
    assert task["target_nodes"] == sorted((one, two))
    assert task["scope"] == "default"
    assert task["priority"] == "medium"
    assert 0.9 < task["evidence"]["similarity"] < 1.0
    assert sorted(task["evidence"]["previews"]) == sorted((LONG, NEAR))
    assert task["suggested_tool"] == "merge_concepts"
    assert task["suggested_arguments"]["target_name"] == "Meeting"
    assert accept(curator, task)["sources_merged"] == 2
    assert curator.call("get_memetic_status")["suggested_action"] == "ready"


@pytest.mark.holds("memory.inbox.potential-merge", "memory.inbox.order")
def test_texts_of_the_same_words_are_more_urgent(curator: Curator) -> None:
    curator.store(LONG)
    curator.store(NEAR)
    same = [curator.store("Tea at five, please."), curator.store("tea at FIVE please")]
    first, second = tasks(curator)
    assert first["target_nodes"] == sorted(same)
    assert (first["priority"], second["priority"]) == ("high", "medium")
    assert first["evidence"]["similarity"] == 1.0


@pytest.mark.holds("memory.inbox.potential-merge")
def test_pairs_stay_within_a_scope_and_a_subject(curator: Curator) -> None:
    curator.store(LONG)
    curator.store(NEAR, scope="other")
    curator.store("Room 12 has a projector and seats for twenty people in rows")
    curator.store("Room 13 has a projector and seats for twenty people in rows")
    assert tasks(curator) == []


@pytest.mark.holds("memory.inbox.values", "memory.inbox.suggestions-work")
def test_memories_that_differ_in_one_value_are_asked_about(curator: Curator) -> None:
    curator.store("Deploys go out on Monday.")
    curator.wait(1)
    curator.store("Deploys go out on Tuesday.")
    curator.store("Deploys go out on Friday.", scope="other")
    [task] = tasks(curator)
    assert task["reason"] == "Monday / Tuesday: which is true?"
    assert (task["task_type"], task["priority"]) == ("potential_merge", "medium")
    assert accept(curator, task)["sources_merged"] == 2
    assert tasks(curator) == []


@pytest.mark.holds("memory.inbox.several-twins", "memory.inbox.suggestions-work")
def test_of_several_twins_one_task_names_all(curator: Curator) -> None:
    ids = []
    for day in ("Monday", "Tuesday", "Wednesday", "Friday"):
        ids.append(curator.store(f"Deploys go out on {day}."))
        curator.wait(0.1)
    [task] = tasks(curator)
    assert task["target_nodes"] == sorted(ids)
    assert task["task_id"] == f"potential_merge:{'+'.join(sorted(ids))}"
    assert task["reason"] == "Monday / Tuesday / Wednesday / Friday: which is true?"
    assert len(task["evidence"]["previews"]) == 4
    curator.forget(ids[0])
    assert [each["target_nodes"] for each in tasks(curator)] == [sorted(ids[1:])]
    curator.restore(ids[0])
    assert accept(curator, tasks(curator)[0])["sources_merged"] == 4
    assert curator.call("get_memetic_status")["total_tasks"] == 0


@pytest.mark.holds("memory.inbox.several-twins")
def test_more_twins_than_a_merge_takes_are_named_ten_at_a_time(sqlite_curator: Curator) -> None:
    ids = {sqlite_curator.store(f"Tea at five please{'!' * number}") for number in range(12)}
    found = tasks(sqlite_curator)
    assert [len(task["target_nodes"]) for task in found] == [10, 2]
    assert {node_id for task in found for node_id in task["target_nodes"]} == ids


@pytest.mark.holds("memory.inbox.values", "memory.inbox.refresh")
def test_a_series_is_no_question(curator: Curator) -> None:
    for day in range(1, 11):
        curator.store(f"The harbour was closed on {day} May")
    assert [len(task["target_nodes"]) for task in tasks(curator)] == [10]
    curator.store("The harbour was closed on 11 May")
    assert tasks(curator) == []
    assert curator.call("get_memetic_status", refresh=True)["total_tasks"] == 0


@pytest.mark.holds("memory.inbox.state")
def test_a_task_goes_with_its_memories_and_comes_back_with_them(curator: Curator) -> None:
    one = curator.store(LONG)
    curator.store(NEAR)
    [task] = tasks(curator)
    curator.forget(one)
    assert tasks(curator) == []
    curator.restore(one)
    assert tasks(curator) == [task]
    curator.edit(one, content="Something else by now")
    assert tasks(curator) == []
    curator.edit(one, content=LONG)
    assert [each["task_id"] for each in tasks(curator)] == [task["task_id"]]


@pytest.mark.holds("memory.inbox.suggestions-work")
@pytest.mark.parametrize("type", ["contradicts", "supersedes"])
def test_a_merge_against_which_something_speaks_says_so_and_is_forced(curator: Curator, type: str) -> None:
    one = curator.store(LONG)
    curator.store(NEAR, relations=[{"target_id": one, "type": type}])
    [task] = [task for task in tasks(curator) if task["task_type"] == "potential_merge"]
    assert task["suggested_arguments"]["force_merge"] is True
    assert type in task["reason"]
    assert accept(curator, task)["sources_merged"] == 2


@pytest.mark.holds("memory.inbox.suggestions-work")
def test_a_merge_with_too_many_tags_is_proposed_by_a_strategy_that_holds(sqlite_curator: Curator) -> None:
    sqlite_curator.store(LONG, tags=[f"one{number}" for number in range(30)], importance=0.8)
    sqlite_curator.store(NEAR, tags=[f"two{number}" for number in range(30)])
    [task] = tasks(sqlite_curator)
    assert task["suggested_arguments"]["merge_strategy"] == "weighted_average"
    assert accept(sqlite_curator, task)["sources_merged"] == 2


@pytest.mark.holds("memory.inbox.suggestions-work")
def test_of_two_texts_that_no_merge_can_hold_the_lesser_is_proposed_to_go() -> None:
    one, two = (_memory(letter, (letter + "n ") * (CONTENT_LIMIT // 3)) for letter in "ab")
    task = merge_task([one, two], 0.95, [])
    assert task.suggested_tool == "forget_concept"
    assert task.suggested_arguments["node_id"] == "a"


def _memory(node_id: str, content: str) -> Memory:
    return Memory(0, node_id, "default", "Name", content, 0.5, (), None, None, None, 1, 0, 0, None, 0, LIVE)


@pytest.mark.holds("memory.inbox.contradiction", "memory.inbox.suggestions-work")
def test_of_two_that_contradict_each_other_the_less_important_is_proposed_to_go(curator: Curator) -> None:
    weak = curator.store("The shop closes at six", importance=0.3)
    strong = curator.store("Nobody knows", importance=0.6, relations=[{"target_id": weak, "type": "contradicts"}])
    curator.edit(weak, relations=[{"target_id": strong, "type": "contradicts", "weight": 0.5}])
    [task] = tasks(curator)
    assert (task["task_type"], task["priority"]) == ("contradiction", "high")
    assert task["target_nodes"] == sorted((weak, strong))
    assert task["evidence"]["similarity"] is None
    assert task["suggested_arguments"]["node_id"] == weak
    assert accept(curator, task)["soft_deleted"] is True
    assert tasks(curator) == []
    curator.restore(weak)
    assert kinds(curator) == ["contradiction"]


@pytest.mark.holds("memory.inbox.contradiction")
def test_a_contradiction_is_read_through_a_merge(curator: Curator) -> None:
    one, two = curator.store("The shop closes at six"), curator.store("The baker lives above it")
    other = curator.store("It is open all night", relations=[{"target_id": one, "type": "contradicts"}])
    merge = curator.merge(one, two)
    [task] = tasks(curator)
    assert task["target_nodes"] == sorted((other, merge["merged_id"]))
    accept(curator, task)
    assert tasks(curator) == []
    curator.restore(task["suggested_arguments"]["node_id"])
    curator.undo(merge["reversal_hash"])
    [task] = tasks(curator)
    assert task["target_nodes"] == sorted((one, other))


@pytest.mark.holds("memory.inbox.stale", "memory.inbox.suggestions-work")
def test_faint_memories_that_nobody_reads_are_stale_after_ninety_days(curator: Curator) -> None:
    faint = curator.store("Faint", importance=0.19)
    read = curator.store("Read", importance=0.0)
    curator.store("Weighty enough", importance=0.2)
    curator.wait(1)
    curator.call("get_memory", node_id=read)
    curator.wait(88.99)
    assert tasks(curator) == []
    curator.wait(0.01)
    [task] = tasks(curator)
    assert (task["task_type"], task["priority"], task["target_nodes"]) == ("stale", "low", [faint])
    curator.wait(1)
    assert [each["target_nodes"] for each in tasks(curator)] == [[faint], [read]]
    assert accept(curator, task)["forgotten_id"] == faint
    assert [each["target_nodes"] for each in tasks(curator)] == [[read]]


@pytest.mark.holds("memory.inbox.expiring", "memory.inbox.deadlines", "memory.inbox.suggestions-work")
def test_weighty_memories_in_the_trash_are_told_of_three_days_before_they_go(curator: Curator) -> None:
    weighty, light = curator.store("Weighty", importance=0.5), curator.store("Light", importance=0.49)
    lost = curator.store("Lost")
    curator.forget(lost)
    curator.wait(1)
    curator.forget(weighty)
    curator.forget(light)
    curator.wait(27)
    assert [task["target_nodes"] for task in tasks(curator)] == [[lost]]
    curator.wait(0.001)
    assert [task["target_nodes"] for task in tasks(curator)] == [[lost], [weighty]]
    curator.wait(1.999)
    [task] = tasks(curator)
    assert (task["task_type"], task["priority"], task["target_nodes"]) == ("expiring_soon", "high", [weighty])
    assert accept(curator, task) == {"node_id": weighty, "restored": True, "relations_lost": []}
    assert tasks(curator) == []


@pytest.mark.holds("memory.inbox.order")
def test_tasks_come_by_priority_type_and_strength_and_all_are_counted(curator: Curator) -> None:
    gone = curator.store("Going soon")
    curator.forget(gone)
    curator.wait(28)
    curator.store("Faint one", importance=0.1)
    curator.wait(90)
    curator.forget(curator.store("Going soon too"))
    curator.wait(28)
    one = curator.store(LONG)
    curator.store(NEAR)
    for weight in (0.5, 1.0):
        curator.store(f"No, {weight}", relations=[{"target_id": one, "type": "contradicts", "weight": weight}])
    curator.store("Same, or not.")
    curator.store("same or not")
    found = tasks(curator)
    assert [(task["priority"], task["task_type"]) for task in found] == [
        ("high", "contradiction"),
        ("high", "contradiction"),
        ("high", "expiring_soon"),
        ("high", "potential_merge"),
        ("medium", "potential_merge"),
        ("low", "stale"),
    ]
    assert any("1.0" in preview for preview in found[0]["evidence"]["previews"])
    for limit in range(1, 7):
        status = curator.call("get_memetic_status", limit=limit)
        assert status["curation_tasks"] == found[:limit]
        assert status["total_tasks"] == 6
        assert status["suggested_action"] == "curate"


@pytest.mark.holds("memory.inbox.previews")
@given(some.text(min_size=1, max_size=400).filter(str.strip))
def test_previews_are_short_whatever_the_text(content: str) -> None:
    task = merge_task([_memory("a", content), _memory("b", content)], 1.0, [])
    assert all(len(preview) <= 160 for preview in task.evidence.previews)
