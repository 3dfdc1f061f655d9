"""How long finding, walking and packing take in process on a generated graph, warm.

Run: python tests/benchmarks/retrieval_speed.py [--nodes 10000] [--links 10] [--rounds 60] [--embedder none]
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import ContextRequest, ScanRequest, SearchRequest, TraverseRequest
from loreweave.settings import Settings

_SYLLABLES = [first + last for first in "bcdfghklmnprstvz" for last in ("a", "el", "in", "or", "un", "ist", "ey")]
_TYPES = ["skill"] * 6 + ["technique"] * 3 + ["framework"]


def make_words(count: int, chance: random.Random) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4)))] = None
    return list(found)


def write_notes(folder: Path, count: int, links: int, seed: int = 7, sentences: int = 10) -> list[str]:
    """Writes notes of a language in which few words are frequent and many are rare; answers its words.

    Each note has so many sentences, and one more for every link.
    """
    chance = random.Random(seed)
    vocabulary = make_words(20_000, chance)
    weights = [1 / (rank + 5) for rank in range(len(vocabulary))]
    sums = [sum(weights[:1])]
    for weight in weights[1:]:
        sums.append(sums[-1] + weight)

    def draw(size: int) -> str:
        return " ".join(chance.choices(vocabulary, cum_weights=sums, k=size))

    for number in range(count):
        kind = "moc" if number % 200 == 0 else chance.choice(_TYPES)
        said = [f"{draw(12)}." for _ in range(sentences)]
        for target in chance.sample(range(count), links):
            said.append(f"{draw(6)} [[note-{target}]] {draw(5)}.")
        text = f"# {draw(3)}\n\n{' '.join(said[:8])}\n"
        for start in range(8, len(said), 12):
            text += f"\n## {draw(2)}\n\n{' '.join(said[start : start + 12])}\n"
        head = f"---\nname: {draw(3)}\ntype: {kind}\ndomain: field {number % 7}\ndescription: {draw(10)}\n"
        head += f"tags: [{draw(1)}, {draw(1)}]\nupdated: 2024-{number % 12 + 1:02}-{number % 28 + 1:02}\n---\n"
        (folder / f"note-{number}.md").write_text(head + text, encoding="utf-8")
    return vocabulary


def make_queries(vocabulary: list[str], count: int, seed: int = 11) -> list[str]:
    """Eight words each: half of them frequent, half from the long tail."""
    chance = random.Random(seed)
    return [" ".join(chance.sample(vocabulary[:60], 4) + chance.sample(vocabulary[60:4000], 4)) for _ in range(count)]


def measure(ask: Callable[[str], object], queries: list[str]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds, after one round to warm up."""
    ask(queries[0])
    taken = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    return taken[len(taken) // 2], taken[int(len(taken) * 0.95)]


def measure_all(application: Application, graph: str, queries: list[str]) -> dict[str, tuple[float, float]]:
    service = application.retrieval
    start = "note-1"
    asks: dict[str, Callable[[str], object]] = {
        "scan": lambda query: service.scan(ScanRequest(graphId=graph, query=query)),
        "scan, empty query": lambda query: service.scan(ScanRequest(graphId=graph)),
        "scan, one typo": lambda query: service.scan(ScanRequest(graphId=graph, query="zq" + query[:9])),
        "search": lambda query: service.search(SearchRequest(graphId=graph, query=query)),
        "context": lambda query: service.context(ContextRequest(graphId=graph, query=query)),
        "traverse, depth 3": lambda query: service.traverse(
            TraverseRequest(graphId=graph, query=query, startNode=start)
        ),
        "traverse, depth 10": lambda query: service.traverse(
            TraverseRequest(graphId=graph, query=query, startNode=start, maxDepth=10)
        ),
    }
    return {name: measure(ask, queries) for name, ask in asks.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nodes", type=int, default=10_000)
    options.add_argument("--links", type=int, default=10)
    options.add_argument("--rounds", type=int, default=60)
    options.add_argument("--embedder", default="none")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place) / "notes"
        notes.mkdir()
        vocabulary = write_notes(notes, given.nodes, given.links)
        application = open_application(Settings(data_dir=Path(place) / "data", embedder=given.embedder))
        started = time.perf_counter()
        answer = application.graphs.ingest_folder(notes)
        seconds = time.perf_counter() - started
        print(f"{answer.metrics.nodeCount} notes, {answer.metrics.edgeCount} links, ingested in {seconds:.1f} s")
        print(f"{'embedder ' + given.embedder:24}{'p50 ms':>10}{'p95 ms':>10}")
        for name, (median, high) in measure_all(
            application, answer.graphId, make_queries(vocabulary, given.rounds)
        ).items():
            print(f"{name:24}{median:10.2f}{high:10.2f}")
        application.close()


if __name__ == "__main__":
    main()
