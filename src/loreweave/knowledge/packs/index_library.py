"""The one index of each graph: made at ingest, mapped from a file of the data folder, made anew where there is none.

The store keeps the truth; a file is a cache of one state of one graph, named after everything it depends on.
"""

import hashlib
import json
import math
import mmap
import os
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from loreweave.entities.digest import PageRecord, SearchedNote, SearchedSection
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import Unavailable
from loreweave.index.bulk_work import Run
from loreweave.index.index_arrays import Array, IndexArrays, dump, load
from loreweave.knowledge.graph.stored_notes import Documents, link_sentences, page_settings, read_documents
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.private_folder import private_folder
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection, Store

if TYPE_CHECKING:
    from loreweave.index.build_index import BuiltIndex

KEPT = 4
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # seconds until an embedder that is away is asked again
FORMAT = "4"  # raised when the same documents would give another index
_ENDING, _UNFINISHED = ".passages", ".unfinished"


@dataclass(frozen=True)
class PassageIndex:
    """The passages of one state of a graph; sections are numbered page by page in the order of their paths."""

    arrays: IndexArrays
    embedder: Embedder | None
    paths: list[str]  # of the pages, sorted
    glossary: list[list[str]]  # names that the documents give to one thing
    bare: list[int]  # numbers of the pages that have no section: the graph finds them, a search for sections does not
    labels: list[bytes]  # of each page what results say of it: title, group, (anchor, heading) of its sections; as JSON

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
    def first_rows(self) -> Array:
        """Of each page, and behind the last."""
        return numpy.searchsorted(self.arrays.pages, numpy.arange(len(self.paths) + 1))

    @cached_property
    def first_sections(self) -> Array:
        """Of each page."""
        return self.arrays.sections[self.first_rows[:-1]]


