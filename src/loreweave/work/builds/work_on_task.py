"""One task: up to three attempts of its agent, each in a fresh tree; success is one commit on the build's branch."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from loreweave.contracts.session_events import (
    Agent,
    AgentMessage,
    AgentOutput,
    CommitCreated,
    ContextLoaded,
    Provenance,
    QuestionPayload,
    SessionEvent,
    Task,
    TaskCompleted,
    TaskFailed,
    TaskResumed,
    TaskStarted,
    UserQuestion,
)
from loreweave.errors import LoreError
from loreweave.seams.host.build_repository import MergeConflict, TaskTree, told_path
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.agents.agent_tools import TurnFailed, TurnOrder
from loreweave.work.agents.agent_turn import run_turn
from loreweave.work.agents.agent_voice import AgentVoice
from loreweave.work.builds.build import Build
from loreweave.work.builds.portals import portal_tools
from loreweave.work.builds.task_prompts import SHOWN_DIFF, agent_system, task_prompt
from loreweave.work.builds.teaching import teach
from loreweave.work.grounding.build_knowledge import remember_task
from loreweave.work.grounding.task_knowledge import TaskKnowledge
from loreweave.work.sessions.session_run import patiently

ATTEMPTS = 3
SUMMARY_WORDS, SUMMARY_CHARACTERS = 500, 5_000  # a word has any length
NAMED_FILES = 1_000  # of one commit, in its event
Settled = Literal["done", "attempts", "budget"]


async def work_on_task(build: Build, task_id: str) -> Settled:
    """What it came to, once that is told. Its steps are a part of their own, so that tasks run beside one another."""
    number = 1 + [task.id for task in build.tasks].index(task_id)
    return await build.run.part(number, lambda: _worked(build, build.task(task_id)))


async def _worked(build: Build, task: Task) -> Settled:
    if task.status == "in_progress":
        await build.tell(f"task/{task.id}/resumed/{build.run.runner}", TaskResumed(task_id=task.id))
    else:
        await build.tell(f"task/{task.id}/started", TaskStarted(task_id=task.id, agent_name=task.agent_name))
    known = await _brief(build, task)
    error, diff = "", ""
    hands = TaskHands(build, task.id)
    output = partial(AgentOutput, task_id=task.id, agent_name=task.agent_name)
    voice = AgentVoice(lambda text: output(content=text), hands.record, hands.told_before)
    for attempt in range(1, ATTEMPTS + 1):
        trial = _Attempt(build, task, attempt, voice, known)
        if attempt > 1:
            await voice.tell(f"{trial.key}/again", f"\nAttempt {attempt - 1} failed: {error} Trying again.\n")
        try:
            await trial.run(error, diff)
        except TurnFailed as failure:
            if failure.code == "budget":
                await _fail(build, task, failure.message, "budget", attempt - 1)
                return "budget"
            error = failure.message
            diff = await trial.difference()
            continue
        finally:
            await trial.clear()
        return "done"
    await _fail(build, task, error, "attempts", ATTEMPTS - 1)
    return "attempts"


async def _brief(build: Build, task: Task) -> dict[str, Any]:
    """What the house knows that helps with the task: read once, and told; all attempts have the same."""

    async def read() -> dict[str, Any]:
        left = build.tools.limits.token_budget - build.run.spent()
        knowledge = TaskKnowledge(build.tools.knowledge, build.run.session_id, task.id)
        try:
            return await patiently(lambda: asyncio.to_thread(knowledge.brief, task, left))
        except LoreError as trouble:
            return {"trouble": trouble.message}

    if build.spec.knowledge is None:
        return {}
    brief: dict[str, Any] = await build.run.step(f"task/{task.id}/brief", read)
    if "event" in brief:
        await build.tell(f"task/{task.id}/context", ContextLoaded.model_validate(brief["event"]))
    if "trouble" in brief:
        await build.trouble(f"task/{task.id}/context", f"{task.name!r} is done without notes: {brief['trouble']}")
    return brief


async def _fail(build: Build, task: Task, error: str, reason: Literal["attempts", "budget"], retries: int) -> None:
    failed = TaskFailed(task_id=task.id, error=error, retry_count=retries, reason=reason)
    await build.tell(f"task/{task.id}/failed", failed)


@dataclass
class _Attempt:
    build: Build
    task: Task
    number: int
    voice: AgentVoice
    known: dict[str, Any]
    base: str = ""

    @property
    def key(self) -> str:
        return f"task/{self.task.id}/{self.number}"

    @property
    def place(self) -> str:
        """The name of its tree, and of its commit."""
        return f"{self.task.id}-{self.number}"

    async def run(self, error: str, diff: str) -> None:
        """`TurnFailed` says why there is nothing to show for it."""
        build, task = self.build, self.task
        agent = next(each for each in build.view.agents if each.name == task.agent_name)
        tree, files = await self._tree()
        folder = ConfinedFolder(tree.folder)
        summary = await self._turn(agent, folder, task_prompt(build, task, agent, files, self.known, error, diff))
        committed = await self._committed(tree, agent)
        told: list[SessionEvent] = []
        if committed.get("sha"):
            told.append(self._commit_event(committed))
        message = {"from": agent.name, "to": "team", "content": summary}
        told.append(AgentMessage.model_validate(message))
        rests_on = await self._remembered(summary, committed.get("sha"))
        told.append(TaskCompleted(task_id=task.id, summary=summary, provenance=rests_on))
        build.tools.fail_at("build.committed")
        await build.tell(f"task/{task.id}/completed", *told)
        if committed.get("sha"):
            await teach(build, "commit")
        if agent.role == "reviewer":
            await teach(build, "review")

    async def _remembered(self, summary: str, commit: str | None) -> Provenance:
        """What was done is remembered before it is told as done: a crash in between does it again, as one memory."""
        house, session_id, task = self.build.tools.knowledge, self.build.run.session_id, self.task

        def remember() -> dict[str, Any]:
            stored = remember_task(house, session_id, task, summary)
            return house.provenance(session_id, task.id, commit, stored).model_dump()

        async def step() -> dict[str, Any]:
            return await patiently(lambda: asyncio.to_thread(remember))

        return Provenance.model_validate(await self.build.run.step(f"{self.key}/remember", step))

    async def _tree(self) -> tuple[TaskTree, list[str]]:
        """The tree and the files it began with. What was in it when the process died is in it still."""
        build = self.build
        repository = build.repository
        assert repository is not None

        async def check_out() -> dict[str, Any]:
            async with build.merging:
                made = await asyncio.to_thread(repository.check_out, self.place)
            return {"base": made.base, "files": await asyncio.to_thread(ConfinedFolder(made.folder).list_files)}

        recorded = await build.run.step(f"{self.key}/tree", check_out)
        self.base = recorded["base"]
        return TaskTree(build.home / "trees" / self.place, self.base), recorded["files"]

    async def _turn(self, agent: Agent, folder: ConfinedFolder, prompt: str) -> str:
        build, task = self.build, self.task
        portals = await portal_tools(build)
        tools = await asyncio.to_thread(build.agent_tools, folder, task.id, self.number, portals)
        order = TurnOrder(
            purpose="agent",
            session_id=build.run.session_id,
            task=task.id,
            agent_name=agent.name,
            system=agent_system(agent),
            prompt=prompt,
            tools=tools,
            key=self.key,
            question_event=self._question,
            brief={"spec": build.spec.model_dump(), "task": task.model_dump(), "agent": agent.model_dump()},
            voice=self.voice,
        )
        said = await run_turn(order, TaskHands(build, task.id), build.model, build.tools.limits)
        words = said.split(" ")
        return " ".join(words[:SUMMARY_WORDS])[:SUMMARY_CHARACTERS]

    async def _committed(self, tree: TaskTree, agent: Agent) -> dict[str, Any]:
        """Merging and giving the folder what is new go together: the folder shows commits in their order."""
        build = self.build
        repository = build.repository
        assert repository is not None
        when = build.tools.now()
        message = f"{agent.name}: {self.task.name}"
        author = f"{_plain(agent.name)} <{_plain(agent.role)}@loreweave.localhost>"

        def commit() -> dict[str, Any]:
            try:
                made = repository.commit(self.place, tree, message, author, when)
            except MergeConflict as conflict:
                return {"conflict": [told_path(path) for path in conflict.files]}
            if made is None:
                return {}
            build.tools.fail_at("build.merged")
            left = repository.publish(made)
            files, kept = ([told_path(path) for path in paths[:NAMED_FILES]] for paths in (made.files_changed, left))
            return {"sha": made.sha, "files": files, "left": kept, "when": when, "message": message}

        async def merge() -> dict[str, Any]:
            async with build.merging:
                return await asyncio.to_thread(commit)

        done: dict[str, Any] = await build.run.step(f"{self.key}/commit", merge)
        if done.get("conflict"):
            named = ", ".join(done["conflict"][:10])
            raise TurnFailed(f"Others changed the same lines meanwhile, in {named}.", code="conflict")
        if done.get("left"):
            named = ", ".join(done["left"][:10])
            message = f"Changed in the folder by somebody else and so left alone there: {named}"
            await build.trouble(f"{self.key}/left", message)
        return done

    def _commit_event(self, committed: dict[str, Any]) -> SessionEvent:
        return CommitCreated(
            sha=committed["sha"],
            message=committed["message"],
            agent_name=self.task.agent_name,
            task_id=self.task.id,
            timestamp=committed["when"],
            files_changed=committed["files"],
        )

    def _question(self, question_id: str, questions: list[QuestionPayload]) -> SessionEvent:
        return UserQuestion(task_id=self.task.id, question_id=question_id, questions=questions)

    async def difference(self) -> str:
        """What the attempt had changed when it failed."""
        repository = self.build.repository
        assert repository is not None

        async def read() -> str:
            tree = TaskTree(self.build.home / "trees" / self.place, self.base)
            return await asyncio.to_thread(repository.difference, tree, self.place, SHOWN_DIFF)

        return str(await self.build.run.step(f"{self.key}/difference", read))

    async def clear(self) -> None:
        if self.build.repository is not None:
            await asyncio.to_thread(self.build.repository.remove_tree, self.place)


@dataclass(frozen=True)
class TaskHands:
    """A build as an agent's turn sees it."""

    build: Build
    task_id: str

    async def record(self, key: str, *events: SessionEvent) -> None:
        await self.build.tell(key, *events)

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        return await self.build.ask(key, event, task_id=self.task_id, headers=headers)

    async def told_before(self, key: str) -> list[str]:
        """The round that is asked again is the last that said anything, so its pieces are the last ones of the task."""
        count = 0
        while self.build.run.has_recorded(f"{key}/said/{count + 1}"):
            count += 1
        if not count:
            return []
        said = [event for event in await self.build.run.events() if event["type"] == "agent_output"]
        return [event["content"] for event in said if event["task_id"] == self.task_id][-count:]

    async def step(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        return await self.build.run.step(name, work)

    def spent(self) -> int:
        return self.build.run.spent()

    def cost(self) -> float:
        return self.build.run.cost()


def _plain(name: str) -> str:
    """As git takes it for the name of an author."""
    kept = "".join(letter for letter in name if letter.isprintable() and letter not in "<>")
    return " ".join(kept.split()) or "agent"
