"""How well a ranking answers questions, and what other engines make of the same ones."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.ask_questions import Question, Site
from tests.benchmarks.measuring import process_environment

PEERS = Path(sys.prefix) / "peers"
HERE = Path(__file__).parent
Ranking = list[list[int]]  # sections for each question, best first


@dataclass(frozen=True, slots=True)
class Quality:
    first: float  # hit@1
    among_six: float  # hit@6
    reciprocal: float  # mean of 1 / rank, within ten
    questions: int


@dataclass(frozen=True, slots=True)
class PeerRun:
    found: Ranking
    seconds: list[float]


def quality(ranks: Sequence[int | None]) -> Quality:
    count = max(1, len(ranks))
    hits = [rank for rank in ranks if rank is not None]
    return Quality(
        sum(rank == 0 for rank in hits) / count,
        sum(rank < 6 for rank in hits) / count,
        sum(1 / (rank + 1) for rank in hits) / count,
        len(ranks),
    )


def ranks(site: Site, questions: Iterable[Question], found: Ranking) -> list[int | None]:
    """Where the right section stands in each answer."""
    places = {section.id: place for place, section in enumerate(site.sections)}
    return [
        shown.index(places[question.answer]) if places[question.answer] in shown else None
        for question, shown in zip(questions, found, strict=True)
    ]


def ask_all(search: Callable[[str], Iterable[int]], questions: Iterable[Question]) -> Ranking:
    return [list(search(question.text)) for question in questions]


def run_peers(site: Site, questions: Sequence[Question]) -> dict[str, PeerRun]:
    """Every peer that is installed beside the benchmarks."""
    given = json.dumps(
        {
            "sections": [
                {"heading": one.heading or one.title, "title": one.title, "text": one.text} for one in site.sections
            ],
            "questions": [question.text for question in questions],
        }
    )
    commands = []
    if (PEERS / "bin" / "python").exists():
        commands.append([PEERS / "bin" / "python", HERE / "ask_peers.py"])
    if shutil.which("node") and (PEERS / "node" / "node_modules" / "minisearch").is_dir():
        commands.append(["node", HERE / "minisearch_peer.mjs", PEERS / "node"])
    reports: dict[str, PeerRun] = {}
    for command in commands:
        done = subprocess.run(
            list(map(str, command)),
            input=given,
            capture_output=True,
            text=True,
            env=process_environment(),
            check=False,
        )
        if done.returncode:
            print(f"a peer failed: {done.stderr.strip()[-500:]}", file=sys.stderr)
            continue
        reports |= {name: PeerRun(run["found"], run["seconds"]) for name, run in json.loads(done.stdout).items()}
    return reports
