"""Waits that end: each has a deadline, notices a child that died, and says what it waited for."""

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tests.pace import PATIENCE


def eventually(is_so: Callable[[], Any], what: str, child: "subprocess.Popen[Any] | None" = None) -> None:
    """For what another thread or process does in its own time, and tells nobody."""
    pause, deadline = threading.Event(), time.monotonic() + PATIENCE
    while not is_so():
        assert child is None or child.poll() is None, f"waited for {what}: the process ended with {child.returncode}"
        assert time.monotonic() < deadline, f"waited {PATIENCE:g} seconds for {what}"
        pause.wait(0.02)


def until_installed(what: str) -> None:
    """`make test` fetches what few tests need while the others run."""
    installed = Path(__file__).parents[1] / ".venv" / f"installed-{what}"
    if over := os.environ.get("HOUSE_INSTALLS"):
        eventually(lambda: installed.exists() or Path(over).exists(), f"{what} to be installed")


def line_with(text: str, child: "subprocess.Popen[str]", stream: IO[str] | None) -> list[str]:
    """Lines of a child's stream up to the first that holds the text; one that never says it is killed."""
    assert stream is not None
    lines: list[str] = []
    watchdog = threading.Timer(PATIENCE, child.kill)
    watchdog.start()
    try:
        while not (lines and text in lines[-1]):
            lines.append(stream.readline())
            assert lines[-1], f"waited for {text!r}: the process ended with {child.wait(PATIENCE)}, after {lines}"
    finally:
        watchdog.cancel()
    return lines
