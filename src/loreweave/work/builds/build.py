"""One build while it runs here: what all its phases share, and how they tell and ask."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loreweave.clock import format_milliseconds, instant
from loreweave.contracts.project_spec import ProjectSpec
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import (
    HumanGate,
    PlanReady,
    SessionError,
    SessionEvent,
    Task,
    TaskCompleted,
    TaskFailed,
)
from loreweave.seams.host.build_repository import BuildRepository
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.plain_trees import PlainTrees
from loreweave.seams.models.language_model import LanguageModel
from loreweave.work.agents.agent_tools import AgentHouse, AgentTools, SessionGrants
from loreweave.work.agents.mcp_portal import McpPortal, PortalTool
from loreweave.work.agents.permission_gate import HEADER, take_answer
from loreweave.work.builds.task_rules import changed_statuses
from loreweave.work.grounding.build_knowledge import KnowledgeHouse, remember_words
from loreweave.work.hardware.hardware_service import HardwareService
from loreweave.work.sessions.apply_event import apply_event
from loreweave.work.sessions.session_run import SessionRun, patiently
from loreweave.work.workspaces.workspace_service import WorkspaceService

# Tasks have the parts from 1 on, by their place in the plan; phases have theirs beyond any plan.
PLAN_PART = 1_001
TESTS_PART = 1_010  # and one more for each time they are run
DEPLOY_PART = 1_100


@dataclass(frozen=True)
class BuildTools(AgentHouse):
    """What all builds of a process share."""

    workspaces: WorkspaceService
    parallel: int  # tasks at once
    fail_at: Callable[[str], None]
    show_page: Callable[[str, ConfinedFolder, str], str]  # the address of a page that is shown from now on
    open_hardware: Callable[[], HardwareService]
    knowledge: KnowledgeHouse
    open_narrator: Callable[[], LanguageModel | None] = lambda: None
    narrator_pause: float = 10.0  # seconds of silence after which an agent's words are retold
    narrator_interval: float = 15.0  # seconds between two lines of one task

    def now(self) -> str:
        return format_milliseconds(instant(self.clock.now()))


@dataclass
class Build:
    """`waiting`: tasks that wait for an answer; `gated`: tasks that hold an open gate; `notes`: what people said when
    they approved; `troubles`: what went wrong on the way without ending the build."""

    run: SessionRun
    spec: ProjectSpec
    workspace_path: str | None
    tools: BuildTools
    model: LanguageModel
    notes: list[str] = field(default_factory=list)
    revision: int = 0
    troubles: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)  # tasks, in the order in which they came to their end
    lines: list[tuple[str, str | None, str]] = field(default_factory=list)  # the narrator's before: time, task, text
    waiting: set[str] = field(default_factory=set)
    gated: list[str] = field(default_factory=list)
    grants: SessionGrants = field(default_factory=SessionGrants)
    telling: asyncio.Lock = field(default_factory=asyncio.Lock)
    merging: asyncio.Lock = field(default_factory=asyncio.Lock)
    repository: BuildRepository | PlainTrees | None = None  # once there is a folder
    doors: list[McpPortal] = field(default_factory=list)  # programs outside whose tools agents may use
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    before_end: Callable[[SessionEvent], Awaitable[None]] | None = None  # what must be told before the last event

    @property
    def view(self) -> SessionView:
        return self.run.view

    @property
    def tasks(self) -> list[Task]:
        return self.run.view.tasks

    def task(self, task_id: str) -> Task:
        return next(task for task in self.tasks if task.id == task_id)

    @property
    def folder(self) -> ConfinedFolder:
        """Where the person finds the work."""
        return self.tools.workspaces.folder_for(self.workspace_path or self.run.session_id)

    @property
    def home(self) -> Path:
        """Where the build itself works."""
        return self.tools.workspaces.build_home(self.run.session_id)

    async def tell(self, key: str, *events: SessionEvent) -> None:
        """Records events, once, and with them the changes of agents that follow from them."""
        async with self.telling:
            if not self.run.has_recorded(key):
                await self._record(key, *events)

    async def _record(self, key: str, *events: SessionEvent) -> None:
        view = self.run.view
        for event in events:
            view = apply_event(view, event, "")
        followed = changed_statuses(view.agents, view.tasks, self.waiting, self.gated)
        await self.run.record(key, *events, *followed)
        self.settled += [event.task_id for event in events if isinstance(event, TaskCompleted | TaskFailed)]

    async def end(self, key: str, event: SessionEvent) -> None:
        """The last event. Nothing follows it."""
        if self.before_end is not None:
            await self.before_end(event)
        await self.run.record(key, event)

    async def settle_agents(self) -> None:
        """Tells what changed for agents by somebody's waiting."""
        async with self.telling:
            changed = changed_statuses(self.view.agents, self.tasks, self.waiting, self.gated)
            if changed:
                await self.run.record(f"agents/{uuid.uuid4()}", *changed)

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, task_id: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        """What a person answered a task; nothing where nobody did in time."""

        async def opened() -> None:
            self.waiting.add(task_id)
            await self.settle_agents()

        seconds = self.tools.ask_seconds or None
        answers = await self.run.ask(key, event, place=task_id, headers=headers, timeout_s=seconds, on_open=opened)
        if task_id in self.waiting:
            self.waiting.discard(task_id)
            await self.settle_agents()
        if answers is not None and list(headers) != [HEADER]:
            await self.remember(key, task_id, "", _words(answers))
        return answers

    async def ask_gate(self, key: str, task_id: str, question: str, context: str) -> tuple[bool, str]:
        """Whether a person approved, and what they said. It waits for ever."""

        async def opened() -> None:
            self.gated.append(task_id)
            await self.settle_agents()

        def event(gate_id: str) -> SessionEvent:
            return HumanGate(task_id=task_id, question=question, context=context, gate_id=gate_id)

        said = await self.run.ask(key, event, place=task_id, headers=(), timeout_s=None, kind="gate", on_open=opened)
        if task_id in self.gated:
            self.gated.remove(task_id)
            await self.settle_agents()
        answer = said or {}
        feedback = str(answer.get("feedback") or "")
        await self.remember(key, task_id, question, feedback)
        return bool(answer.get("approved")), feedback

    async def remember(self, key: str, task_id: str, asked: str, said: str) -> None:
        """What a person said is worth more than this build."""
        agent_name = next((task.agent_name for task in self.tasks if task.id == task_id), "")
        given = (self.tools.knowledge, self.run.session_id, key, task_id, agent_name, asked, said)
        await patiently(lambda: asyncio.to_thread(remember_words, *given))

    async def tell_plan(self, key: str, change: Callable[[list[Task]], Sequence[Task]]) -> None:
        """A changed plan is sent again whole: made of the tasks as they are then, as others go on meanwhile."""
        async with self.telling:
            if self.run.has_recorded(key):
                return
            self.revision += 1
            changed = PlanReady(
                tasks=list(change(self.tasks)),
                agents=self.view.agents,
                explanation=self.view.explanation or "",
                deployment_target=self.view.deployment_target,
                revision=self.revision,
            )
            await self._record(key, changed)

    async def trouble(self, key: str, message: str) -> None:
        """Something failed that does not end the build."""
        self.troubles.append(message)
        await self.tell(key, SessionError(message=message, recoverable=True))

    def agent_tools(
        self,
        folder: ConfinedFolder,
        task_id: str,
        attempt: int = 1,
        portals: Sequence[PortalTool] = (),
        *,
        reading_only: bool = False,
    ) -> AgentTools:
        return AgentTools(
            folder=folder,
            sandbox=self.tools.open_sandbox(),
            programs=self.tools.open_programs(),
            permissions=self.spec.permissions,
            grants=self.grants,
            lookups=self.tools.lookups_for(self.run.session_id, task_id, attempt),
            demo=self.model.name == "demo",
            reading_only=reading_only,
            portals={tool.offered.name: tool for tool in portals},
        )


