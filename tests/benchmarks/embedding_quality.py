"""How much the embedder adds to words alone, on sets given from outside. Not part of the test run.

    python tests/benchmarks/embedding_quality.py <folder> [--embedder static]

The folder may hold `locomo/locomo10.json` (questions → the session or turn that answers them; for evaluation
only) and `skill-vault/*.md` (a sentence without its link → the linked note; a description → its note).
What is absent is skipped. Both rankings of a set come from the same run, so only their ratio matters.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy
import Stemmer
from tests.best_cosines import best_cosines

from loreweave.seams.embedding.open_embedder import open_embedder
from loreweave.seams.embedding.stored_vectors import as_rows, quantize

WEIGHT = 0.3
STOP_WORDS = """
a an and are as at be but by did do does for from had has have he her his how i in is it its not of on or she
that the their them they this to was were what when where which who why will with you your
""".split()  # noqa: SIM905
LINK = re.compile(r"\[\[([^\]|#\n]+)[^\]\n]*\]\]")
STEM = Stemmer.Stemmer("english").stemWord


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answers: frozenset[int]
    asked_in: int = -1  # a document that holds the question itself does not count


@dataclass(frozen=True, slots=True)
class Task:
    documents: list[str]
    questions: list[Question]


def locomo(folder: Path) -> Iterator[tuple[str, list[Task]]]:
    path = folder / "locomo" / "locomo10.json"
    if not path.is_file():
        print(f"skipped: no {path.name} in {folder.name}/locomo")
        return
    sessions, turns = [], []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        by_session, by_turn = _conversation(sample["conversation"])
        found = [(item["question"], re.findall(r"D\d+:\d+", " ".join(item["evidence"]))) for item in sample["qa"]]
        sessions.append(_task(by_session, [(text, [mark.split(":")[0] for mark in marks]) for text, marks in found]))
        turns.append(_task(by_turn, found))
    yield "locomo sessions", sessions
    yield "locomo turns", turns


def _conversation(conversation: dict) -> tuple[dict[str, str], dict[str, str]]:
    sessions: dict[str, str] = {}
    turns: dict[str, str] = {}
    names = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    for name in sorted(names, key=lambda name: int(name[8:])):
        said = {
            turn["dia_id"]: f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption', '')}"
            for turn in conversation[name]
        }
        turns.update(said)
        sessions["D" + name[8:]] = "\n".join([conversation[name + "_date_time"], *said.values()])
    return sessions, turns


def _task(documents: dict[str, str], questions: list[tuple[str, list[str]]]) -> Task:
    place = {name: index for index, name in enumerate(documents)}
    asked = [Question(text, frozenset(place[name] for name in answers if name in place)) for text, answers in questions]
    return Task(list(documents.values()), [question for question in asked if question.answers])


def vault(folder: Path) -> Iterator[tuple[str, list[Task]]]:
    files = sorted((folder / "skill-vault").glob("*.md"))
    if not files:
        print(f"skipped: no notes in {folder.name}/skill-vault")
        return
    parts = [re.match(r"(?:---\n(.*?)\n---\n)?(.*)", path.read_text(encoding="utf-8"), re.DOTALL) for path in files]
    place = {path.stem: index for index, path in enumerate(files)}
    bodies = [part[2] for part in parts if part]
    documents = [f"{path.stem}\n{LINK.sub(' ', body)}" for path, body in zip(files, bodies, strict=True)]
    sentences = [question for index, body in enumerate(bodies) for question in _link_sentences(index, body, place)]
    random.Random(1).shuffle(sentences)
    yield "vault link sentences", [Task(documents, sentences[:1500])]
    described = [re.search(r"^description: *(.+)$", (part and part[1]) or "", re.MULTILINE) for part in parts]
    questions = [Question(line[1], frozenset([index])) for index, line in enumerate(described) if line]
    yield "vault descriptions", [Task(documents, questions)]


def _link_sentences(index: int, body: str, place: dict[str, int]) -> Iterator[Question]:
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", body):
        targets = [place[name] for name in LINK.findall(sentence) if place.get(name, index) != index]
        rest = LINK.sub(" ", sentence).strip()
        if len(targets) == 1 and len(rest.split()) >= 6:
            yield Question(rest, frozenset(targets), asked_in=index)


class Words:
    """Two lexical measures of a set of documents: the graph's T (bodies only), and BM25 over the best hit."""

    def __init__(self, documents: list[str]) -> None:
        counts = [Counter(_terms(document)) for document in documents]
        self._size = len(documents)
        length = numpy.array([sum(count.values()) for count in counts], dtype=float)
        self._norm = 1.2 * (0.25 + 0.75 * length / length.mean())
        found: dict[str, list[tuple[int, int]]] = {}
        for index, count in enumerate(counts):
            for term, often in count.items():
                found.setdefault(term, []).append((index, often))
        self._found = {term: numpy.array(places).T for term, places in found.items()}

    def _known(self, query: str) -> Iterator[tuple[float, numpy.ndarray, numpy.ndarray]]:
        for term in sorted(set(_terms(query)) & self._found.keys()):
            places, often = self._found[term]
            yield math.log(1 + (self._size - len(places) + 0.5) / (len(places) + 0.5)), places, often

    def relevance(self, query: str) -> numpy.ndarray:
        score, total = numpy.zeros(self._size), 0.0
        for rarity, places, often in self._known(query):
            total += rarity
            score[places] += rarity * (0.5 * often) / (0.5 * often + 1.2)
        return score / total if total else score

    def bm25(self, query: str) -> numpy.ndarray:
        score = numpy.zeros(self._size)
        for rarity, places, often in self._known(query):
            score[places] += rarity * often * 2.2 / (often + self._norm[places])
        return score / score.max() if score.any() else score


