"""Opens digests: each is assembled once for a state of its graph, however many ask for it at the same time."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.searched_section import SearchedSection, SearchTerm
from loreweave.errors import InvalidInput, NotFound
from loreweave.knowledge.asking.digest.assemble_digest import address_pages, assemble_digest, with_suggestions
from loreweave.knowledge.asking.digest.digest_file import distilled_of
from loreweave.knowledge.asking.digest.distilled_pack import join_distilled, unpack_distilled
from loreweave.knowledge.asking.digest.link_map import LinkedPage, LinkMap
from loreweave.knowledge.asking.digest.page_record import PageRecord
from loreweave.knowledge.asking.digest.read_documents import Documents, committed_hash, read_documents
from loreweave.knowledge.asking.digest.record_pages import Run
from loreweave.knowledge.asking.search.build_index import build_index
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.reading.committed_digest import read_digest
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

KEPT_DIGESTS = 4
FINDING = 3  # a suggestion must find its own section among the first of its results

FindIndex = Callable[[Digest], SectionIndex]


class OpenDigest:
    """The digest of one state of a graph, with what is needed to search it and to show its pages."""

    def __init__(
        self, digest: Digest, find_index: FindIndex, records: dict[str, PageRecord], row: GraphRow | None = None
    ) -> None:
        self.plain = digest  # without suggestions, unless somebody wrote some: cheap to have
        self.row = row
        self._find_index = find_index
        self._records = records
        self._making = threading.RLock()  # what is made on demand is made once, however many ask

    @property
    def graph_id(self) -> str:
        return self.row.graph_id if self.row else ""

    @property
    def sections(self) -> tuple[DigestSection, ...]:
        return self.plain.sections

    def section(self, wanted: str) -> DigestSection:
        section = self._by_id.get(wanted)
        if section is None:
            raise NotFound(f"There is no section {wanted[:200]!r}.", id=wanted[:200])
        return section

    @property
    def index(self) -> SectionIndex:
        with self._making:
            return self._index

    @property
    def digest(self) -> Digest:
        """The whole of it, suggestions too."""
        with self._making:
            return self._whole

    @property
    def pages(self) -> dict[str, LinkedPage]:
        """By slug."""
        with self._making:
            return self._pages

    @property
    def link_map(self) -> LinkMap:
        with self._making:
            return self._link_map

    @cached_property
    def _by_id(self) -> dict[str, DigestSection]:
        return {section.id: section for section in self.plain.sections}

    @cached_property
    def _index(self) -> SectionIndex:
        return self._find_index(self.plain)

    @cached_property
    def _whole(self) -> Digest:
        return with_suggestions(self.plain, self._finds)

    @cached_property
    def _pages(self) -> dict[str, LinkedPage]:
        pages = address_pages(self._records, self.plain.settings, Distilled())
        return {page.slug: page for page in pages}

    @cached_property
    def _link_map(self) -> LinkMap:
        return LinkMap(self._pages.values(), self.plain.settings)

    def _finds(self, question: str, section: str) -> bool:
        words_only = SectionIndex(self._index.arrays, None)  # equal documents, equal digests, whatever the embedder
        return any(self.sections[hit.section].id == section for hit in words_only.search(question, FINDING))


@dataclass(frozen=True, slots=True)
class _State:
    graph: GraphRow
    build: int

    @property
    def key(self) -> tuple[int, int, int]:
        return self.graph.key, self.graph.revision, self.build


class DigestLibrary:
    """Keeps the digests read last. `default_graph` is the setting's; empty means the graph ingested last."""

    def __init__(
        self, store: Store, open_embedder: Callable[[], Embedder | None], default_graph: str = "", run: Run = map
    ) -> None:
        self._store = store
        self._open_embedder = open_embedder
        self._default = default_graph
        self._run = run
        self._kept: OrderedDict[tuple[int, int, int], OpenDigest] = OrderedDict()
        self._read: dict[int, Documents] = {}  # by graph, as they were read last
        self._opening = threading.Lock()

    def open(self, graph_id: str | None = None) -> OpenDigest:
        """The graph asked for, the one of the setting, or the last one. Without any graph: an empty digest."""
        with self._store.read() as connection:
            wanted = self.choose(connection, graph_id)
            if wanted is None:
                return EMPTY
            state = _state(connection, wanted)
            return self._kept.get(state.key) or self._open(connection, state)

    def choose(self, connection: Connection, graph_id: str | None) -> str | None:
        """Raises NotFound for a graph asked for by name; the setting's may be ingested later."""
        if graph_id:
            require_graph(connection, graph_id)
            return graph_id
        if self._default:
            row = graph_shelf.find_graph(connection, self._default)
            return self._default if row and row.revision else None
        return graph_shelf.latest_graph(connection)

    def is_misconfigured(self) -> bool:
        """Whether the setting names a graph that is not there."""
        if not self._default:
            return False
        with self._store.read() as connection:
            return self.choose(connection, None) is None

    def _open(self, connection: Connection, state: _State) -> OpenDigest:
        with self._opening:
            found = self._kept.get(state.key)
            if found is None:
                found = self._assembled(connection, state)
                self._keep(state, found)
        return found

    def _keep(self, state: _State, opened: OpenDigest) -> None:
        """One state of a graph, and a few graphs: a digest is large, and whoever still reads an older one holds it."""
        for key in [key for key in self._kept if key[0] == state.graph.key]:
            del self._kept[key]
        self._kept[state.key] = opened
        while len(self._kept) > KEPT_DIGESTS:
            (graph_key, *_), _ = self._kept.popitem(last=False)
            self._read.pop(graph_key, None)

    def _assembled(self, connection: Connection, state: _State) -> OpenDigest:
        documents = read_documents(self._store, connection, state.graph, self._run, self._read.get(state.graph.key))
        self._read[state.graph.key] = documents
        distilled = written_about(connection, state.graph, documents)
        digest = assemble_digest(documents.records, documents.settings, distilled)
        return OpenDigest(digest, lambda digest: self._indexed(state, digest), documents.records, state.graph)

    def _indexed(self, state: _State, digest: Digest) -> SectionIndex:
        """The stored index of this state, else a new one, kept for the next process."""
        embedder = self._open_embedder()
        identity = json.dumps([state.graph.revision, state.build, embedder.identity if embedder else None])
        with self._store.read() as connection:
            stored = ask_shelf.find_index(connection, state.graph.key, identity)
        if stored is not None:
            with suppress(ValueError):  # of another version: built anew below
                return load(stored, embedder)
        index = build_index(searched_sections(digest), search_terms(digest), embedder)
        with self._store.write() as connection:
            ask_shelf.keep_index(connection, state.graph.key, identity, dump(index))
        return index


