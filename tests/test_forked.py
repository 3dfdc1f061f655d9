"""A program that is forked for a test is told from one that is started by nothing but its speed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked
from tests.pace import PATIENCE

TELL = """
import os, sys, signal, threading
print(sys.argv, sys.path[0], os.getcwd(), os.environ.get("ASKED"), sys.stdin.read(), sys.stdout.isatty())
print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGCHLD), threading.active_count())
print("trouble \\udc80", file=sys.stderr)
sys.exit(3)
"""
LEAVE = """
import os, signal, sys, time
if not os.fork():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    open(sys.argv[1]).read()
    os._exit(0)
time.sleep(10**6)
"""
WAIT = "import time; print('here', flush=True); time.sleep(10**6)"


def test_a_forked_program_finds_what_a_started_one_finds(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TELL, "a word"]
    given = {"input": "typed", "cwd": tmp_path, "env": {**os.environ, "ASKED": "yes"}, "text": True}
    started = subprocess.run(command, capture_output=True, timeout=PATIENCE, **given)
    told = forked.run(command, capture_output=True, timeout=PATIENCE, **given)
    assert (told.returncode, told.stdout, told.stderr) == (3, started.stdout, started.stderr)
    assert "'a word'" in told.stdout


def test_who_stands_in_for_a_program_lends_it_all_it_has_and_ends_as_it_does(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TELL, "a word"]
    given = {"input": "typed", "cwd": tmp_path, "env": {**os.environ, "ASKED": "yes"}, "text": True}
    started = subprocess.run(command, capture_output=True, timeout=PATIENCE, **given)
    told = subprocess.run(forked.standing_in(command), capture_output=True, timeout=PATIENCE, **given)
    assert (told.returncode, told.stdout, told.stderr) == (3, started.stdout, started.stderr)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_forked_program_can_be_ended(number: signal.Signals) -> None:
    with forked.Popen([sys.executable, "-c", WAIT], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "here\n"
        assert process.poll() is None
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number


def test_a_wait_for_a_forked_program_has_an_end() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        forked.run([sys.executable, "-c", WAIT], capture_output=True, timeout=0.2)


def test_a_program_out_of_time_is_given_up_where_its_child_keeps_its_streams(tmp_path: Path) -> None:
    """The child ends when nobody can write to its pipe any more."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            forked.run([sys.executable, "-c", LEAVE, str(pipe)], capture_output=True, timeout=0.5)
    finally:
        os.close(held)
