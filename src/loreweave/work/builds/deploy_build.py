"""The end of a build: rules are checked, the page is shown, portals run, and the last event says what came of it."""

from __future__ import annotations

import asyncio
from typing import Any

from loreweave.contracts.project_spec import BuildRule
from loreweave.contracts.session_events import (
    DeployChecklist,
    DeployComplete,
    DeployProgress,
    DeployRule,
    DeployStarted,
    QuestionPayload,
    SessionComplete,
    SessionEvent,
    UserQuestion,
)
from loreweave.errors import Conflict
from loreweave.language.strange_text import boxed
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.agents.agent_tools import TurnFailed, TurnOrder
from loreweave.work.agents.agent_turn import run_turn
from loreweave.work.agents.model_round import prompt_file
from loreweave.work.builds.build import DEPLOY_PART, Build
from loreweave.work.builds.portals import run_portals
from loreweave.work.builds.task_rules import build_outcome, replaced_ids, status_pair
from loreweave.work.builds.teaching import teach
from loreweave.work.builds.work_on_task import TaskHands

PAGE_FOLDERS = ("dist", "build", "public", "src", ".")
CHECK = "deploy-check"
CHECKER = "deploy check"
SHOWN = 2_000  # characters of what a check said


async def deploy_build(build: Build) -> bool:
    """Whether it happened as it was wished for."""
    if not any(task.status == "done" for task in build.tasks):
        return False
    target = build.spec.deployment.target
    rules = [rule for rule in build.spec.rules if rule.trigger == "before_deploy"]
    listed = [DeployRule(name=rule.name, prompt=rule.prompt) for rule in rules]
    await build.tell("deploy/started", DeployStarted(target=target), DeployChecklist(rules=listed))
    return await build.run.part(DEPLOY_PART, lambda: _deploy(build, rules))


async def _deploy(build: Build, rules: list[BuildRule]) -> bool:
    for number, rule in enumerate(rules):
        if not await _may_go_on(build, number, rule):
            await build.trouble("deploy/refused", f"It was not deployed: the rule {rule.name!r} is not kept")
            return False
        await _progress(build, f"checked/{number}", f"Checked: {rule.name}", 30.0 * (number + 1) / len(rules))
    before = len(build.troubles)
    target = build.spec.deployment.target
    url = None
    if target in ("preview", "web", "both"):
        url = await _show_page(build)
    is_on_board = target in ("esp32", "both") and await _prepare_board(build)
    await run_portals(build, 85.0, 95.0)
    build.tools.fail_at("build.deployed")
    has_failed = len(build.troubles) > before
    if target == "preview" or url is not None or is_on_board:
        finished = DeployProgress(step="Finished", progress=100.0)
        await build.tell("deploy/complete", finished, DeployComplete(target=target, url=url))
    return not has_failed


async def _progress(build: Build, key: str, step: str, progress: float) -> None:
    await build.tell(f"deploy/{key}", DeployProgress(step=step, progress=round(progress, 1)))


async def _show_page(build: Build) -> str | None:
    root = await asyncio.to_thread(page_folder, build.folder)
    if root is None:
        if build.spec.deployment.target != "preview":
            await build.trouble("deploy/no-page", "There is no index.html that could be shown")
        return None
    url = await asyncio.to_thread(build.tools.show_page, build.run.session_id, build.folder, root)
    await _progress(build, "page", "The page is shown", 60.0)
    return url


async def _prepare_board(build: Build) -> bool:
    """Compiled, and where it is wished for written to the board; what goes wrong is told."""
    hardware, session_id = build.tools.open_hardware(), build.run.session_id
    faults = await build.run.step("deploy/compile", lambda: hardware.faults(session_id, build.folder))
    if faults:
        await build.trouble("deploy/board", f"The program does not compile for the board: {faults}")
        return False
    await _progress(build, "compiled", "The program compiles", 65.0)
    if not build.spec.deployment.auto_flash:
        return True

    async def flash() -> dict[str, Any]:
        try:
            return (await hardware.write(session_id, build.folder)).model_dump()
        except Conflict as busy:
            return {"success": False, "message": f"{busy.message}."}

    flashed = await build.run.step("deploy/flash", flash)
    if not flashed["success"]:
        await build.trouble("deploy/board", flashed["message"])
        return False
    build.tools.fail_at("build.flashed")
    await teach(build, "flash")
    await _progress(build, "flashed", flashed["message"], 80.0)
    return True


def page_folder(folder: ConfinedFolder) -> str | None:
    """The first of the usual folders that holds a page."""
    for name in PAGE_FOLDERS:
        path = "index.html" if name == "." else f"{name}/index.html"
        if folder.kind_of(path) == "file":
            return name
    return None


async def _may_go_on(build: Build, number: int, rule: BuildRule) -> bool:
    """A rule is kept where the one who looked says so; else a person decides."""
    said = await _checked(build, number, rule)
    if said.startswith("PASS"):
        return True
    question = f"{rule.name or 'A rule'} may not be kept. Deploy all the same?"
    approved, _ = await build.ask_gate(f"gate/deploy/{number}", _last_done(build), question, said[:SHOWN])
    return approved


def _last_done(build: Build) -> str:
    return [task.id for task in build.tasks if task.status == "done"][-1]


async def _checked(build: Build, number: int, rule: BuildRule) -> str:
    """What an agent that can only read says of one rule."""
    tools = await asyncio.to_thread(build.agent_tools, build.folder, CHECK, reading_only=True)
    order = TurnOrder(
        purpose="agent",
        session_id=build.run.session_id,
        task=CHECK,
        agent_name=CHECKER,
        system=prompt_file("deploy_check"),
        prompt=boxed("rule", f"{rule.name}\n\n{rule.prompt}".strip()),
        tools=tools,
        key=f"deploy/check/{number}",
        question_event=_no_question,
        brief={"rule": rule.model_dump()},
        told_as=_last_done(build),
    )
    try:
        hands = TaskHands(build, CHECK)
        return (await run_turn(order, hands, build.model, build.tools.limits)).strip()
    except TurnFailed as failure:
        return f"It could not be checked: {failure.message}"


def _no_question(question_id: str, questions: list[QuestionPayload]) -> SessionEvent:
    """Who only reads has nothing to ask for; a question is never offered."""
    return UserQuestion(task_id=CHECK, question_id=question_id, questions=questions)


async def finish_build(build: Build, *, tests_pass: bool, deployed: bool) -> None:
    outcome = build_outcome(build.tasks, tests_pass=tests_pass, deployed=deployed)
    told: list[SessionEvent] = []
    for agent in build.view.agents:
        if agent.status == "idle":
            told += status_pair(agent, "done")
    if told:
        await build.run.record("agents/done", *told)
    await asyncio.to_thread(build.tools.workspaces.remove_build_trees, build.run.session_id)
    await build.end("end", SessionComplete(summary=_summary(build, tests_pass, deployed), outcome=outcome))


def _summary(build: Build, tests_pass: bool, deployed: bool) -> str:
    counted = [task for task in build.tasks if task.id not in replaced_ids(build.tasks)]
    done = sum(task.status == "done" for task in counted)
    parts = ["The task is done." if done == len(counted) == 1 else f"{done} of {len(counted)} tasks are done."]
    if failed := [task.name for task in counted if task.status == "failed"]:
        parts.append(f"Not done: {', '.join(failed[:5])}{' …' if len(failed) > 5 else ''}.")
    if not tests_pass:
        parts.append("Not all tests pass.")
    if done and not deployed:
        parts.append("It was not deployed.")
    return " ".join(parts)
