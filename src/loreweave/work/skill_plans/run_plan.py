"""Runs a plan from its first event to its last; run again with equal answers, it does the same under equal keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loreweave.contracts import session_events as events
from loreweave.contracts.skill_plan import (
    AskUserStep,
    BranchStep,
    InvokeSkillStep,
    OutputStep,
    RunAgentStep,
    SetContextStep,
    SkillPlan,
    SkillSpec,
)
from loreweave.language.strange_text import shown
from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.plan_run import (
    EventJournal,
    Frame,
    OpenList,
    OpenStep,
    PlanHands,
    PlanRun,
    SkillContext,
    SkillTurn,
    as_entry,
    storable,
)


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
        await _run_step(run, opened)
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
    run.journal.note("failed", events.SkillError(skill_id=root.skill_id, message=sentence, outcome="failed"))


async def _run_step(run: PlanRun, opened: OpenStep) -> None:
    """Runs a step to its end; a branch or a composite skill only opens its list, and ends with it."""
    run.begin(opened)
    frame, step, key = opened.frame, opened.step, opened.key
    match step:
        case BranchStep():
            if frame.context.text(step.contextKey) == step.matchValue:
                run.lists.append(OpenList(frame, step.thenSteps, f"{key}."))
                return
        case InvokeSkillStep():
            skill = run.called_skill(step.skillId)
            if skill.category == "composite":
                _open_composite(run, frame, skill, key)
                return
            frame.context.entries[step.storeAs] = await _run_simple(run, frame, skill, opened)
        case SetContextStep():
            frame.context.entries[step.key] = run.fill(frame, step.value)
        case OutputStep():
            frame.result = run.fill(frame, step.template)
            _tell(run, frame, opened, frame.result)
        case RunAgentStep():
            frame.context.entries[step.storeAs] = await _run_agent(run, frame, opened, run.fill(frame, step.prompt))
        case AskUserStep():
            await _ask(run, frame, step, key)
    run.complete()


async def _ask(run: PlanRun, frame: Frame, step: AskUserStep, key: str) -> None:
    options = [events.QuestionOption(label=run.fill(frame, option), description="") for option in step.options]
    question = events.QuestionPayload(
        question=run.fill(frame, step.question), header=step.header, options=options, multiSelect=False
    )

    def event(question_id: str) -> events.SkillQuestion:
        return events.SkillQuestion(
            skill_id=frame.skill_id, step_id=step.id, question_id=question_id, questions=[question]
        )

    await run.journal.flush()
    answers = await run.hands.ask(f"{key}/question", event, place=step.id, headers=(step.header, step.storeAs))
    if answers is None:
        raise PlanFailure(f"Nobody answered the question of step '{shown(step.id)}' in time.")
    entry = as_entry(_answer_to(step, answers))
    run.weigh(entry if isinstance(entry, str) else "".join(entry))
    frame.context.entries[step.storeAs] = entry


def _answer_to(step: AskUserStep, answers: dict[str, Any]) -> Any:
    for name in (step.header, step.storeAs):
        if name in answers:
            return answers[name]
    if len(answers) == 1:
        return next(iter(answers.values()))
    raise PlanFailure(f"The answer to step '{shown(step.id)}' does not say which of its values is meant.")


def _open_composite(run: PlanRun, caller: Frame, skill: SkillSpec, key: str) -> None:
    steps = run.flow(skill)  # before it starts: of a flow that cannot be read nothing runs
    frame = _called_frame(caller, skill, key)
    run.enter(frame)
    run.lists.append(OpenList(frame, steps, frame.path))


async def _run_simple(run: PlanRun, caller: Frame, skill: SkillSpec, opened: OpenStep) -> str:
    """A skill that is a prompt: a frame around one agent's work, told under the step that called it."""
    frame = _called_frame(caller, skill, opened.key)
    run.enter(frame)
    prompt = run.fill(frame, skill.prompt) if skill.template else skill.prompt
    frame.result = await _run_agent(run, frame, opened, prompt)
    return run.leave().result


def _called_frame(caller: Frame, skill: SkillSpec, key: str) -> Frame:
    return Frame(caller.number + 1, skill.id, skill.name, f"{key}/", SkillContext(caller.context))


async def _run_agent(run: PlanRun, frame: Frame, opened: OpenStep, prompt: str) -> str:
    if not prompt.strip():
        raise PlanFailure(f"The prompt of step '{shown(opened.step.id)}' is empty.")
    await run.journal.flush()
    turn = SkillTurn(frame.skill_id, frame.skill_name, opened.step.id, prompt)
    text = run.weigh(storable(await run.hands.run_agent(f"{opened.key}/agent", turn)))
    _tell(run, frame, opened, text)
    return text


def _tell(run: PlanRun, frame: Frame, opened: OpenStep, content: str) -> None:
    output = events.SkillOutput(skill_id=frame.skill_id, step_id=opened.step.id, content=content)
    run.journal.note(f"{opened.key}/output", output)
