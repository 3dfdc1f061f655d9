"""Runs the tasks of a plan: as many at once as may be, in the order of the plan, around the gates of people.

All it knows it reads from the session, so that it goes on after a crash as if there had been none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.session_events import Task, TaskFailed
from loreweave.work.builds.build import Build
from loreweave.work.builds.task_rules import dependants, gate_counts, may_be_revised, ready_tasks, replaced_ids, revised
from loreweave.work.builds.work_on_task import work_on_task


async def execute_tasks(build: Build) -> None:
    """Returns when every task is settled and every gate answered."""
    await _Execution(build).run()


@dataclass
class _Execution:
    build: Build
    running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    gates: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)  # gates that are answered, and what follows is done
    is_spent: bool = False

    async def run(self) -> None:
        self._take_up()
        try:
            while True:
                self._open_due_gates()
                await self._give_up_rest()
                if not self.gates:
                    self._launch()
                under_way = {**self.running, **self.gates}
                if not under_way:
                    if not await self._give_up_stuck():
                        return
                    continue
                await asyncio.wait(under_way.values(), return_when=asyncio.FIRST_COMPLETED)
                self._collect()
        finally:
            await _ended([*self.running.values(), *self.gates.values()])

    def _take_up(self) -> None:
        """What a crash broke off: tasks that had begun, and failures that nobody has decided about."""
        for task in self.build.tasks:
            if task.status == "in_progress":
                self._begin(task.id)
            elif task.status == "failed" and task.reason == "attempts":
                self._ask_about(task.id)
            elif task.status == "failed" and task.reason == "budget":
                self.is_spent = True

    def _launch(self) -> None:
        free = self.build.tools.parallel - len(self.running)
        for task in ready_tasks(self.build.tasks)[: max(0, free)]:
            self._begin(task.id)

    def _begin(self, task_id: str) -> None:
        if task_id not in self.running:
            self.running[task_id] = asyncio.create_task(self._work(task_id))

    async def _work(self, task_id: str) -> None:
        settled = await work_on_task(self.build, task_id)
        if settled == "attempts":
            self._ask_about(task_id)
        elif settled == "budget":
            self.is_spent = True

    def _collect(self) -> None:
        for table in (self.running, self.gates):
            for name in [name for name, work in table.items() if work.done()]:
                table.pop(name).result()

    async def _give_up_rest(self) -> None:
        """Without tokens nothing more is begun."""
        if not self.is_spent or self.running or self.gates:
            return
        for task in self.build.tasks:
            if task.status == "pending":
                message = "The token budget of this session is spent."
                failed = TaskFailed(task_id=task.id, error=message, retry_count=0, reason="budget")
                await self.build.tell(f"task/{task.id}/failed", failed)

    async def _give_up_stuck(self) -> bool:
        """Whether there were tasks that nothing under way could make ready, such as the revision of one whose own
        predecessors had failed: each comes to an end."""
        stuck = [task for task in self.build.tasks if task.status == "pending"]
        done = {task.id for task in self.build.tasks if task.status == "done"}
        for task in stuck:
            lacking = next(name for name in task.dependencies if name not in done)
            await self._fail_for(task, lacking)
        return bool(stuck)

    async def _fail_for(self, task: Task, lacking: str) -> None:
        message = f"It needs {lacking!r}, which was not done."
        failed = TaskFailed(task_id=task.id, error=message, retry_count=0, reason="dependency")
        await self.build.tell(f"task/{task.id}/failed", failed)

    # gates

    def _open(self, key: str, gate: Coroutine[Any, Any, None]) -> None:
        if key in self.gates or key in self.decided:
            gate.close()
        else:
            self.gates[key] = asyncio.create_task(gate)

    def _open_due_gates(self) -> None:
        wished = self.build.spec.workflow.human_gates
        planned = {task.id for task in self.build.tasks if task.revision_of is None}
        settled = [task_id for task_id in self.build.settled if task_id in planned]
        for entry, count in enumerate(gate_counts(len(planned), len(wished))):
            key = f"gate/wished/{entry + 1}"
            if len(settled) >= count and not self.build.run.has_recorded(f"{key}/over") and not self.is_spent:
                self._open(key, self._wished_gate(key, wished[entry], self.build.task(settled[count - 1])))

    async def _wished_gate(self, key: str, question: str, reached_by: Task) -> None:
        told = reached_by.summary or reached_by.error or reached_by.status
        context = told if told.startswith(reached_by.name) else f"{reached_by.name}: {told}"
        approved, feedback = await self.build.ask_gate(key, reached_by.id, question, context)
        await self._decided(key, reached_by.id, approved, feedback)

    def _ask_about(self, task_id: str) -> None:
        key = f"gate/failed/{task_id}"
        if self.build.run.has_recorded(f"{key}/over") or task_id in replaced_ids(self.build.tasks):
            return
        self._open(key, self._failure_gate(key, self.build.task(task_id)))

    async def _failure_gate(self, key: str, task: Task) -> None:
        """After the last attempt: go on without it, or have it done over."""
        approved, feedback = True, ""
        if may_be_revised(task.id, self.build.tasks):
            question = f"{task.name!r} could not be done. Go on without it?"
            context = f"{task.error} Whatever depends on it will be given up. Reject to have it tried again."
            approved, feedback = await self.build.ask_gate(key, task.id, question, context)
        if approved:
            await self._give_up(task.id)
        await self._decided(key, task.id, approved, feedback)

    async def _give_up(self, task_id: str) -> None:
        for task, lacking in dependants(self.build.tasks, task_id):
            await self._fail_for(task, lacking)

    async def _decided(self, key: str, task_id: str, approved: bool, feedback: str) -> None:
        """What was said with an approval goes to all that follow; a rejection changes the plan."""
        self.decided.add(key)
        build, over = self.build, f"{key}/over"
        if build.run.has_recorded(over):
            return
        if approved or not may_be_revised(task_id, build.tasks):
            if feedback and feedback not in build.notes:
                build.notes.append(feedback)
            return
        await build.tell_plan(over, lambda tasks: revised(tasks, task_id, feedback))


async def _ended(works: list[asyncio.Task[None]]) -> None:
    """None of them outlives the phase, however it ends."""
    for work in works:
        work.cancel()
    if works:
        await asyncio.wait(works)
