"""A durable step: what ours costs, beside plain DBOS in the same run and beside the one commit it cannot do without.

Each side runs in a process of its own: python -m tests.benchmarks.engine_case ours|plain FOLDER STEPS SESSIONS
"""

import asyncio
import json
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import Line, run_process
from tests.benchmarks.workshop import Workshop

CASE = "engine"
SIDES = ("ours", "plain")
EACH = 3  # steps of each of the sessions at once
RESULT = {"text": "x" * 1000}  # about what a short round of a model leaves

Figures = dict[str, float]


def engine_case(workshop: Workshop) -> Iterator[Line]:
    steps, sessions = (50, 20) if workshop.quick else (150, 200)
    commits = []
    found: dict[str, list[Figures]] = {side: [] for side in SIDES}
    for number in range(workshop.rounds):
        for side in SIDES:
            folder = workshop.new_folder(f"engine-{side}-{number}")
            folder.mkdir()
            command = [sys.executable, "-m", "tests.benchmarks.engine_case", side, folder, steps, sessions]
            found[side].append(json.loads(run_process([str(part) for part in command])))
        commits.append(_commit(workshop.new_folder("engine-floor"), steps))
    best = {side: {name: min(run[name] for run in runs) for name in runs[0]} for side, runs in found.items()}
    ours, plain = best["ours"], best["plain"]
    yield Line(CASE, "a step", ours["step"], "ms", "DBOS as it comes", plain["step"], "< 20 ms", ours["step"] < 20)
    yield Line(CASE, "a step", ours["step"], "ms", "one commit to the disk", min(commits))
    what = f"a step, {sessions} sessions at once"
    yield Line(CASE, what, ours["crowd"], "ms", "DBOS as it comes", plain["crowd"], "< 20 ms", ours["crowd"] < 20)
    yield Line(CASE, f"threads, {sessions} sessions at once", ours["threads"], "", "DBOS as it comes", plain["threads"])
    yield Line(CASE, f"memory, {sessions} sessions at once", ours["memory"], "MiB", "DBOS as it comes", plain["memory"],
               "< 1,024 MiB", ours["memory"] < 1024)  # fmt: skip
    yield Line(CASE, "imports and first opening", ours["opening"], "ms", "DBOS as it comes", plain["opening"])


def _commit(folder: Path, times: int) -> float:
    """Milliseconds of a row that is on the disk when it is acknowledged."""
    folder.mkdir()
    raw = sqlite3.connect(folder / "floor.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE steps (result TEXT)")
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        raw.execute("INSERT INTO steps VALUES (?)", (json.dumps(RESULT),))
        taken.append(1000 * (time.perf_counter() - started))
    raw.close()
    return sorted(taken)[times // 2]


# one side, in a process of its own


class Crowd:
    """Counts the sessions that ended, and the threads there were."""

    def __init__(self, steps: int, sessions: int) -> None:
        self.steps, self.sessions = steps, sessions
        self.step_ms = 0.0
        self.threads = 0
        self._left = sessions
        self._is_over = threading.Event()

    async def alone(self, step: Callable[[int], Awaitable[Any]]) -> None:
        started = time.perf_counter()
        for number in range(self.steps):
            await step(number)
        self.step_ms = 1000 * (time.perf_counter() - started) / self.steps
        self._is_over.set()

    async def among_others(self, step: Callable[[int], Awaitable[Any]]) -> None:
        for number in range(EACH):
            await step(number)
        self.threads = max(self.threads, threading.active_count())
        self._left -= 1
        if self._left == 0:
            self._is_over.set()

    def wait(self) -> None:
        self._is_over.wait()
        self._is_over.clear()


async def _result() -> Any:
    return RESULT


def _run_ours(folder: Path, crowd: Crowd) -> Callable[[str], None]:
    from loreweave.seams.engine.engine import Durable
    from loreweave.seams.engine.open_engine import open_engine

    async def work(session_id: str, durable: Durable) -> None:
        run = crowd.alone if session_id == "alone" else crowd.among_others
        await run(lambda number: durable.step(f"step/{number}", _result))

    return open_engine(folder, "", work).start


def _run_plain(folder: Path, crowd: Crowd) -> Callable[[str], None]:
    from dbos import DBOS, SetWorkflowID

    @DBOS.workflow()
    async def session(session_id: str) -> None:
        run = crowd.alone if session_id == "alone" else crowd.among_others
        await run(lambda _: DBOS.run_step_async(None, _result))

    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()

    async def launch() -> None:
        url = f"sqlite:///{folder / 'plain.db'}"
        DBOS(config={"name": "plain", "system_database_url": url, "log_level": "ERROR"})
        DBOS.launch()

    async def start_session(session_id: str) -> None:
        with SetWorkflowID(session_id):
            await DBOS.start_workflow_async(session, session_id)

    asyncio.run_coroutine_threadsafe(launch(), loop).result()
    return lambda session_id: asyncio.run_coroutine_threadsafe(start_session(session_id), loop).result()


def main() -> None:
    import os
    import resource

    side, folder, steps, sessions = sys.argv[1:]
    crowd = Crowd(int(steps), int(sessions))
    started = time.perf_counter()
    start = (_run_ours if side == "ours" else _run_plain)(Path(folder), crowd)
    opening = 1000 * (time.perf_counter() - started)
    start("alone")
    crowd.wait()
    started = time.perf_counter()
    for number in range(crowd.sessions):
        start(f"s{number}")
    crowd.wait()
    taken = 1000 * (time.perf_counter() - started) / (EACH * crowd.sessions)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"step": crowd.step_ms, "crowd": taken, "threads": crowd.threads, "memory": memory, "opening": opening}
    print(json.dumps(figures), flush=True)
    os._exit(0)  # closing is not measured, and plain DBOS takes its time


if __name__ == "__main__":
    main()
