"""What a search sees: what is valid, what fits, what is not superseded."""

import pytest
from tests.memory.curator import Curator

from loreweave.language.tokens import count_tokens


@pytest.mark.holds("memory.search.validity")
def test_a_search_sees_what_is_valid_at_the_moment_asked_for(curator: Curator) -> None:
    past = curator.store("the office is in Bern", valid_from="2020-01-01T00:00:00Z", valid_until="2025-01-01T00:00:00Z")
    present = curator.store("the office is in Basel", valid_from="2025-01-01T00:00:00Z")
    future = curator.store("the office is in Biel", valid_from="2030-01-01T00:00:00Z")
    assert curator.found("office") == [present]
    assert curator.found("office", as_of="2024-12-31T23:59:59Z") == [past]
    assert curator.found("office", as_of="2025-01-01T00:00:00Z") == [present]
    assert set(curator.found("office", as_of="2031-01-01T00:00:00Z")) == {present, future}
    assert curator.found("office", as_of="2019-01-01T00:00:00Z") == []


@pytest.mark.holds("memory.search.validity")
def test_a_successor_ends_a_memory_from_its_own_start_and_only_while_it_lives(curator: Curator) -> None:
    old = curator.store("the password policy asks for eight characters")
    curator.wait(10)
    new = curator.store(
        "the password policy asks for twelve characters", relations=[{"target_id": old, "type": "supersedes"}]
    )
    assert curator.found("password policy") == [new]
    assert curator.record(old)["superseded_by"] == new
    assert curator.found("password policy", as_of="2026-01-05T00:00:00Z") == [old]
    curator.forget(new)
    assert curator.found("password policy") == [old]
    assert curator.record(old)["superseded_by"] is None
    curator.restore(new)
    assert curator.found("password policy") == [new]


@pytest.mark.holds("memory.search.validity")
def test_a_merged_successor_ends_what_its_sources_ended(curator: Curator) -> None:
    old = curator.store("old rule of the house")
    one = curator.store("new rule of the house", relations=[{"target_id": old, "type": "supersedes"}])
    answer = curator.merge(one, curator.store("another rule of the house"))
    assert curator.found("rule") == [answer["merged_id"]]
    curator.undo(answer["reversal_hash"])
    assert old not in curator.found("rule")


@pytest.mark.holds("memory.search.budget")
def test_a_token_budget_takes_whole_memories_and_counts_the_rest(curator: Curator) -> None:
    for number in range(5):
        curator.store(f"apple {number} " + "word " * 20 * number, importance=1 - number / 10)
    answer = curator.call("search_memories", query="apple", max_tokens=60)
    spent = sum(count_tokens(hit["content"]) for hit in answer["results"])
    assert 0 < answer["count"] == len(answer["results"])
    assert spent <= 60
    assert answer["count"] + answer["omitted"] == 5
    assert curator.call("search_memories", query="apple", max_tokens=1) == {"results": [], "count": 0, "omitted": 5}


@pytest.mark.holds("memory.search.budget")
def test_hits_beyond_the_limit_are_counted_as_left_out(curator: Curator) -> None:
    for number in range(4):
        curator.store(f"apple {number}")
    answer = curator.call("search_memories", query="apple", limit=3)
    assert (answer["count"], answer["omitted"]) == (3, 1)
