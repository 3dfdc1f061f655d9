"""What a plan must be: from what a planner wrote to tasks and a team, or the faults that it is told. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from loreweave.contracts.project_spec import ProjectSpec
from loreweave.contracts.session_events import Agent, AgentRole, Task
from loreweave.language.strange_text import shown
from loreweave.work.builds.read_spec import ROLE_NAMES

MOST_TASKS = 100
MOST_CRITERIA = 50  # of one task
LONGEST_TEXT = 5_000
_TASK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
REVIEW = "review"


def _all_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_TASK = _all_of(
    id=_TEXT, name=_TEXT, description=_TEXT, agent_name=_TEXT, dependencies=_TEXTS, acceptance_criteria=_TEXTS
)
_AGENT = _all_of(name=_TEXT, role={"type": "string", "enum": list(get_args(AgentRole))}, persona=_TEXT)
PLAN_SCHEMA = _all_of(
    tasks={"type": "array", "items": _TASK}, agents={"type": "array", "items": _AGENT}, plan_explanation=_TEXT
)


@dataclass(frozen=True, slots=True)
class BuildPlan:
    tasks: list[Task]
    agents: list[Agent]
    explanation: str


def first_team(spec: ProjectSpec) -> list[Agent]:
    """The spec's agents, else a builder, a tester and a reviewer. Who has no name is called by the role."""
    if not spec.agents:
        return [Agent(name=ROLE_NAMES[role], role=role, persona="", status="idle") for role in _TEAM]
    named: list[Agent] = []
    for agent in spec.agents:
        taken = {each.name for each in spec.agents} | {each.name for each in named}
        name = agent.name or _free_name(ROLE_NAMES[agent.role], taken)
        named.append(Agent(name=name, role=agent.role, persona=agent.persona, status="idle"))
    return named


_TEAM: tuple[AgentRole, ...] = ("builder", "tester", "reviewer")


def _free_name(name: str, taken: set[str]) -> str:
    return next(each for each in (name, *(f"{name} {number}" for number in range(2, 60))) if each not in taken)


def read_plan(written: Any, spec: ProjectSpec) -> tuple[BuildPlan | None, list[str]]:
    """The plan, or the faults that stand against it; never both."""
    if not isinstance(written, dict):
        return None, ["The answer must be an object with tasks, agents and plan_explanation."]
    faults: list[str] = []
    agents = _team(written.get("agents"), spec, faults)
    tasks = _tasks(written.get("tasks"), {agent.name for agent in agents}, faults)
    if faults:
        return None, faults[:20]
    explanation = written.get("plan_explanation")
    said = explanation[:LONGEST_TEXT] if isinstance(explanation, str) else ""
    if spec.workflow.review_enabled:
        tasks, agents = _reviewed(tasks, agents)
    return BuildPlan(tasks, agents, said), []


def _team(written: Any, spec: ProjectSpec, faults: list[str]) -> list[Agent]:
    """The spec's agents come first and win; the planner may add to them."""
    team = first_team(spec)
    known = {agent.name for agent in team}
    added: set[str] = set()
    if written is not None and not isinstance(written, list):
        faults.append("agents must be a list.")
        return team
    for number, agent in enumerate(written or []):
        name = agent.get("name") if isinstance(agent, dict) else None
        if not isinstance(name, str) or not name.strip() or len(name) > 200:
            faults.append(f"agents.{number}.name must be text of at most 200 characters.")
            continue
        if name in added:
            faults.append(f"Two agents are named {shown(name)!r}.")
        added.add(name)
        role = agent.get("role")
        if name not in known:
            persona = agent.get("persona")
            team.append(
                Agent(
                    name=name,
                    role=role if role in get_args(AgentRole) else "custom",
                    persona=persona[:LONGEST_TEXT] if isinstance(persona, str) else "",
                    status="idle",
                )
            )
    return team


