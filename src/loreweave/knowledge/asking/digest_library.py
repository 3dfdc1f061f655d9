"""Opens digests: each is assembled once for a state of its graph, however many ask for it at the same time."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from loreweave.entities.digest import Digest, Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import InvalidInput
from loreweave.index.bulk_work import Run, without_collection
from loreweave.knowledge.asking.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.asking.digest.digest_file import distilled_of
from loreweave.knowledge.asking.digest.distilled_pack import join_distilled, unpack_distilled
from loreweave.knowledge.asking.index_digest import IndexedDigest, index_digest, stored_index
from loreweave.knowledge.asking.opened_digest import EMPTY, OpenDigest
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.read_documents import Documents, committed_hash, read_documents
from loreweave.knowledge.reading.source_paths import read_digest
from loreweave.seams.embedding.embedder import Embedder
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

    def __init__(
        self, store: Store, open_embedder: Callable[[], Embedder | None], default_graph: str = "", run: Run = map
    ) -> None:
        self._store = store
        self._open_embedder = open_embedder
        self._default = default_graph
        self._run = run
        self._kept: OrderedDict[tuple[int, int, int], OpenDigest] = OrderedDict()
        # Of each graph, as they were made last:
        self._read: dict[int, Documents] = {}
        self._assemblies: dict[int, DigestAssembly] = {}
        self._indexes: dict[int, IndexedDigest] = {}
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
            for made in (self._read, self._assemblies, self._indexes):
                made.pop(graph_key, None)

    def _assembled(self, connection: Connection, state: _State) -> OpenDigest:
        documents = self.documents(connection, state.graph)
        distilled = written_about(connection, state.graph, documents)
        with without_collection():
            before = self._assemblies.get(state.graph.key)
            assembly = assemble(documents.records, documents.settings, distilled, before)
        self.remember(state.graph.key, assembly)
        return OpenDigest(assembly.digest, lambda digest: self._indexed(state, digest), assembly, state.graph)

    def documents(self, connection: Connection, graph: GraphRow) -> Documents:
        """What the documents of the graph say; read again are only those that changed since."""
        documents = read_documents(self._store, connection, graph, self._run, self._read.get(graph.key))
        self._read[graph.key] = documents
        return documents

    def assembly(self, graph_key: int) -> DigestAssembly | None:
        return self._assemblies.get(graph_key)

    def remember(self, graph_key: int, assembly: DigestAssembly | None) -> None:
        """Saves the next opening what this assembly has made already."""
        if assembly is not None:
            self._assemblies[graph_key] = assembly

    def _indexed(self, state: _State, digest: Digest) -> SectionIndex:
        """The stored index of this state, else one made from an earlier state's; kept for the next process, too.

        A few edits do not make it worth storing: whoever finds an index that is a little behind brings it up to date.
        """
        embedder = self._open_embedder()
        identity = json.dumps([state.graph.revision, state.build, embedder.identity if embedder else None])
        key = state.graph.key
        before = self._indexes.get(key)
        if before is None:
            with self._store.read() as connection:
                found = ask_shelf.find_index(connection, key)
            if found is not None:
                with suppress(ValueError):  # of another version: built anew below
                    before = stored_index(load(found[1], embedder))
            if found and before and found[0] == identity:
                self._indexes[key] = before
                return before.index
        made = index_digest(digest, embedder, before, self._run)
        if made.index.arrays.embedder != (embedder.identity if embedder and digest.sections else ""):
            return made.index  # the embedder is away just now: good for this state, but nothing to go on from
        changed_embedder = before is not None and before.index.arrays.embedder != made.index.arrays.embedder
        if made.is_stale or changed_embedder:
            packed = dump(made.index)
            if self._store.keep(lambda connection: ask_shelf.keep_index(connection, key, identity, packed)):
                made = replace(made, stored=stored_index(made.index).stored)
        self._indexes[key] = made
        return made.index


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
