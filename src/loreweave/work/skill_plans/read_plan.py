"""From any value to a plan that may run: every limit is looked at first, and without recursion."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from loreweave.contracts.argument_values import SHOWN_FAULTS, Fault, faults_of, refusal_of
from loreweave.contracts.skill_plan import (
    MOST_SKILLS,
    STEP_TYPES,
    PlanValue,
    SkillAnswerRequest,
    SkillPlan,
    SkillRunRequest,
    SkillSpec,
)
from loreweave.language.strange_text import shown
from loreweave.work.skill_plans.plan_faults import (
    MOST_JSON_SIZE,
    MOST_NESTED,
    MOST_TREE_STEPS,
    JsonMeter,
    count_faults,
    step_faults,
)

Position = tuple[list[Any], str, int]  # a list of steps, its path, the branches around it


def read_run(value: Any) -> SkillRunRequest:
    """The request, or `InvalidInput` whose `fields` name what is wrong with it."""
    if not isinstance(value, dict):
        raise refusal_of([Fault("plan", "is required in an object")])
    given = {name: value[name] for name in SkillRunRequest.model_fields if value.get(name) is not None}
    faults = list(islice(_run_faults(given), SHOWN_FAULTS))
    if faults:
        raise refusal_of(faults)
    plan = {name: part for name, part in given["plan"].items() if name != "skillId" or part}
    return SkillRunRequest.model_validate({**given, "plan": plan})


def warnings_of(value: dict[str, Any]) -> list[str]:
    """Of a request that may run: what in it means nothing here and was left out, and steps that call nobody."""
    found = list(_left_out(value))
    more = [f"{len(found) - SHOWN_FAULTS} more keys mean nothing here"] if len(found) > SHOWN_FAULTS else []
    skills = {value["plan"].get("skillId"), *(skill["id"] for skill in value.get("allSkills") or [])}
    lost = [path for step, path in _steps_of(value) if step["type"] == "invoke_skill" and step["skillId"] not in skills]
    return [
        *(f"{path} means nothing here and was left out" for path in found[:SHOWN_FAULTS]),
        *more,
        *(f"{path}skillId names no skill of allSkills: a run that comes here fails" for path in lost[:SHOWN_FAULTS]),
    ]


def keep_run(request: SkillRunRequest) -> dict[str, Any]:
    """The request as plain JSON, to be kept. Its own writer and reader of JSON give up at a depth that flows reach."""
    return request.model_dump(exclude={"request_id"})


def kept_run(text: str) -> SkillRunRequest:
    """A request that was kept; with the skills of a graph it holds more than one that is sent may."""
    kept = json.loads(text)
    skills = [SkillSpec.model_validate(skill) for skill in kept.pop("allSkills")]
    return SkillRunRequest.model_validate(kept).model_copy(update={"allSkills": skills})


def read_answer(value: Any) -> SkillAnswerRequest:
    """The answer to a question of a plan: an object with at least one entry."""
    faults = faults_of(SkillAnswerRequest, value, "")
    if not faults:
        answers = value["answers"]
        messages = list(JsonMeter(MOST_JSON_SIZE).faults(answers)) if answers else ["must not be empty"]
        faults = [Fault("answers", message) for message in messages]
    if faults:
        raise refusal_of([Fault(path or "body", message) for path, message in faults])
    return SkillAnswerRequest.model_validate(value)


def _left_out(value: dict[str, Any]) -> Iterator[str]:
    yield from _unknown(SkillRunRequest, value, "")
    yield from _unknown(SkillPlan, value["plan"], "plan.")
    for step, path in _steps_of(value):
        yield from _unknown(STEP_TYPES[step["type"]], step, path)
    for number, skill in enumerate(value.get("allSkills") or []):
        yield from _unknown(SkillSpec, skill, f"allSkills.{number}.")


def _steps_of(value: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Every step of the plan with the beginning of its path, level by level."""
    waiting = deque([(value["plan"]["steps"], "plan.steps.")])
    while waiting:
        level, path = waiting.popleft()
        for number, step in enumerate(level):
            yield step, f"{path}{number}."
            if _is_branch(step):
                waiting.append((step["thenSteps"], f"{path}{number}.thenSteps."))


def _unknown(model: type[PlanValue], value: dict[str, Any], path: str) -> Iterator[str]:
    return (path + shown(str(name)) for name in value if name not in model.model_fields)


def _run_faults(given: dict[str, Any]) -> Iterator[Fault]:
    nothing = {"skillName": "", "steps": []}
    yield from faults_of(SkillRunRequest, {**given, "plan": nothing, "allSkills": []}, "")
    if "plan" not in given:
        yield Fault("plan", "is required")
    else:
        yield from _plan_faults(given["plan"])
    yield from _skills_faults(given.get("allSkills", []))


def _plan_faults(plan: Any) -> Iterator[Fault]:
    if not isinstance(plan, dict):
        yield Fault("plan", "must be an object")
        return
    steps = plan.get("steps")
    if not isinstance(steps, list):
        yield from faults_of(SkillPlan, plan, "plan")
        return
    yield from faults_of(SkillPlan, {**plan, "steps": []}, "plan")
    yield from count_faults(steps, "plan.steps")
    yield from _tree_faults(steps)


def _tree_faults(steps: list[Any]) -> Iterator[Fault]:
    """Level by level; what is too deep or too much is not looked into."""
    waiting: deque[Position] = deque([(steps, "plan.steps", 0)])
    identities: set[str] = set()
    counted = 0
    while waiting:
        level, path, nested = waiting.popleft()
        for number, step in enumerate(level):
            counted += 1
            if counted > MOST_TREE_STEPS:
                yield Fault("plan.steps", f"must hold at most {MOST_TREE_STEPS:,} steps, those in branches counted")
                return
            place = f"{path}.{number}"
            yield from step_faults(step, place)
            yield from _repeated(step, place, identities)
            if _is_branch(step) and nested == MOST_NESTED:
                yield Fault(place, f"must not be a branch inside {MOST_NESTED} others")
            elif _is_branch(step):
                waiting.append((step["thenSteps"], f"{place}.thenSteps", nested + 1))


def _is_branch(step: Any) -> bool:
    return isinstance(step, dict) and step.get("type") == "branch" and isinstance(step.get("thenSteps"), list)


def _repeated(step: Any, place: str, identities: set[str]) -> Iterator[Fault]:
    """An answer names the step it is for, so a name must mean one step."""
    identity = step.get("id") if isinstance(step, dict) else None
    if not isinstance(identity, str):
        return
    if identity in identities:
        yield Fault(f"{place}.id", "must be the id of no other step")
    identities.add(identity)


def _skills_faults(skills: Any) -> Iterator[Fault]:
    if not isinstance(skills, list):
        yield Fault("allSkills", "must be a list")
        return
    if len(skills) > MOST_SKILLS:
        yield Fault("allSkills", f"must hold at most {MOST_SKILLS} skills")
        return
    meter = JsonMeter(MOST_JSON_SIZE)
    identities: set[str] = set()
    for number, skill in enumerate(skills):
        place = f"allSkills.{number}"
        yield from faults_of(SkillSpec, skill, place)
        if not isinstance(skill, dict):
            continue
        yield from (Fault(f"{place}.workspace", message) for message in meter.faults(skill.get("workspace")))
        identity = skill.get("id")
        if isinstance(identity, str) and identity in identities:
            yield Fault(f"{place}.id", "must be the id of no other skill")
        identities.add(identity if isinstance(identity, str) else "")
