"""Over HTTP: the largest archive that is allowed, reads while it is ingested, and what the protocol costs."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.benchmarks.measuring import Line, alternate, latencies, latency, process_environment, program
from tests.benchmarks.retrieval_speed import write_notes
from tests.benchmarks.workshop import Workshop

from loreweave.application import open_application
from loreweave.contracts.skill_graph import GraphRequest, ScanRequest, ZipIngestFields
from loreweave.settings import Settings

CASE = "http"
GRAPH = "notes"
FILES, NOTE_BYTES = 500, 5 * 1024 * 1024 // 500
API = "/api/skillgraph"
KEPT_OPEN_SECONDS = 2  # a server closes a connection on which nothing is said


@pytest.mark.holds("graph.speed.zip-over-http", "graph.speed.reads-meanwhile")
def http_case(workshop: Workshop) -> Iterator[Line]:
    ingested = workshop.ingested(100 if workshop.quick else 1_000)
    data = workshop.new_folder("served")
    shutil.copytree(ingested.data, data)
    archive = _archive(workshop)
    with serving([program("lore"), "serve", "--port", "0", "--data", data]) as address:
        yield from _ingest_lines(workshop, address, archive)
        yield from _overhead_lines(workshop, address, data)


class Caller:
    """One connection that stays open; the standard library's client, which adds little of its own."""

    def __init__(self, address: str) -> None:
        found = urlsplit(address)
        self._connection = HTTPConnection(found.hostname or "", found.port, timeout=300)
        self._used = 0.0

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        if time.monotonic() - self._used > KEPT_OPEN_SECONDS:
            self._connection.close()  # the next request opens it again
        self._connection.request(method, path, body, {"Content-Type": kind} if body else {})
        answer = self._connection.getresponse()
        content = answer.read()
        self._used = time.monotonic()
        if answer.status != 200:
            raise SystemExit(f"{method} {path} answered {answer.status}: {content[:500]!r}")
        return content

    def close(self) -> None:
        self._connection.close()


def _ingest_lines(workshop: Workshop, address: str, archive: bytes) -> Iterator[Line]:
    own = open_application(Settings(data_dir=workshop.new_folder("own")))
    uploads, reads, idle = Caller(address), Caller(address), []
    waits: list[list[float]] = []

    def upload(number: int) -> None:
        finished = threading.Event()
        seconds: list[float] = []
        reading = threading.Thread(target=_read_until, args=(reads, finished, seconds))
        reading.start()
        _upload(uploads, archive, f"upload-{number}")
        finished.set()
        reading.join()
        waits.append(seconds)

    upload(workshop.rounds)  # the first of a server starts its reader processes; no round has this number
    own.graphs.ingest_zip(archive, ZipIngestFields(sourceType="zip", name="first"))
    waits.clear()
    taken = alternate(
        workshop.rounds,
        {
            "http": upload,
            "quiet": lambda number: _upload(uploads, archive, f"quiet-{number}"),
            "inside": lambda number: own.graphs.ingest_zip(
                archive, ZipIngestFields(sourceType="zip", name=f"inside-{number}")
            ),
            "reads": lambda _: idle.append(_read_times(reads, 2 if workshop.quick else 50)),
        },
    )
    own.close()
    uploads.close()
    reads.close()
    quiet, busy, inside = taken["quiet"].best, taken["http"].best, taken["inside"].best
    files = _files(workshop)
    size = f"ZIP, {files} files, {files * NOTE_BYTES / 2**20:.2f} MiB"
    yield Line(CASE, size, quiet, "s", "the same in process", inside, "≤ 1.2 s", quiet <= 1.2)
    yield Line(CASE, "the same, with reads meanwhile", busy, "s", "without reads", quiet)
    during = min((latency(seconds) for seconds in waits), key=lambda found: found.p95)
    without = min((latency(seconds) for seconds in idle), key=lambda found: found.p95)
    yield Line(
        CASE, "reads meanwhile, p95", during.p95, "ms", "reads otherwise", without.p95,
        "≤ 100 ms", during.p95 <= 100,
        f"p50 {during.p50:.1f}, {sum(map(len, waits))} reads",
    )  # fmt: skip


