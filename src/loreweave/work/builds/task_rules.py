"""How tasks follow from one another: which may begin, what fails with what, what replaces what. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from loreweave.contracts.session_events import (
    Agent,
    AgentStatus,
    AgentStatusChanged,
    MinionStateChange,
    Outcome,
    SessionEvent,
    Task,
)

MOST_REVISIONS = 3
SETTLED = ("done", "failed")


def ready_tasks(tasks: Sequence[Task]) -> list[Task]:
    """In the order of the plan."""
    done = {task.id for task in tasks if task.status == "done"}
    return [task for task in tasks if task.status == "pending" and done.issuperset(task.dependencies)]


def gate_counts(planned: int, gates: int) -> list[int]:
    """After how many settled tasks each of the wished-for gates opens."""
    return [max(1, entry * planned // (gates + 1)) for entry in range(1, gates + 1)]


def dependants(tasks: Sequence[Task], failed: str) -> list[tuple[Task, str]]:
    """Every task that cannot run any more, each with the dependency that it lacks, nearest first."""
    lost = {failed}
    found: list[tuple[Task, str]] = []
    while True:
        more = [
            (task, lacking)
            for task in tasks
            if task.status == "pending" and task.id not in lost
            for lacking in [next((name for name in task.dependencies if name in lost), None)]
            if lacking is not None
        ]
        if not more:
            return found
        found += more
        lost |= {task.id for task, _ in more}


def first_of(task_id: str, tasks: Sequence[Task]) -> Task:
    """The task that a chain of revisions began with."""
    by_id = {task.id: task for task in tasks}
    task = by_id[task_id]
    while task.revision_of is not None:
        task = by_id[task.revision_of]
    return task


def revisions_of(task_id: str, tasks: Sequence[Task]) -> int:
    """How often the task, or what it replaces, was made anew."""
    first = first_of(task_id, tasks)
    return sum(first_of(task.id, tasks).id == first.id for task in tasks) - 1


def may_be_revised(task_id: str, tasks: Sequence[Task]) -> bool:
    return revisions_of(task_id, tasks) < MOST_REVISIONS


def revised(tasks: Sequence[Task], task_id: str, feedback: str) -> list[Task]:
    """The plan with a task that does this one over; what has not begun waits for the new one instead."""
    task = next(each for each in tasks if each.id == task_id)
    first = first_of(task_id, tasks)
    name = f"{first.id}-r{revisions_of(task_id, tasks) + 1}"
    new = Task(
        id=name,
        name=first.name,
        description=f"{first.description}\n\nWhat should be different: {feedback}" if feedback else first.description,
        status="pending",
        agent_name=first.agent_name,
        dependencies=[task.id] if task.status == "done" else list(task.dependencies),
        acceptance_criteria=list(first.acceptance_criteria),
        retry_count=0,
        revision_of=task.id,
    )
    return [*(_repointed(each, task_id, name) for each in tasks), new]


def _repointed(task: Task, old: str, new: str) -> Task:
    if task.status != "pending" or old not in task.dependencies:
        return task
    return task.model_copy(update={"dependencies": [new if name == old else name for name in task.dependencies]})


def replaced_ids(tasks: Sequence[Task]) -> set[str]:
    return {task.revision_of for task in tasks if task.revision_of is not None}


def build_outcome(tasks: Sequence[Task], *, tests_pass: bool, deployed: bool) -> Outcome:
    counted = [task for task in tasks if task.id not in replaced_ids(tasks)]
    if not any(task.status == "done" for task in tasks):
        return "failed"
    is_whole = all(task.status == "done" for task in counted)
    return "success" if is_whole and tests_pass and deployed else "partial"


def changed_statuses(
    agents: Sequence[Agent], tasks: Sequence[Task], waiting: Collection[str], gated: Collection[str]
) -> list[SessionEvent]:
    """The pairs of events that bring every agent to the status that follows from its tasks. `waiting`: tasks that wait
    for an answer; `gated`: tasks that hold an open gate."""
    told: list[SessionEvent] = []
    for agent in agents:
        wanted = _status(agent, [task for task in tasks if task.agent_name == agent.name], waiting, gated)
        if wanted != agent.status:
            told += status_pair(agent, wanted)
    return told


def _status(agent: Agent, own: Sequence[Task], waiting: Collection[str], gated: Collection[str]) -> AgentStatus:
    running = [task for task in own if task.status == "in_progress"]
    if any(task.id in gated for task in own) or (running and all(task.id in waiting for task in running)):
        return "waiting"
    if running:
        return "working"
    if agent.status in ("working", "waiting"):
        return "error" if _failed_last(own) else "idle"
    return agent.status


def _failed_last(own: Sequence[Task]) -> bool:
    """Its last word was a failure: of those that ran, the last in the plan that is settled."""
    settled = [task for task in own if task.status in SETTLED and task.reason != "dependency"]
    return bool(settled) and settled[-1].status == "failed"


def status_pair(agent: Agent, status: AgentStatus) -> list[SessionEvent]:
    return [
        AgentStatusChanged(agent=agent.model_copy(update={"status": status})),
        MinionStateChange(agent_name=agent.name, old_status=agent.status, new_status=status),
    ]


def predecessors(task: Task, tasks: Sequence[Task]) -> list[Task]:
    """All that it rests on, the nearest first."""
    by_id: Mapping[str, Task] = {each.id: each for each in tasks}
    found: dict[str, Task] = {}
    level = list(task.dependencies)
    while level:
        deeper: list[str] = []
        for name in level:
            if name in by_id and name not in found:
                found[name] = by_id[name]
                deeper += by_id[name].dependencies
        level = deeper
    return list(found.values())
