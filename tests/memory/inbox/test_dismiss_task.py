"""Tasks that nobody wants stay away until a text changes."""

from uuid import uuid4

import pytest
from tests.memory.curator import Curator
from tests.memory.inbox.inbox_reading import LONG, NEAR, tasks

from loreweave.errors import Conflict, NotFound


@pytest.mark.holds("memory.inbox.dismiss")
def test_a_dismissed_pair_stays_away_until_a_text_changes(curator: Curator) -> None:
    one, two = curator.store(LONG), curator.store(NEAR)
    [task] = tasks(curator)
    answer = {"task_id": task["task_id"], "dismissed": True}
    assert curator.call("dismiss_task", task_id=task["task_id"], reason="They differ.") == answer
    assert curator.call("dismiss_task", task_id=task["task_id"]) == answer
    status = curator.call("get_memetic_status", refresh=True)
    assert (status["curation_tasks"], status["total_tasks"], status["suggested_action"]) == ([], 0, "ready")
    curator.edit(one, importance=0.9, tags=["new"], name="Renamed")
    curator.forget(two)
    curator.restore(two)
    assert tasks(curator) == []
    curator.edit(one, content=LONG + ".")
    assert [each["task_id"] for each in tasks(curator)] == [task["task_id"]]


@pytest.mark.holds("memory.inbox.dismiss")
def test_tasks_of_every_type_can_be_dismissed_and_are_counted_no_more(curator: Curator) -> None:
    gone = curator.store("Going soon")
    curator.store("Faint", importance=0.1)
    curator.store("Faint too", importance=0.1)
    curator.wait(62)
    curator.forget(gone)
    curator.wait(28)
    one = curator.store(LONG, relations=[])
    curator.store(NEAR, relations=[{"target_id": one, "type": "contradicts"}])
    total = curator.call("get_memetic_status")["total_tasks"]
    assert total == 5
    while found := tasks(curator):
        curator.call("dismiss_task", task_id=found[-1]["task_id"])
        total -= 1
        assert curator.call("get_memetic_status")["total_tasks"] == total
        assert curator.call("get_memetic_status", scope="default")["total_tasks"] == total
    assert total == 0


@pytest.mark.holds("memory.inbox.dismiss")
def test_a_pair_of_an_undone_merge_stays_away_until_a_text_changes(curator: Curator) -> None:
    one, two = curator.store(LONG), curator.store(NEAR)
    [task] = tasks(curator)
    curator.undo(curator.merge(one, two)["reversal_hash"])
    assert tasks(curator) == []
    assert curator.call("dismiss_task", task_id=task["task_id"])["dismissed"] is True
    curator.edit(two, content=NEAR + "!")
    assert [each["task_id"] for each in tasks(curator)] == [task["task_id"]]


@pytest.mark.holds("memory.inbox.dismiss", "memory.inbox.several-twins")
def test_of_dismissed_twins_fewer_stay_away_too_and_another_brings_them_back(curator: Curator) -> None:
    ids = [curator.store(f"Deploys go out on {day}.") for day in ("Monday", "Tuesday", "Friday")]
    [task] = tasks(curator)
    for _ in range(2):
        assert curator.call("dismiss_task", task_id=task["task_id"])["dismissed"]
    curator.forget(ids[0])
    assert tasks(curator) == []
    curator.restore(ids[0])
    assert tasks(curator) == []
    ids.append(curator.store("Deploys go out on Sunday."))
    assert [each["target_nodes"] for each in tasks(curator)] == [sorted(ids)]


@pytest.mark.holds("memory.inbox.unknown-task")
@pytest.mark.parametrize(
    "make",
    [
        lambda one, two: "nonsense",
        lambda one, two: f"potential_merge:{one}",
        lambda one, two: f"potential_merge:{two}+{one}",
        lambda one, two: f"contradiction:{one}+{two}",
        lambda one, two: f"stale:{one}",
        lambda one, two: f"expiring_soon:{one}",
        lambda one, two: f"stale:{uuid4()}",
        lambda one, two: f"boredom:{one}",
        lambda one, two: f"potential_merge:{one}+{two}+{two}",
    ],
)
def test_a_task_that_is_none_is_unknown(sqlite_curator: Curator, make) -> None:
    one, two = sorted((sqlite_curator.store(LONG), sqlite_curator.store(NEAR)))
    with pytest.raises(NotFound, match=r"^Unknown task_id"):
        sqlite_curator.call("dismiss_task", task_id=make(one, two))
    assert len(tasks(sqlite_curator)) == 1


@pytest.mark.holds("memory.inbox.dismiss")
def test_dismissing_is_answered_again_to_the_same_request(sqlite_curator: Curator) -> None:
    sqlite_curator.store(LONG)
    sqlite_curator.store(NEAR)
    [task] = tasks(sqlite_curator)
    first = sqlite_curator.call("dismiss_task", task_id=task["task_id"], request_id="once")
    assert sqlite_curator.call("dismiss_task", task_id=task["task_id"], request_id="once") == {
        **first,
        "replayed": True,
    }
    with pytest.raises(Conflict, match="was used for a different call"):
        sqlite_curator.call("dismiss_task", task_id="stale:x", request_id="once")
