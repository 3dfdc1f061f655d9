"""Why a build did what it did: session → task → attempt → look → note, section or memory, as a query."""

from __future__ import annotations

from typing import Any

from loreweave.clock import format_milliseconds
from loreweave.contracts.project_spec import (
    KnownThen,
    ProvenanceAnswer,
    ReadMemory,
    ReadNode,
    TakenLook,
    TaskProvenance,
)
from loreweave.contracts.session_events import Task
from loreweave.entities.stored_session import ReadRow
from loreweave.knowledge.graph.graph_library import not_found
from loreweave.work.grounding.build_knowledge import FOR_THE_PLAN, KnowledgeHouse
from loreweave.work.sessions.session_service import SessionService


class ProvenanceService:
    def __init__(self, sessions: SessionService, knowledge: KnowledgeHouse) -> None:
        self._sessions = sessions
        self._knowledge = knowledge

    def why(self, session_id: str, task_id: str | None = None) -> ProvenanceAnswer:
        """Also of a skill run, whose steps look things up like tasks."""
        view = self._sessions.get(session_id)
        house = self._knowledge
        looks = house.reads(session_id)
        for_plan = [read for read in looks if read.task_id == FOR_THE_PLAN]
        reads = [read for read in looks if read.task_id != FOR_THE_PLAN]
        tasks = {task.id: task for task in view.tasks}
        known = list(dict.fromkeys([*tasks, *(read.task_id for read in reads)]))
        if task_id is not None and task_id not in known:
            raise not_found(f"The session has no task {task_id[:200]!r}", task_id[:200], known, task_id=task_id[:200])
        wanted = known if task_id is None else [task_id]
        taken = house.taken(session_id)
        return ProvenanceAnswer(
            session_id=session_id,
            goal=self._sessions.row(session_id).goal,
            knowledge=KnownThen(**{name: getattr(taken, name) for name in KnownThen.model_fields}) if taken else None,
            plan=[_look(read) for read in for_plan],
            tasks=[_task(each, tasks.get(each), reads) for each in wanted],
        )


def _task(task_id: str, task: Task | None, reads: list[ReadRow]) -> TaskProvenance:
    mine = [read for read in reads if read.task_id == task_id]
    looks = [_look(read) for read in mine]
    recalled = {memory.id for look in looks for memory in look.memories}
    kept = [memory for memory in (task.provenance.memories if task else ()) if memory not in recalled]
    begun = 1 + task.retry_count if task and task.status != "pending" else 0
    return TaskProvenance(
        task_id=task_id,
        name=task.name if task else task_id,
        status=task.status if task else "",
        agent_name=task.agent_name if task else "",
        attempts=max([begun, *(look.attempt for look in looks)]),
        commit=task.commit if task else None,
        remembered_as=kept[-1] if kept else None,
        looks=looks,
    )


def _look(read: ReadRow) -> TakenLook:
    found: dict[str, Any] = read.found
    return TakenLook(
        attempt=read.attempt,
        tool=read.tool,  # type: ignore[arg-type]
        asked=read.asked,
        at=format_milliseconds(read.at),
        nodes=[ReadNode(**node) for node in found.get("nodes", ())],
        memories=[ReadMemory(**memory) for memory in found.get("memories", ())],
        skill=found.get("skill"),
    )
