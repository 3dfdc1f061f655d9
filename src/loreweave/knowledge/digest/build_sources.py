"""Where the documents of a build come from: a folder, with a cache beside it, or a graph in the store."""

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Literal

import numpy

from loreweave.bulk_work import Run
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Digest, Distilled, reader_of
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import DIGEST
from loreweave.errors import Conflict, NotFound, Unavailable
from loreweave.index.index_arrays import dump, load
from loreweave.knowledge.digest.build_digest import Built, Source
from loreweave.knowledge.digest.digest_file import pack_distilled
from loreweave.knowledge.digest.digest_library import DigestLibrary, written_about
from loreweave.knowledge.digest.opened_digest import index_digest
from loreweave.knowledge.documents.folder import list_folder
from loreweave.knowledge.documents.page_record import record_pages, unpack_record
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.stored_notes import committed_hash, read_sources
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.language.markdown.decode_text import decode_text
from loreweave.private_folder import FILE_MODE, private_folder
from loreweave.seams.host.walk_below import replace_file
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Store

_FAST = 1  # of compression
_CHECK_BYTES = 4
KeptRecord = tuple[str, bytes]  # hash of the document's bytes, packed record


def cache_file(folder: Path | None, root: Path, suffix: str) -> Path | None:
    """Where something of one root is kept among that of others."""
    if folder is None:
        return None
    return folder / f"{hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]}{suffix}"


def _load(cache: Path) -> bytes:
    """What was kept. Raises OSError where there is nothing, ValueError where it is damaged."""
    data = cache.read_bytes()
    if data[:_CHECK_BYTES] != zlib.crc32(data[_CHECK_BYTES:]).to_bytes(_CHECK_BYTES, "big"):
        raise ValueError("Damaged")
    return data[_CHECK_BYTES:]


def _keep(cache: Path, data: bytes) -> None:
    """A cache that cannot be written is no failure: the next build reads again."""
    with suppress(OSError, Unavailable):
        private_folder(cache.parent)
        replace_file(cache, zlib.crc32(data).to_bytes(_CHECK_BYTES, "big") + data, FILE_MODE)


def index_folder(digest: Digest, cache: Path | None) -> SectionIndex:
    """By words alone. `cache` is the file of the index; None where nothing is kept."""
    before = None
    with suppress(OSError, ValueError):  # none, or of another version
        before = load(_load(cache)) if cache else None
    made = index_digest(digest, None, before)
    if cache and (before is None or not numpy.array_equal(before.prints, made.arrays.prints)):
        _keep(cache, dump(made.arrays))
    return made


def _load_records(cache: Path, reader: str) -> dict[str, KeptRecord]:
    """By path; nothing where there is no cache, or one of another reader."""
    with suppress(OSError, ValueError):
        head, _, body = _load(cache).partition(b"\n")
        of_reader, records = json.loads(head)
        if of_reader == reader:
            ends = accumulate(length for _, _, length in records)
            placed = zip(records, ends, strict=True)
            return {path: (found, body[end - length : end]) for (path, found, length), end in placed}
    return {}


def _keep_records(cache: Path, reader: str, records: Mapping[str, KeptRecord]) -> None:
    listed = [(path, found, len(packed)) for path, (found, packed) in records.items()]
    _keep(
        cache, b"\n".join([json.dumps([reader, listed]).encode(), b"".join(packed for _, packed in records.values())])
    )


@dataclass(frozen=True, slots=True)
class FolderDocuments:
    texts: dict[str, str]  # sources by path
    hashes: dict[str, str]  # of the files' bytes, by path
    committed: bytes | None  # the digest file among them


def read_folder(path: Path, tell: Callable[[str], None]) -> FolderDocuments:
    """Every document below the folder; what cannot be read is told and left out."""
    listing = list_folder(path)
    for warning in listing.warnings:
        tell(f"{warning.file}: {warning.message}")
    texts, hashes, committed = {}, {}, None
    for entry in listing.entries:
        try:
            data = entry.read()
        except Unavailable as trouble:
            tell(trouble.message)
            continue
        if entry.kind == DIGEST:
            committed = data
        else:
            texts[entry.path] = decode_text(data)[0]
            hashes[entry.path] = hashlib.sha256(data).hexdigest()
    return FolderDocuments(texts, hashes, committed)


def record_folder(documents: FolderDocuments, settings: PageSettings, cache: Path | None, run: Run = map) -> Source:
    """What each document says; taken from the cache where the same file was read before."""
    kept = _load_records(cache, reader_of(settings)) if cache else {}
    hashes = documents.hashes
    records = {path: record for path, record in kept.items() if hashes.get(path) == record[0]}
    missing = [(path, text) for path, text in documents.texts.items() if path not in records]
    for chunk in record_pages(missing, settings, run):
        records |= {path: (hashes[path], zlib.compress(packed, _FAST)) for path, packed in chunk}
    if cache and records != kept:
        _keep_records(cache, reader_of(settings), records)
    read = {path: unpack_record(zlib.decompress(records[path][1])) for path in documents.texts}
    return Source(read, settings, documents.texts.__getitem__)


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
                documents = self._library.indexes.documents(connection, self._row)
                before = written_about(connection, self._row, documents.committed)
                self._keys = ask_shelf.document_keys(connection, self._row)
            self._committed = committed_hash(documents.committed)
            known = self._library.assemblies.get(self._row.key)
            source = Source(documents.records, documents.settings, self._text, known)
            yield source, before
            if source.assembly:
                self._library.assemblies[self._row.key] = source.assembly

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
