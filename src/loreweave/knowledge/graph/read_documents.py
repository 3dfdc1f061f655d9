"""The documents of a graph: their sources, and what was read out of each, made where it is missing."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import DigestSettings, PageRecord
from loreweave.entities.graph_rows import GraphRow
from loreweave.index.bulk_work import Run
from loreweave.knowledge.documents.source_paths import DIGEST_PATH
from loreweave.knowledge.graph.note_pack import unpack_links, unpack_text
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

BATCH = 200  # sources fetched at a time


@dataclass(frozen=True, slots=True)
class Documents:
    settings: DigestSettings
    records: dict[str, PageRecord]  # by path
    committed: bytes | None  # the digest file that came with the documents
    versions: dict[str, tuple[int, int]]  # (note key, version) of the text that each record was made of


def settings_of(value: Any) -> DigestSettings:
    """Defaults for whatever is missing, and altogether where something is no setting."""
    try:
        found = PageSettings.model_validate(value if isinstance(value, dict) else {})
    except ValueError:
        found = PageSettings()
    return DigestSettings(found.basePath, found.slugScheme, found.headingDepth)


def page_settings(graph: GraphRow) -> DigestSettings:
    return settings_of(json.loads(graph.pages))


def read_documents(
    store: Store, connection: Connection, graph: GraphRow, run: Run = map, before: Documents | None = None
) -> Documents:
    """Every document of the revision that `connection` sees; what is read anew is kept in the store, chunk by chunk:
    what a killed process made so far stays made. Texts that `before` knows already are not unpacked again."""
    settings = page_settings(graph)
    from loreweave.knowledge.documents.page_record import record_pages, unpack_record  # here: a search reads no page

    reader = settings.reader
    known = before.versions if before and before.settings.reader == reader else {}
    records: dict[str, PageRecord] = {}
    missing: dict[str, tuple[int, int]] = {}
    versions: dict[str, tuple[int, int]] = {}
    for path, note_key, version, reading in ask_shelf.read_documents(connection, graph, reader):
        versions[path] = note_key, version
        if before and known.get(path) == versions[path]:
            records[path] = before.records[path]
        elif reading is None:
            missing[path] = versions[path]
        else:
            records[path] = unpack_record(reading)
    for chunk in record_pages(_texts(connection, graph, missing), settings, run):
        records |= {path: unpack_record(packed) for path, packed in chunk}
        rows = [(*missing[path], packed) for path, packed in chunk]
        store.keep(partial(ask_shelf.keep_readings, graph=graph, reader=reader, readings=rows))
    return Documents(settings, records, committed_digest(connection, graph), versions)


def _texts(connection: Connection, graph: GraphRow, missing: dict[str, tuple[int, int]]) -> Iterator[tuple[str, str]]:
    paths = sorted(missing)
    for start in range(0, len(paths), BATCH):
        batch = paths[start : start + BATCH]
        sources = read_sources(connection, graph, [missing[path][0] for path in batch])
        for path in batch:
            yield path, sources[missing[path][0]]


def read_sources(connection: Connection, graph: GraphRow, note_keys: list[int]) -> dict[int, str]:
    found = graph_shelf.texts(connection, graph.key, graph.revision, note_keys, "source")
    return {note_key: unpack_text(source) for note_key, source in found}


def link_sentences(connection: Connection, graph: GraphRow, note_keys: list[int]) -> dict[int, tuple[str, ...]]:
    """The sentences in which notes link, as their edges number them."""
    found: dict[int, tuple[str, ...]] = {}
    for start in range(0, len(note_keys), BATCH):
        batch = note_keys[start : start + BATCH]
        for key, mentions in graph_shelf.texts(connection, graph.key, graph.revision, batch, "mentions"):
            if mentions:
                found[key] = unpack_links(mentions).sentences
    return found


def committed_digest(connection: Connection, graph: GraphRow) -> bytes | None:
    """The digest file that came with the documents."""
    note_key = ask_shelf.document_key(connection, graph, DIGEST_PATH)
    if note_key is None:
        return None
    return read_sources(connection, graph, [note_key])[note_key].encode()


def committed_hash(committed: bytes | None) -> str:
    return hashlib.sha256(committed).hexdigest() if committed else ""