def _terms(text: str) -> list[str]:
    return [STEM(word) for word in re.findall(r"\w+", text.lower()) if word not in STOP_WORDS]


def raised(relevance: numpy.ndarray, cosines: numpy.ndarray) -> numpy.ndarray:
    """Relevance lifted towards 1 by what the cosine has above the query's mean; never lowered."""
    mean = float(cosines.mean())
    lift = (cosines - mean).clip(min=0) / max(1e-6, 1 - mean)
    return relevance + WEIGHT * lift * (1 - relevance)


BLENDS: dict[str, Callable[[numpy.ndarray, numpy.ndarray, numpy.ndarray], numpy.ndarray]] = {
    "T": lambda relevance, bm25, cosines: relevance,
    "T raised": lambda relevance, bm25, cosines: raised(relevance, cosines),
    "BM25": lambda relevance, bm25, cosines: bm25,
    "BM25 + 0.45 cosine": lambda relevance, bm25, cosines: bm25 + 0.45 * cosines,
}


def measure(score: numpy.ndarray, question: Question) -> tuple[float, float, float]:
    """Recall at 5, reciprocal rank, nDCG at 10."""
    if question.asked_in >= 0:
        score = score.copy()
        score[question.asked_in] = -1
    order = numpy.lexsort((numpy.arange(len(score)), -score)).tolist()
    hits = [rank for rank, index in enumerate(order) if index in question.answers]
    gain = sum(1 / math.log2(rank + 2) for rank in hits if rank < 10)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(hits))))
    return sum(rank < 5 for rank in hits) / len(hits), 1 / (hits[0] + 1), gain / ideal


def run_set(name: str, tasks: list[Task], embedder) -> None:
    results: dict[str, list[tuple[float, float, float]]] = {blend: [] for blend in BLENDS}
    seconds = 0.0
    for task in tasks:
        words = Words(task.documents)
        started = time.process_time()
        rows, offsets = embedder.embed_pieces(task.documents)
        stored = as_rows(quantize(rows), embedder.dimensions)
        seconds += time.process_time() - started
        vectors = embedder.embed([question.text for question in task.questions])
        for question, vector in zip(task.questions, vectors, strict=True):
            parts = (
                words.relevance(question.text),
                words.bm25(question.text),
                best_cosines(vector, stored, offsets),
            )
            for blend, mix in BLENDS.items():
                results[blend].append(measure(mix(*parts), question))
    print(f"\n{name}: {sum(len(task.questions) for task in tasks)} questions, embedded in {seconds:.2f} s")
    means = {blend: numpy.mean(found, axis=0) for blend, found in results.items()}
    for blend, mean in means.items():
        base = means["T" if blend.startswith("T") else "BM25"]
        ratio = " ".join(f"×{value:.3f}" for value in mean / base)
        print(f"  {blend:20s} recall@5 {mean[0]:.3f}  MRR {mean[1]:.3f}  nDCG@10 {mean[2]:.3f}   {ratio}")


def main() -> None:
    arguments = argparse.ArgumentParser(description="What the embedder adds to words alone.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--embedder", default="static")
    given = arguments.parse_args()
    if not given.folder.is_dir():
        print("skipped: the data folder is absent")
        return
    embedder = open_embedder(given.embedder)
    if embedder is None:
        print("skipped: no embedder to measure")
        return
    print(embedder.identity)
    for source in (locomo, vault):
        for name, tasks in source(given.folder):
            run_set(name, tasks, embedder)


if __name__ == "__main__":
    main()
