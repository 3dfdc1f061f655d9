"""Keyword search over a documentation site: how often it finds the right section, and how fast in 25,000."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from tests.benchmarks.ask_corpus import many_sections, speed_queries
from tests.benchmarks.ask_quality import PeerRun, ask_all, quality, ranks, run_peers, run_tantivy
from tests.benchmarks.ask_questions import KINDS, Question, Site, read_site
from tests.benchmarks.measuring import Line
from tests.benchmarks.workshop import Workshop

from loreweave.entities.digest import SearchedSection
from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import dump, load
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.open_embedder import open_embedder

CASE = "ask"
Answer = TypeVar("Answer")
PROMISES = {  # kind of question: (hit@1, hit@6) at least
    "all": (None, 0.90),
    "heading": (0.90, None),
    "heading words": (0.90, None),
    "literal": (0.95, None),
    "typo": (None, 0.90),
    "word form": (None, 0.90),
}


@pytest.mark.holds("ask.search.speed")
def ask_search_case(workshop: Workshop) -> Iterator[Line]:
    folder = workshop.given and workshop.given / "docs-site"
    if folder is None or not folder.is_dir():
        yield Line(CASE, "no site to search", 0, "", remark="needs docs-site/ in the data folder")
        return
    site = read_site(folder)
    questions = [question for question in site.questions if not question.tuned]
    peers = run_peers(site, questions)
    embedder = open_embedder("static")
    arrays = build_index(site.sections, embedder)
    for how, index in (("words alone", SectionIndex(arrays, None)), ("with meaning", SectionIndex(arrays, embedder))):
        yield from _quality_lines(site, questions, index, peers, how)
    yield from _speed_lines(many_sections(site.sections, 2_000 if workshop.quick else 25_000), workshop.rounds)


def _quality_lines(
    site: Site, questions: list[Question], index: SectionIndex, peers: dict[str, PeerRun], how: str
) -> Iterator[Line]:
    ours = ranks(site, questions, ask_all(lambda text: [hit.section for hit in index.search(text, 10)], questions))
    others = {name: ranks(site, questions, run.found) for name, run in peers.items()}
    for kind in ("all", *KINDS):
        chosen = [place for place, question in enumerate(questions) if kind in ("all", question.kind)]
        own = quality([ours[place] for place in chosen])
        best = {name: quality([found[place] for place in chosen]) for name, found in others.items()}
        for what, figure, promised in (
            ("hit@1", "first", PROMISES.get(kind, (None, None))[0]),
            ("hit@6", "among_six", PROMISES.get(kind, (None, None))[1]),
            ("MRR", "reciprocal", None),
        ):
            value = getattr(own, figure)
            peer = max(best, key=lambda name: getattr(best[name], figure), default="")
            yield Line(
                CASE, f"{kind} {what}, {how}", value, "", f"best peer: {peer}" if peer else "no peer installed",
                getattr(best[peer], figure) if peer else None, f"≥ {promised}" if promised else "",
                value >= promised if promised else None, f"{own.questions} questions",
            )  # fmt: skip


def _speed_lines(sections: list[SearchedSection], rounds: int) -> Iterator[Line]:
    """One index is made, with an embedder; without one it is the same but for the vectors."""
    queries = list(speed_queries(sections))
    peer = _by_kind(queries, [1000 * taken for taken in run_tantivy(sections, [query for _, query in queries])])
    embedder = open_embedder("static")
    built, stored = _processor(lambda: dump(build_index(sections, embedder)))
    loaded, arrays = _processor(lambda: load(stored))
    size = f"{len(sections):,} sections"
    yield Line(CASE, "index built", built, "CPU s", remark=f"{size}, with vectors")
    yield Line(CASE, "stored index loaded", 1000 * loaded, "CPU ms", remark=f"{size}, {len(stored) / 1e6:.0f} MB")
    for how, asked in (("words alone", SectionIndex(arrays, None)), ("with meaning", SectionIndex(arrays, embedder))):
        taken = _by_kind(queries, [_least(asked, query, rounds) for _, query in queries])
        for kind, ours in taken.items():
            for what, share, most in (("p50", 0.5, 2), ("p99", 0.99, 10)):
                value = ours[int(len(ours) * share)]
                other = peer[kind][int(len(ours) * share)] if peer else None
                against = "tantivy, no snippets" if peer else "no peer installed"
                name = f"{kind}, {how}: {what}"
                yield Line(CASE, name, value, "CPU ms", against, other, f"≤ {most} ms", value <= most, size)


def _by_kind(queries: list[tuple[str, str]], taken: list[float]) -> dict[str, list[float]]:
    """Milliseconds of each kind of query, in order."""
    found: dict[str, list[float]] = {}
    for (kind, _), one in sorted(zip(queries, taken, strict=False), key=lambda pair: pair[1]):
        found.setdefault(kind, []).append(one)
    return {kind: found[kind] for kind, _ in queries if kind in found}


def _processor(work: Callable[[], Answer]) -> tuple[float, Answer]:
    """Seconds of the processor, and what came of them."""
    started = time.process_time()
    answer = work()
    return time.process_time() - started, answer


def _least(index: SectionIndex, query: str, rounds: int) -> float:
    """Milliseconds of the processor, the best of a few."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        index.search(query)
        taken.append(time.process_time() - started)
    return min(taken) * 1000