def _words(answers: dict[str, Any]) -> str:
    """Answers by their headers, as a line each."""
    said = {header: ", ".join(map(str, told)) if isinstance(told, list) else told for header, told in answers.items()}
    return "\n".join(f"{header}: {told}" for header, told in said.items())


async def open_build(run: SessionRun, tools: BuildTools, model: LanguageModel) -> Build:
    """The build as it stands: a log that was begun before says what people answered and how often plans changed."""
    given = json.loads(run.given)
    build = Build(run, ProjectSpec.model_validate(given["spec"]), given.get("workspace_path"), tools, model)
    build.grants.folder = run.session_id
    wished: dict[str, str] = {}  # by task: what was last asked leave for
    asked: dict[str, str] = {}  # by question
    for event in await run.events():
        if event["type"] == "plan_ready":
            build.revision = event.get("revision") or 0
        elif event["type"] == "gate_answered" and event["approved"] and event["feedback"]:
            build.notes.append(event["feedback"])
        elif event["type"] == "error":
            build.troubles.append(event["message"])
        elif event["type"] == "narrator_message":
            build.lines.append((event["ts"], event.get("related_task_id"), event["text"]))
        elif event["type"] in ("task_completed", "task_failed"):
            build.settled.append(event["task_id"])
        elif event["type"] == "permission_auto_resolved" and event.get("grant"):
            wished[event["task_id"]] = event["grant"]
        elif event["type"] == "user_question" and event["questions"][0]["header"] == HEADER:
            asked[event["question_id"]] = wished.pop(event["task_id"], "")
        elif event["type"] == "question_answered" and asked.get(event["question_id"]):
            take_answer(build.grants, asked[event["question_id"]], event.get("answers"))
    return build
