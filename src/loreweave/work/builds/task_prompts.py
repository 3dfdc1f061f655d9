"""What an agent is told of its task. All that people, notes or models wrote is boxed: it is material, not orders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loreweave.contracts.session_events import Agent, Task
from loreweave.language.strange_text import boxed
from loreweave.work.agents.model_round import prompt_file
from loreweave.work.builds.build import Build
from loreweave.work.builds.task_rules import predecessors
from loreweave.work.grounding.task_knowledge import boxed_brief

SUMMARY_WORDS = 2_000
LISTED_FILES = 300
SHOWN_DIFF = 20_000  # bytes


def agent_system(agent: Agent) -> str:
    return f"{prompt_file('agent')}\n\nYour role is {agent.role}."


def task_prompt(
    build: Build, task: Task, agent: Agent, files: Sequence[str], known: dict[str, Any], error: str, diff: str
) -> str:
    """`known`: what the house knows of it; `error` and `diff` are those of the last attempt, where there was one."""
    spec = build.spec
    parts = [
        boxed("goal", "\n\n".join(filter(None, (spec.project.goal, spec.project.description)))),
        _listed("requirements", [f"{each.type}: {each.description}" for each in spec.requirements]),
        _listed("style", [each for each in (spec.style.visual, spec.style.personality) if each]),
        boxed("hardware", json.dumps(spec.hardware.model_dump(), ensure_ascii=False)) if spec.hardware else "",
        boxed("you", f"{agent.name}\n{agent.persona}".strip()),
        boxed("task", f"{task.name}\n\n{task.description}".strip()),
        _listed("acceptance criteria", task.acceptance_criteria),
        _summaries(predecessors(task, build.tasks)),
        _listed("notes of the person", build.notes),
        _listed("skills", [f"{skill.name}: {skill.prompt}" for skill in spec.skills if skill.prompt]),
        _listed("rules", [f"{rule.name}: {rule.prompt}" for rule in spec.rules if rule.trigger in _ALWAYS]),
        *boxed_brief(known),
        _listed("files", files),
    ]
    if error:
        parts.append(f"The last attempt at this task failed:\n{boxed('error', error)}")
        if diff:
            parts.append(f"It had changed this, which is lost:\n{boxed('changes', diff)}")
    return "\n\n".join(filter(None, parts))


_ALWAYS = ("always", "on_task_complete")


def _listed(kind: str, texts: Sequence[str]) -> str:
    shown = list(texts[:LISTED_FILES])
    more = [f"… and {len(texts) - len(shown)} more"] if len(texts) > len(shown) else []
    return boxed(kind, "\n".join(f"- {text}" for text in [*shown, *more])) if shown else ""


def _summaries(before: Sequence[Task]) -> str:
    """The nearest first, as far as the words go."""
    left = SUMMARY_WORDS
    told = []
    for task in before:
        words = (task.summary or "").split()
        if not words or left <= 0:
            continue
        told.append(f"{task.name} ({task.agent_name}): {' '.join(words[:left])}")
        left -= len(words)
    return boxed("what others did before", "\n\n".join(told)) if told else ""
