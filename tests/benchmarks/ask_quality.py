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

from loreweave.entities.digest import SearchedSection

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
    given = _given(site.sections, [question.text for question in questions])
    reports = _run_peer([PEERS / "bin" / "python", HERE / "ask_peers.py"], given)
    if (PEERS / "node" / "node_modules" / "minisearch").is_dir():
        reports |= _run_peer(["node", HERE / "minisearch_peer.mjs", PEERS / "node"], given)
    return reports


def run_tantivy(sections: Sequence[SearchedSection], queries: Sequence[str]) -> list[float]:
    """Seconds of each query in the quickest of the peers; none where it is not installed."""
    command = [PEERS / "bin" / "python", HERE / "ask_peers.py", "tantivy"]
    found = _run_peer(command, _given(sections, queries)).get("tantivy")
    return found.seconds if found else []


def _given(sections: Sequence[SearchedSection], questions: Sequence[str]) -> str:
    fields = [{"heading": one.heading or one.title, "title": one.title, "text": one.text} for one in sections]
    return json.dumps({"sections": fields, "questions": questions})


def _run_peer(command: Sequence[str | Path], given: str) -> dict[str, PeerRun]:
    """What the peers of one program found; nothing where the program is not there."""
    if not shutil.which(str(command[0])):
        return {}
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
        return {}
    return {name: PeerRun(run["found"], run["seconds"]) for name, run in json.loads(done.stdout).items()}
