"""What a server costs that nobody asks for anything: seconds of processor time, counted by the system."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Line, process_environment, program
from tests.benchmarks.workshop import Workshop

from loreweave.work.sessions.workshop import REST_SECONDS

CASE = "idle"
SETTLING_SECONDS = REST_SECONDS + 10.0  # it opens its engine at the start, and closes it when nothing comes
ALLOWED = 0.2  # per cent of a core


@pytest.mark.holds("house.idle.costs-nothing")
def idle_case(workshop: Workshop) -> Iterator[Line]:
    seconds = 10.0 if workshop.quick else 60.0
    command = [program("lore"), "serve", "--demo", "--port", "0", "--data", workshop.new_folder("idle")]
    process = subprocess.Popen(
        [str(part) for part in command], stderr=subprocess.PIPE, env=process_environment(), text=True
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        if "listens on" not in line:
            raise SystemExit(f"the server did not start: {line}{process.stderr.read()}")
        threading.Thread(target=process.stderr.read, daemon=True).start()
        time.sleep(SETTLING_SECONDS)
        before = _processor_seconds(process.pid)
        time.sleep(seconds)
        share = 100 * (_processor_seconds(process.pid) - before) / seconds
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
    yield Line(
        CASE, "`lore serve`, asked for nothing", share, "% core", promise=f"≤ {ALLOWED} %", kept=share <= ALLOWED,
        remark=f"over {seconds:.0f} s, with a graph",
    )  # fmt: skip


def _processor_seconds(process_id: int) -> float:
    """Of all its threads, in nanoseconds as the scheduler counts them: ticks would be too coarse."""
    tasks = Path(f"/proc/{process_id}/task")
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9
