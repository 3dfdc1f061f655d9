"""The public MCP conformance runner, wherever it can be had."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.pace import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / ".cache" / "mcp-conformance" / "node_modules" / "@modelcontextprotocol" / "conformance"


@pytest.mark.holds("house.mcp.conformance")
@pytest.mark.skipif(
    not RUNNER.exists() and shutil.which("npm") is None, reason="needs npm to fetch the conformance runner"
)
def test_every_scenario_without_fixtures_of_the_runner_passes() -> None:
    script = ROOT / "scripts" / "run_mcp_conformance.sh"
    done = subprocess.run([script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_the_reference_names_every_scenario_that_may_fail() -> None:
    listed = (ROOT / "tests" / "conformance" / "expected-failures.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "reference" / "mcp-conformance.md").read_text(encoding="utf-8")
    scenarios = [line.strip("- ") for line in listed.splitlines() if line.startswith("  - ")]
    assert len(scenarios) == 23
    assert [name for name in scenarios if f"`{name}`" not in page] == []
