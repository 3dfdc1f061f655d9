"""The public MCP conformance runner, wherever it can be had."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests import forked
from tests.faces.served import LORE
from tests.pace import PATIENCE
from tests.waits import until_installed

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / ".cache" / "mcp-conformance" / "node_modules" / "@modelcontextprotocol" / "conformance"


@pytest.mark.holds("house.mcp.conformance")
@pytest.mark.skipif(
    not RUNNER.exists() and shutil.which("npm") is None, reason="needs npm to fetch the conformance runner"
)
def test_every_scenario_without_fixtures_of_the_runner_passes(tmp_path: Path) -> None:
    until_installed("conformance")
    script = ROOT / "scripts" / "run_mcp_conformance.sh"
    python = tmp_path / "python"  # is told `-m MODULE …`
    python.write_text(f'#!/bin/sh\nshift 2\nexec {shlex.join(forked.standing_in(LORE))} "$@"\n')
    python.chmod(0o700)
    told = {**os.environ, "PYTHON": str(python)}
    done = subprocess.run([script], capture_output=True, text=True, timeout=PATIENCE, check=False, env=told)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_the_reference_names_every_scenario_that_may_fail() -> None:
    listed = (ROOT / "tests" / "conformance" / "expected-failures.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "reference" / "mcp-conformance.md").read_text(encoding="utf-8")
    scenarios = [line.strip("- ") for line in listed.splitlines() if line.startswith("  - ")]
    assert len(scenarios) == 23
    assert [name for name in scenarios if f"`{name}`" not in page] == []
