"""Keyword search over a documentation site: how often it finds the right section, and how fast in 25,000."""

import time
from collections.abc import Iterator

from tests.benchmarks.ask_corpus import many_sections, speed_queries
from tests.benchmarks.ask_quality import PeerRun, ask_all, quality, ranks, run_peers
from tests.benchmarks.ask_questions import KINDS, Question, Site, read_site
from tests.benchmarks.measuring import Line
from tests.benchmarks.workshop import Workshop

from loreweave.knowledge.asking.search.build_index import build_index
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.seams.embedding.open_embedder import open_embedder

CASE = "ask"
PROMISES = {  # kind of question: (hit@1, hit@6) at least
    "all": (None, 0.90),
    "heading": (0.90, None),
    "heading words": (0.90, None),
    "literal": (0.95, None),
    "typo": (None, 0.90),
    "word form": (None, 0.90),
}


def ask_search_case(workshop: Workshop) -> Iterator[Line]:
    folder = workshop.given and workshop.given / "docs-site"
    if folder is None or not folder.is_dir():
        yield Line(CASE, "no site to search", 0, "", remark="needs docs-site/ in the data folder")
        return
    site = read_site(folder)
    questions = [question for question in site.questions if not question.tuned]
    peers = run_peers(site, questions)
    for kind in ("none", "static"):
        index = build_index(site.sections, [], open_embedder(kind))
        yield from _quality_lines(site, questions, index, peers, "words alone" if kind == "none" else "with meaning")
    yield from _speed_lines(site, 2_000 if workshop.quick else 25_000, workshop.rounds)


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


def _speed_lines(site: Site, count: int, rounds: int) -> Iterator[Line]:
    sections = many_sections(site.sections, count)
    queries = list(speed_queries(sections))
    for kind in ("none", "static"):
        embedder = open_embedder(kind)
        if embedder is not None:
            embedder.embed(["warm"])
        started = time.process_time()
        stored = dump(build_index(sections, [], embedder))
        built = time.process_time() - started
        started = time.process_time()
        index = load(stored, embedder)
        how = f"{count:,} sections, embedder {kind}"
        yield Line(CASE, "index built", built, "CPU s", remark=how)
        loaded = (time.process_time() - started) * 1000
        yield Line(CASE, "stored index loaded", loaded, "CPU ms", remark=f"{how}, {len(stored) / 1e6:.0f} MB")
        for what in ("words", "unfinished", "misspelt", "question", "literal"):
            taken = sorted(_least(index, query, rounds) for about, query in queries if about == what)
            p50, p99 = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
            yield Line(CASE, f"{what}: p50", p50, "CPU ms", promise="≤ 2 ms", kept=p50 <= 2, remark=how)
            yield Line(CASE, f"{what}: p99", p99, "CPU ms", promise="≤ 10 ms", kept=p99 <= 10, remark=how)


def _least(index: SectionIndex, query: str, rounds: int) -> float:
    """Milliseconds of the processor, the best of a few."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        index.search(query)
        taken.append(time.process_time() - started)
    return min(taken) * 1000
