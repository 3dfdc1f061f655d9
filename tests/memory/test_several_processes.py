"""Several processes at one store: nothing acknowledged is lost, races have one winner."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.memory.curator import Curator, other_process
from tests.pace import PATIENCE

from loreweave.errors import Conflict
from loreweave.memory.change import WRITES, begin
from loreweave.memory.memory_record import find_live

Call = tuple[str, dict[str, Any]]


def at_once(curator: Curator, *plans: Sequence[Call]) -> list[list[dict[str, Any]]]:
    """The answers of processes that begin their calls at the same moment."""
    processes = [other_process(curator, list(plan), waits=True) for plan in plans]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.stderr and process.stderr.read()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        answers.append([json.loads(line) for line in out.splitlines()])
    return answers


@pytest.mark.holds("memory.processes.no-lost-update")
def test_every_acknowledged_write_survives(curator: Curator) -> None:
    plans = [[("store_memory", {"content": f"fact {process} {n}"}) for n in range(20)] for process in range(2)]
    answers = [answer for plan in at_once(curator, *plans) for answer in plan]
    assert all(answer["created"] for answer in answers)
    assert set(curator.found("fact", limit=100)) == {answer["node_id"] for answer in answers}
    assert len(answers) == 40


@pytest.mark.holds("memory.processes.no-lost-update")
def test_boosts_of_two_processes_add_up(curator: Curator) -> None:
    node_id = curator.store("text", importance=0.0)
    plan = [("boost_importance", {"node_id": node_id, "delta": 0.01})] * 20
    at_once(curator, plan, plan)
    record = curator.record(node_id)
    assert (record["importance"], record["version"]) == (0.4, 41)


@pytest.mark.holds("memory.processes.one-winner", "memory.store.duplicate")
def test_the_same_text_stored_by_two_is_one_memory(curator: Curator) -> None:
    plan = [("store_memory", {"content": f"fact {n}"}) for n in range(10)]
    one, two = at_once(curator, plan, plan)
    assert [answer for answer in one + two if "node_id" not in answer] == []
    assert [answer["node_id"] for answer in one] == [answer["node_id"] for answer in two]
    assert all(first["created"] != second["created"] for first, second in zip(one, two, strict=True))


@pytest.mark.holds("memory.processes.one-winner")
def test_of_two_edits_of_one_version_one_wins(curator: Curator) -> None:
    ids = [curator.store(f"text {n}") for n in range(8)]
    plans = [
        [
            ("store_memory", {"node_id": node_id, "expected_version": 1, "content": f"by {process} {node_id}"})
            for node_id in ids
        ]
        for process in "ab"
    ]
    one, two = at_once(curator, *plans)
    for node_id, first, second in zip(ids, one, two, strict=True):
        assert sorted([first.get("code", "won"), second.get("code", "won")]) == ["conflict", "won"]
        winner = "a" if "code" not in first else "b"
        assert curator.record(node_id)["content"] == f"by {winner} {node_id}"
        assert curator.actions(node_id) == ["stored", "edited"]


@pytest.mark.holds("memory.processes.one-winner")
def test_two_merges_of_one_memory_have_one_winner_and_the_loser_changes_nothing(curator: Curator) -> None:
    rounds = [[curator.store(f"{name} {n}") for name in ("shared", "left", "right")] for n in range(6)]
    plans = [
        [
            ("merge_concepts", {"source_ids": [each[0], each[side]], "target_name": "n", "rationale": "r"})
            for each in rounds
        ]
        for side in (1, 2)
    ]
    left, right = at_once(curator, *plans)
    for (shared, *sides), *answers in zip(rounds, left, right, strict=True):
        won = [answer for answer in answers if "merged_id" in answer]
        lost = [answer for answer in answers if "code" in answer]
        assert len(won) == len(lost) == 1
        assert lost[0]["error"] in ("Memory already deleted", "Memory may have been deleted concurrently")
        assert curator.record(shared)["merged_into"] == won[0]["merged_id"]
        untouched = sides[answers.index(lost[0])]
        assert curator.actions(untouched) == ["stored"]


@pytest.mark.holds("memory.processes.one-winner")
def test_an_undo_of_two_processes_happens_once(curator: Curator) -> None:
    hashes = [curator.merge(curator.store(f"a {n}"), curator.store(f"b {n}"))["reversal_hash"] for n in range(6)]
    plan = [("undo_merge", {"reversal_hash": each}) for each in hashes]
    one, two = at_once(curator, plan, plan)
    for first, second in zip(one, two, strict=True):
        assert sorted([first.get("error", ""), second.get("error", "")]) == ["", "Merge already undone"]


@pytest.mark.holds("memory.processes.seen-at-once")
def test_what_one_process_answered_the_next_call_of_another_sees(curator: Curator) -> None:
    assert curator.found("apple") == []
    (((stored,)),) = at_once(curator, [("store_memory", {"content": "an apple", "name": "fruit"})])
    node_id = stored["node_id"]
    assert curator.found("apple") == [node_id]
    at_once(curator, [("store_memory", {"node_id": node_id, "expected_version": 1, "content": "a pear"})])
    assert curator.found("apple") == []
    assert curator.found("pear") == [node_id]
    at_once(curator, [("forget_concept", {"node_id": node_id, "soft_delete": False})])
    assert curator.found("pear") == []


@pytest.mark.holds("memory.processes.one-winner", "memory.retry.same-answer")
def test_one_request_sent_to_two_processes_is_one_change(curator: Curator) -> None:
    node_id = curator.store("text", importance=0.0)
    plan = [("boost_importance", {"node_id": node_id, "delta": 0.1, "request_id": "once"})]
    (one,), (two,) = at_once(curator, plan, plan)
    assert [one.get("replayed"), two.get("replayed")].count(True) == 1
    assert curator.record(node_id)["importance"] == 0.1


@pytest.mark.holds("memory.processes.one-winner")
def test_a_record_that_is_no_longer_what_was_read_is_not_written_over(curator: Curator) -> None:
    node_id = curator.store("text")
    tools = curator.application.memory._tools

    def write_twice() -> None:
        with tools.store.write_alone(WRITES) as connection:
            change = begin(tools, connection, "test")
            read = find_live(connection, node_id, change.now)
            change.update(read, importance=0.9)
            change.update(read, importance=0.1)

    with pytest.raises(Conflict, match=r"^Memory may have been deleted concurrently"):
        write_twice()
    assert curator.record(node_id)["importance"] == 0.5
