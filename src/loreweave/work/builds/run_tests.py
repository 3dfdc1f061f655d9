"""The tests of a build, run in the sandbox over the last commit; where the spec wishes it, failures are mended."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from loreweave.contracts.session_events import CoverageUpdate, SessionEvent, Task, TestResult
from loreweave.errors import LoreError
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.sandbox import Command
from loreweave.work.builds.build import TESTS_PART, Build
from loreweave.work.builds.execute_tasks import execute_tasks
from loreweave.work.builds.teaching import teach

SECONDS = 120.0
MOST_FIXES = 2
DETAILS = 2_000  # characters of one test
SHOWN = 6_000  # characters of what failed, for the task that mends it
MISSING = "is not installed, so these tests could not be run"


async def run_tests(build: Build) -> bool:
    """Whether all that ran pass; true where none are wished for, or nothing is done that could be tested."""
    if not build.spec.workflow.testing_enabled or not any(task.status == "done" for task in build.tasks):
        return True
    for number in range(MOST_FIXES + 1):
        results, coverage = await _tested(build, number)
        failed = [result for result in results if not result["passed"]]
        told: list[SessionEvent] = [TestResult(**result) for result in results]
        if coverage is not None:
            told.append(CoverageUpdate(percentage=coverage["percentage"], details=coverage["details"]))
        if told:
            await build.tell(f"tests/{number}", *told)
            await teach(build, "tests_fail" if failed else "tests_pass")
        if coverage is not None:
            await teach(build, "coverage")
        if not failed or number == MOST_FIXES or not await _mended(build, number + 1, failed):
            return not failed
    return False


async def _tested(build: Build, number: int) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    async def run() -> dict[str, Any]:
        return await _run_all(build)

    done = await build.run.part(TESTS_PART + number, lambda: build.run.step(f"tests/{number}", run))
    return done["results"], done["coverage"]


async def _run_all(build: Build) -> dict[str, Any]:
    repository = build.repository
    assert repository is not None
    tree = await asyncio.to_thread(repository.check_out, "tests")
    try:
        folder = ConfinedFolder(tree.folder)
        files = await asyncio.to_thread(folder.list_files, "tests") if folder.kind_of("tests") == "folder" else []
        named = [name for name in files if name.count("/") == 1]
        results: list[dict[str, Any]] = []
        coverage = None
        if any(name.endswith(".py") for name in named):
            results, coverage = await _run_python(build, folder)
        scripts = [name for name in named if name.endswith((".js", ".mjs"))]
        node = build.tools.open_programs().resolve(("node",))
        if scripts and node is None:
            results.append({"test_name": scripts[0], "passed": False, "details": f"node {MISSING}."})
        for name in scripts if node else ():
            results += await _run_node(build, folder, name)
        build.tools.fail_at("build.tested")
        return {"results": [_bounded(result) for result in results], "coverage": coverage}
    finally:
        await asyncio.to_thread(repository.remove_tree, "tests")


async def _run_python(build: Build, folder: ConfinedFolder) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    programs = build.tools.open_programs()
    start = programs.resolve(("python", "-c", PYTHON_TESTS))
    if start is None or programs.resolve(("pytest",)) is None:
        return [{"test_name": "tests", "passed": False, "details": f"pytest {MISSING}."}], None
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # what else is installed beside pytest is nobody's wish
    command = Command(argv=start, folder=folder.path, seconds=SECONDS, environment=alone)
    done = await build.tools.open_sandbox().run(command)
    report = await asyncio.to_thread(_report, folder)
    results, coverage = read_python_report(report)
    if results and not done.timed_out and not done.over_limit:
        return results, coverage
    why = f"They were ended after {SECONDS:g} seconds." if done.timed_out else done.over_limit
    said = f"{why}\n{done.output[-DETAILS:]}".strip() or "No test was found."
    return [*results, {"test_name": "tests", "passed": False, "details": said}], coverage


def _report(folder: ConfinedFolder) -> Any:
    try:
        return json.loads(folder.read_bytes(REPORT, 16 * 1024 * 1024))
    except (ValueError, RecursionError, LoreError):
        return None


async def _run_node(build: Build, folder: ConfinedFolder, name: str) -> list[dict[str, Any]]:
    start = build.tools.open_programs().resolve(("node", "--test-reporter=tap", name)) or ()
    done = await build.tools.open_sandbox().run(Command(argv=start, folder=folder.path, seconds=SECONDS))
    if done.timed_out or done.over_limit:
        why = done.over_limit or f"It was ended after {SECONDS:g} seconds."
        return [{"test_name": name, "passed": False, "details": why}]
    return read_node_report(name, done.output, done.exit_code == 0)


def _bounded(result: dict[str, Any]) -> dict[str, Any]:
    return {**result, "test_name": result["test_name"][:500], "details": result["details"][-DETAILS:]}


async def _mended(build: Build, number: int, failed: list[dict[str, Any]]) -> bool:
    """Adds a task that mends what failed and runs it; false where nobody wished for that."""
    rules = [rule.prompt for rule in build.spec.rules if rule.trigger == "on_test_fail"]
    wished = [*rules, *build.spec.workflow.iteration_conditions]
    key = f"fix/{number}"
    if not wished:
        return False
    builder = next((agent.name for agent in build.view.agents if agent.role == "builder"), build.view.agents[0].name)
    output = "\n\n".join(f"{result['test_name']}\n{result['details']}" for result in failed)[:SHOWN]
    taken = {task.id for task in build.tasks}
    name = f"fix-{number}"
    if not build.run.has_recorded(key):
        while name in taken:
            name += "x"
        fix = Task(
            id=name,
            name="Mend what the tests found",
            description="\n\n".join([*wished, "These tests fail:", output]),
            status="pending",
            agent_name=builder,
            dependencies=[],
            acceptance_criteria=["All tests pass."],
            retry_count=0,
        )
        await build.tell_plan(key, lambda tasks: [*tasks, fix])
    await execute_tasks(build)
    return True


# What runs inside the sandbox, and how its reports are read: they are a stranger's word.

REPORT = ".lore-report.json"
MOST_TESTS = 2_000
_NAME = re.compile(r"^( *)(not ok|ok) \d+(?: - (.*))?$")

# Modules of the workspace must not stand in for pytest or coverage, but tests import their neighbours from there.
PYTHON_TESTS = f"""
import json, sys
import pytest
try:
    import coverage