def _state(connection: Connection, graph_id: str) -> _State:
    graph = require_graph(connection, graph_id)
    return _State(graph, ask_shelf.build_number(connection, graph.key))


def written_about(connection: Connection, graph: GraphRow, documents: Documents) -> Distilled:
    """What was built here, over what came with the documents; a digest file newer than the build goes before it."""
    came = Distilled()
    if documents.committed:
        with suppress(InvalidInput):  # ingestion warned of it
            came = distilled_of(read_digest(documents.committed))
    build = ask_shelf.find_build(connection, graph.key)
    if build is None:
        return came
    built = unpack_distilled(build[2])
    is_newer = documents.committed is not None and build[1] != committed_hash(documents.committed)
    return join_distilled(came, built) if is_newer else join_distilled(built, came)


def searched_sections(digest: Digest) -> list[SearchedSection]:
    terms: dict[str, list[str]] = {}
    for entry in digest.glossary:
        if entry.section is not None:
            terms.setdefault(entry.section, []).extend((entry.term, *entry.aliases))
    return [
        SearchedSection(
            id=section.id,
            page=section.slug,
            title=section.title,
            heading=section.heading,
            terms=tuple(terms.get(section.id, ())),
            literals=tuple(fact.literal for fact in section.facts),
            text=section.text,
            summary=section.summary if section.distilled else "",
        )
        for section in digest.sections
    ]


def search_terms(digest: Digest) -> list[SearchTerm]:
    return [SearchTerm(entry.term, entry.aliases) for entry in digest.glossary]


EMPTY = OpenDigest(assemble_digest({}, DigestSettings(), Distilled()), lambda _: build_index([], [], None), {})
