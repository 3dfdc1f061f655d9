"""Memories: what each call costs in a large store, and beside the official memory server over the same protocol."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.benchmarks.measuring import Line, process_environment, program
from tests.benchmarks.memory_fill import fill_memories, text_maker
from tests.benchmarks.workshop import Workshop

from loreweave.application import Application, open_application
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.settings import Settings

CASE = "memory"
PEER = (
    Path(sys.prefix)
    / "peers"
    / "node"
    / "node_modules"
    / "@modelcontextprotocol"
    / "server-memory"
    / "dist"
    / "index.js"
)
PEER_ENTITIES = 10_000
WRITES = 20  # of each of two processes


@pytest.mark.holds("memory.speed.calls", "memory.speed.merge", "memory.inbox.speed", "memory.markdown.speed")
def memory_case(workshop: Workshop) -> Iterator[Line]:
    small, large = (500, 2_000) if workshop.quick else (10_000, 100_000)
    folders = {count: workshop.new_folder(f"memories-{count}") for count in (small, large)}
    figures = {}
    for count, folder in folders.items():
        application = open_application(Settings(data_dir=folder))
        fill_memories(application, count)
        application.memory.search(_asked("search_memories", query="nothing"), CASE)
        application.close()
        figures[count] = _figures(folder)
    yield from _lines(figures[small], figures[large], large)
    yield _import_line(workshop, 300 if workshop.quick else 3_000)
    if PEER.is_file():
        yield from _peer_lines(workshop, folders[small])


def _figures(folder: Path) -> dict[str, tuple[float, float]]:
    """Milliseconds, median and 95th of a hundred, of each kind of call; opening in milliseconds too."""
    started = time.perf_counter()
    application = open_application(Settings(data_dir=folder))
    memory, make = application.memory, text_maker(2)
    memory.search(_asked("search_memories", query="nothing"), CASE)
    opening = 1000 * (time.perf_counter() - started)
    ids: list[str] = []
    hashes: list[str] = []

    def store(_: int) -> None:
        ids.append(memory.store(_asked("store_memory", content=make(None)), CASE).node_id)

    def merge(place: int) -> None:
        sources = ids[10 * place : 10 * place + 10]
        request = _asked("merge_concepts", source_ids=sources, target_name="Merged", rationale="measured")
        hashes.append(memory.merge(request, CASE).reversal_hash or "")

    found = {
        "store": _timed(store, 100),
        "search, 3 words": _timed(lambda _: memory.search(_asked("search_memories", query=make(3)), CASE), 100),
        "search, 8 words": _timed(lambda _: memory.search(_asked("search_memories", query=make(8)), CASE), 100),
        "get": _timed(lambda place: memory.get(_asked("get_memory", node_id=ids[place]), CASE), 100),
        "status": _timed(lambda _: memory.status(_asked("get_memetic_status"), CASE), 20),
        "merge of ten": _timed(merge, 8),
        "undo of ten": _timed(lambda place: memory.undo(_asked("undo_merge", reversal_hash=hashes[place]), CASE), 8),
        "opening": (opening, opening),
    }
    application.close()
    return found


def _timed(work: Callable[[int], object], times: int) -> tuple[float, float]:
    taken = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        taken.append(1000 * (time.perf_counter() - started))
    taken.sort()
    return taken[times // 2], taken[int(times * 0.95)]


_PROMISED = {  # milliseconds at 100,000: median, 95th
    "store": (10.0, 50.0),
    "search, 3 words": (15.0, 50.0),
    "search, 8 words": (15.0, 50.0),
    "get": (5.0, 5.0),
    "status": (50.0, 50.0),
    "merge of ten": (50.0, 50.0),
    "undo of ten": (50.0, 50.0),
    "opening": (3000.0, 3000.0),
}


def _lines(small: dict[str, tuple[float, float]], large: dict[str, tuple[float, float]], count: int) -> Iterator[Line]:
    for what, (median, late) in large.items():
        allowed, allowed_late = _PROMISED[what]
        yield Line(
            CASE,
            f"{what} among {count:,}",
            median,
            "ms",
            "among a tenth",
            small[what][0],
            promise=f"p50 {allowed:g}, p95 {allowed_late:g} ms",
            kept=median <= allowed and late <= allowed_late,
            remark=f"p95 {late:.1f} ms",
        )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Line(CASE, f"memory of the process at {count:,}", memory, "MiB")


def _import_line(workshop: Workshop, count: int) -> Line:
    """Markdown files with relations to one another, with the embedder that comes with the product."""
    folder, make, ids = workshop.new_folder("memory-files"), text_maker(4), [str(uuid4()) for _ in range(count)]
    folder.mkdir()
    for place, node_id in enumerate(ids):
        header = f"node_id: {node_id}\nname: Note {place}\ntags: [a{place % 7}, b{place % 50}]\nversion: 1"
        relations = f"relations: [{{target_id: {ids[place % 10]}}}]" if place >= 10 else "relations: []"
        text = f"---\n{header}\n{relations}\n---\n{make(None)} {place}\n"
        (folder / f"{place}.md").write_text(text, encoding="utf-8")
    application = open_application(Settings(data_dir=workshop.new_folder("memory-import")))
    started = time.perf_counter()
    application.memory.import_folder(folder, False, CASE)
    speed = count / (time.perf_counter() - started)
    application.close()
    return Line(CASE, f"import of {count:,} files", speed, "/s", promise="≥ 300 /s", kept=speed >= 300)


def _peer_lines(workshop: Workshop, folder: Path) -> Iterator[Line]:
    make = text_maker(3)
    file = workshop.new_folder("peer-memory").with_suffix(".jsonl")
    entities = [
        {"type": "entity", "name": f"entity {number}", "entityType": "fact", "observations": [make(None)]}
        for number in range(PEER_ENTITIES)
    ]
    file.write_text("\n".join(map(json.dumps, entities)))
    with _speaking(_ours(folder)) as ours, _speaking(_theirs(file)) as theirs:
        adds = _alternating(
            lambda number: ours("store_memory", content=f"new {number} {make(None)}"),
            lambda number: theirs("create_entities", entities=[
                {"name": f"new {number}", "entityType": "fact", "observations": [make(None)]}]),
        )  # fmt: skip
        searches = _alternating(
            lambda number: ours("search_memories", query=make(2)), lambda number: theirs("search_nodes", query=make(1))
        )
    for what, (our, their) in (("add over MCP", adds), ("search over MCP", searches)):
        yield Line(CASE, f"{what}, {PEER_ENTITIES:,} memories", our, "ms", "official memory server", their)
    yield Line(
        CASE, "acknowledged writes of two processes that survive", _survivors_of_ours(workshop), f"of {2 * WRITES}",
        "official memory server", _survivors_of_theirs(workshop), promise="all", kept=None,
    )  # fmt: skip


def _alternating(ours: Callable[[int], object], theirs: Callable[[int], object]) -> tuple[float, float]:
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(30):
        for side, work in zip(taken, (ours, theirs), strict=True):
            started = time.perf_counter()
            work(number)
            side.append(1000 * (time.perf_counter() - started))
    return sorted(taken[0])[15], sorted(taken[1])[15]


def _survivors_of_ours(workshop: Workshop) -> float:
    folder = workshop.new_folder("two-of-ours")
    _write_at_once(_ours(folder), "store_memory", lambda side, number: {"content": f"fact {side} {number}"})
    application: Application = open_application(Settings(data_dir=folder))
    found = application.memory.search(_asked("search_memories", query="fact", limit=100), CASE).count
    application.close()
    return found


def _survivors_of_theirs(workshop: Workshop) -> float:
    file = workshop.new_folder("two-of-theirs").with_suffix(".jsonl")
    _write_at_once(
        _theirs(file), "create_entities",
        lambda side, number: {"entities": [{"name": f"{side} {number}", "entityType": "f", "observations": []}]},
    )  # fmt: skip
    return len(file.read_text().splitlines())


def _write_at_once(
    command: tuple[list[str], dict[str, str]], tool: str, arguments: Callable[[int, int], dict[str, Any]]
) -> None:
    with _speaking(command) as one, _speaking(command) as two:
        for number in range(WRITES):
            one.send(tool, arguments(0, number))
            two.send(tool, arguments(1, number))
        for speaker in (one, two):
            for _ in range(WRITES):
                speaker.receive()


def _ours(folder: Path) -> tuple[list[str], dict[str, str]]:
    return [str(program("lore")), "mcp", "--toolsets", "memory", "--data", str(folder)], {}


def _theirs(file: Path) -> tuple[list[str], dict[str, str]]:
    return ["node", str(PEER)], {"MEMORY_FILE_PATH": str(file)}


class _Speaker:
    """The protocol over a pipe, with as little of our own as possible."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._number = 0
        self._say(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
        )
        self.receive()
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.send(tool, arguments)
        return self.receive()

    def send(self, tool: str, arguments: dict[str, Any]) -> None:
        self._say("tools/call", {"name": tool, "arguments": arguments})

    def receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer or answer["result"].get("isError"):
            raise SystemExit(f"a memory server refused: {answer}")
        return answer

    def _say(self, method: str, params: dict[str, Any]) -> None:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


@contextmanager
def _speaking(command: tuple[list[str], dict[str, str]]) -> Iterator[_Speaker]:
    words, extra = command
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**process_environment(), **extra},
    )  # fmt: skip
    try:
        yield _Speaker(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(60)


def _asked(tool: str, **arguments: Any) -> Any:
    return read_memory_request(tool, arguments)
