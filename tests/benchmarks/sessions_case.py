"""Sessions: how fast their logs grow and are told, what a step of a plan costs, and what two hundred of them need.

Each side runs in a process of its own: python -m tests.benchmarks.sessions_case events|steps FOLDER NUMBERS...
"""

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.benchmarks.measuring import Latency, Line, latency, run_process
from tests.benchmarks.workshop import Workshop
from tests.journeys.session_server import (
    SessionServer,
    agent_step,
    ask_step,
    model_settings,
    output_step,
    plan_of,
    session_server,
)
from tests.model_server import Asked, Turn, running_model_server, say

CASE = "sessions"
THINKING_SECONDS = 2.0  # of the scripted model
READS = 200

Figures = dict[str, float]


@pytest.mark.holds("session.scale.events")
def sessions_case(workshop: Workshop) -> Iterator[Line]:
    events = [
        _process("events", workshop, *(5, 40, 2) if workshop.quick else (20, 200, 2)) for _ in range(workshop.rounds)
    ]
    recorded, delivered = (max(run[name] for run in events) for name in ("recorded", "delivered"))
    yield Line(CASE, "events recorded", recorded, "/s", promise="> 1,000 /s", kept=recorded > 1000)
    yield Line(CASE, "events delivered to two watchers", delivered, "/s", promise="> 1,000 /s", kept=delivered > 1000)
    yield from _step_lines(workshop)
    yield from _crowd_lines(workshop, 20 if workshop.quick else 200)


@pytest.mark.holds("session.scale.step")
def _step_lines(workshop: Workshop) -> Iterator[Line]:
    count = 10 if workshop.quick else 50
    runs = [_process("steps", workshop, count) for _ in range(workshop.rounds)]
    ours = {name: min(run[name] for run in runs) for name in runs[0]}
    folder = workshop.new_folder("sessions-plain")
    folder.mkdir()
    command = [sys.executable, "-m", "tests.benchmarks.engine_case", "plain", folder, count, 1]
    plain = json.loads(run_process([str(part) for part in command]))["step"]
    agent = ours["agent"]
    yield Line(CASE, "a step with an agent", agent, "ms", "one step of plain DBOS", plain, "< 50 ms", agent < 50)
    yield Line(CASE, "a step with an agent", agent, "ms", "one commit to the disk", ours["commit"])
    yield Line(CASE, "a step that needs nobody", ours["plain"], "ms", "one commit to the disk", ours["commit"])


@pytest.mark.holds("session.scale.memory", "session.scale.reads")
def _crowd_lines(workshop: Workshop, count: int) -> Iterator[Line]:
    found = crowd_figures(workshop.new_folder("sessions-crowd"), count)
    what = f"{count} sessions at once"
    memory, reads = found["memory"], found["p95"]
    yield Line(CASE, f"memory, {what}", memory, "MiB", promise="< 1,024 MiB", kept=memory < 1024)
    yield Line(CASE, f"a read (p95), {what}", reads, "ms", "before any", found["idle p95"], "< 50 ms", reads < 50)
    yield Line(CASE, f"a read (median), {what}", found["p50"], "ms", "before any", found["idle p50"])
    yield Line(CASE, f"threads, {what}", found["threads"], "", "with one session", found["idle threads"])


def _process(what: str, workshop: Workshop, *numbers: int) -> Figures:
    folder = workshop.new_folder(f"sessions-{what}")
    command = [sys.executable, "-m", "tests.benchmarks.sessions_case", what, folder, *numbers]
    return json.loads(run_process([str(part) for part in command]))


# two hundred at once, in a server of its own


def crowd_figures(folder: Path, count: int) -> Figures:
    """Half of the sessions wait for people, half for a model that takes its time over each of many rounds."""

    def think(asked: Asked) -> Turn:
        time.sleep(THINKING_SECONDS)
        return say("thought")

    with running_model_server() as model, session_server(folder, **model_settings(model)) as server:
        model.script(*[think] * 100 * count)
        plans = [plan_of(ask_step()), plan_of(*[agent_step(f"agent-{number}") for number in range(50)])]
        first = server.run(plans[0])
        server.watch_until(first, "skill_question")
        idle, idle_threads = _reads(server, [first]), _status(server, "Threads")
        sessions = [first, *[server.run(plans[number % 2]) for number in range(1, count)]]
        while len(model.asked) < count // 2 or not server.session(sessions[-2])["questions"]:
            time.sleep(0.02)
        busy = _reads(server, sessions)
        figures = {
            "memory": _status(server, "VmRSS") / 1024,
            "threads": _status(server, "Threads"),
            "idle threads": idle_threads,
            "p50": busy.p50,
            "p95": busy.p95,
            "idle p50": idle.p50,
            "idle p95": idle.p95,
        }
        unfinished = [each for each in server.get("/api/sessions") if each["state"] != "executing"]
        assert unfinished == []
        return figures


