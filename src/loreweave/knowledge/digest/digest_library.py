"""Opens digests: each is assembled once for a state of its graph, however many ask for it at the same time.

A search needs none: it is answered by the index. What assembles is imported when the first digest is asked for.
"""

import threading
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from loreweave.bulk_work import without_collection
from loreweave.entities.digest import Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import InvalidInput
from loreweave.knowledge.digest.digest_file import distilled_of, join_distilled, unpack_distilled
from loreweave.knowledge.digest.section_searcher import SectionSearcher, graph_searcher
from loreweave.knowledge.documents.source_paths import read_digest
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.stored_notes import committed_digest, committed_hash, page_settings
from loreweave.knowledge.packs.index_library import IndexLibrary
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

if TYPE_CHECKING:
    from loreweave.knowledge.digest.assemble_digest import DigestAssembly
    from loreweave.knowledge.digest.opened_digest import OpenDigest

KEPT_DIGESTS = 4
T = TypeVar("T")
_State = tuple[int, int, int]  # of a graph: its key, its revision, the number of its build


class DigestLibrary:
    """Keeps the digests read last. `default_graph` is the setting's; empty means the graph ingested last."""

    def __init__(self, store: Store, indexes: IndexLibrary, default_graph: str = "") -> None:
        self._store = store
        self.indexes = indexes
        self._default = default_graph
        self._kept: OrderedDict[_State, OpenDigest] = OrderedDict()
        self._searchers: OrderedDict[_State, SectionSearcher] = OrderedDict()
        self.assemblies: dict[int, DigestAssembly] = {}  # of each graph the last one, which saves work for the next
        self._opening = threading.Lock()
        self._searching = threading.Lock()  # of its own: a search waits for no digest

    def open(self, graph_id: str | None = None) -> "OpenDigest":
        """The graph asked for, the one of the setting, or the last one. Without any graph: an empty digest."""
        with self._store.read() as connection:
            graph = self.choose(connection, graph_id)
            if graph is None:
                from loreweave.knowledge.digest.opened_digest import open_nothing

                return open_nothing()
            state = _state(connection, graph)
            found = self._kept.get(state)
            if found is None:
                with self._opening:
                    found = self._kept.get(state) or self._assembled(connection, graph, state)
            elif state not in self._searchers:  # made while the embedder was away, which is perhaps back
                self._make_searcher(connection, graph, state)
            return found

    def searcher(self, graph_id: str | None = None) -> SectionSearcher | None:
        """Searches what `open` opens, without opening it. Without any graph: None."""
        with self._store.glance() as connection:
            present = ask_shelf.asked_state(connection, graph_id or self._default)
        found = self._searchers.get(present) if present else None
        if found is not None:
            return found
        with self._store.read() as connection:
            graph = self.choose(connection, graph_id)
            return self._make_searcher(connection, graph, _state(connection, graph)) if graph else None

    def choose(self, connection: Connection, graph_id: str | None) -> GraphRow | None:
        """Raises NotFound for a graph asked for by name; the setting's may be ingested later."""
        if graph_id:
            return require_graph(connection, graph_id)
        if self._default:
            row = graph_shelf.find_graph(connection, self._default)
            return row if row and row.revision else None
        latest = graph_shelf.latest_graph(connection)
        return graph_shelf.find_graph(connection, latest) if latest else None

    def is_misconfigured(self) -> bool:
        """Whether the setting names a graph that is not there."""
        if not self._default:
            return False
        with self._store.read() as connection:
            return self.choose(connection, None) is None

    def _make_searcher(self, connection: Connection, graph: GraphRow, state: _State) -> SectionSearcher:
        given = written_about(connection, graph, committed_digest(connection, graph)).glossary
        index = self.indexes.open(connection, graph)
        found = graph_searcher(index, page_settings(graph), given, graph.graph_id)
        if not index.lacks_meaning:  # else the next search looks whether the embedder is back
            with self._searching:
                _keep_one(self._searchers, state, found)
        return found

    def _assembled(self, connection: Connection, graph: GraphRow, state: _State) -> "OpenDigest":
        from loreweave.knowledge.digest.assemble_digest import assemble
        from loreweave.knowledge.digest.opened_digest import OpenDigest

        documents = self.indexes.documents(connection, graph)
        distilled = written_about(connection, graph, documents.committed)
        with without_collection():
            before = self.assemblies.get(graph.key)
            assembly = assemble(documents.records, documents.settings, distilled, before)
        self.assemblies[graph.key] = assembly
        first = self._searchers.get(state) or self._make_searcher(connection, graph, state)
        opened = OpenDigest(assembly.digest, lambda: self._searchers.get(state, first), assembly, graph)
        for graph_key in _keep_one(self._kept, state, opened):
            self.assemblies.pop(graph_key, None)
        return opened


def _state(connection: Connection, graph: GraphRow) -> _State:
    return graph.key, graph.revision, ask_shelf.build_number(connection, graph.key)


def _keep_one(kept: OrderedDict[_State, T], state: _State, made: T) -> list[int]:
    """One state of a graph, and a few graphs: a digest is large, and whoever still reads an older one holds it.

    Answers the keys of the graphs that are kept no longer."""
    for key in [key for key in kept if key[0] == state[0]]:
        del kept[key]
    kept[state] = made
    return [kept.popitem(last=False)[0][0] for _ in range(len(kept) - KEPT_DIGESTS)]


def written_about(connection: Connection, graph: GraphRow, committed: bytes | None) -> Distilled:
    """What was built here, over what came with the documents; a digest file newer than the build goes before it."""
    came = Distilled()
    if committed:
        with suppress(InvalidInput):  # ingestion warned of it
            came = distilled_of(read_digest(committed))
    build = ask_shelf.find_build(connection, graph.key)
    if build is None:
        return came
    built = unpack_distilled(build[2])
    is_newer = committed is not None and build[1] != committed_hash(committed)
    return join_distilled(came, built) if is_newer else join_distilled(built, came)