def _overhead_lines(workshop: Workshop, address: str, data: Path) -> Iterator[Line]:
    """Overhead: what is left of an answer's time without the service's own work and the bare protocol."""
    application = open_application(Settings(data_dir=data))
    ours = Caller(address)
    scan, query = f"{API}/scan", workshop.queries(1)[0]
    body = json.dumps({"graphId": GRAPH, "query": query}).encode()
    stats = f"{API}/stats?graphId={GRAPH}"
    sizes = {"stats": len(ours.ask("GET", stats)), "scan": len(ours.ask("POST", scan, body))}
    with _bare(sizes["stats"]) as small, _bare(sizes["scan"]) as large:
        found = latencies(
            workshop.rounds,
            {
                "bare stats": lambda _: small.ask("GET", "/bare"),
                "stats": lambda _: ours.ask("GET", stats),
                "inside stats": lambda _: application.graphs.stats(GraphRequest(graphId=GRAPH)),
                "bare scan": lambda _: large.ask("POST", "/bare", body),
                "scan": lambda _: ours.ask("POST", scan, body),
                "inside scan": lambda _: application.retrieval.scan(ScanRequest(graphId=GRAPH, query=query)),
            },
            [""] * (10 if workshop.quick else 200),
        )
    ours.close()
    application.close()
    for what, title in (("stats", "GET stats p50"), ("scan", "POST scan p50")):
        whole, bare, inside = found[what].p50, found[f"bare {what}"].p50, found[f"inside {what}"].p50
        remark = f"in process {inside:.2f}, overhead {whole - bare - inside:.2f} ms, p95 {found[what].p95:.2f}"
        yield Line(CASE, title, whole, "ms", "bare route", bare, "≤ +0.5 ms", whole - bare <= 0.5, remark)


@contextmanager
def _bare(size: int) -> Iterator[Caller]:
    with serving([sys.executable, "-m", "tests.benchmarks.bare_server", str(size)]) as address:
        caller = Caller(address)
        yield caller
        caller.close()


@contextmanager
def serving(command: Sequence[str | Path]) -> Iterator[str]:
    """The address that a server announces on stderr."""
    environment = {**process_environment(), "LORE_INGESTS_PER_HOUR": "0"}
    process = subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, env=environment, text=True)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        if "listens on" not in line:
            raise SystemExit(f"{command[0]} did not start: {line}{process.stderr.read()}")
        threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would halt it
        yield line.split()[-1]
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def _files(workshop: Workshop) -> int:
    return 20 if workshop.quick else FILES


def _archive(workshop: Workshop) -> bytes:
    """The most that may be sent by default: so many files, so many bytes."""
    notes = workshop.new_folder("archive")
    notes.mkdir()
    write_notes(notes, _files(workshop), 10, seed=5, sentences=140)
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(notes.iterdir()):
            archive.writestr(file.name, file.read_bytes()[: NOTE_BYTES - 1] + b"\n")
    return memory.getvalue()


def _upload(caller: Caller, archive: bytes, name: str) -> None:
    edge = "a-line-that-no-archive-holds"
    fields = "".join(
        f'--{edge}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in (("sourceType", "zip"), ("name", name))
    )
    file = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="notes.zip"\r\n\r\n'
    body = (fields + file).encode() + archive + f"\r\n--{edge}--\r\n".encode()
    caller.ask("POST", f"{API}/ingest", body, f"multipart/form-data; boundary={edge}")


def _read_until(caller: Caller, finished: threading.Event, seconds: list[float]) -> None:
    while not finished.is_set():
        seconds.extend(_read_times(caller, 1))


def _read_times(caller: Caller, rounds: int) -> list[float]:
    """A small mixture of what a page or an agent asks."""
    asks = [
        ("GET", f"{API}/stats?graphId={GRAPH}", None),
        ("POST", f"{API}/scan", json.dumps({"graphId": GRAPH, "query": "field"}).encode()),
        ("GET", f"{API}/node?graphId={GRAPH}&id=note-7&level=3", None),
        ("POST", f"{API}/context", json.dumps({"graphId": GRAPH, "query": "note field"}).encode()),
    ]
    found = []
    for _ in range(rounds):
        for method, path, body in asks:
            started = time.perf_counter()
            caller.ask(method, path, body)
            found.append(time.perf_counter() - started)
    return found
