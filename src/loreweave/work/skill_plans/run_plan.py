"""Runs a plan from its first event to its last; run again with equal answers, it does the same under equal keys."""

from __future__ import annotations

from collections.abc import Sequence

from loreweave.contracts.session_events import SkillError
from loreweave.contracts.skill_plan import InvokeSkillStep, SkillPlan, SkillSpec
from loreweave.work.skill_plans.event_journal import EventJournal
from loreweave.work.skill_plans.plan_failure import PlanFailure
from loreweave.work.skill_plans.plan_hands import PlanHands, SkillTurn
from loreweave.work.skill_plans.plan_run import Frame, OpenList, OpenStep, PlanRun
from loreweave.work.skill_plans.run_step import run_step

__all__ = ["PlanFailure", "PlanHands", "SkillTurn", "run_plan"]


async def run_plan(plan: SkillPlan, skills: Sequence[SkillSpec], session_id: str, hands: PlanHands) -> None:
    run = PlanRun(hands, EventJournal(hands), {skill.id: skill for skill in skills})
    root = Frame(1, plan.skillId or session_id, plan.skillName, "")
    try:
        run.enter(root)
        run.lists.append(OpenList(root, plan.steps, root.path))
        while run.lists:
            await _advance(run)
            await run.journal.settle()
    except PlanFailure as failure:
        _fail(run, root, failure.sentence)
    await run.journal.flush()


async def _advance(run: PlanRun) -> None:
    """One step further in the innermost list, or out of it."""
    innermost = run.lists[-1]
    if innermost.taken < len(innermost.steps):
        opened = OpenStep(innermost.frame, innermost.steps[innermost.taken], f"{innermost.path}{innermost.taken}")
        innermost.taken += 1
        await run_step(run, opened)
    else:
        run.lists.pop()
        _close(run, innermost)


def _close(run: PlanRun, done: OpenList) -> None:
    """The end of a list is the end of its branch, or of its skill and the step that called it."""
    if done.path == done.frame.path:
        run.leave()
    if run.open_steps:
        owner = run.open_steps[-1]
        if isinstance(owner.step, InvokeSkillStep):
            owner.frame.context.entries[owner.step.storeAs] = done.frame.result
        run.complete()


def _fail(run: PlanRun, root: Frame, sentence: str) -> None:
    """Every open step fails, the innermost first; the run has one error, the root's."""
    while run.open_steps:
        failed = run.open_steps.pop()
        run.journal.note(f"{failed.key}/failed", failed.event("failed"))
    run.journal.note("failed", SkillError(skill_id=root.skill_id, message=sentence, outcome="failed"))
