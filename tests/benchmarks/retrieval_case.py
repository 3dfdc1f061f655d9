"""A large graph, warm and in process: finding, walking, packing; beside SQLite's own search and walk."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Latency, Line, latencies
from tests.benchmarks.workshop import Workshop

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import (
    ContextRequest,
    GraphRequest,
    ScanRequest,
    SearchRequest,
    TraverseRequest,
)
from loreweave.settings import Settings

CASE = "retrieve"
GRAPH = "notes"
Asks = dict[str, Callable[[str], object]]
PROMISES = {  # milliseconds: median, 95th percentile
    "scan": (10, 10),
    "context": (8, 30),
    "traverse": (None, 30),
    "search": (None, None),
}
PEERS = {"scan": "FTS5, three columns", "search": "FTS5", "context": "FTS5", "traverse": "SQL walk"}


@pytest.mark.holds("graph.speed.warm-reads", "graph.speed.warm-median")
def retrieval_case(workshop: Workshop) -> Iterator[Line]:
    ingested = workshop.ingested(workshop.large)
    queries = workshop.queries(30 if workshop.quick else 60)
    with sqlite3.connect(ingested.data.with_suffix(".fts")) as peer:
        _fill(peer, ingested.notes)
        for embedder in ("static", "none"):
            application = open_application(Settings(data_dir=ingested.data, embedder=embedder))
            found = latencies(workshop.rounds, {**_ours(application), **_theirs(peer)}, queries)
            application.close()
            yield from _lines(found, "words + meaning" if embedder == "static" else "words alone")
    peer.close()


@pytest.mark.holds("graph.speed.validate-and-stats")
def report_case(workshop: Workshop) -> Iterator[Line]:
    """Grades and figures, which were worked out when the graph was made."""
    ingested = workshop.ingested(workshop.large)
    application = open_application(Settings(data_dir=ingested.data))
    wanted = GraphRequest(graphId=GRAPH)
    asks: Asks = {
        "validate": lambda _: application.graphs.validate(wanted),
        "stats": lambda _: application.graphs.stats(wanted),
    }
    for what, found in latencies(workshop.rounds, asks, [""] * 100).items():
        remark = f"{workshop.large:,} nodes, p50 {found.p50:.2f}"
        yield Line("report", f"{what} p95", found.p95, "ms", promise="≤ 10 ms", kept=found.p95 <= 10, remark=remark)
    application.close()


def _ours(application: Application) -> Asks:
    service = application.retrieval
    return {
        "scan": lambda query: service.scan(ScanRequest(graphId=GRAPH, query=query)),
        "context": lambda query: service.context(ContextRequest(graphId=GRAPH, query=query)),
        "traverse": lambda query: service.traverse(TraverseRequest(graphId=GRAPH, query=query, startNode="note-1")),
        "search": lambda query: service.search(SearchRequest(graphId=GRAPH, query=query)),
    }


def _lines(found: dict[str, Latency], remark: str) -> Iterator[Line]:
    for what, promised in PROMISES.items():
        if what == "scan" and remark != "words alone":  # a scan never asks for meaning
            continue
        ours, peer = found[what], found[PEERS[what]]
        for name, value, other, limit in (
            ("p50", ours.p50, peer.p50, promised[0]),
            ("p95", ours.p95, peer.p95, promised[1]),
        ):
            yield Line(
                CASE, f"{what} {name}, {remark}", value, "ms", PEERS[what], other,
                f"≤ {limit} ms" if limit else "", value <= limit if limit else None,
            )  # fmt: skip


def _theirs(peer: sqlite3.Connection) -> Asks:
    ranked = "select rowid from notes where notes match ? order by bm25(notes, 3, 2, 2, 0.5) limit 20"
    walk = """
        with recursive walk(node, depth) as (
            select 1, 0 union select target, depth + 1 from links join walk on source = node where depth < 3
        ) select node, min(depth) from walk group by node
    """

    def any_of(query: str) -> str:
        return " OR ".join(f'"{word}"' for word in query.split())

    return {
        "FTS5, three columns": lambda query: peer.execute(
            ranked, (f"{{name tags description}} : ({any_of(query)})",)
        ).fetchall(),
        "FTS5": lambda query: peer.execute(ranked, (any_of(query),)).fetchall(),
        "SQL walk": lambda query: peer.execute(walk).fetchall(),
    }


def _fill(peer: sqlite3.Connection, notes: Path) -> None:
    peer.execute("create virtual table notes using fts5(name, tags, description, body, tokenize = 'porter unicode61')")
    peer.execute("create table links (source integer, target integer, primary key (source, target)) without rowid")
    for file in sorted(notes.glob("*.md")):
        header, body = file.read_text(encoding="utf-8").removeprefix("---\n").split("\n---\n", 1)
        fields = dict(line.split(": ", 1) for line in header.splitlines())
        number = int(file.stem.removeprefix("note-"))
        values = (number, fields["name"], fields["tags"], fields["description"], body)
        peer.execute("insert into notes (rowid, name, tags, description, body) values (?, ?, ?, ?, ?)", values)
        links = {(number, int(target)) for target in re.findall(r"\[\[note-(\d+)\]\]", body)}
        peer.executemany("insert into links values (?, ?)", sorted(links))
    peer.execute("insert into notes (notes) values ('optimize')")
    peer.commit()
