"""Opens digests: each is assembled once for a state of its graph, however many ask for it at the same time."""

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy

from loreweave.entities.digest import Digest, Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import InvalidInput
from loreweave.index.bulk_work import without_collection
from loreweave.index.index_arrays import Array
from loreweave.knowledge.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.digest.digest_file import distilled_of
from loreweave.knowledge.digest.distilled_pack import join_distilled, unpack_distilled
from loreweave.knowledge.digest.opened_digest import EMPTY, OpenDigest
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.read_documents import Documents, committed_hash
from loreweave.knowledge.ranking.index_library import IndexLibrary, PassageIndex
from loreweave.knowledge.ranking.section_index import SectionIndex
from loreweave.knowledge.reading.source_paths import read_digest
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

KEPT_DIGESTS = 4


@dataclass(frozen=True, slots=True)
class _State:
    graph: GraphRow
    build: int

    @property
    def key(self) -> tuple[int, int, int]:
        return self.graph.key, self.graph.revision, self.build


class DigestLibrary:
    """Keeps the digests read last. `default_graph` is the setting's; empty means the graph ingested last."""

    def __init__(self, store: Store, indexes: IndexLibrary, default_graph: str = "") -> None:
        self._store = store
        self._indexes = indexes
        self._default = default_graph
        self._kept: OrderedDict[tuple[int, int, int], OpenDigest] = OrderedDict()
        # Of each graph, as they were made last:
        self._assemblies: dict[int, DigestAssembly] = {}
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
            self._assemblies.pop(graph_key, None)

    def _assembled(self, connection: Connection, state: _State) -> OpenDigest:
        documents = self.documents(connection, state.graph)
        distilled = written_about(connection, state.graph, documents)
        with without_collection():
            before = self._assemblies.get(state.graph.key)
            assembly = assemble(documents.records, documents.settings, distilled, before)
        self.remember(state.graph.key, assembly)
        index = self._indexes.open(connection, state.graph)
        return OpenDigest(assembly.digest, partial(_ranked, index), assembly, state.graph)

    def documents(self, connection: Connection, graph: GraphRow) -> Documents:
        return self._indexes.documents(connection, graph)

    def assembly(self, graph_key: int) -> DigestAssembly | None:
        return self._assemblies.get(graph_key)

    def remember(self, graph_key: int, assembly: DigestAssembly | None) -> None:
        """Saves the next opening what this assembly has made already."""
        if assembly is not None:
            self._assemblies[graph_key] = assembly


def _ranked(index: PassageIndex, digest: Digest) -> SectionIndex:
    """The graph's index, its sections numbered as the digest has them."""
    given = any(entry.given for entry in digest.glossary)
    names = [[entry.term, *entry.aliases] for entry in digest.glossary] if given else index.glossary
    return SectionIndex(index.arrays, index.embedder, names, positions=_positions(digest, index))


def _positions(digest: Digest, index: PassageIndex) -> Array:
    """Where the sections of the index stand in a digest, which has its pages in another order."""
    places: dict[str, list[int]] = {}
    for place, section in enumerate(digest.sections):
        places.setdefault(section.path, []).append(place)
    return numpy.array([place for path in index.paths for place in places.get(path, (-1,))], dtype=numpy.int64)


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