def _reads(server: SessionServer, sessions: list[str]) -> Latency:
    taken = []
    with httpx.Client(base_url=server.address) as client:
        for number in range(READS):
            started = time.perf_counter()
            answer = client.get(f"/api/sessions/{sessions[number % len(sessions)]}")
            taken.append(time.perf_counter() - started)
            assert answer.status_code == 200
    return latency(taken)


def _status(server: SessionServer, name: str) -> float:
    """A line of what the system knows of the process: kilobytes, or a count."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))


# one side, in a process of its own


def measure_events(folder: Path, sessions: int, each: int, watchers: int) -> Figures:
    """Sessions that each record one event after the other, all of which every watcher must get."""
    from loreweave.application import open_application
    from loreweave.contracts.session_events import SkillOutput
    from loreweave.settings import Settings

    application = open_application(Settings(data_dir=folder))
    log = application.session_tools.log
    started = [application.sessions.create().session_id for _ in range(sessions)]
    for session_id in started:
        log.take(session_id, "runner").result()
    said = SkillOutput(skill_id="skill", step_id="step", content="x" * 100)

    async def record(session_id: str) -> None:
        for number in range(each):
            await asyncio.wrap_future(log.record(session_id, str(number), [said], "runner"))

    async def watch(session_id: str) -> None:
        seen = 0
        async for frames in application.sessions.follow(session_id):
            seen += len(frames)
            if seen == each + 1:
                return

    async def run() -> Figures:
        watching = [asyncio.ensure_future(watch(session_id)) for session_id in started for _ in range(watchers)]
        begun = time.perf_counter()
        await asyncio.gather(*map(record, started))
        recorded = time.perf_counter() - begun
        await asyncio.gather(*watching)
        delivered = time.perf_counter() - begun
        total = sessions * each
        return {"recorded": total / recorded, "delivered": total * watchers / delivered}

    figures = asyncio.run(run())
    application.close()
    return figures


def measure_steps(folder: Path, count: int) -> Figures:
    """Milliseconds of a step whose agent answers at once, and of one that needs nobody."""
    from loreweave.application import open_application
    from loreweave.settings import Settings

    application = open_application(Settings(data_dir=folder, model="demo"))
    agents = plan_of(*[agent_step(f"agent-{number}") for number in range(count)])
    alone = plan_of(*[output_step("text") | {"id": f"out-{number}"} for number in range(count)])

    def run(request: Any) -> float:
        async def finish() -> None:
            async for _ in application.sessions.follow(session_id, until_end=True):
                pass

        begun = time.perf_counter()
        session_id = application.skills.run(request).session_id
        asyncio.run(finish())
        assert application.sessions.get(session_id).outcome == "success"
        return 1000 * (time.perf_counter() - begun) / count

    run(plan_of(agent_step()))  # what is opened once is no part of a step
    figures = {"agent": run(agents), "plain": run(alone), "commit": _commit(folder, 50)}
    application.close()
    return figures


def _commit(folder: Path, times: int) -> float:
    """Milliseconds of a row that is on the disk when it is acknowledged."""
    raw = sqlite3.connect(folder / "floor.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE slips (slip TEXT)")
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        raw.execute("INSERT INTO slips VALUES (?)", ("x" * 300,))
        taken.append(1000 * (time.perf_counter() - begun))
    raw.close()
    return sorted(taken)[times // 2]


def main() -> None:
    what, folder, *numbers = sys.argv[1:]
    measure = {"events": measure_events, "steps": measure_steps}[what]
    print(json.dumps(measure(Path(folder), *map(int, numbers))))


if __name__ == "__main__":
    main()
