"""Forgetting is soft for thirty days; what was erased is in no file."""

import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from tests.memory.curator import START, Curator, lasting

from loreweave.errors import AlreadyDeleted, Conflict, Expired, NotFound
from loreweave.seams.storage import memory_shelf
from loreweave.settings import Settings


@pytest.mark.holds("memory.forget.soft")
def test_a_forgotten_memory_waits_thirty_days(curator: Curator) -> None:
    node_id = curator.store("text")
    assert curator.forget(node_id, reason="old") == {
        "forgotten_id": node_id,
        "soft_deleted": True,
        "deleted_at": START,
        "recoverable_until": "2026-01-31T00:00:00Z",
        "remaining_copies": [],
    }
    record = curator.record(node_id)
    assert (record["state"], record["deleted_at"]) == ("deleted", START)
    assert record["history"][0]["detail"] == {"reason": "old"}
    assert curator.found("text") == []


@pytest.mark.holds("memory.forget.states")
def test_forgetting_twice_is_refused_and_moves_no_deadline(curator: Curator) -> None:
    node_id = curator.store("text")
    curator.forget(node_id)
    curator.wait(1)
    with pytest.raises(AlreadyDeleted, match=r"^Memory already deleted") as refusal:
        curator.forget(node_id)
    assert refusal.value.shape() == {
        "error": "Memory already deleted",
        "code": "already_deleted",
        "node_id": node_id,
        "state": "deleted",
        "deleted_at": START,
        "recoverable_until": "2026-01-31T00:00:00Z",
        "merged_into": None,
    }
    assert curator.record(node_id)["recoverable_until"] == "2026-01-31T00:00:00Z"


@pytest.mark.holds("memory.forget.states")
def test_a_deleted_memory_is_neither_boosted_nor_edited_nor_merged_nor_read(curator: Curator) -> None:
    node_id, other = curator.store("text"), curator.store("other")
    curator.forget(node_id)
    for tool, arguments in (
        ("boost_importance", {"node_id": node_id, "delta": 0.1}),
        ("store_memory", {"node_id": node_id, "expected_version": 2, "content": "x"}),
        ("get_memory", {"node_id": node_id}),
        ("merge_concepts", {"source_ids": [other, node_id], "target_name": "n", "rationale": "r"}),
    ):
        with pytest.raises(AlreadyDeleted, match=r"^Memory already deleted"):
            curator.call(tool, **arguments)
    assert curator.actions(node_id) == ["stored", "forgotten"]


@pytest.mark.holds("memory.restore.whole")
def test_what_was_forgotten_comes_back_whole(curator: Curator) -> None:
    other = curator.store("other")
    node_id = curator.store("text", tags=["t"], importance=0.9, relations=[{"target_id": other, "type": "supports"}])
    before = curator.record(node_id)
    curator.forget(node_id)
    assert curator.relations(other) == set()
    curator.wait(29.99)
    assert curator.restore(node_id) == {"node_id": node_id, "restored": True, "relations_lost": []}
    assert lasting(curator.record(node_id)) == lasting(before)
    assert curator.record(node_id)["version"] == 3
    assert curator.relations(other) == {(node_id, other, "supports", 1.0)}
    assert curator.found("text") == [node_id]


@pytest.mark.holds("memory.restore.refusals")
def test_restoring_what_is_not_deleted_is_refused(curator: Curator) -> None:
    node_id, unknown = curator.store("text"), str(uuid.uuid4())
    with pytest.raises(Conflict, match=f"^Memory {node_id} is not deleted"):
        curator.restore(node_id)
    with pytest.raises(NotFound, match=f"^Memory {unknown} not found"):
        curator.restore(unknown)


@pytest.mark.holds("memory.window.half-open", "memory.restore.refusals")
def test_at_its_deadline_a_memory_is_gone_swept_or_not(curator: Curator) -> None:
    node_id = curator.store("text")
    curator.forget(node_id)
    curator.wait(30)
    for _ in range(2):
        with pytest.raises(Expired, match=f"^Recovery window for {node_id} ended at 2026-01-31T00:00:00Z"):
            curator.restore(node_id)
        for arguments in ({}, {"soft_delete": False}):
            with pytest.raises(NotFound, match=f"^Memory {node_id} not found"):
                curator.forget(node_id, **arguments)
        with pytest.raises(NotFound):
            curator.record(node_id)
        assert curator.call("list_deleted")["items"] == []
        curator.application.memory.sweep(asked=True)


