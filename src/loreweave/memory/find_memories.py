"""Search, ranked by the index and cut only when everything that is not wanted is out; and lists: what is live, what can
still come back, and what the beginning of an id may mean."""

import re
import threading
from collections.abc import Sequence
from itertools import islice

from loreweave.clock import parse_instant
from loreweave.contracts.memory import (
    DeletedAnswer,
    DeletedMemory,
    FoundMemory,
    ListedMemory,
    MemoryList,
    MemorySearchAnswer,
    OpenMerge,
)
from loreweave.contracts.memory_requests import DeletedRequest, MemorySearchRequest, Sorting
from loreweave.entities.stored_memory import DELETED, MergeRow
from loreweave.errors import FEWEST, MOST_NAMED, NotFound, only_one
from loreweave.language.tokens import count_tokens
from loreweave.memory.change import MemoryTools
from loreweave.memory.inbox.read_tasks import read_tasks
from loreweave.memory.memory_record import as_told, preview
from loreweave.memory.merging.relation_graph import ended_memories
from loreweave.memory.search.memory_index import Filter
from loreweave.memory.search.memory_ranking import rank_memories
from loreweave.seams.storage import memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection


class Superseded:
    def __init__(self) -> None:
        self._revision = -1
        self._ended: dict[int, int] = {}
        self._lock = threading.Lock()

    def current(self, connection: Connection) -> dict[int, int]:
        """Key → the start of what took its place, in the state that this connection sees."""
        revision = memory_shelf.revision_of(connection)
        with self._lock:
            if self._revision == revision:
                return self._ended
        ended = ended_memories(connection)
        with self._lock:
            if revision > self._revision:
                self._revision, self._ended = revision, ended
        return ended


ALL_SCOPES = "*"
_ID_BEGINNING = re.compile(r"[0-9a-f]{4,31}")
_HASH_BEGINNING = re.compile(r"[0-9a-f]{4,63}")
_ALL_TASKS = 100_000


def find_memories(tools: MemoryTools, superseded: Superseded, request: MemorySearchRequest) -> MemorySearchAnswer:
    now = tools.now()
    as_of = parse_instant(request.as_of) if request.as_of else now
    with tools.store.read() as connection:
        index = tools.library.current(connection)
        scope = None if request.scope == ALL_SCOPES else request.scope
        wanted = Filter(scope, tags=frozenset(request.tags), as_of=as_of)
        ranking = rank_memories(index, request.query, wanted, request.min_relevance)
        ended = superseded.current(connection)
        found = ranking.without(key for key, end in ended.items() if end <= as_of).offered(request.limit)
        best = found.top(request.limit)
        memories = memory_shelf.memories_by_key(connection, [hit.key for hit in best])
    shown = [
        as_told(FoundMemory, memories[hit.key], relevance=hit.relevance, score=hit.score, weak=hit.weak or None)
        for hit in best
    ]
    if request.max_tokens is not None:
        shown = _fitting(shown, request.max_tokens)
    tools.accesses.note([memory.node_id for memory in shown], now)
    return MemorySearchAnswer(results=shown, count=len(shown), omitted=len(found) - len(shown))


def _fitting(found: list[FoundMemory], budget: int) -> list[FoundMemory]:
    """Whole memories in their order, as long as there is room; one that is too long lets shorter ones pass."""
    chosen = []
    for memory in found:
        cost = count_tokens(memory.name) + count_tokens(memory.content)
        if cost <= budget:
            chosen.append(memory)
            budget -= cost
    return chosen


def list_memories(
    tools: MemoryTools, scope: str | None, tags: Sequence[str], limit: int, sort: Sorting = "newest", offset: int = 0
) -> MemoryList:
    """Live ones that have all the tags."""
    wanted = None if scope == ALL_SCOPES else scope
    with tools.store.read() as connection:
        found, total = memory_shelf.listed_memories(connection, wanted, tags, sort, limit, offset)
    items = [as_told(ListedMemory, memory, preview=preview(memory.content)) for memory in found]
    return MemoryList(items=items, total=total)


def whole_id(tools: MemoryTools, field: str, given: str) -> str:
    """What a unique beginning means; what is none stays as it is, to be read and refused as ever."""
    now = tools.now()
    with tools.store.read() as connection:
        if field == "task_id":
            ids = [task.task_id for task in read_tasks(connection, now, None, _ALL_TASKS)[0]]
            is_short = len(given) >= FEWEST and given not in ids
            named = [(each, "") for each in ids if is_short and (each.startswith(given) or f":{given}" in each)]
            return only_one(field, given, named, "tasks") if named else given
        digits = given.strip().lower().removeprefix("sha256:").replace("-", "")
        if field == "reversal_hash":
            if not _HASH_BEGINNING.fullmatch(digits):
                return given
            found = memory_ties_shelf.hashes_beginning(connection, f"sha256:{digits}", MOST_NAMED + 1)
            if not found:
                raise NotFound(f"Unknown reversal_hash: no merge begins with {digits}", field=field)
            return only_one(field, given, found, "merges")
        if not _ID_BEGINNING.fullmatch(digits):
            return given
        parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
        beginning = "-".join(part for part in parts if part)
        found = memory_shelf.ids_beginning(connection, beginning, now, MOST_NAMED + 1)
    if not found:
        raise NotFound(f"Memory {given} not found: no memory begins so", field=field)
    return only_one(field, given, found, "memories")


def list_trash(tools: MemoryTools, request: DeletedRequest) -> DeletedAnswer:
    now = tools.now()
    scope = None if request.scope == ALL_SCOPES else request.scope
    with tools.store.read() as connection:
        deleted = memory_shelf.deleted_memories(connection, now, scope)
        if request.query is not None:
            holding = set(tools.library.current(connection).holding(request.query, scope, DELETED))
            deleted = (memory for memory in deleted if memory.key in holding)
        first = islice(deleted, request.limit)
        items = [as_told(DeletedMemory, memory, preview=preview(memory.content)) for memory in first]
        merges = _merges(connection, now, scope, request)
    return DeletedAnswer(items=items, merges=merges)


def _merges(connection: Connection, now: int, scope: str | None, request: DeletedRequest) -> list[OpenMerge]:
    found = memory_ties_shelf.open_merges(connection, now)
    if scope is not None:
        held = memory_shelf.find_memories(connection, [node_id for merge in found for node_id in _ids(merge)])
        of_scope = {node_id for node_id, memory in held.items() if memory.scope == scope}
        found = [merge for merge in found if of_scope.intersection(_ids(merge))]
    return [as_told(OpenMerge, merge) for merge in found[: request.limit]]


def _ids(merge: MergeRow) -> tuple[str, ...]:
    """All of one scope; some may be erased."""
    return (merge.merged_id, *merge.source_ids)
