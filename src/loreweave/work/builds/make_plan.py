"""How a build begins: a planner makes tasks of the spec, mending its plan once, and there is a folder to work in."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

from loreweave.contracts.session_events import PlanReady, SessionError, WorkspaceCreated
from loreweave.errors import LoreError
from loreweave.language.strange_text import BOX_RULE, boxed
from loreweave.seams.host.build_repository import BuildRepository
from loreweave.seams.host.plain_trees import PlainTrees
from loreweave.seams.models.language_model import (
    MESSAGES,
    Message,
    ModelCall,
    ModelFault,
    ModelLine,
    ModelReply,
    ModelSaid,
    UserSaid,
)
from loreweave.work.agents.agent_tools import TurnFailed
from loreweave.work.agents.model_round import RETRIES, prompt_file, record_usage
from loreweave.work.builds.build import PLAN_PART, Build
from loreweave.work.builds.plan_rules import PLAN_SCHEMA, BuildPlan, first_team, read_plan
from loreweave.work.builds.read_spec import design_of
from loreweave.work.builds.teaching import teach_of_spec
from loreweave.work.grounding.build_knowledge import FOR_THE_PLAN
from loreweave.work.grounding.task_knowledge import TaskKnowledge, boxed_brief
from loreweave.work.sessions.session_run import patiently

PLANNER = "planner"
PLAN_TOKENS = 8_192
TRIES = 2
CUT_OFF = "The answer was cut off before its end: plan fewer tasks, in fewer words."
AGAIN = "Nothing was made: once that is mended, or with the goal in other words, start it again."
KEY = "plan"
WORKSPACE_KEY = "workspace"


async def make_plan(build: Build) -> bool:
    """False where there is none: then the build is over."""
    if build.run.has_recorded(KEY):
        return True
    try:
        plan = await build.run.part(PLAN_PART, lambda: _planned(build))
    except TurnFailed as failure:
        message = f"No plan could be made: {failure.message} {AGAIN}"
        await build.end("plan/failed", SessionError(message=message, recoverable=False, outcome="failed"))
        return False
    ready = PlanReady(
        tasks=plan.tasks,
        agents=plan.agents,
        explanation=plan.explanation,
        deployment_target=build.spec.deployment.target,
    )
    await build.tell(KEY, ready)
    await teach_of_spec(build)
    return True


async def _planned(build: Build) -> BuildPlan:
    messages: list[Message] = [UserSaid(_request(build, await _notes(build)))]
    faults: list[str] = []
    async with build.model.opened() as line:
        for number in range(1, TRIES + 1):
            key = f"plan/{number}"
            asked = await build.run.step(key, partial(_ask, build, line, tuple(messages)))
            fault = asked.get("fault")
            if fault == "budget":
                raise TurnFailed("the token budget of this session is spent.", code="budget")
            if fault is None:
                await _pay(build, f"{key}/usage", asked)
                fault = "model_declined" if asked.get("stop") == "refused" else None
            if fault not in (None, "model_malformed"):
                raise TurnFailed(MESSAGES[fault], code=fault)
            plan, faults = read_plan(asked.get("written"), build.spec)
            if plan is not None:
                return plan
            faults = [CUT_OFF] if asked.get("stop") == "length" else faults
            messages += [ModelSaid(_said(asked)), UserSaid(_repair(faults))]
    raise TurnFailed(f"the plan was refused twice. {faults[0]}", code="plan")


async def _ask(build: Build, line: ModelLine, messages: tuple[Message, ...]) -> dict[str, Any]:
    if build.run.spent() >= build.tools.limits.token_budget:
        return {"fault": "budget"}
    try:
        reply = await line.ask(_call(build, messages))
    except ModelFault as fault:
        return {"fault": fault.code}
    counts = {name: getattr(reply, name) for name in ("input_tokens", "output_tokens", "cost_usd")}
    return {"written": reply.structured, "text": reply.text, "stop": reply.stop, **counts}


async def _pay(build: Build, key: str, asked: dict[str, Any]) -> None:
    reply = ModelReply("", (), "stop", None, asked["input_tokens"], asked["output_tokens"], asked["cost_usd"])
    await record_usage(build.run, key, PLANNER, reply, build.tools.limits.token_budget)


def _call(build: Build, messages: tuple[Message, ...]) -> ModelCall:
    given = json.loads(build.run.given)
    return ModelCall(
        purpose="plan",
        system=f"{prompt_file('planner')}\n\n{BOX_RULE}",
        messages=messages,
        schema=PLAN_SCHEMA,
        max_tokens=PLAN_TOKENS,
        timeout_seconds=build.tools.limits.seconds,
        retries=RETRIES,
        session=build.run.session_id,
        brief={"spec": given["spec"], "team": _team(build), "before": given.get("before")},
    )


async def _notes(build: Build) -> dict[str, Any]:
    """What the house knows of the wish: read once, so that a plan that is mended rests on the same."""

    async def read() -> dict[str, Any]:
        project = build.spec.project
        wish = " ".join([project.goal, project.description, *(each.description for each in build.spec.requirements)])
        knowledge = TaskKnowledge(build.tools.knowledge, build.run.session_id, FOR_THE_PLAN)
        left = build.tools.limits.token_budget - build.run.spent()
        try:
            return await patiently(lambda: asyncio.to_thread(knowledge.for_a_plan, wish, left))
        except LoreError:  # whoever works on a task says that the notes are gone
            return {}

    if build.spec.knowledge is None:
        return {}
    notes: dict[str, Any] = await build.run.step("plan/brief", read)
    return notes


def _request(build: Build, notes: dict[str, Any]) -> str:
    given = json.loads(build.run.given)
    # What to do about failing tests is told to nobody but whoever mends them.
    rules = [rule for rule in given["spec"].get("rules") or [] if rule.get("trigger") != "on_test_fail"]
    spec = {**given["spec"], "rules": rules} if rules != given["spec"].get("rules", []) else given["spec"]
    parts = [boxed("spec", _written(spec)), boxed("team", _written(_team(build))), *boxed_brief(notes)]
    if "before" in given:
        before = boxed("what was built before", _written(given["before"]))
        parts.append(f"The goal changes what was built before; plan only what has to change.\n{before}")
    return "\n\n".join(parts)


def _team(build: Build) -> list[dict[str, str]]:
    return [agent.model_dump(include={"name", "role", "persona"}) for agent in first_team(build.spec)]


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _said(asked: dict[str, Any]) -> str:
    written = asked.get("written")
    return json.dumps(written, ensure_ascii=False) if written is not None else asked.get("text") or "(unreadable)"


def _repair(faults: list[str]) -> str:
    listed = "\n".join(f"- {fault}" for fault in faults)
    return f"This plan cannot be used:\n{boxed('faults', listed)}\nAnswer with the whole plan again, mended."


async def prepare_workspace(build: Build) -> None:
    """Before every run of the work: a crash may have come at any point of it."""
    await asyncio.to_thread(_prepare, build)
    await build.tell(WORKSPACE_KEY, WorkspaceCreated(nugget_dir=str(build.folder.path)))
    if build.repository is not None and build.repository.trouble:
        await build.trouble("branch", build.repository.trouble)


def _prepare(build: Build) -> None:
    build.tools.workspaces.make_root()
    build.folder.make_folder()
    given = json.loads(build.run.given)
    if build.workspace_path is not None and not build.run.has_recorded(WORKSPACE_KEY):
        build.folder.write_text("project.json", _written(given["spec"]) + "\n")
        build.tools.workspaces.save(design_of(given))
    git = build.tools.open_programs().resolve(("git",))
    home = Path(build.home)
    if git is None:
        build.repository = PlainTrees(home, build.folder)
    else:
        build.repository = BuildRepository(git[0], home, build.folder, f"lore/{build.run.session_id[:8]}")
    build.repository.prepare(build.tools.now())