@pytest.mark.holds("memory.window.written-once")
def test_a_changed_window_affects_later_deletions_only(settings: Settings, clock_file: Path) -> None:
    curator = Curator(settings, clock_file)
    first, second = curator.store("first"), curator.store("second")
    curator.forget(first)
    curator.close()
    shorter = Curator(replace(settings, recovery_days=1), clock_file)
    shorter.forget(second)
    shorter.wait(2)
    assert shorter.restore(first)["restored"]
    with pytest.raises(Expired):
        shorter.restore(second)
    shorter.close()


@pytest.mark.holds("memory.restore.relations-lost")
def test_a_relation_whose_other_end_was_erased_is_named(curator: Curator) -> None:
    other, kept = curator.store("other"), curator.store("kept")
    node_id = curator.store("text", relations=[{"target_id": other, "weight": 0.5}, {"target_id": kept}])
    curator.forget(node_id)
    curator.forget(other, soft_delete=False)
    lost = {"source_id": node_id, "target_id": other, "type": "relates_to", "weight": 0.5}
    assert curator.restore(node_id)["relations_lost"] == [lost]
    assert curator.relations(node_id) == {(node_id, kept, "relates_to", 1.0)}
    curator.forget(node_id)
    assert curator.restore(node_id)["relations_lost"] == []


@pytest.mark.holds("memory.erase.answer")
def test_a_hard_delete_names_no_deadline_and_leaves_nothing_to_restore(curator: Curator) -> None:
    node_id = curator.store("text")
    answer = curator.forget(node_id, soft_delete=False)
    assert answer == {"forgotten_id": node_id, "soft_deleted": False, "deleted_at": START, "remaining_copies": []}
    for call in (curator.record, curator.restore, curator.forget):
        with pytest.raises(NotFound, match=f"^Memory {node_id} not found"):
            call(node_id)


@pytest.mark.holds("memory.erase.remaining-copies")
def test_an_erased_memory_names_who_still_holds_its_text(curator: Curator) -> None:
    ids = sorted([curator.store("one"), curator.store("two")])
    merged = curator.merge(*ids)
    assert curator.forget(ids[0], soft_delete=False)["remaining_copies"] == [merged["merged_id"]]
    assert curator.forget(merged["merged_id"], soft_delete=False)["remaining_copies"] == [ids[1]]


def _files_with(folder: Path, *texts: str) -> list[str]:
    found = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes().lower() if path.is_file() else b""
        found += [f"{path.name}: {text}" for text in texts if text.lower().encode() in data]
    return found


@pytest.mark.holds("memory.erase.no-trace")
def test_no_file_holds_what_was_erased(sqlite_curator: Curator) -> None:
    curator = sqlite_curator
    folder = curator.settings.data_dir
    secrets = ("zyxsecretword", "zyxname", "zyxtag", "zyxsource", "zyxearlier", "zyxreason", "zyxrequest")
    keep = [curator.store(f"harmless text number {number} with filling " + "x" * number) for number in range(60)]
    node_id = curator.store(
        "zyxearlier words", name="zyxname", tags=["zyxtag"], source="zyxsource", request_id="zyxrequest1"
    )
    curator.edit(node_id, content="zyxsecretword " * 3000)
    curator.found("zyxsecretword")
    curator.forget(node_id, reason="zyxreason")
    assert _files_with(folder, *secrets)
    curator.forget(node_id, soft_delete=False)
    assert _files_with(folder, *secrets[:-1]) == []
    assert set(curator.found("harmless", limit=100)) == set(keep)


@pytest.mark.holds("memory.erase.no-trace", "memory.sweep.rule")
def test_no_file_holds_what_was_swept(sqlite_curator: Curator) -> None:
    curator = sqlite_curator
    one, two = curator.store("zyxone said. Common."), curator.store("zyxtwo said. Common.")
    merged = curator.merge(one, two, rationale="zyxrationale", merge_strategy="intersection")
    gone = curator.store("zyxgone")
    curator.forget(gone)
    for days in (28, 2):  # a step of the clock that is not doubted is the last
        curator.close()
        curator.wait(days)
        curator = Curator(curator.settings, Path(curator.settings.clock_file or ""))
        assert curator.application.memory.sweep(asked=True).purged == 0  # opening has done it
    curator.close()
    assert _files_with(curator.settings.data_dir, "zyxone", "zyxtwo", "zyxgone") == []
    assert merged["merged"]["content"] == "Common."