except ImportError:
    coverage = None
sys.path.insert(0, "")
results = {{}}
class Report:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            passed = report.outcome != "failed" and results.get(report.nodeid, [True])[0]
            results[report.nodeid] = [passed, "" if passed else report.longreprtext]
    def pytest_collectreport(self, report):
        if report.failed:
            results[report.nodeid or "tests"] = [False, report.longreprtext]
measured = coverage.Coverage(source=["."], omit=["tests/*", "*/tests/*"], data_file=None) if coverage else None
if measured:
    measured.start()
code = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir=.", "tests"], plugins=[Report()])
told = {{"results": results, "code": int(code), "coverage": None}}
if measured:
    measured.stop()
    files = {{}}
    for name in sorted(measured.get_data().measured_files()):
        try:
            _, lines, _, missing, _ = measured.analysis2(name)
        except Exception:
            continue
        files[name] = [len(lines), len(missing)]
    told["coverage"] = files
with open({REPORT!r}, "w") as file:
    json.dump(told, file)
sys.exit(int(code))
"""


def read_python_report(report: Any) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """The results by the tests' ids, and how much of the code they ran."""
    if not isinstance(report, dict) or not isinstance(report.get("results"), dict):
        return [], None
    results = []
    for name, told in list(report["results"].items())[:MOST_TESTS]:
        if isinstance(told, list) and len(told) == 2 and isinstance(told[0], bool) and isinstance(told[1], str):
            results.append({"test_name": name, "passed": told[0], "details": told[1]})
    return results, _coverage(report.get("coverage"))


def _coverage(files: Any) -> dict[str, Any] | None:
    if not isinstance(files, dict):
        return None
    counted: dict[str, dict[str, int]] = {}
    for name, told in list(files.items())[:MOST_TESTS]:
        if isinstance(told, list) and len(told) == 2 and all(isinstance(one, int) and one >= 0 for one in told):
            lines, missing = told
            counted[name.removeprefix("/workspace/")] = {"lines": lines, "covered": max(0, lines - missing)}
    total = sum(each["lines"] for each in counted.values())
    if not total:
        return None
    covered = sum(each["covered"] for each in counted.values())
    return {"percentage": round(100 * covered / total, 1), "details": {"files": counted}}


def read_node_report(file: str, output: str, passed: bool) -> list[dict[str, Any]]:
    """One result a test that the file names, or one for the file where it names none."""
    results: list[dict[str, Any]] = []
    for line in output.splitlines():
        found = _NAME.match(line)
        if found and found[3] and len(results) < MOST_TESTS:
            name = found[3].split(" # ")[0]
            is_ok = found[2] == "ok"
            results.append(
                {"test_name": f"{file}::{name}", "passed": is_ok, "details": "" if is_ok else output[-1500:]}
            )
    if not results or (not passed and all(result["passed"] for result in results)):
        results.append({"test_name": file, "passed": passed, "details": "" if passed else output[-1500:]})
    return results
