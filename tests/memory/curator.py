"""Calls the memory tools by name, as any face would, with a clock that the test winds."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests import forked

from loreweave.application import Application, open_application
from loreweave.clock import DAY, format_instant, parse_instant
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.settings import Settings

START = "2026-01-01T00:00:00Z"
_METHODS = {
    "store_memory": "store",
    "search_memories": "search",
    "get_memory": "get",
    "get_memetic_status": "status",
    "forget_concept": "forget",
    "boost_importance": "boost",
    "merge_concepts": "merge",
    "restore_concept": "restore",
    "undo_merge": "undo",
    "list_deleted": "list_deleted",
    "dismiss_task": "dismiss",
    "list_memories": "list_page",
    "show_memories": "show",
    "list_changes": "changes",
    "reopen_task": "reopen",
}


class Curator:
    """One process at a store."""

    def __init__(self, settings: Settings, clock_file: Path) -> None:
        self.settings = replace(settings, clock_file=clock_file, embedder="none")
        self._clock_file = clock_file
        self.application: Application = open_application(self.settings)

    @property
    def now(self) -> str:
        return self._clock_file.read_text()

    def wait(self, days: float) -> None:
        self._clock_file.write_text(format_instant(parse_instant(self.now) + int(days * DAY)))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        request = read_memory_request(tool, arguments)
        answer = getattr(self.application.memory, _METHODS[tool])(request, "test")
        return answer.model_dump(mode="json")

    def store(self, content: str, **arguments: Any) -> str:
        return self.call("store_memory", content=content, **arguments)["node_id"]

    def edit(self, node_id: str, **arguments: Any) -> dict[str, Any]:
        version = self.record(node_id)["version"]
        return self.call("store_memory", node_id=node_id, expected_version=version, **arguments)

    def record(self, node_id: str) -> dict[str, Any]:
        """Whatever its state, with all of its history."""
        return self.call("get_memory", node_id=node_id, include_deleted=True, history=200)

    def found(self, query: str, **arguments: Any) -> list[str]:
        return [hit["node_id"] for hit in self.call("search_memories", query=query, **arguments)["results"]]

    def merge(self, *source_ids: str, **arguments: Any) -> dict[str, Any]:
        given = {"target_name": "Merged", "rationale": "They say the same.", **arguments}
        return self.call("merge_concepts", source_ids=list(source_ids), **given)

    def forget(self, node_id: str, **arguments: Any) -> dict[str, Any]:
        return self.call("forget_concept", node_id=node_id, **arguments)

    def restore(self, node_id: str, **arguments: Any) -> dict[str, Any]:
        return self.call("restore_concept", node_id=node_id, **arguments)

    def undo(self, reversal_hash: str, **arguments: Any) -> dict[str, Any]:
        return self.call("undo_merge", reversal_hash=reversal_hash, **arguments)

    def relations(self, node_id: str) -> set[tuple[str, str, str, float]]:
        return {
            (each["source_id"], each["target_id"], each["type"], each["weight"])
            for each in self.record(node_id)["relations"]
        }

    def actions(self, node_id: str) -> list[str]:
        """Oldest first."""
        return [line["action"] for line in reversed(self.record(node_id)["history"])]

    def close(self) -> None:
        self.application.close()


def lasting(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what every change and every reading moves."""
    moved = {"version", "updated_at", "history", "access_count", "last_accessed_at"}
    return {name: value for name, value in record.items() if name not in moved}


def other_process(curator: Curator, calls: list[tuple[str, dict[str, Any]]], **given: Any) -> subprocess.Popen[str]:
    """Makes these calls at the same store in a process of its own; see `one_call`."""
    told = {
        "data_dir": str(curator.settings.data_dir),
        "database_url": curator.settings.database_url,
        "clock_file": str(curator.settings.clock_file),
        **given,
    }
    command = [sys.executable, "-m", "tests.memory.one_call", json.dumps(told), json.dumps(calls)]
    return forked.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
