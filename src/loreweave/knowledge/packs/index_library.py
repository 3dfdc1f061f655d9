"""The one index of each graph: made at ingest, mapped from a file of the data folder, made anew where there is none.

The store keeps the truth; a file is a cache of one state of one graph, named after everything it depends on.
"""

import hashlib
import json
import math
import os
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy

from loreweave.bulk_work import Run, in_batches
from loreweave.entities.digest import reader_of
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import Unavailable
from loreweave.index.index_arrays import Array, PagedIndex, open_paged
from loreweave.knowledge.graph.stored_notes import Documents, packed_records, page_settings, read_documents
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.private_folder import private_folder
from loreweave.seams.embedding.embedder import Embedder, is_local
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

if TYPE_CHECKING:
    from loreweave.index.write_index import IndexedPages

KEPT = 4
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # seconds until an embedder that is away is asked again
FORMAT = "5"  # raised when the same documents would give another index
PART_BYTES = 2 * 1024 * 1024  # of records that are indexed together
_ENDING, _UNFINISHED = ".passages", ".unfinished"


@dataclass(frozen=True)
class PassageIndex(PagedIndex):
    """The passages of one state of a graph."""

    embedder: Embedder | None = None

    @property
    def glossary(self) -> list[list[str]]:
        return [names for _, names in self.named]

    @property
    def lacks_meaning(self) -> bool:
        """Whether it was made while its embedder was away."""
        rows = len(self.arrays.sections)
        return self.embedder is not None and rows > 0 and self.arrays.embedder != self.embedder.identity

    @cached_property
    def ranker(self) -> SectionIndex:
        return self.ranker_with(self.glossary)

    def ranker_with(self, glossary: list[list[str]]) -> SectionIndex:
        positions = numpy.arange(len(self.arrays.given))
        positions[self.first_sections[self.bare]] = -1
        return SectionIndex(self.arrays, self.embedder, glossary, positions=positions)

    @cached_property
    def first_sections(self) -> Array:
        """Of each page."""
        return self.arrays.sections[self.arrays.first_rows[:-1]]


