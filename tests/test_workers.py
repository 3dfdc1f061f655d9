"""Several processes that run tests say together what one would have said."""

import subprocess
import sys
from pathlib import Path

from tests.forked import ROOT
from tests.pace import PATIENCE

ONE = """
import os, pytest

@pytest.fixture(scope="session")
def lent(tmp_path_factory):
    yield os.getpid()
    print("taken down", file=open(f"{os.environ['TOLD']}/{os.getpid()}", "w"))

def test_it_holds(lent, tmp_path, capsys):
    print("said")
    assert capsys.readouterr().out == "said\\n"

def test_it_fails(lent):
    print("what it printed")
    assert lent == 0

@pytest.mark.skip
def test_nobody_runs(): ...
"""
TWO = """
import os

def test_its_process_ends():
    os._exit(7)
"""
THREE = "def test_another_file(): ..."


def test_what_holds_what_fails_and_what_ended_its_process_is_told(tmp_path: Path) -> None:
    for name, text in {
        "test_one.py": ONE,
        "test_two.py": TWO,
        "test_three.py": THREE,
        "pytest.ini": "[pytest]",
    }.items():
        (tmp_path / name).write_text(text)
    told = tmp_path / "told"
    told.mkdir()
    failures = tmp_path / "failures"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.workers",
        "-p",
        "no:cacheprovider",
        "--workers",
        "2",
        tmp_path,
    ]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env={
            "PATH": "",
            "PYTHONPATH": str(ROOT),
            "TOLD": str(told),
            "HOUSE_TESTS": "deep",
            "HOUSE_FAILURES": str(failures),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "2 failed, 2 passed, 1 skipped" in ran.stdout
    assert "what it printed" in ran.stdout
    assert "FAILED test_one.py::test_it_fails - assert" in ran.stdout
    assert "FAILED test_two.py::test_its_process_ends - the process that ran it ended with 7" in ran.stdout
    assert len(list(told.iterdir())) == 1
    # Once more, in few lines, for the end of `make test`.
    failed = sorted(failures.read_text("utf-8").strip().split("\n\n"))
    assert [said.splitlines()[0] for said in failed] == [
        "test_one.py::test_it_fails",
        "test_two.py::test_its_process_ends",
    ]
    assert failed[0].endswith("test_one.py:15: AssertionError")
    assert failed[1].endswith("the process that ran it ended with 7")
