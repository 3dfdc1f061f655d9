"""The names of all steps that a run could ask about."""

from __future__ import annotations

from collections.abc import Sequence

from loreweave.contracts.skill_plan import BranchStep, SkillPlan, SkillSpec, SkillStep
from loreweave.work.skill_plans.plan_failure import PlanFailure
from loreweave.work.skill_plans.read_workspace import read_workspace


def step_ids(plan: SkillPlan, skills: Sequence[SkillSpec]) -> set[str]:
    """Of the plan and of every flow that can be read."""
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
