"""A composite skill's flow of blocks, as the block editor saves it, read into steps."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from loreweave.contracts.skill_plan import MOST_STEPS, BranchStep, SkillPlan, SkillSpec, SkillStep
from loreweave.language.strange_text import shown
from loreweave.work.skill_plans.plan_faults import MOST_NESTED, MOST_TREE_STEPS, PlanFailure, step_faults

START = "skill_flow_start"
MOST_BLOCKS = 10 * MOST_TREE_STEPS  # those that are switched off too: a flow that leads back to itself must end

# Block type: the step's type, and its fields by the block's.
_BLOCKS: dict[str, tuple[str, dict[str, str]]] = {
    "skill_ask_user": (
        "ask_user",
        {"QUESTION": "question", "HEADER": "header", "OPTIONS": "options", "STORE_AS": "storeAs"},
    ),
    "skill_branch_if": ("branch", {"CONTEXT_KEY": "contextKey", "MATCH_VALUE": "matchValue"}),
    "skill_invoke": ("invoke_skill", {"SKILL_ID": "skillId", "STORE_AS": "storeAs"}),
    "skill_run_agent": ("run_agent", {"PROMPT": "prompt", "STORE_AS": "storeAs"}),
    "skill_set_context": ("set_context", {"KEY": "key", "VALUE": "value"}),
    "skill_output": ("output", {"TEMPLATE": "template"}),
}
_NEVER_EMPTY = ("question", "prompt")


def read_workspace(skill: SkillSpec) -> list[SkillStep]:
    """The steps from the start block on; `PlanFailure` names the block that cannot be read."""
    raw = _Flow(skill.name).read(_start_block(skill))
    return SkillPlan.model_validate({"skillName": skill.name, "steps": raw}).steps


def step_ids(plan: SkillPlan, skills: Sequence[SkillSpec]) -> set[str]:
    """The names of all steps that a run could ask about: of the plan and of every flow that can be read."""
    waiting = list(plan.steps)
    for skill in skills:
        waiting += _flow(skill)
    found = set()
    while waiting:
        step = waiting.pop()
        found.add(step.id)
        if isinstance(step, BranchStep):
            waiting += step.thenSteps
    return found


def _flow(skill: SkillSpec) -> list[SkillStep]:
    try:
        return read_workspace(skill) if skill.category == "composite" else []
    except PlanFailure:
        return []


def _start_block(skill: SkillSpec) -> dict[str, Any]:
    top = _inside(_inside(skill.workspace, "blocks"), "blocks")
    for block in top if isinstance(top, list) else []:
        if isinstance(block, dict) and block.get("type") == START and _is_enabled(block):
            return block
    raise PlanFailure(f"The skill '{shown(skill.name)}' has no start block ({START}).")


def _inside(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _is_enabled(block: dict[str, Any]) -> bool:
    """The editor keeps what was switched off and steps over it; how it says so changed over the years."""
    return block.get("enabled") is not False and block.get("disabled") is not True and not block.get("disabledReasons")


class _Flow:
    """One reading: counts blocks and remembers their ids."""

    def __init__(self, skill_name: str) -> None:
        self._skill = shown(skill_name)
        self._identities: set[str] = set()
        self._blocks = 0
        self._steps = 0

    def read(self, start: dict[str, Any]) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = []
        waiting = deque([(_inside(start.get("next"), "block"), steps, 0)])
        while waiting:
            first, level, nested = waiting.popleft()
            for block in self._chain(first):
                step = self._step(block, level)
                if step["type"] == "branch":
                    if nested == MOST_NESTED:
                        raise self._wrong(block, f"is a branch inside {MOST_NESTED} others")
                    inner = _inside(_inside(block.get("inputs"), "THEN_BLOCKS"), "block")
                    waiting.append((inner, step["thenSteps"], nested + 1))
        return steps

    def _chain(self, block: Any) -> Iterator[dict[str, Any]]:
        """The blocks below one another that are switched on."""
        while block is not None:
            self._blocks += 1
            if not isinstance(block, dict) or self._blocks > MOST_BLOCKS:
                raise PlanFailure(f"The flow of the skill '{self._skill}' holds what is no block, or too many of them.")
            if _is_enabled(block):
                yield block
            block = _inside(block.get("next"), "block")

    def _step(self, block: dict[str, Any], level: list[dict[str, Any]]) -> dict[str, Any]:
        kind = block.get("type")
        if not isinstance(kind, str) or kind not in _BLOCKS:
            raise self._wrong(block, "has an unknown type")
        step = self._fields(block, *_BLOCKS[kind])
        for path, message in step_faults(step, ""):
            raise self._wrong(block, f"is not right: {path.removeprefix('.')} {message}")
        self._count(block, step["id"], level)
        level.append(step)
        return step

    def _fields(self, block: dict[str, Any], kind: str, names: dict[str, str]) -> dict[str, Any]:
        identity = block.get("id")
        step: dict[str, Any] = {"type": kind, "id": f"block-{self._blocks}" if identity is None else identity}
        for name, field in names.items():
            step[field] = self._text(block, name)
            if field in _NEVER_EMPTY and not step[field].strip():
                raise self._wrong(block, f"has an empty {field}")
        if kind == "ask_user":
            step["options"] = [option.strip() for option in step["options"].split(",") if option.strip()]
        if kind == "branch":
            step["thenSteps"] = []
        return step

    def _text(self, block: dict[str, Any], name: str) -> str:
        """Numbers and switches of a block are taken as their text; a field that is not there is empty."""
        value = _inside(block.get("fields"), name)
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if isinstance(value, bool | int | float):
            return json.dumps(value)
        raise self._wrong(block, f"has a field {name} that is no text")

    def _count(self, block: dict[str, Any], identity: str, level: list[dict[str, Any]]) -> None:
        self._steps += 1
        if self._steps > MOST_TREE_STEPS:
            raise self._wrong(block, f"is one more than the {MOST_TREE_STEPS} that a flow may have")
        if len(level) == MOST_STEPS:
            raise self._wrong(block, f"is one more than the {MOST_STEPS} that may follow one another")
        if identity in self._identities:
            raise self._wrong(block, "has the id of another block")
        self._identities.add(identity)

    def _wrong(self, block: dict[str, Any], what: str) -> PlanFailure:
        identity, kind = (_name(block.get(key)) for key in ("id", "type"))
        return PlanFailure(f"The block '{identity}' ({kind}) of the skill '{self._skill}' {what}.")


def _name(value: Any) -> str:
    return shown(value) if isinstance(value, str) else "?"
