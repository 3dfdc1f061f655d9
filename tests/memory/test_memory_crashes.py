"""Killed at any point, the store holds exactly the old or exactly the new world."""

import signal
from pathlib import Path
from typing import Any

import pytest
from tests.memory.curator import Curator, lasting, other_process
from tests.pace import PATIENCE

Call = tuple[str, dict[str, Any]]


def killed_at(point: str, curator: Curator, call: Call) -> None:
    with other_process(curator, [call], failpoint=point) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL, (point, out, err)
    assert out == ""


def done(curator: Curator, call: Call) -> None:
    with other_process(curator, [call]) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, (out, err)


def world(curator: Curator, ids: list[str]) -> dict[str, Any]:
    """Rows, relations, index, counts and history, read by a process that was not there when it happened."""
    fresh = Curator(curator.settings, Path(str(curator.settings.clock_file)))
    try:
        records = {}
        for node_id in ids:
            record = fresh.record(node_id)
            records[node_id] = (lasting(record), record["version"], len(record["history"]))
        found = sorted(fresh.found("common", limit=100))
        counts = fresh.call("get_memetic_status")["counts"]
        return {"records": records, "found": found, "counts": counts, "trash": fresh.call("list_deleted")}
    finally:
        fresh.close()


def planted(curator: Curator) -> tuple[str, str, str]:
    x = curator.store("outside, common")
    one = curator.store("Common. One.", relations=[{"target_id": x, "weight": 0.5}])
    return x, one, curator.store("Common. Two.", tags=["t"])


MERGE = {"target_name": "Both", "rationale": "why"}


@pytest.mark.lengthy(4)
@pytest.mark.holds("memory.crash.old-world")
@pytest.mark.parametrize("point", ["merge.snapshot", "merge.insert", "merge.edges", "merge.sources", "merge.commit"])
def test_a_merge_killed_before_its_commit_never_was(curator: Curator, point: str) -> None:
    ids = list(planted(curator))
    before = world(curator, ids)
    call = ("merge_concepts", {**MERGE, "source_ids": ids[1:], "request_id": "m"})
    killed_at(point, curator, call)
    assert world(curator, ids) == before
    answer = curator.call(*call[:1], **call[1])
    assert "replayed" not in answer
    curator.undo(answer["reversal_hash"])
    assert [lasting(curator.record(node_id)) for node_id in ids] == [before["records"][node_id][0] for node_id in ids]


@pytest.mark.holds("memory.crash.new-world", "memory.retry.after-crash")
def test_a_merge_killed_after_its_commit_is_whole_and_told_to_a_retry(curator: Curator) -> None:
    x, one, two = planted(curator)
    call = {**MERGE, "source_ids": [one, two], "request_id": "m"}
    killed_at("merge.answer", curator, ("merge_concepts", call))
    answer = curator.call("merge_concepts", **call)
    assert answer["replayed"]
    merged = answer["merged_id"]
    assert curator.relations(merged) == {(merged, x, "relates_to", 0.5)}
    assert sorted(curator.found("common")) == sorted([x, merged])
    assert answer["merged"]["content"] == curator.record(merged)["content"]


@pytest.mark.holds("memory.crash.old-world")
@pytest.mark.parametrize("point", ["undo.sources", "undo.commit"])
def test_an_undo_killed_before_its_commit_never_was(curator: Curator, point: str) -> None:
    x, one, two = planted(curator)
    merge = curator.merge(one, two)
    ids = [x, one, two, merge["merged_id"]]
    before = world(curator, ids)
    killed_at(point, curator, ("undo_merge", {"reversal_hash": merge["reversal_hash"]}))
    assert world(curator, ids) == before
    assert curator.undo(merge["reversal_hash"])["restored_ids"] == sorted([one, two])


@pytest.mark.holds("memory.crash.new-world", "memory.retry.after-crash")
def test_an_undo_killed_after_its_commit_is_whole(curator: Curator) -> None:
    x, one, two = planted(curator)
    before = [lasting(curator.record(node_id)) for node_id in (x, one, two)]
    merge = curator.merge(one, two)
    call = {"reversal_hash": merge["reversal_hash"], "request_id": "u"}
    killed_at("undo.answer", curator, ("undo_merge", call))
    assert [lasting(curator.record(node_id)) for node_id in (x, one, two)] == before
    assert curator.call("undo_merge", **call)["replayed"]


@pytest.mark.holds("memory.crash.old-world", "memory.crash.new-world", "memory.retry.after-crash")
def test_a_soft_delete_is_whole_or_never_was(curator: Curator) -> None:
    ids = list(planted(curator))
    before = world(curator, ids)
    call = {"node_id": ids[0], "request_id": "f"}
    killed_at("forget.mark", curator, ("forget_concept", call))
    assert world(curator, ids) == before
    killed_at("forget.answer", curator, ("forget_concept", call))
    assert curator.record(ids[0])["state"] == "deleted"
    assert curator.forget(**call)["replayed"]
    assert curator.actions(ids[0]) == ["stored", "forgotten"]


def _told_in_files(curator: Curator, text: str) -> list[str]:
    files = [path for path in curator.settings.data_dir.rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


@pytest.mark.lengthy(5)
@pytest.mark.holds("memory.crash.old-world", "memory.crash.purge")
@pytest.mark.parametrize("way", ["hard delete", "sweep"])
@pytest.mark.parametrize("point", ["purge.rows", "purge.files", "purge.answer"])
def test_an_erasure_is_whole_or_never_was_and_the_next_process_wipes(curator: Curator, point: str, way: str) -> None:
    node_id = curator.store("zyxsecret words")
    kept = curator.store("common words")
    call: Call = ("forget_concept", {"node_id": node_id, "soft_delete": False})
    if way == "sweep":
        curator.forget(node_id)
        curator.wait(30)
        call = ("", {})
    before = world(curator, [kept]) if way == "hard delete" else None
    curator.close()
    killed_at(point, curator, call)
    is_erased = point != "purge.rows"
    done(curator, ("get_memetic_status", {}))  # any process that opens the store
    if curator.settings.database_url == "" and (is_erased or way == "sweep"):
        assert _told_in_files(curator, "zyxsecret") == []
    after = Curator(curator.settings, Path(str(curator.settings.clock_file)))
    if is_erased or way == "sweep":
        assert after.found("zyxsecret") == []
    else:
        assert after.found("zyxsecret") == [node_id]
        assert world(curator, [kept]) == before
    after.close()
