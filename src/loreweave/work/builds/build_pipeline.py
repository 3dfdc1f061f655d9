"""The order of a build's phases, and nothing else."""

from loreweave.contracts.session_events import SessionError
from loreweave.work.agents.agent_tools import TurnFailed
from loreweave.work.builds.build import Build, BuildTools, open_build
from loreweave.work.builds.deploy_build import deploy_build, finish_build
from loreweave.work.builds.execute_tasks import execute_tasks
from loreweave.work.builds.make_plan import make_plan, prepare_workspace
from loreweave.work.builds.narrator import narrating
from loreweave.work.builds.portals import open_doors
from loreweave.work.builds.run_tests import run_tests
from loreweave.work.sessions.session_run import SessionRun


async def build_session(tools: BuildTools, run: SessionRun) -> None:
    """The body of every session of the kind `build`."""
    try:
        model = await tools.model()
    except TurnFailed as failure:  # taken up by a process that has none
        await run.record("no-model", SessionError(message=failure.message, recoverable=False, outcome="failed"))
        return
    build = await open_build(run, tools, model)
    async with narrating(build):
        await run_pipeline(build)


async def run_pipeline(build: Build) -> None:
    if not await make_plan(build):
        return
    await prepare_workspace(build)
    async with open_doors(build):
        await execute_tasks(build)
        tests_pass = await run_tests(build)
    deployed = await deploy_build(build)
    await finish_build(build, tests_pass=tests_pass, deployed=deployed)
