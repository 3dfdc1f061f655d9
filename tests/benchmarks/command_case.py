"""Commands that start from nothing: what a person at a terminal, or an agent's shell, waits for."""

import shutil
import sys
from collections.abc import Callable, Iterator

import pytest
from tests.benchmarks.measuring import Line, alternate, program, run_process
from tests.benchmarks.vault_case import PEER
from tests.benchmarks.workshop import Workshop

CASE = "cold"


@pytest.mark.holds("graph.speed.cold-scan")
def command_case(workshop: Workshop) -> Iterator[Line]:
    vault, data = workshop.vault(), workshop.new_folder("cold")
    lore = program("lore")
    run_process([lore, "ingest", vault, "--data", data])
    query = sorted(vault.rglob("*.md"))[0].stem.replace("-", " ")
    work: dict[str, Callable[[int], object]] = {
        "python": lambda _: run_process([sys.executable, "-c", "pass"]),
        "help": lambda _: run_process([lore, "--help"]),
        "scan": lambda _: run_process([lore, "scan", query, "--data", data]),
        "context": lambda _: run_process([lore, "context", query, "--data", data]),
    }
    if PEER.exists():
        copy = workshop.new_folder("peer-query")
        shutil.copytree(vault, copy)
        home = {"HOME": str(workshop.place)}
        run_process([PEER, "update", copy, "--no-cluster"], **home)
        graph = copy / "graphify-out" / "graph.json"
        found_none_or_several = (0, 3, 4)
        work["peer"] = lambda _: run_process(
            [PEER, "query", query, "--graph", graph], fine=found_none_or_several, **home
        )
    for run in work.values():
        run(0)  # whatever is compiled or cached on a first start
    taken = alternate(3 * workshop.rounds, work)
    python = taken["python"].best
    yield Line(CASE, "python -c pass", python, "s")
    for what, promised in (("help", 0.3), ("scan", 0.4), ("context", None)):
        best = taken[what].best
        yield Line(
            CASE, f"lore {'--' * (what == 'help')}{what}", best, "s", "python -c pass", python,
            f"< {promised} s" if promised else "", best < promised if promised else None,
            f"median {taken[what].median:.2f} s",
        )  # fmt: skip
    if "peer" in taken:
        yield Line(CASE, "lore scan", taken["scan"].best, "s", "graphify query", taken["peer"].best)
