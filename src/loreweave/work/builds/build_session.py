"""The body of every session of the kind `build`."""

import asyncio

from loreweave.contracts.session_events import SessionError
from loreweave.work.builds.build import BuildTools, open_build
from loreweave.work.builds.build_pipeline import run_pipeline
from loreweave.work.builds.narrator import narrating
from loreweave.work.sessions.session_run import SessionRun

NO_MODEL = "No model is set: set LORE_MODEL, to demo for one that needs no key."


class BuildSession:
    def __init__(self, tools: BuildTools) -> None:
        self._tools = tools

    async def __call__(self, run: SessionRun) -> None:
        model = await asyncio.to_thread(self._tools.open_model)
        if model is None:  # taken up by a process that has none
            await run.record("no-model", SessionError(message=NO_MODEL, recoverable=False, outcome="failed"))
            return
        build = await open_build(run, self._tools, model)
        async with narrating(build):
            await run_pipeline(build)
