"""What builds read and what is remembered of them.

A graph is held still while a build runs, every look that an agent takes at it is written down, and what tasks came to
and people said is kept as memories. No memory is ever made to count less.
"""

from __future__ import annotations

import hashlib
import json
import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from loreweave.clock import Clock, instant
from loreweave.contracts.argument_values import Fault, refusal_of
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import CONTENT_LIMIT, TAG_LIMIT
from loreweave.contracts.route import RouteCheckRequest
from loreweave.contracts.session_events import Provenance, Task
from loreweave.entities.stored_session import KnowledgeRow, ReadRow
from loreweave.errors import LoreError, NotFound, Unavailable
from loreweave.knowledge.packs.retrieval_service import RetrievalService
from loreweave.memory.memory_service import MemoryService
from loreweave.routing.route_service import RouteService
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.revisions import knowledge_shelf
from loreweave.seams.storage.store import Store

Answer = TypeVar("Answer")
_TRIES = 5
OF_PEOPLE = 0.8  # the importance of what a person said
BOOST = 0.05  # of a memory that a task had before it and then was done
ACTOR = "build"
FOR_THE_PLAN = ""  # the task of what was looked at before there were any
_LOG = logging.getLogger("loreweave.sessions")


@dataclass(frozen=True)
class KnowledgeHouse:
    """The services that builds read, each opened when first asked for."""

    store: Store
    clock: Clock
    open_retrieval: Callable[[], RetrievalService]
    open_routes: Callable[[], RouteService]
    open_memory: Callable[[], MemoryService]
    docs_graph: str  # that `search_docs` reads where a build names none; empty: the one ingested last
    forget_index: Callable[[int], None]

    def take(self, session_id: str, graph_id: str) -> None:
        """The session reads this graph from now on as it is now, whatever is ingested later."""
        with self.store.write() as connection:
            taken = knowledge_shelf.take_knowledge(connection, session_id, graph_id)
            known = [] if taken else [row.graph_id for row in graph_shelf.visible_graphs(connection)]
        if taken is None:
            there = ", ".join(sorted(known)[:10])
            found = f"there are: {there}" if there else "`lore ingest FOLDER` makes one"
            raise refusal_of([Fault("knowledge.graphId", f"names no graph; {found}")])
        if problem := self._problem(graph_id):
            raise refusal_of([Fault("knowledge.graphId", f"names a graph whose skills do not fit: {problem}")])

    def _problem(self, graph_id: str) -> str:
        """The first error of the check-up of its skills; notes that are no skills have none."""
        try:
            checkup = self.open_routes().check(RouteCheckRequest(graphId=graph_id)).root
        except LoreError:
            return ""
        return next((each.message for each in checkup.problems if each.kind == "error"), "")

    def let_go(self, session_id: str) -> None:
        """The build is over: what was kept for it alone is kept no longer. What it read stays written down."""
        taken = self.taken(session_id)
        if taken is None:
            return
        with self.store.write() as connection:
            keys = knowledge_shelf.sweep_frozen(connection, taken.graph_id)
        for key in keys:
            self.forget_index(key)

    def forget(self, session_id: str) -> None:
        with self.store.write() as connection:
            knowledge_shelf.forget_knowledge(connection, session_id)

    def taken(self, session_id: str) -> KnowledgeRow | None:
        with self.store.read() as connection:
            return knowledge_shelf.find_knowledge(connection, session_id)

    def read_graph(
        self, taken: KnowledgeRow, read: Callable[[str], Answer], revision: Callable[[Answer], int]
    ) -> Answer:
        """Reads the revision that the build began with: from the graph itself, or from what is kept of it."""
        for _ in range(_TRIES):
            with self.store.read() as connection:
                graph_id = knowledge_shelf.readable_id(connection, taken)
            if graph_id is None:
                break
            answer = read(graph_id)
            if revision(answer) == taken.revision:  # else another was published in between
                return answer
        raise NotFound(f"The graph {taken.graph_id} that this build reads was deleted", graphId=taken.graph_id)

    def docs(self) -> str | None:
        """The graph whose documents are searched where a build names none."""
        with self.store.read() as connection:
            if self.docs_graph:
                found = graph_shelf.find_graph(connection, self.docs_graph)
                return found.graph_id if found and found.revision else None
            return graph_shelf.latest_graph(connection)

    def note(
        self, session_id: str, task_id: str, attempt: int, tool: str, asked: str, found: dict[str, Any], number: int = 0
    ) -> None:
        """Writes down a look; the same look again is the same line, unless `number` tells them apart."""
        key = hashlib.sha256(json.dumps([task_id, attempt, tool, asked, number]).encode()).hexdigest()[:32]
        read = ReadRow(key, instant(self.clock.now()), task_id, attempt, tool, asked, found)
        with self.store.write() as connection:
            knowledge_shelf.add_read(connection, session_id, read)

    def reads(self, session_id: str, task_id: str | None = None) -> list[ReadRow]:
        with self.store.read() as connection:
            return knowledge_shelf.reads_of(connection, session_id, task_id)

    def provenance(self, session_id: str, task_id: str, commit: str | None, stored: str | None) -> Provenance:
        """All that a task's work rests on, each once, in the order in which it was met."""
        reads = self.reads(session_id, task_id)
        nodes = [node["id"] for read in reads for node in read.found.get("nodes", ())]
        memories = [memory["id"] for read in reads for memory in read.found.get("memories", ())]
        return Provenance(
            nodes=list(dict.fromkeys(nodes)),
            memories=list(dict.fromkeys([*memories, *filter(None, [stored])])),
            commit=commit,
            remembered=stored,
        )


