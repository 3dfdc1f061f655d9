"""Choosing the entry among 150 intents, and knowing what belongs to none, beside BM25 over the same utterances.

Needs clinc150/data_full.json in the data folder. Thresholds are fitted on the validation part alone.
"""

import asyncio
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measuring import Line
from tests.benchmarks.workshop import Workshop

from loreweave import EntryPolicy, RouteContext, SkillGraph, define_skill, fit_entry_policy, skill_graph
from loreweave.language.terms import stem, words
from loreweave.seams.embedding.open_embedder import open_embedder

CASE = "entry"
NEIGHBOURS = 10
Utterance = tuple[str, str | None]


def routing_entry_case(workshop: Workshop) -> Iterator[Line]:
    path = workshop.given and workshop.given / "clinc150" / "data_full.json"
    if path is None or not path.is_file():
        yield Line(CASE, "no intents to choose among", 0, "", remark="needs clinc150/data_full.json in the data folder")
        return
    parts = _read(path, 20 if workshop.quick else 1)
    embedder = open_embedder("static")
    started = time.process_time()
    policy = asyncio.run(fit_entry_policy(_graph(parts["train"], embedder), parts["validation"]))
    fitted = time.process_time() - started
    graph = _graph(parts["train"], embedder, policy)
    started = time.process_time()
    chosen = asyncio.run(_choose(graph, parts["test"]))
    each = (time.process_time() - started) / len(parts["test"])
    right, refused = _grades(parts["test"], chosen)
    neighbours = NearestByWords(parts["train"])
    base_right, base_refused = _grades(parts["test"], [neighbours.choose(text) for text, _ in parts["test"]])
    remark = f"floor {policy.floor or 0:.3f}, least margin {policy.min_margin or 0:.3f}, fitted in {fitted:.0f} s"
    yield Line(
        CASE, "right skill, of 150", right * 100, "%", "BM25 neighbours", base_right * 100, "ahead",
        right > base_right, remark,
    )  # fmt: skip
    yield Line(
        CASE, "abstains where none fits", refused * 100, "%", "BM25 neighbours", base_refused * 100, "ahead",
        refused > base_refused,
    )  # fmt: skip
    yield Line(CASE, "one scoring", each * 1e3, "ms", remark="processor time, 15,000 examples")


def _read(path: Path, step: int) -> dict[str, list[Utterance]]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return {
        "train": [(text, intent) for text, intent in data["train"]],
        "validation": [(text, intent) for text, intent in data["val"][::step]]
        + [(text, None) for text, _ in data["oos_val"][::step]],
        "test": [(text, intent) for text, intent in data["test"][::step]]
        + [(text, None) for text, _ in data["oos_test"][::step]],
    }


def _graph(examples: list[Utterance], embedder: object, policy: EntryPolicy | None = None) -> SkillGraph:
    spoken: dict[str, list[str]] = defaultdict(list)
    for text, intent in examples:
        spoken[str(intent)].append(text)
    builder = skill_graph()
    for intent, texts in spoken.items():
        metadata = {"skillgraph.examples": "\n".join(texts)}
        builder.entry(define_skill(intent, intent.replace("_", " "), "Do it.", metadata=metadata))
    return builder.entry_by_relevance(embedder, policy).build()


async def _choose(graph: SkillGraph, asked: list[Utterance]) -> list[str | None]:
    assert graph.score_entries is not None
    return [(await graph.score_entries(RouteContext(user_message=text))).chosen for text, _ in asked]


def _grades(asked: list[Utterance], chosen: list[str | None]) -> tuple[float, float]:
    """How often the right skill was chosen where there is one, and none where there is none."""
    inside = [one == intent for one, (_, intent) in zip(chosen, asked, strict=True) if intent is not None]
    outside = [one is None for one, (_, intent) in zip(chosen, asked, strict=True) if intent is None]
    return sum(inside) / len(inside), sum(outside) / len(outside)


class NearestByWords:
    """BM25 over all utterances; the intents of the nearest ten vote with their scores."""

    def __init__(self, examples: list[Utterance]) -> None:
        self._intents = [intent for _, intent in examples]
        counts = [Counter(map(stem, words(text))) for text, _ in examples]
        mean = sum(count.total() for count in counts) / len(counts)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, count in enumerate(counts):
            for term, times in count.items():
                weight = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * count.total() / mean))
                self._postings[term].append((place, weight))

    def choose(self, message: str) -> str | None:
        scores: dict[int, float] = defaultdict(float)
        size = len(self._intents)
        for term in set(map(stem, words(message))):
            found = self._postings.get(term, [])
            rarity = math.log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
            for place, weight in found:
                scores[place] += rarity * weight
        votes: dict[str | None, float] = defaultdict(float)
        for place in sorted(scores, key=lambda place: (-scores[place], place))[:NEIGHBOURS]:
            votes[self._intents[place]] += scores[place]
        return max(votes, key=lambda intent: votes[intent]) if votes else None