def _tasks(written: Any, names: set[str], faults: list[str]) -> list[Task]:
    if not isinstance(written, list) or not written:
        faults.append("tasks must be a list of at least one task.")
        return []
    if len(written) > MOST_TASKS:
        faults.append(f"tasks must hold at most {MOST_TASKS} tasks.")
        return []
    tasks: list[Task] = []
    for number, one in enumerate(written):
        found = list(_task_faults(one, number, names))
        faults += found
        if not found:
            tasks.append(_task(one))
    faults += _graph_faults(tasks)
    return tasks


def _task_faults(one: Any, number: int, names: set[str]) -> Iterator[str]:
    place = f"tasks.{number}"
    if not isinstance(one, dict):
        yield f"{place} must be an object."
        return
    identity = one.get("id")
    if not isinstance(identity, str) or not _TASK_ID.fullmatch(identity):
        yield f"{place}.id must be 1 to 64 letters, digits, '_', '.' or '-', and begin with a letter or digit."
    for name in ("name", "description"):
        if one.get(name) is not None and not isinstance(one[name], str):
            yield f"{place}.{name} must be text."
    for name in ("dependencies", "acceptance_criteria"):
        texts = one.get(name) or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            yield f"{place}.{name} must be a list of texts."
    agent = one.get("agent_name")
    if not isinstance(agent, str) or agent not in names:
        known = ", ".join(sorted(map(repr, names)))
        yield f"{place}.agent_name must be one of {known}."


def _task(one: dict[str, Any]) -> Task:
    return Task(
        id=one["id"],
        name=(one.get("name") or one["id"])[:200],
        description=(one.get("description") or "")[:LONGEST_TEXT],
        status="pending",
        agent_name=one["agent_name"],
        dependencies=list(dict.fromkeys(one.get("dependencies") or [])),
        acceptance_criteria=[text[:LONGEST_TEXT] for text in (one.get("acceptance_criteria") or [])[:MOST_CRITERIA]],
        retry_count=0,
    )


def _graph_faults(tasks: Sequence[Task]) -> Iterator[str]:
    known: set[str] = set()
    for task in tasks:
        if task.id in known:
            yield f"Two tasks have the id {task.id!r}."
        known.add(task.id)
    for task in tasks:
        for name in task.dependencies:
            if name == task.id:
                yield f"The task {task.id!r} depends on itself."
            elif name not in known:
                yield f"The task {task.id!r} depends on {shown(name)!r}, which is no task."
    if circle := _in_circle(tasks):
        yield f"The tasks {', '.join(circle)} depend on one another in a circle."


def _in_circle(tasks: Sequence[Task]) -> list[str]:
    """Those that can never be ready, because they wait for one another."""
    waiting = {task.id: {name for name in task.dependencies if name != task.id} for task in tasks}
    while ready := [name for name, needed in waiting.items() if not needed & waiting.keys()]:
        for name in ready:
            del waiting[name]
    return sorted(waiting)[:10]


def _reviewed(tasks: list[Task], agents: list[Agent]) -> tuple[list[Task], list[Agent]]:
    """With a task for a reviewer after all others, unless the planner gave one to a reviewer."""
    reviewers = [agent for agent in agents if agent.role == "reviewer"]
    if any(task.agent_name in {agent.name for agent in reviewers} for task in tasks):
        return tasks, agents
    if not reviewers:
        name = _free_name(ROLE_NAMES["reviewer"], {agent.name for agent in agents})
        reviewers = [Agent(name=name, role="reviewer", persona="", status="idle")]
        agents = [*agents, *reviewers]
    needed = {name for task in tasks for name in task.dependencies}
    taken = {task.id for task in tasks}
    review = Task(
        id=next(name for name in (REVIEW, *(f"{REVIEW}-{number}" for number in range(2, 200))) if name not in taken),
        name="Review the work",
        description="Read what was made, compare it with the goal and the requirements, and mend what is wrong.",
        status="pending",
        agent_name=reviewers[0].name,
        dependencies=[task.id for task in tasks if task.id not in needed],
        acceptance_criteria=["Every requirement is met, or the summary says which is not."],
        retry_count=0,
    )
    return [*tasks, review], agents
