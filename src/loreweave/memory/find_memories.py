"""Search, ranked by the index and cut only when everything that is not wanted is out; and what can still come back."""

import threading

from loreweave.clock import format_instant, parse_instant
from loreweave.contracts.memory import FoundMemory, MemorySearchAnswer
from loreweave.contracts.memory_requests import MemorySearchRequest
from loreweave.entities.stored_memory import Memory
from loreweave.language.tokens import count_tokens
from loreweave.memory.change import MemoryTools
from loreweave.memory.merging.relation_graph import ended_memories
from loreweave.memory.search.memory_index import Filter
from loreweave.memory.search.memory_ranking import Hit, rank_memories
from loreweave.seams.storage import memory_shelf
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
    shown = [_found(memories[hit.key], hit) for hit in best]
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


def _found(memory: Memory, hit: Hit) -> FoundMemory:
    return FoundMemory(
        node_id=memory.node_id,
        name=memory.name,
        content=memory.content,
        tags=list(memory.tags),
        scope=memory.scope,
        importance=memory.importance,
        relevance=hit.relevance,
        score=hit.score,
        weak=True if hit.weak else None,
        created_at=format_instant(memory.created_at),
        version=memory.version,
    )
