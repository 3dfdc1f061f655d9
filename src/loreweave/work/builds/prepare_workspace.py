"""The folder of a build, the repository over it, and the design files that its person finds there."""

import asyncio
import json
from pathlib import Path

from loreweave.contracts.session_events import WorkspaceCreated
from loreweave.seams.host.build_repository import BuildRepository
from loreweave.work.builds.build import Build

KEY = "workspace"


async def prepare_workspace(build: Build) -> None:
    """Before every run of the work: a crash may have come at any point of it."""
    await asyncio.to_thread(_prepare, build)
    await build.tell(KEY, WorkspaceCreated(nugget_dir=str(build.folder.path)))


def _prepare(build: Build) -> None:
    build.tools.workspaces.make_root()
    build.folder.make_folder()
    if build.workspace_path is not None and not build.run.has_recorded(KEY):
        text = json.dumps(json.loads(build.run.given)["spec"], ensure_ascii=False, indent=1) + "\n"
        build.folder.write_text("project.json", text)
    git = build.tools.open_programs().resolve(("git",))
    if git is None:
        return
    repository = BuildRepository(git[0], Path(build.home), build.folder, f"lore/{build.run.session_id[:8]}")
    repository.prepare(build.tools.now())
    build.repository = repository
