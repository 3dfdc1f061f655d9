"""Builds: what a task costs beside its model and its tests, and twenty builds at once.

Runs in a process of its own: python -m tests.benchmarks.builds_case FOLDER TASKS BUILDS
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Line, run_process
from tests.benchmarks.workshop import Workshop
from tests.model_server import running_model_server
from tests.work.builds.build_desk import BuildDesk, Json, build_desk, found, planned, task

CASE = "builds"


@pytest.mark.holds("build.overhead", "build.crowd")
def builds_case(workshop: Workshop) -> Iterator[Line]:
    tasks, builds = (5, 4) if workshop.quick else (20, 20)
    folder = workshop.new_folder("builds")
    command = [sys.executable, "-m", "tests.benchmarks.builds_case", folder, tasks, builds]
    seen = json.loads(run_process([str(part) for part in command]))
    own = seen["task"]
    yield Line(CASE, "own overhead a task", own, "ms", "one commit by git", seen["git"], "< 250 ms", own < 250)
    slowest = seen["slowest"] / seen["quickest"]
    what = f"slowest of {builds} builds at once, against the quickest"
    yield Line(CASE, what, slowest, "x", promise="< 3 x", kept=slowest < 3)


def _one(desk: BuildDesk, tasks: int) -> float:
    """Milliseconds a task, from its start to its end, model included: the scripted one answers at once."""
    desk.plan = planned(*(task(f"t{n}", *([f"t{n - 1}"] if n else [])) for n in range(tasks)))
    log = desk.log(desk.start())
    return 1000 * (_seconds(log, "task_completed", -1) - _seconds(log, "task_started", 0)) / tasks


def _many(desk: BuildDesk, builds: int) -> list[float]:
    desk.plan = planned(task("a"), task("b"), task("c", "a", "b"))
    begun = time.time()
    started = [desk.start() for _ in range(builds)]
    return [_seconds(desk.log(session_id), "session_complete", 0) - begun for session_id in started]


def _seconds(log: list[Json], kind: str, number: int) -> float:
    return datetime.fromisoformat(found(log, kind)[number]["ts"]).timestamp()


def _git(folder: Path) -> float:
    """Milliseconds of the commands that anybody needs for a commit: look, add, commit."""
    folder.mkdir()
    who = ["-c", "user.name=n", "-c", "user.email=e@x"]
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    begun = time.perf_counter()
    for number in range(5):
        (folder / f"{number}.txt").write_text(str(number))
        for words in (["status"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
            subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
    return 1000 * (time.perf_counter() - begun) / 5


def main(folder: Path, tasks: int, builds: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    quiet = {"narrator_interval_s": 3600.0, "narrator_debounce_s": 3600.0}
    with running_model_server() as server, build_desk(folder / "data", server, **quiet) as desk:
        _one(desk, 2)  # what is loaded once is not counted
        cost = _one(desk, tasks)
        times = _many(desk, builds)
    seen = {"task": cost, "git": _git(folder / "git"), "slowest": max(times), "quickest": min(times)}
    print(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