@pytest.mark.holds("memory.sweep.rule")
def test_a_sweep_names_what_it_erased_and_erases_nothing_else(curator: Curator) -> None:
    gone, waiting, live = curator.store("gone"), curator.store("waiting"), curator.store("live")
    curator.application.memory.sweep(asked=True)
    curator.forget(gone)
    curator.wait(1)
    curator.forget(waiting)
    curator.wait(29)
    assert curator.application.memory.sweep(asked=True).model_dump() == {"purged": 1, "node_ids": [gone]}
    assert curator.application.memory.sweep(asked=True).model_dump() == {"purged": 0, "node_ids": []}
    assert curator.record(waiting)["state"] == "deleted"
    assert curator.record(live)["state"] == "live"


@pytest.mark.holds("memory.trash.list")
def test_the_trash_lists_newest_first_and_by_words(curator: Curator) -> None:
    ids = [
        curator.store(text, scope=scope) for text, scope in (("red apple", "a"), ("green apple", "b"), ("pear", "a"))
    ]
    for node_id in ids:
        curator.forget(node_id)
        curator.wait(1)
    listed = curator.call("list_deleted")
    assert [item["node_id"] for item in listed["items"]] == list(reversed(ids))
    assert listed["items"][0] == {
        "node_id": ids[2],
        "name": "pear",
        "preview": "pear",
        "deleted_at": "2026-01-03T00:00:00Z",
        "recoverable_until": "2026-02-02T00:00:00Z",
    }
    assert [item["node_id"] for item in curator.call("list_deleted", query="apples")["items"]] == ids[1::-1]
    assert [item["node_id"] for item in curator.call("list_deleted", scope="a", limit=1)["items"]] == [ids[2]]


def _reopened(curator: Curator, days: float) -> Curator:
    """By another process, so many days later."""
    curator.close()
    curator.wait(days)
    return Curator(curator.settings, Path(curator.settings.clock_file or ""))


@pytest.mark.holds("memory.sweep.doubted-clock")
def test_one_start_with_a_clock_far_ahead_erases_nothing(curator: Curator, caplog: pytest.LogCaptureFixture) -> None:
    node_id = curator.store("zyxsecret")
    curator.forget(node_id)
    curator = _reopened(curator, 40)
    assert curator.call("list_deleted")["items"] == []  # past its deadline it counts as erased
    assert curator.call("get_memetic_status")["sweep_waits_until"] == "2026-02-11T00:00:00Z"
    assert "the clock jumped ahead: what has expired is kept until 2026-02-11T00:00:00Z" in caplog.text
    curator = _reopened(curator, -40)
    assert "sweep_waits_until" not in curator.call("get_memetic_status")
    assert curator.restore(node_id)["restored"]
    assert curator.record(node_id)["content"] == "zyxsecret"
    curator.close()


@pytest.mark.lengthy(3)
@pytest.mark.holds("memory.sweep.doubted-clock")
@pytest.mark.parametrize("steps", [(40, 0.5, 0.5), (40, 7), (40, 41, 1), (1.9,) * 16], ids=str)
def test_a_store_left_alone_for_long_is_swept_once_the_clock_went_on_for_a_day(
    curator: Curator, steps: tuple[float, ...]
) -> None:
    node_id = curator.store("zyxsecret")
    curator.forget(node_id)
    for days in steps:
        assert _row_is_there(curator, node_id)
        curator = _reopened(curator, days)
        assert curator.application.memory.sweep().purged == 0  # opening has done it, or it waits
    assert not _row_is_there(curator, node_id)
    curator.close()


@pytest.mark.holds("memory.sweep.doubted-clock")
def test_whoever_asks_for_a_sweep_vouches_for_the_clock(curator: Curator) -> None:
    first, second = curator.store("first"), curator.store("second")
    curator.forget(first)
    curator = _reopened(curator, 40)
    assert curator.application.memory.sweep(asked=True).node_ids == [first]
    curator.forget(second)
    curator = _reopened(curator, 1)
    assert "sweep_waits_until" not in curator.call("get_memetic_status")
    curator.close()


def _row_is_there(curator: Curator, node_id: str) -> bool:
    with curator.application.store.read() as connection:
        return memory_shelf.find_memory(connection, node_id) is not None
