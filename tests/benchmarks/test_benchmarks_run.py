"""The benchmark itself works: a quick run of one case names what it measured against."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pace import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.holds("house.commands.make-bench", "graph.speed.bare-route-named")
def test_a_quick_run_names_a_bare_route_beside_ours(tmp_path: Path) -> None:
    told = tmp_path / "lines.json"
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.run_benchmarks",
        "--quick",
        "--only",
        "http",
        "--json",
        str(told),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    lines = json.loads(told.read_text())["lines"]
    beside = [line for line in lines if "bare" in line["against"]]
    assert beside
    assert all(line["ratio"] > 0 for line in beside)
    makefile = (ROOT / "Makefile").read_text()
    assert "tests.benchmarks.run_benchmarks" in makefile