class IndexLibrary:
    """Opens indexes; those asked last stay open."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        open_embedder: Callable[[], Embedder | None],
        run: Run = map,
        fail_at: Callable[[str], None] = lambda point: None,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._fail_at = fail_at
        self._folder = folder
        self._open_embedder = open_embedder
        self._run = run
        self._kept: OrderedDict[str, PassageIndex] = OrderedDict()
        # Of each graph, as they were made last:
        self._read: dict[int, Documents] = {}
        self._built: dict[int, BuiltIndex] = {}
        self._searched: dict[int, dict[str, tuple[PageRecord, list[SearchedSection]]]] = {}  # by path
        self._opening = threading.Lock()
        self._tick = tick
        self._away: dict[str, tuple[float, float]] = {}  # made while the embedder was away: when to ask it again, pause

    def open(self, connection: Connection, graph: GraphRow) -> PassageIndex:
        """The index of the revision that a connection sees, however many ask for it at once."""
        embedder = self._open_embedder()
        name = _name(graph, embedder)
        found = self._kept.get(name)
        if found is None or self._is_back(name, embedder):
            with self._opening:
                kept = None if name in self._away else self._kept.get(name)
                found = kept or self._mapped(name, embedder) or self._made(connection, graph, name)
                self._kept[name] = found
                while len(self._kept) > KEPT:
                    gone, _ = self._kept.popitem(last=False)
                    if not any(_belongs(name, _key_of(gone)) for name in self._kept):
                        self._forget_made(_key_of(gone))
        return found

    def _is_back(self, name: str, embedder: Embedder | None) -> bool:
        """Whether an embedder that was away when an index was made is there again; asked less and less often."""
        due, pause = self._away.get(name, (math.inf, 0.0))
        if embedder is None or self._tick() < due:
            return False
        self._away[name] = self._tick() + pause, min(2 * pause, LONGEST_PAUSE)
        with suppress(Unavailable):
            return bool(len(embedder.embed(["?"])))
        return False

    def documents(self, connection: Connection, graph: GraphRow) -> Documents:
        """What the documents of the graph say; read again are only those that changed since."""
        found = read_documents(self._store, connection, graph, self._run, self._read.get(graph.key))
        self._read[graph.key] = found
        return found

    def forget(self, graph_key: int) -> None:
        """Nothing of a graph that was deleted stays behind."""
        with self._opening:
            self._forget_made(graph_key)
            for name in [name for name in self._kept if _belongs(name, graph_key)]:
                del self._kept[name]
                self._away.pop(name, None)
            self._sweep(lambda name: _belongs(name, graph_key))

    def _forget_made(self, graph_key: int) -> None:
        for made in (self._built, self._read, self._searched):
            made.pop(graph_key, None)

    def _mapped(self, name: str, embedder: Embedder | None) -> PassageIndex | None:
        with suppress(OSError, ValueError):  # none yet, or of another version
            with (self._folder / name).open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            size = int.from_bytes(data[:8], "little")
            head, *labels = data[8 : 8 + size].split(b"\n")
            paths, glossary, bare = json.loads(head)
            return PassageIndex(load(memoryview(data)[8 + size :]), embedder, paths, glossary, bare, labels)
        return None

    def _made(self, connection: Connection, graph: GraphRow, name: str) -> PassageIndex:
        from loreweave.index.build_index import build_index  # here: whoever maps an index builds none

        embedder = self._open_embedder()
        documents = self.documents(connection, graph)
        sections, paths = self._sections(connection, graph, documents), sorted(documents.records)
        built = build_index(sections, embedder, self._older(graph), self._run)
        labels = [_label(path, documents.records[path]) for path in paths]
        bare = [number for number, path in enumerate(paths) if not documents.records[path].sections]
        made = PassageIndex(built.arrays, embedder, paths, _glossary(documents.records), bare, labels)
        if made.lacks_meaning:  # an embedder that is away just now must not be missed for ever
            self._away.setdefault(name, (self._tick() + FIRST_PAUSE, 2 * FIRST_PAUSE))
        else:
            self._away.pop(name, None)
            self._built[graph.key] = built
            self._write(connection, graph, name, made)
        return made

    def _sections(self, connection: Connection, graph: GraphRow, documents: Documents) -> list[SearchedSection]:
        """Every section under what stands over it; of documents that did not change the very same values."""
        before, records = self._searched.get(graph.key, {}), documents.records
        fresh = [path for path in records if path not in before or before[path][0] is not records[path]]
        sentences = link_sentences(connection, graph, [documents.versions[path][0] for path in fresh])
        made = {}
        for path in fresh:
            linking = sentences.get(documents.versions[path][0], ())
            made[path] = records[path], list(page_sections(path, records[path], linking))
        found = self._searched[graph.key] = {path: made.get(path) or before[path] for path in sorted(records)}
        return [section for _, sections in found.values() for section in sections]

    def _older(self, graph: GraphRow) -> "BuiltIndex | None":
        """An earlier state of the graph: what did not change since is not read again."""
        from loreweave.index.build_index import BuiltIndex

        if graph.key in self._built:
            return self._built[graph.key]
        with suppress(OSError):
            for file in self._folder.glob(f"{graph.key}-*{_ENDING}"):
                found = self._mapped(file.name, None)
                if found is not None:
                    return BuiltIndex(found.arrays)
        return None

    def _write(self, connection: Connection, graph: GraphRow, name: str, made: PassageIndex) -> None:
        """A file that cannot be written is no failure: the next process makes it again."""
        present = {row.key for row in graph_shelf.visible_graphs(connection)}
        with suppress(OSError, Unavailable):
            private_folder(self._folder)
            head = b"\n".join([json.dumps([made.paths, made.glossary, made.bare]).encode(), *made.labels])
            head += b" " * (-(8 + len(head)) % 64)
            made_at, place = tempfile.mkstemp(dir=self._folder, suffix=_UNFINISHED)  # for this user alone
            with open(made_at, "wb") as file:
                flock(file, LOCK_EX)  # as long as it is held nobody takes it for left behind
                file.write(len(head).to_bytes(8, "little") + head)
                file.flush()
                self._fail_at("ingest.index")
                file.write(dump(made.arrays))
                file.flush()
                os.replace(place, self._folder / name)
            self._sweep(lambda other: other != name and (_belongs(other, graph.key) or _key_of(other) not in present))

    def _sweep(self, is_gone: Callable[[str], bool]) -> None:
        with suppress(OSError):
            for file in self._folder.glob(f"*{_ENDING}"):
                if is_gone(file.name):
                    file.unlink(missing_ok=True)
        for file in self._folder.glob(f"*{_UNFINISHED}"):  # of a writer that was killed: it holds text, too
            with suppress(OSError), file.open("rb") as left:
                flock(left, LOCK_EX | LOCK_NB)
                file.unlink(missing_ok=True)


def _name(graph: GraphRow, embedder: Embedder | None) -> str:
    reader = page_settings(graph).reader
    facts = [FORMAT, graph.graph_id, graph.revision, graph.content_hash, reader, embedder.identity if embedder else ""]
    return f"{graph.key}-{hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]}{_ENDING}"


def _key_of(name: str) -> int:
    key = name.partition("-")[0]
    return int(key) if key.isdecimal() else -1


def _belongs(name: str, graph_key: int) -> bool:
    return _key_of(name) == graph_key


def _glossary(records: dict[str, PageRecord]) -> list[list[str]]:
    found = [[entry.term, *entry.aliases] for path in sorted(records) for entry in records[path].glossary]
    return [names for names in found if len(names) > 1]


def _label(path: str, record: PageRecord) -> bytes:
    from loreweave.knowledge.documents.page_record import given_title  # here: whoever maps an index reads no page

    sections = [(section.anchor, section.heading) for section in record.sections]
    return json.dumps([given_title(path, record), record.group, sections]).encode()


def page_sections(path: str, record: PageRecord, sentences: tuple[str, ...]) -> Iterable[SearchedSection]:
    """A page without text is found by its names."""
    note = SearchedNote(record.name, record.aliases, record.tags, sentences)
    title = record.title or record.name
    names = tuple(dict.fromkeys((record.name, *record.aliases)))
    terms: dict[int, list[str]] = {}
    for found in record.glossary:
        terms.setdefault(found.section, []).extend((found.term, *found.aliases))
    if not record.sections:
        yield SearchedSection(
            f"{path}\0", path, title, None, (*names, *record.tags), (), "", record.description or "", called=names,
            note=note,
        )  # fmt: skip
    above: list[tuple[int, str]] = []
    for number, section in enumerate(record.sections):
        while above and above[-1][0] >= section.level:
            above.pop()
        yield SearchedSection(
            id=f"{path}\0{number:06d}",
            page=path,
            title=title,
            heading=section.heading,
            terms=(*names, *record.tags, *terms.get(number, ())),
            literals=tuple(fact.literal for fact in section.facts),
            text="",
            summary=record.description or "",
            above=" ".join(heading for _, heading in above),
            called=(title, *names) if number == 0 else (),
            passages=tuple(passage.text for passage in section.passages),
            sizes=tuple(passage.tokens for passage in section.passages),
            deeper=_deeper(record, number),
            note=note if number == 0 else None,
        )
        if section.heading:
            above.append((section.level, section.heading))


def _deeper(record: PageRecord, number: int) -> tuple[str, ...]:
    """For each passage what heads it beside the section's own heading: the page's first, and those too deep."""
    section, headings = record.sections[number], record.headings
    above, last, found = "", -1, []
    if headings and headings[0].level == 1:
        above, last = headings[0].text if number == 0 else "", 0
    for passage in section.passages:
        heading = headings[passage.heading].text if passage.heading not in (-1, last) else ""
        found.append(f"{above} {heading if heading != section.heading else ''}".strip())
        above, last = "", passage.heading
    return tuple(found) if any(found) else ()
