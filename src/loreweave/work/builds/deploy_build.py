"""Deploys what was built: rules are checked first, then the page is shown, the board flashed, the portals run."""

from __future__ import annotations

import asyncio

from loreweave.contracts.session_events import (
    DeployChecklist,
    DeployComplete,
    DeployProgress,
    DeployRule,
    DeployStarted,
    SessionEvent,
)
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.builds.build import Build

PAGE_FOLDERS = ("dist", "build", "public", "src", ".")
WEB = ("preview", "web", "both")


async def deploy_build(build: Build) -> bool:
    """Whether it happened as it was wished for."""
    if not any(task.status == "done" for task in build.tasks):
        return False
    target = build.spec.deployment.target
    rules = [rule for rule in build.spec.rules if rule.trigger == "before_deploy"]
    listed = [DeployRule(name=rule.name, prompt=rule.prompt) for rule in rules]
    await build.tell("deploy/started", DeployStarted(target=target), DeployChecklist(rules=listed))
    before = len(build.troubles)
    url = None
    if target in WEB:
        url = await _show_page(build)
    if not build.run.has_recorded("deploy/complete"):
        told: list[SessionEvent] = [DeployProgress(step="Finished", progress=100.0)]
        if not (target == "web" and url is None):
            told.append(DeployComplete(target=target, url=url))
        await build.tell("deploy/complete", *told)
    return len(build.troubles) == before


async def _show_page(build: Build) -> str | None:
    root = await asyncio.to_thread(page_folder, build.folder)
    if root is None:
        if build.spec.deployment.target != "preview":
            await build.trouble("deploy/no-page", "There is no index.html that could be shown")
        return None
    await build.tell("deploy/page", DeployProgress(step="The page is ready", progress=50.0))
    return await asyncio.to_thread(build.tools.show_page, build.run.session_id, build.folder, root)


def page_folder(folder: ConfinedFolder) -> str | None:
    """The first of the usual folders that holds a page."""
    for name in PAGE_FOLDERS:
        path = "index.html" if name == "." else f"{name}/index.html"
        if folder.kind_of(path) == "file":
            return name
    return None
