"""What runs the tests of a build inside the sandbox, and how its reports are read: they are a stranger's word."""

from __future__ import annotations

import re
from typing import Any

__test__ = False
REPORT = ".lore-report.json"
MOST_TESTS = 2_000
_NAME = re.compile(r"^( *)(not ok|ok) \d+(?: - (.*))?$")

# Modules of the workspace must not stand in for pytest or coverage, but tests import their neighbours from there.
PYTHON_TESTS = f"""
import json, os, sys
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what else is installed beside pytest is nobody's wish
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
