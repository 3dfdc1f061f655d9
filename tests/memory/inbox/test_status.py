"""How the memories stand: counts, deadlines, topics."""

import pytest
from tests.memory.curator import Curator

pytestmark = pytest.mark.holds("memory.inbox.counts")


def test_an_empty_store_is_ready(curator: Curator) -> None:
    assert curator.call("get_memetic_status") == {
        "counts": {"live": 0, "deleted": 0, "merged": 0, "reversible_merges": 0},
        "next_purge_at": None,
        "suggested_action": "ready",
        "curation_tasks": [],
        "total_tasks": 0,
        "topics": [],
    }


def test_memories_are_counted_by_state(curator: Curator) -> None:
    one, two, three = (curator.store(f"The {place} is far away") for place in ("harbour", "museum", "castle"))
    curator.store("Elsewhere", scope="other")
    curator.forget(one)
    curator.wait(1)
    curator.merge(two, three, force_merge=True)
    status = curator.call("get_memetic_status")
    assert status["counts"] == {"live": 2, "deleted": 1, "merged": 2, "reversible_merges": 1}
    assert status["next_purge_at"] == "2026-01-31T00:00:00Z"
    other = curator.call("get_memetic_status", scope="other")
    assert other["counts"] == {"live": 1, "deleted": 0, "merged": 0, "reversible_merges": 0}
    assert other["next_purge_at"] is None
    assert curator.call("get_memetic_status", scope="*")["counts"] == status["counts"]


@pytest.mark.holds("memory.inbox.deadlines")
def test_what_is_past_its_deadline_counts_no_more_though_nothing_was_swept(curator: Curator) -> None:
    one, two, three = (curator.store(f"The {place} is far away", tags=["place"]) for place in ("sea", "zoo", "moon"))
    curator.store("Stays", tags=["place"])
    curator.forget(one)
    merge = curator.merge(two, three)
    curator.wait(29.9)
    assert curator.call("get_memetic_status")["counts"]["deleted"] == 1
    curator.wait(0.1)
    status = curator.call("get_memetic_status")
    assert status["counts"] == {"live": 2, "deleted": 0, "merged": 0, "reversible_merges": 0}
    assert status["next_purge_at"] is None
    assert status["topics"][0]["gone_30d"] == 0
    assert merge["sources_merged"] == 2


@pytest.mark.holds("memory.inbox.topics")
def test_topics_tell_how_much_a_tag_changes(curator: Curator) -> None:
    curator.store("Old and calm", tags=["calm", "all"], importance=0.2)
    curator.wait(40)
    curator.store("Coming", tags=["busy", "all"], importance=0.9)
    gone = curator.store("Going", tags=["busy", "all"], importance=0.1)
    one, two = curator.store("Left", tags=["busy"]), curator.store("Right", tags=["busy"])
    curator.forget(gone)
    curator.merge(one, two)
    topics = {topic["tag"]: topic for topic in curator.call("get_memetic_status")["topics"]}
    assert topics["calm"] == {
        "tag": "calm", "live": 1, "mean_importance": 0.2, "added_30d": 0, "gone_30d": 0, "churn": 0.0,
    }  # fmt: skip
    assert topics["all"] == {
        "tag": "all", "live": 2, "mean_importance": 0.55, "added_30d": 1, "gone_30d": 1, "churn": round(2 / 3, 6),
    }  # fmt: skip
    assert (topics["busy"]["live"], topics["busy"]["added_30d"], topics["busy"]["gone_30d"]) == (2, 2, 3)
    assert topics["busy"]["mean_importance"] == 0.7
    assert topics["busy"]["churn"] == 1.0


@pytest.mark.holds("memory.inbox.topics")
def test_the_twenty_largest_topics_are_shown_equal_ones_by_name(sqlite_curator: Curator) -> None:
    for number in range(30):
        sqlite_curator.store(f"Text of its own {number}", tags=[f"tag{number:02}", *(["both"] if number < 2 else [])])
    sqlite_curator.forget(sqlite_curator.store("Nothing is left of it", tags=["a tag that is gone"]))
    topics = [topic["tag"] for topic in sqlite_curator.call("get_memetic_status")["topics"]]
    assert topics == ["both", *(f"tag{number:02}" for number in range(19))]


@pytest.mark.holds("memory.inbox.topics")
def test_topics_of_a_scope_are_its_own(sqlite_curator: Curator) -> None:
    sqlite_curator.store("Here", tags=["here"])
    sqlite_curator.store("There", tags=["there"], scope="there")
    topics = sqlite_curator.call("get_memetic_status", scope="there")["topics"]
    assert [topic["tag"] for topic in topics] == ["there"]
    assert sqlite_curator.call("get_memetic_status", scope="nowhere")["topics"] == []