def remember_task(house: KnowledgeHouse, session_id: str, task: Task, summary: str) -> str | None:
    """The id of the memory; once, however often it is tried. What the task had recalled has proved its worth."""
    stored = _store(house, session_id, f"task/{task.id}", _source(session_id, task.id), summary, task.agent_name)
    recalled = [memory["id"] for read in house.reads(session_id, task.id) for memory in read.found.get("memories", ())]
    for node_id in dict.fromkeys(recalled):
        named = _request_id(session_id, f"boost/{task.id}/{node_id}")
        _change(house, "boost_importance", {"node_id": node_id, "delta": BOOST, "request_id": named})
    return stored


def remember_words(
    house: KnowledgeHouse, session_id: str, key: str, task_id: str, agent_name: str, asked: str, said: str
) -> None:
    """What a person answered or demanded, with what it was said to."""
    if said.strip():
        text = f"{asked.strip()}\n{said.strip()}" if asked.strip() else said.strip()
        _store(house, session_id, key, _source(session_id, task_id), text, agent_name, importance=OF_PEOPLE)


def _source(session_id: str, task_id: str) -> str:
    return f"session:{session_id}/task:{task_id}"


def _request_id(session_id: str, key: str) -> str:
    return str(uuid.uuid5(uuid.UUID(session_id), f"memory/{key}"))


def _store(
    house: KnowledgeHouse, session_id: str, key: str, source: str, text: str, agent_name: str, **more: Any
) -> str | None:
    if not text.strip():
        return None
    tags = ["build", *filter(None, [" ".join(agent_name.split())[:TAG_LIMIT].strip()])]
    given = {"content": text[:CONTENT_LIMIT], "tags": tags, "source": source, **more}
    answer = _change(house, "store_memory", {**given, "request_id": _request_id(session_id, key)})
    return answer.node_id if answer is not None else None


def _change(house: KnowledgeHouse, tool: str, given: dict[str, Any]) -> Any:
    """A memory that cannot be kept is no reason for a task to fail; a database that is away is waited for."""
    memory = house.open_memory()
    try:
        request: Any = read_memory_request(tool, given)
        return memory.store(request, ACTOR) if tool == "store_memory" else memory.boost(request, ACTOR)
    except Unavailable:
        raise
    except LoreError as trouble:  # forgotten meanwhile, or a text that memory does not take
        _LOG.warning("%s was not done for a build: %s", tool, trouble.message)
        return None
