"""How fast and how useful Loreweave is, as ratios within one run: to a peer, a floor, itself ten times smaller.

Run: python -m tests.benchmarks.run_benchmarks [--quick | --full] [--only CASE] [--data DIR] [--json FILE]
"""

import argparse
import json
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.ask_edit_case import ask_edit_case
from tests.benchmarks.ask_search_case import ask_search_case
from tests.benchmarks.builds_case import builds_case
from tests.benchmarks.command_case import command_case
from tests.benchmarks.engine_case import engine_case
from tests.benchmarks.growth_case import alike_case, change_case, growth_case
from tests.benchmarks.http_case import http_case
from tests.benchmarks.idle_case import idle_case
from tests.benchmarks.measuring import HEADINGS, Line, as_row, as_text, yardstick
from tests.benchmarks.memory_case import memory_case
from tests.benchmarks.memory_search_case import memory_search_case
from tests.benchmarks.questions_case import questions_case
from tests.benchmarks.retrieval_case import report_case, retrieval_case
from tests.benchmarks.routing_case import routing_case
from tests.benchmarks.routing_entry_case import routing_entry_case
from tests.benchmarks.sessions_case import sessions_case
from tests.benchmarks.useful_case import useful_case
from tests.benchmarks.vault_case import vault_case
from tests.benchmarks.workshop import Workshop

from loreweave import __version__

# The last ones change the graphs that the ones before them read.
CASES: dict[str, Callable[[Workshop], Iterator[Line]]] = {
    "useful": useful_case,
    "vault": vault_case,
    "cold": command_case,
    "asked": questions_case,
    "growth": growth_case,
    "alike": alike_case,
    "retrieve": retrieval_case,
    "report": report_case,
    "http": http_case,
    "change": change_case,
    "ask_search": ask_search_case,
    "ask_edit": ask_edit_case,
    "memory_search": memory_search_case,
    "memory": memory_case,
    "routing": routing_case,
    "routing_entry": routing_entry_case,
    "engine": engine_case,
    "sessions": sessions_case,
    "builds": builds_case,
    "idle": idle_case,
}


def main() -> None:
    given = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that servers end and folders go
    machine = _machine()
    print("  ".join(f"{name}: {value}" for name, value in machine.items()), HEADINGS, sep="\n", flush=True)
    lines: list[Line] = []
    with _place(given.keep) as place:
        workshop = Workshop(place, given.data, given.quick, given.full)
        for name in given.only or CASES:
            started = time.perf_counter()
            for line in CASES[name](workshop):
                lines.append(line)
                print(as_text(line), flush=True)
            seconds = time.perf_counter() - started
            print(f"{'':9}({name} took {seconds:.0f} s in all; yardstick {yardstick():.2f} s)", flush=True)
    kept = [line.kept for line in lines if line.kept is not None]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{sum(kept)} of {len(kept)} promises kept; load average at the end {load}")
    if given.json:
        found = {"machine": machine, "lines": [as_row(line) for line in lines]}
        given.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = options.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small graphs and one round: does it run at all?")
    size.add_argument("--full", action="store_true", help="grow to 100,000 notes")
    options.add_argument("--only", action="append", choices=CASES, help="this case; may be said several times")
    options.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("LORE_BENCH_DATA"),
        help="folder that may hold skill-vault/, docs-site/ and other sets (LORE_BENCH_DATA)",
    )
    options.add_argument("--json", type=Path, metavar="FILE", help="also write the lines there")
    options.add_argument("--keep", type=Path, metavar="DIR", help="work in this new folder and leave it")
    given = options.parse_args()
    if given.data is not None and not given.data.is_dir():
        options.error(f"there is no folder {given.data}")
    return given


@contextmanager
def _place(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True)
        yield kept.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="lore-bench-") as place:
        yield Path(place)


def _machine() -> dict[str, str]:
    return {
        "loreweave": __version__,
        "python": platform.python_version(),
        "processors": str(os.cpu_count()),
        "load average": " ".join(f"{value:.1f}" for value in os.getloadavg()),
        "yardstick": f"{yardstick():.2f} s",
    }


if __name__ == "__main__":
    main()
