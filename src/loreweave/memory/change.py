"""One change of memories: one transaction, with its time, its actor and its number; and reads, which are counted."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from loreweave.clock import DAY, Clock, instant
from loreweave.contracts.memory import Replayable
from loreweave.contracts.memory_requests import MemoryRequest
from loreweave.entities.stored_memory import HistoryLine, Memory
from loreweave.errors import Conflict, Unavailable
from loreweave.memory.memory_record import text_hash
from loreweave.seams.storage import memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection, Store

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index_library import MemoryIndexLibrary

_MOST_WAITING = 10_000


class AccessLog:
    def __init__(self, store: Store, writes: str) -> None:
        self._store = store
        self._writes = writes
        self._waiting: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def note(self, node_ids: list[str], at: int) -> None:
        with self._lock:
            for node_id in node_ids:
                count, last = self._waiting.get(node_id, (0, at))
                self._waiting[node_id] = count + 1, max(last, at)
            while len(self._waiting) > _MOST_WAITING:  # a database that cannot be written must not fill the memory
                self._waiting.pop(next(iter(self._waiting)))
        self.flush()

    def flush(self) -> None:
        """Writes what waits, unless somebody else is writing."""
        if not self._waiting:
            return
        try:
            with self._store.write_if_free(self._writes) as connection:
                if connection is not None:
                    self.flush_into(connection)
        except Unavailable:  # a read must not fail because it could not be counted
            return

    def flush_into(self, connection: Connection) -> None:
        """With a change that is being written. Should it fail, a few reads stay uncounted."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        if waiting:
            counted = [(node_id, count, at) for node_id, (count, at) in sorted(waiting.items())]
            memory_shelf.count_accesses(connection, counted)


WRITES = "memory"  # the name under which writes go one after the other, in all processes
REMEMBERED = DAY  # how long a request_id is known
_TEXTS = {"merged", "replayed"}  # never kept with a request: what is kept holds ids and numbers

Answer = TypeVar("Answer", bound=Replayable)


@dataclass(frozen=True, slots=True)
class MemoryTools:
    """What reading and changing memories needs."""

    store: Store
    clock: Clock
    library: MemoryIndexLibrary
    accesses: AccessLog
    recovery: int  # microseconds in which what was forgotten comes back
    fail_at: Callable[[str], None]

    def now(self) -> int:
        return instant(self.clock.now())


@dataclass(slots=True)
class Change:
    """What a change writes goes through here, so that nothing lacks its number or its line of history."""

    tools: MemoryTools
    connection: Connection
    now: int
    actor: str
    revision: int  # the number of this change
    has_changed: bool = field(default=False)
    has_erased: bool = field(default=False)

    def insert(self, memory: Memory) -> Memory:
        self.has_changed = True
        memory = replace(memory, revision=self.revision)
        key = memory_shelf.insert_memory(self.connection, memory, text_hash(memory.content))
        return replace(memory, key=key)

    def update(self, before: Memory, **fields: Any) -> Memory:
        """The next version of a record; a refusal where it is not the one that was read."""
        self.has_changed = True
        after = replace(
            before, **{"version": before.version + 1, "updated_at": self.now, **fields}, revision=self.revision
        )
        if not memory_shelf.update_memory(self.connection, after, text_hash(after.content), before.version):
            raise Conflict("Memory may have been deleted concurrently", node_id=before.node_id)
        return after

    def touch(self, memory: Memory, **fields: Any) -> Memory:
        """Changes how a record is kept, not what it says: no new version, no line of history."""
        return self.update(memory, version=memory.version, updated_at=memory.updated_at, **fields)

    def note(self, memory: Memory, action: str, **detail: Any) -> None:
        line = HistoryLine(memory.node_id, self.now, action, self.actor, memory.version, detail)
        memory_ties_shelf.add_line(self.connection, line)


def run_change(
    tools: MemoryTools,
    request: MemoryRequest,
    actor: str,
    answer_type: type[Answer],
    work: Callable[[Change], Answer],
    before_commit: str = "",
) -> Answer:
    """The answer of a change that was made, or, for a known request_id, the answer of the first time."""
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, actor)
        known = _known_answer(change, request)
        if known is not None:
            return answer_type(**known, replayed=True)
        answer = work(change)
        _keep_answer(change, request, answer)
        finish(change)
        if before_commit:
            tools.fail_at(before_commit)
    return answer


def begin(tools: MemoryTools, connection: Connection, actor: str) -> Change:
    return Change(tools, connection, tools.now(), actor, memory_shelf.revision_of(connection) + 1)


def finish(change: Change) -> None:
    """The last writes of a transaction."""
    change.tools.accesses.flush_into(change.connection)
    if change.has_changed:
        memory_shelf.set_revision(change.connection, change.revision)
    if change.has_erased:
        memory_shelf.mark_unclean(change.connection, change.revision)


def _known_answer(change: Change, request: MemoryRequest) -> dict[str, Any] | None:
    request_id = getattr(request, "request_id", None)
    if request_id is None or _is_preview(request):
        return None
    row = memory_ties_shelf.find_request(change.connection, request_id)
    if row is None or row[3] + REMEMBERED <= change.now:
        return None
    if (row[0], row[1]) != (request.tool, _arguments_hash(request)):
        raise Conflict(f"request_id '{request_id}' was used for a different call", field="request_id")
    return dict(json.loads(row[2]))


def _keep_answer(change: Change, request: MemoryRequest, answer: Replayable) -> None:
    request_id = getattr(request, "request_id", None)
    if request_id is None or _is_preview(request):
        return
    kept = answer.model_dump(mode="json", exclude=_TEXTS)
    memory_ties_shelf.keep_request(
        change.connection, request_id, request.tool, _arguments_hash(request), kept, change.now
    )


def _is_preview(request: MemoryRequest) -> bool:
    return bool(getattr(request, "preview", False))


def _arguments_hash(request: MemoryRequest) -> str:
    """Defaults are left out, so that saying one and leaving it away is the same call."""
    given = request.model_dump(mode="json", exclude={"request_id"}, exclude_defaults=request.tool != "store_memory",
                               exclude_unset=request.tool == "store_memory")  # fmt: skip
    return hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()
