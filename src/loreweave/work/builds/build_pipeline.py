"""The order of a build's phases, and nothing else."""

from loreweave.work.builds.build import Build
from loreweave.work.builds.deploy_build import deploy_build
from loreweave.work.builds.execute_tasks import execute_tasks
from loreweave.work.builds.finish_build import finish_build
from loreweave.work.builds.make_plan import make_plan
from loreweave.work.builds.prepare_workspace import prepare_workspace
from loreweave.work.builds.run_tests import run_tests


async def run_pipeline(build: Build) -> None:
    if not await make_plan(build):
        return
    await prepare_workspace(build)
    await execute_tasks(build)
    tests_pass = await run_tests(build)
    deployed = await deploy_build(build)
    await finish_build(build, tests_pass=tests_pass, deployed=deployed)
