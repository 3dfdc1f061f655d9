"""A vault of 249 notes: the whole ingest, as a process and in process, beside graphify and a floor."""

import hashlib
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Line, Taken, alternate, program, run_process
from tests.benchmarks.workshop import Workshop

from loreweave.application import open_application
from loreweave.settings import Settings

CASE = "vault"
PEER = Path(sys.prefix) / "peers" / "bin" / "graphify"


@pytest.mark.holds("graph.speed.vault-ingest")
def vault_case(workshop: Workshop) -> Iterator[Line]:
    vault = workshop.vault()
    _ingest_in_process(vault, workshop.new_folder("warm"))  # imports and bytecode are not the question here
    bytes_stored = sum(file.stat().st_size for file in _ingested_once(workshop, vault).rglob("*"))
    taken = alternate(workshop.rounds, _work(workshop, vault, bytes_stored))
    process, inside, floor = taken["process"], taken["inside"], taken["floor"]
    kind = "real" if workshop.vault_is_real else "generated"
    remark = f"{kind} vault, median {process.median:.2f} s"
    yield Line(CASE, "lore ingest, process", process.best, "s", promise="< 1 s", kept=process.best < 1, remark=remark)
    yield from _beside_peer(process, taken)
    yield Line(CASE, "ingest in process", inside.best, "s", "read + hash + write once", floor.best)


def _work(workshop: Workshop, vault: Path, bytes_stored: int) -> dict[str, Callable[[int], object]]:
    rounds = range(workshop.rounds)
    data = [workshop.new_folder("process") for _ in rounds]
    own = [workshop.new_folder("inside") for _ in rounds]
    for folder in (*data, *own):
        folder.mkdir()
    floor = [folder / "floor" for folder in own]
    work: dict[str, Callable[[int], object]] = {
        "process": lambda number: run_process([program("lore"), "ingest", vault, "--data", data[number]]),
        "inside": lambda number: _ingest_in_process(vault, own[number]),
        "floor": lambda number: _floor(vault, floor[number], bytes_stored),
    }
    if PEER.exists():
        home = workshop.new_folder("home")
        home.mkdir()
        copies = [_copies(workshop, vault) for _ in rounds]
        run_process([PEER, "--help"], HOME=str(home))
        work["bare peer"] = lambda number: run_process(
            [PEER, "update", copies[number][0], "--no-cluster"], HOME=str(home)
        )
        work["peer"] = lambda number: run_process([PEER, "update", copies[number][1]], HOME=str(home))
    return work


def _beside_peer(process: Taken, taken: dict[str, Taken]) -> Iterator[Line]:
    """`update` reads the links and headings of markdown without a language model, a key or the network."""
    if "peer" not in taken:
        yield Line(CASE, "lore ingest ÷ graphify", process.best, "s", "graphify is not installed")
        return
    bare, whole = taken["bare peer"], taken["peer"]
    promise = "≤ 0.33×"
    for what, ours, other in (
        ("lore ingest, process", process.best, bare.best),
        ("lore ingest, processor time", process.least_cpu, bare.least_cpu),
    ):
        yield Line(CASE, what, ours, "s", "graphify --no-cluster", other, promise, ours * 3 <= other)
    yield Line(
        CASE, "lore ingest, process", process.best, "s", "graphify update", whole.best, promise,
        process.best * 3 <= whole.best,
    )  # fmt: skip


def _copies(workshop: Workshop, vault: Path) -> tuple[Path, Path]:
    """The peer writes into the folder that it reads, so it gets folders of its own."""
    found = workshop.new_folder("peer"), workshop.new_folder("peer-whole")
    for folder in found:
        shutil.copytree(vault, folder)
    return found


def _ingested_once(workshop: Workshop, vault: Path) -> Path:
    data = workshop.new_folder("stored")
    run_process([program("lore"), "ingest", vault, "--data", data])
    return data


def _ingest_in_process(vault: Path, data: Path) -> None:
    application = open_application(Settings(data_dir=data))
    application.graphs.ingest_folder(vault)
    application.close()


def _floor(vault: Path, file: Path, size: int) -> None:
    """No product could do less: read and hash every file, write as many bytes as we keep at one go."""
    digest = hashlib.sha256()
    sources = [path.read_bytes() for path in sorted(vault.rglob("*.md"))]
    for source in sources:
        digest.update(source)
    with sqlite3.connect(file) as connection:
        connection.execute("create table notes (name integer primary key, content blob)")
        share = bytes(size // len(sources))
        connection.executemany("insert into notes values (?, ?)", ((number, share) for number in range(len(sources))))
    connection.close()
