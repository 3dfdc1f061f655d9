"""The last phase: what came of the build, in a sentence, as its last event."""

import asyncio

from loreweave.contracts.session_events import SessionComplete, SessionEvent
from loreweave.work.builds.build import Build
from loreweave.work.builds.task_rules import build_outcome, replaced_ids, status_pair

KEY = "end"


async def finish_build(build: Build, *, tests_pass: bool, deployed: bool) -> None:
    outcome = build_outcome(build.tasks, tests_pass=tests_pass, deployed=deployed)
    told: list[SessionEvent] = []
    for agent in build.view.agents:
        if agent.status == "idle":
            told += status_pair(agent, "done")
    if told:
        await build.run.record("agents/done", *told)
    await asyncio.to_thread(build.tools.workspaces.remove_build_trees, build.run.session_id)
    await build.end(KEY, SessionComplete(summary=_summary(build, tests_pass, deployed), outcome=outcome))


def _summary(build: Build, tests_pass: bool, deployed: bool) -> str:
    counted = [task for task in build.tasks if task.id not in replaced_ids(build.tasks)]
    done = sum(task.status == "done" for task in counted)
    parts = [f"{done} of {len(counted)} tasks are done."]
    if failed := [task.name for task in counted if task.status == "failed"]:
        parts.append(f"Not done: {', '.join(failed[:5])}{' …' if len(failed) > 5 else ''}.")
    if not tests_pass:
        parts.append("Not all tests pass.")
    if done and not deployed:
        parts.append("It was not deployed.")
    if build.view.url:
        parts.append(f"It can be seen at {build.view.url}")
    return " ".join(parts)