@dataclass(eq=False, repr=False)
class IndexLibrary:
    """Opens indexes; those asked last stay open."""

    store: Store
    folder: Path
    open_embedder: Callable[[], Embedder | None]
    run: Run = map
    fail_at: Callable[[str], None] = lambda point: None
    tick: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._kept: OrderedDict[str, PassageIndex] = OrderedDict()
        self._read: dict[int, Documents] = {}  # of each graph, as they were read last
        self._opening = threading.Lock()
        self._away: dict[str, tuple[float, float]] = {}  # made while the embedder was away: when to ask it again, pause

    def open(self, connection: Connection, graph: GraphRow) -> PassageIndex:
        """The index of the revision that a connection sees, however many ask for it at once."""
        embedder = self.open_embedder()
        name = _name(graph, embedder)
        found = self._kept.get(name)
        if found is None or self._is_back(name, embedder):
            with self._opening:
                kept = None if name in self._away else self._kept.get(name)
                found = kept or self._mapped(name, embedder) or self._made(connection, graph, name)
                self._kept[name] = found
                while len(self._kept) > KEPT:
                    gone, _ = self._kept.popitem(last=False)
                    if _key_of(gone) not in map(_key_of, self._kept):
                        self._read.pop(_key_of(gone), None)
        return found

    def _is_back(self, name: str, embedder: Embedder | None) -> bool:
        """Whether an embedder that was away when an index was made is there again; asked less and less often."""
        due, pause = self._away.get(name, (math.inf, 0.0))
        if embedder is None or self.tick() < due:
            return False
        self._away[name] = self.tick() + pause, min(2 * pause, LONGEST_PAUSE)
        with suppress(Unavailable):
            return bool(len(embedder.embed(["?"])))
        return False

    def documents(self, connection: Connection, graph: GraphRow) -> Documents:
        """What the documents of the graph say; read again are only those that changed since."""
        found = read_documents(self.store, connection, graph, self.run, self._read.get(graph.key))
        self._read[graph.key] = found
        return found

    def forget(self, graph_key: int) -> None:
        """Nothing of a graph that was deleted stays behind."""
        with self._opening:
            self._read.pop(graph_key, None)
            for name in [name for name in self._kept if _key_of(name) == graph_key]:
                del self._kept[name]
                self._away.pop(name, None)
            self._sweep(lambda name: _key_of(name) == graph_key)

    def _mapped(self, name: str, embedder: Embedder | None) -> PassageIndex | None:
        with suppress(OSError, ValueError), (self.folder / name).open("rb") as file:  # none yet, or of another version
            return PassageIndex(**open_paged(file), embedder=embedder)
        return None

    def _made(self, connection: Connection, graph: GraphRow, name: str) -> PassageIndex:
        """Where no file can be written, in memory: the next process makes it again."""
        folder = None
        with suppress(Unavailable):
            folder = private_folder(self.folder)
        with suppress(OSError):
            return self._written(connection, graph, name, folder)
        return self._written(connection, graph, name, None)

    def _written(self, connection: Connection, graph: GraphRow, name: str, folder: Path | None) -> PassageIndex:
        """Of pages as they were what an earlier index says; the others are read, some at a time."""
        from loreweave.index.write_index import IndexWriter  # here: whoever maps an index writes none

        embedder, reader = self.open_embedder(), reader_of(page_settings(graph))
        listed = sorted(ask_shelf.documents(connection, graph))
        stamps = {path: f"{key}.{version}.{content[:16]}" for path, key, version, content in listed}
        older = self._older(graph, embedder, reader)
        known = dict(zip(older.paths, json.loads(older.stamps)[1], strict=True)) if older else {}
        fresh = {path: (key, version) for path, key, version, _ in listed if known.get(path) != stamps[path]}
        del listed
        # What waits in a temporary file is gone with this process, whatever becomes of it.
        with tempfile.TemporaryFile(dir=folder) if folder else BytesIO() as scratch:
            made = IndexWriter(cast(BinaryIO, scratch), list(stamps))
            if older:
                made.keep(older, stamps.keys() - fresh.keys())
            for pages in self._read_pages(connection, graph, fresh, embedder, older):
                made.add(pages)
            with _unfinished(folder) as (file, place):
                made.write(file, [reader, list(stamps.values())], self.fail_at)
                found = PassageIndex(**open_paged(file), embedder=embedder)
                if found.lacks_meaning:  # an embedder that is away just now must not be missed for ever
                    self._away.setdefault(name, (self.tick() + FIRST_PAUSE, 2 * FIRST_PAUSE))
                    return found
                self._away.pop(name, None)
                if place:
                    os.replace(place, self.folder / name)
                    alive = graph_shelf.graph_keys(connection) - {graph.key}
                    self._sweep(lambda other: other != name and _key_of(other) not in alive)
                return found

    def _read_pages(
        self, connection: Connection, graph: GraphRow, fresh: dict[str, tuple[int, int]], embedder: Embedder | None,
        older: PassageIndex | None,
    ) -> "Iterator[IndexedPages]":  # fmt: skip
        """In the order of their paths."""
        from loreweave.knowledge.packs.note_pages import PagesToIndex, index_pages  # here: whoever maps reads no page

        def chunks() -> Iterator[PagesToIndex]:
            records = packed_records(self.store, connection, graph, fresh, self.run)
            for batch in in_batches(records, lambda page: len(page[1]), PART_BYTES, len(fresh)):
                keys = {fresh[path][0]: path for path, _ in batch.items}
                found = graph_shelf.texts(connection, graph.key, graph.revision, sorted(keys), "mentions")
                yield PagesToIndex(batch.items, {keys[key]: mentions for key, mentions in found}, embedder)

        if embedder is None or is_local(embedder):
            yield from self.run(index_pages, chunks())
            return
        for chunk in chunks():  # a remote one is asked from here, and not again for what it said of a row before
            yield index_pages(chunk, older.arrays if older else None)

    def _older(self, graph: GraphRow, embedder: Embedder | None, reader: str) -> PassageIndex | None:
        """An earlier state of the graph, read and embedded alike: what did not change since is not read again."""
        with suppress(OSError):
            for file in self.folder.glob(f"{graph.key}-*{_ENDING}"):
                found = self._mapped(file.name, embedder)
                if found is not None and not found.lacks_meaning and json.loads(found.stamps)[0] == reader:
                    return found
        return None

    def _sweep(self, is_gone: Callable[[str], bool]) -> None:
        with suppress(OSError):
            for file in self.folder.glob(f"*{_ENDING}"):
                if is_gone(file.name):
                    file.unlink(missing_ok=True)
        for file in self.folder.glob(f"*{_UNFINISHED}"):  # of a writer that was killed: it holds text, too
            with suppress(OSError), file.open("rb") as left:
                flock(left, LOCK_EX | LOCK_NB)
                file.unlink(missing_ok=True)


@contextmanager
def _unfinished(folder: Path | None) -> Iterator[tuple[BinaryIO, str | None]]:
    """A file to be written and its place, for this user alone; or memory."""
    if folder is None:
        yield BytesIO(), None
        return
    made_at, place = tempfile.mkstemp(dir=folder, suffix=_UNFINISHED)
    with open(made_at, "w+b") as file:
        flock(file, LOCK_EX)  # as long as it is held nobody takes it for left behind
        try:
            yield file, place
        finally:
            Path(place).unlink(missing_ok=True)


def _name(graph: GraphRow, embedder: Embedder | None) -> str:
    reader = reader_of(page_settings(graph))
    facts = [FORMAT, graph.graph_id, graph.revision, graph.content_hash, reader, embedder.identity if embedder else ""]
    return f"{graph.key}-{hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]}{_ENDING}"


def _key_of(name: str) -> int:
    key = name.partition("-")[0]
    return int(key) if key.isdecimal() else -1
