"""How the benchmarks measure: alternating rounds, the best of each, and ratios within one run.

A shared machine slows everything down by turns. What runs side by side in one run suffers alike, so a ratio
stays true where seconds do not, and the best of several rounds is the one that was disturbed least.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: our figure, what it is held against, and what was promised."""

    case: str
    what: str
    ours: float
    unit: str
    against: str = ""  # what the other figure is
    other: float | None = None  # in the same unit
    promise: str = ""
    kept: bool | None = None
    remark: str = ""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.other if self.other else None


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of each round, by the clock and by the processors."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    @property
    def best(self) -> float:
        return min(self.wall)

    @property
    def median(self) -> float:
        return sorted(self.wall)[len(self.wall) // 2]

    @property
    def least_cpu(self) -> float:
        return min(self.cpu)


def alternate(rounds: int, work: Mapping[str, Callable[[int], object]]) -> dict[str, Taken]:
    """Runs all the work once per round, in turn; each is told the number of its round."""
    wall: dict[str, list[float]] = {name: [] for name in work}
    cpu: dict[str, list[float]] = {name: [] for name in work}
    for number in range(rounds):
        for name, run in work.items():
            used, started = _cpu(), time.perf_counter()
            run(number)
            wall[name].append(time.perf_counter() - started)
            cpu[name].append(_cpu() - used)
    return {name: Taken(tuple(wall[name]), tuple(cpu[name])) for name in work}


def _cpu() -> float:
    """Of this process and of those it started that have ended."""
    spent = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in spent)


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds."""

    p50: float
    p95: float


def latency(seconds: Sequence[float]) -> Latency:
    ordered = sorted(seconds)
    return Latency(ordered[len(ordered) // 2] * 1000, ordered[int(len(ordered) * 0.95)] * 1000)


def latencies(rounds: int, asks: Mapping[str, Callable[[str], object]], queries: Sequence[str]) -> dict[str, Latency]:
    """Every query of every kind in every round, after one to warm up; the best round of each kind."""
    for ask in asks.values():
        ask(queries[0])
    found: dict[str, list[Latency]] = {name: [] for name in asks}
    for _ in range(rounds):
        for name, ask in asks.items():
            found[name].append(latency([_timed(ask, query) for query in queries]))
    return {name: Latency(min(one.p50 for one in of), min(one.p95 for one in of)) for name, of in found.items()}


def _timed(ask: Callable[[str], object], query: str) -> float:
    started = time.perf_counter()
    ask(query)
    return time.perf_counter() - started


def run_process(command: Sequence[str | Path], *, fine: Sequence[int] = (0,), **environment: str) -> str:
    """Runs to the end, demands an exit code that is fine and answers what was printed."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**process_environment(), **environment},
        text=True,
    )
    if done.returncode not in fine:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout


def process_environment() -> dict[str, str]:
    """Without settings of the shell that would change what is measured, nor keys that a peer would use."""
    dropped = ("LORE_", "GRAPHIFY_", "OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)}


def program(name: str) -> Path:
    """A program of the environment that the benchmarks run in."""
    return Path(sys.executable).with_name(name)


def yardstick() -> float:
    """Seconds for five million additions: how fast this machine is just now."""

    def add() -> None:
        total = 0
        for number in range(5_000_000):
            total += number

    return alternate(3, {"add": lambda _: add()})["add"].best


def as_row(line: Line) -> dict[str, Any]:
    return {
        "case": line.case, "what": line.what, "ours": line.ours, "unit": line.unit, "against": line.against,
        "other": line.other, "ratio": line.ratio, "promise": line.promise, "kept": line.kept,
        "remark": line.remark,
    }  # fmt: skip


def as_text(line: Line) -> str:
    against = f"{line.against} {_figure(line.other)}" if line.other is not None else line.against
    ratio = f"{line.ratio:.2f}×" if line.ratio is not None else ""
    kept = {True: "kept", False: "OVER", None: ""}[line.kept]
    ours = f"{_figure(line.ours)} {line.unit}"
    figures = f"{line.case:9}{line.what:38}{ours:>14}  {ratio:>9} {against:34}"
    return f"{figures}{line.promise:12}{kept:5}{line.remark}".rstrip()


HEADINGS = f"{'case':9}{'what':38}{'ours':>14}  {'ours ÷':>9} {'against':34}{'promise':12}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value >= 0.001 else f"{value:.5f}"
