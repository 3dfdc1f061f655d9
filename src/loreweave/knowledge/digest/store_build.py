"""A build of an ingested graph: its documents out of the store, and what is written about them into it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from loreweave.entities.digest import Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import Conflict, NotFound
from loreweave.knowledge.digest.build_digest import Built, Source
from loreweave.knowledge.digest.digest_library import DigestLibrary, written_about
from loreweave.knowledge.digest.distilled_pack import pack_distilled
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.read_documents import committed_hash, read_sources
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Store


class StoreBuild:
    """One build at a time for each graph."""

    def __init__(self, store: Store, library: DigestLibrary) -> None:
        self._store = store
        self._library = library
        self.graph_id = ""
        self._row: GraphRow | None = None
        self._committed = ""
        self._keys: dict[str, int] = {}

    @contextmanager
    def of_graph(self, wanted: str | None) -> Iterator[tuple[Source, Distilled]]:
        """The documents, and what was written about them before."""
        with self._store.read() as connection:
            chosen = self._library.choose(connection, wanted)
        if chosen is None:
            raise NotFound("There is no graph yet; `lore ingest FOLDER` makes one.")
        self.graph_id = chosen.graph_id
        with self._store.lock(f"digest:{self.graph_id}"):
            with self._store.read() as connection:
                self._row = require_graph(connection, self.graph_id)
                documents = self._library.documents(connection, self._row)
                before = written_about(connection, self._row, documents.committed)
                self._keys = ask_shelf.document_keys(connection, self._row)
            self._committed = committed_hash(documents.committed)
            known = self._library.assembly(self._row.key)
            source = Source(documents.records, documents.settings, self._text, known)
            yield source, before
            self._library.remember(self._row.key, source.assembly)

    def keep(self, built: Built) -> Literal["built", "updated", "skipped"]:
        """Equal to what is kept already: nothing is written, so nobody has to open the digest anew."""
        assert self._row is not None
        packed = pack_distilled(built.distilled, built.digest.content_hash)
        with self._store.write() as connection:
            present = graph_shelf.find_graph(connection, self.graph_id)
            if present is None or present.key != self._row.key:
                raise NotFound(f"The graph {self.graph_id} has been deleted meanwhile.")
            before = ask_shelf.find_build(connection, self._row.key)
            if before is not None and before[1:] == (self._committed, packed):
                return "skipped"
            ask_shelf.keep_build(connection, self._row.key, self._committed, packed)
        return "built" if before is None else "updated"

    def _text(self, path: str) -> str:
        assert self._row is not None
        note_key = self._keys[path]
        with self._store.read() as connection:
            found = read_sources(connection, self._row, [note_key])
        if note_key not in found:
            raise Conflict(f"The graph {self.graph_id} changed while it was built; try again.")
        return found[note_key]
