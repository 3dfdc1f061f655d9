"""The documents of a graph: their sources, and what was read out of each, made where it is missing."""

import hashlib
import json
from dataclasses import dataclass

from loreweave.entities.digest import DigestSettings
from loreweave.entities.graph_rows import GraphRow
from loreweave.knowledge.asking.digest.digest_file import settings_of
from loreweave.knowledge.asking.digest.page_record import EXTRACTOR, PageRecord, pack_record, record_page, unpack_record
from loreweave.knowledge.graph.note_pack import unpack_text
from loreweave.knowledge.reading.source_paths import DIGEST_PATH
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

BATCH = 200  # documents read and kept at a time: what a killed process made so far stays made


@dataclass(frozen=True, slots=True)
class Documents:
    settings: DigestSettings
    records: dict[str, PageRecord]  # by path
    committed: bytes | None  # the digest file that came with the documents


def page_settings(graph: GraphRow) -> DigestSettings:
    return settings_of(json.loads(graph.pages))


def read_documents(store: Store, connection: Connection, graph: GraphRow) -> Documents:
    """Every document of the revision that `connection` sees; what is read anew is kept in the store."""
    settings = page_settings(graph)
    reader = _reader(settings)
    records: dict[str, PageRecord] = {}
    missing: list[tuple[str, int, int]] = []
    for path, note_key, version, reading in ask_shelf.read_documents(connection, graph, reader):
        if reading is None:
            missing.append((path, note_key, version))
        else:
            records[path] = unpack_record(reading)
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        sources = read_sources(connection, graph, [note_key for _, note_key, _ in batch])
        made = []
        for path, note_key, version in batch:
            record = record_page(path, sources[note_key], settings.slug_scheme, settings.heading_depth)
            records[path] = record
            made.append((note_key, version, pack_record(record)))
        with store.write() as writing:
            ask_shelf.keep_readings(writing, graph, reader, made)
    return Documents(settings, records, _committed(connection, graph))


def read_sources(connection: Connection, graph: GraphRow, note_keys: list[int]) -> dict[int, str]:
    found = graph_shelf.texts(connection, graph.key, graph.revision, note_keys, "source")
    return {note_key: unpack_text(source) for note_key, source in found}


def _committed(connection: Connection, graph: GraphRow) -> bytes | None:
    note_key = ask_shelf.document_keys(connection, graph).get(DIGEST_PATH)
    if note_key is None:
        return None
    return read_sources(connection, graph, [note_key])[note_key].encode()


def _reader(settings: DigestSettings) -> str:
    """What a reading depends on besides the text."""
    return f"{EXTRACTOR}:{settings.slug_scheme}:{settings.heading_depth}"


def committed_hash(committed: bytes | None) -> str:
    return hashlib.sha256(committed).hexdigest() if committed else ""
