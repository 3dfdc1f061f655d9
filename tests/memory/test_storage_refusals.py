"""A database that cannot be written is told plainly; nothing is changed, and the process lives on."""

import json
import resource
import sqlite3

import pytest
from tests.memory.curator import Curator, other_process
from tests.pace import PATIENCE


@pytest.mark.holds("memory.storage.refused")
def test_a_full_disk_changes_nothing_and_the_next_call_works(sqlite_curator: Curator) -> None:
    kept = sqlite_curator.store("kept")
    largest = max(path.stat().st_size for path in sqlite_curator.settings.data_dir.glob("lore.db-*"))
    calls = [
        ("store_memory", {"content": "x" * 65_000 + " does not fit"}),
        ("get_memory", {"node_id": kept}),
    ]
    with other_process(sqlite_curator, calls, waits=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, largest))
        out, err = process.communicate("\n", timeout=PATIENCE)
    assert process.returncode == 0, err
    refused, read = map(json.loads, out.splitlines())
    assert refused["code"] == "storage"
    assert read["content"] == "kept"
    assert sqlite_curator.found("fit") == []


@pytest.mark.holds("memory.storage.refused")
def test_a_read_is_answered_while_another_writes_for_long(sqlite_curator: Curator) -> None:
    node_id = sqlite_curator.store("text")
    holder = sqlite3.connect(sqlite_curator.settings.data_dir / "lore.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert sqlite_curator.found("text") == [node_id]
    holder.execute("ROLLBACK")
    holder.close()
    sqlite_curator.call("boost_importance", node_id=node_id, delta=0.1)
    assert sqlite_curator.record(node_id)["access_count"] == 1
