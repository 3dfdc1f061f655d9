"""Search over memories: how often it finds where something was said, and how fast it is among 100,000."""

import json
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.ask_quality import PEERS
from tests.benchmarks.locomo_questions import Conversation, Recall, read_conversations, recall
from tests.benchmarks.measuring import Line, process_environment
from tests.benchmarks.memory_corpus import Writer, fill_store, open_index
from tests.benchmarks.workshop import Workshop

from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words
from loreweave.memory.search.memory_index import Filter, MemoryIndex
from loreweave.memory.search.memory_ranking import rank_memories
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.open_embedder import open_embedder
from loreweave.seams.storage.open_store import open_store

CASE = "memory"  # the figures of the ranking were chosen with all of these conversations in view
PEER = Path(__file__).with_name("locomo_peer.py")
LATER = 10**15
PROMISES = {"at_five": ("recall@5", 0.88), "at_ten": ("recall@10", 0.93), "reciprocal": ("MRR", 0.80)}
Found = list[list[list[int]]]
Answer = TypeVar("Answer")


def memory_search_case(workshop: Workshop) -> Iterator[Line]:
    given = workshop.given and workshop.given / "locomo" / "locomo10.json"
    if given is None or not given.is_file():
        yield Line(CASE, "no conversations to search", 0, "", remark="needs locomo/locomo10.json in the data folder")
    else:
        yield from _quality_lines(workshop, given)
    for kind in ("none", "two-tower"):
        yield from _speed_lines(workshop, 2_000 if workshop.quick else 100_000, kind)


def _quality_lines(workshop: Workshop, path: Path) -> Iterator[Line]:
    for what, turns, dated in (("sessions", False, True), ("undated", False, False), ("turns", True, False)):
        conversations = read_conversations(path, turns=turns, dated=dated)
        peer = _peer_found(conversations)
        for kind in ("none", "two-tower"):
            ours = _our_found(workshop, conversations, open_embedder(kind))
            for part, chosen in (("all", slice(None)), ("every second", slice(1, None, 2))):
                own = recall(conversations[chosen], ours[chosen])
                other = recall(conversations[chosen], peer[chosen]) if peer else None
                how = f"{'words alone' if kind == 'none' else 'with meaning'}, {part}"
                yield from _recall_lines(what, how, own, other, promised=what == "sessions" and part == "all")


def _recall_lines(what: str, how: str, own: Recall, other: Recall | None, promised: bool) -> Iterator[Line]:
    for figure, (name, least) in PROMISES.items():
        value = getattr(own, figure)
        beside = getattr(other, figure) if other else None
        if promised:
            promise, kept = f"≥ {least}", value >= least
        else:
            promise, kept = ("≥ peer", value >= beside) if beside is not None else ("", None)
        yield Line(
            CASE, f"{what} {name}, {how}", value, "", "tantivy, English stems" if other else "no peer installed",
            beside, promise, kept, f"{own.questions} questions",
        )  # fmt: skip


def _our_found(workshop: Workshop, conversations: list[Conversation], embedder: Embedder | None) -> Found:
    """Every conversation a scope of one store."""
    store = open_store(workshop.new_folder("locomo"))
    texts = [text for conversation in conversations for text in conversation.texts]
    scopes = [f"c{number}" for number, conversation in enumerate(conversations) for _ in conversation.texts]
    fill_store(store, texts, embedder, scopes)
    _, index = open_index(store, embedder)
    store.close()
    found, first = [], 1
    for number, conversation in enumerate(conversations):
        asked = [
            rank_memories(index, question, Filter(f"c{number}", as_of=LATER)).top(10)
            for question, _ in conversation.questions
        ]
        found.append([[hit.key - first for hit in hits] for hits in asked])
        first += len(conversation.texts)
    return found


def _without_stop_words(question: str) -> str:
    found = words(question)
    return " ".join([word for word in found if word not in STOP_WORDS] or found)


def _peer_found(conversations: list[Conversation]) -> Found:
    if not (PEERS / "bin" / "python").exists():
        return []
    given = [  # without stop words, which it would rank by: so it finds more
        {"texts": one.texts, "questions": [_without_stop_words(question) for question, _ in one.questions]}
        for one in conversations
    ]
    command = [str(PEERS / "bin" / "python"), str(PEER)]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, env=process_environment(), check=True
    )
    found: Found = json.loads(done.stdout)
    return found


def _speed_lines(workshop: Workshop, count: int, kind: str) -> Iterator[Line]:
    how = f"{count:,} memories, embedder {kind}"
    embedder = open_embedder(kind)
    if embedder is not None:
        embedder.embed(["warm"])
    writer = Writer()
    store = open_store(workshop.new_folder("memories"))
    fill_store(store, [writer.text() for _ in range(count)], embedder)
    (library, _), cold = _timed(lambda: open_index(store, embedder))
    yield Line(CASE, "opened without segments", cold, "CPU s", promise="≤ 3 s", kept=cold <= 3, remark=how)
    _, kept = _timed(library.tend)
    yield Line(CASE, "segments stored", kept, "CPU s", remark=how)
    (library, index), warm = _timed(lambda: open_index(store, embedder))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Line(CASE, "opened", warm, "CPU s", promise="≤ 3 s", kept=warm <= 3, remark=f"{how}; process {memory:.0f} MB")
    store.close()
    queries = [writer.query() for _ in range(40 if workshop.quick else 300)]
    taken = sorted(_least(index, query, workshop.rounds) for query in queries)
    for name, share, promised in (("p50", 0.5, 15.0), ("p95", 0.95, 50.0), ("p99", 0.99, None)):
        value = taken[int(len(taken) * share)]
        kept_promise = None if promised is None else value <= promised
        yield Line(CASE, f"search {name}", value, "CPU ms", promise=f"≤ {promised:g} ms" if promised else "",
                   kept=kept_promise, remark=how)  # fmt: skip


def _least(index: MemoryIndex, query: str, rounds: int) -> float:
    """Milliseconds of the processor, the best of a few."""
    return (
        min(
            _timed(lambda: rank_memories(index, query, Filter("default", as_of=LATER)).top(10))[1]
            for _ in range(rounds)
        )
        * 1000
    )


def _timed(work: Callable[[], Answer]) -> tuple[Answer, float]:
    started = time.process_time()
    answer = work()
    return answer, time.process_time() - started
