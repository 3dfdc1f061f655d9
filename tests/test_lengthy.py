"""Which tests a short run leaves out, and how one has them all the same."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.forked import ROOT
from tests.pace import PATIENCE

TESTS = """
import pytest

def test_short(): ...

@pytest.mark.lengthy
def test_long(): ...

@pytest.mark.lengthy(3)
@pytest.mark.parametrize("number", range(7))
def test_many(number): ...

@pytest.mark.lengthy(3)
@pytest.mark.parametrize("number", range(2))
def test_few(number): ...
"""
SHORT = ["test_short", "test_many[0]", "test_many[3]", "test_many[6]", "test_few[0]", "test_few[1]"]
MARKED = ["test_long", *(f"test_many[{number}]" for number in range(7)), "test_few[0]", "test_few[1]"]


@pytest.mark.parametrize(
    ("asked", "depth", "run"),
    [
        ((), "", SHORT),
        ((), "all", ["test_short", *MARKED]),
        (("-m", "lengthy"), "", MARKED),
        (("test_it.py::test_long",), "", ["test_long"]),
    ],
    ids=["short", "all", "by mark", "by name"],
)
def test_a_lengthy_test_runs_where_all_do_or_where_it_is_asked_for(
    tmp_path: Path, asked: Sequence[str], depth: str, run: list[str]
) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers")
    command = [sys.executable, "-m", "pytest", "-p", "tests.lengthy", "-p", "no:cacheprovider", "-q", "--collect-only"]
    found = subprocess.run(
        [*command, *asked],
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": str(ROOT), "HOUSE_TESTS": depth, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert [line.partition("::")[2] for line in found.stdout.splitlines() if "::" in line] == run
