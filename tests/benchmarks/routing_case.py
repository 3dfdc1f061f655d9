"""A graph of a thousand skills: built, checked, drawn and walked, beside LangGraph in the same run."""

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Line, process_environment
from tests.benchmarks.workshop import Workshop

from loreweave import RouteContext, SkillGraph, ToolResult, define_skill, skill_graph

CASE = "routing"
PEER = Path(sys.prefix) / "peers" / "bin" / "python"
SKILLS, EDGES = 1_000, 5_000
ORDINARY = 0.25  # seconds of an ordinary machine for the measure below


@pytest.mark.holds("routing.speed.build", "routing.speed.hop", "routing.speed.linear")
def routing_case(workshop: Workshop) -> Iterator[Line]:
    rounds = 2 if workshop.quick else 5
    hops = 100 if workshop.quick else 500
    edges = _edges()
    peer = _run_peer({"skills": SKILLS, "edges": edges, "hops": hops, "rounds": rounds})
    slowness = _slowness()
    graph = _build(edges)
    walks = [_at(number % SKILLS) for number in range(hops)]
    stay = RouteContext(current_skill_id="s5", last_tool_result=ToolResult("other"))
    sizes = f"{SKILLS:,} skills, {EDGES:,} edges"
    ours = {
        "build": _best(rounds, lambda: _build(edges)),
        "draw": _best(rounds, graph.to_mermaid),
        "hop": _best(rounds, lambda: [graph.next_skill(ctx) for ctx in walks]) / hops,
    }
    for what, unit, scale, most in (("build", "ms", 1e3, 0.1), ("draw", "ms", 1e3, 0.1), ("hop", "µs", 1e6, 9e-6)):
        yield Line(
            CASE,
            what if what == "hop" else f"{what}, {sizes}",
            ours[what] * scale,
            unit,
            "LangGraph" if peer else "LangGraph is not installed",
            peer[what] * scale if peer else None,
            f"< {most * scale:.3g} {unit}",
            ours[what] < most * slowness,
            f"machine {slowness:.1f} times slower than ordinary",
        )
    for what, ask in (("active set", graph.active_skills), ("stay", graph.next_skill)):
        taken = _best(rounds, lambda ask=ask: [ask(stay) for _ in range(hops)]) / hops  # type: ignore[misc]
        yield Line(CASE, what, taken * 1e6, "µs", promise="< 9 µs", kept=taken < 9e-6 * slowness)
    taken = _best(rounds, lambda: [graph.reachable_skills("s5") for _ in range(hops)]) / hops
    yield Line(CASE, "reachable set", taken * 1e6, "µs", promise="< 9 µs", kept=taken < 9e-6 * slowness)
    taken = _best(rounds, graph.checkup)
    yield Line(CASE, f"check-up, {sizes}", taken * 1e3, "ms", promise="< 100 ms", kept=taken < 0.1 * slowness)


def _edges() -> list[tuple[int, int]]:
    """A ring, and four more ways out of each skill."""
    chance = random.Random(11)
    ring = [(number, (number + 1) % SKILLS) for number in range(SKILLS)]
    return ring + [(number % SKILLS, chance.randrange(SKILLS)) for number in range(EDGES - SKILLS)]


def _build(edges: list[tuple[int, int]]) -> SkillGraph:
    builder = skill_graph()
    made = [define_skill(f"s{number}", f"about {number}", "Do it.") for number in range(SKILLS)]
    builder.entry(made[0])
    for number, (one, other) in enumerate(edges):
        builder.route(made[one], made[other], on_tool_return=f"tool_{number}")
    return builder.build("off")


def _at(number: int) -> RouteContext:
    return RouteContext(current_skill_id=f"s{number}", last_tool_result=ToolResult(f"tool_{number}"))


def _best(rounds: int, work: Callable[[], object]) -> float:
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def _slowness() -> float:
    return max(1.0, _best(3, lambda: sum(number % 7 for number in range(5_000_000))) / ORDINARY)


def _run_peer(given: dict[str, object]) -> dict[str, float]:
    """Seconds of LangGraph; nothing where it is not installed."""
    if not shutil.which(str(PEER)):
        return {}
    script = Path(__file__).with_name("langgraph_peer.py")
    done = subprocess.run(
        [str(PEER), str(script)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env=process_environment(),
        check=False,
    )
    if done.returncode:
        print(f"a peer failed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    return json.loads(done.stdout)
