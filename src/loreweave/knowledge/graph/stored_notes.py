"""The notes of a graph as they are stored: how their texts are packed, and its documents read back, with what was read
out of each, made where it is missing."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from loreweave.bulk_work import Run
from loreweave.contracts.skill_graph import IngestWarning, NodeSection, PageSettings
from loreweave.entities.digest import PageRecord, reader_of
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import LinkMention, ParsedNote
from loreweave.knowledge.documents.source_paths import DIGEST_PATH
from loreweave.language.markdown.note_names import names_of
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

_LEVEL = 1  # fast; notes are small and read often
BATCH = 200  # sources fetched at a time
_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False)


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """What linking needs of a note: its links with their sentences, its own names, its headings."""

    links: tuple[LinkMention, ...]
    sentences: tuple[str, ...]
    names: tuple[tuple[str, int], ...]
    headings: tuple[str, ...]


def pack_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8"), _LEVEL)


def unpack_text(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8")


def pack_sections(sections: Sequence[NodeSection]) -> bytes:
    parts = [(section.level, section.heading, section.text) for section in sections]
    return pack_text(_JSON.encode(parts))


def unpack_sections(data: bytes) -> tuple[NodeSection, ...]:
    return tuple(NodeSection(*part) for part in json.loads(unpack_text(data)))


def render_sections(sections: Iterable[NodeSection]) -> str:
    """The sections text: heading lines and opening words, a line each."""
    lines: list[str] = []
    for section in sections:
        if section.heading is not None:
            lines.append(f"{'#' * section.level} {section.heading}".rstrip())
        if section.text:
            lines.append(section.text)
    return "\n".join(lines)


def pack_links(note: ParsedNote) -> bytes:
    return pack_text(_JSON.encode([note.links, note.sentences, names_of(note), note.headings]))


def unpack_links(data: bytes) -> NoteLinks:
    links, sentences, names, headings = json.loads(unpack_text(data))
    mentions = (
        LinkMention(kind, target, raw, tuple(anchors), line, count, tuple(numbers))
        for kind, target, raw, anchors, line, count, numbers in links
    )
    return NoteLinks(tuple(mentions), tuple(sentences), tuple(map(tuple, names)), tuple(headings))


def pack_warnings(warnings: Sequence[IngestWarning]) -> str | None:
    """Without the file, which the row knows; None where there is nothing to say."""
    if not warnings:
        return None
    return json.dumps([[found.code, found.message, found.line] for found in warnings], ensure_ascii=False)


def unpack_warnings(data: str | None, file: str) -> list[IngestWarning]:
    return [IngestWarning(code, file, message, line) for code, message, line in json.loads(data or "[]")]


@dataclass(frozen=True, slots=True)
class Documents:
    settings: PageSettings
    records: dict[str, PageRecord]  # by path
    committed: bytes | None  # the digest file that came with the documents
    versions: dict[str, tuple[int, int]]  # (note key, version) of the text that each record was made of


def settings_of(value: Any) -> PageSettings:
    """Defaults for whatever is missing, and altogether where something is no setting."""
    try:
        return PageSettings.model_validate(value if isinstance(value, dict) else {})
    except ValueError:
        return PageSettings()


def page_settings(graph: GraphRow) -> PageSettings:
    return settings_of(json.loads(graph.pages))


def read_documents(
    store: Store, connection: Connection, graph: GraphRow, run: Run = map, before: Documents | None = None
) -> Documents:
    """Every document of the revision that `connection` sees. What `before` knows already is not unpacked again."""
    from loreweave.knowledge.documents.page_record import unpack_record  # here: a search reads no page

    settings = page_settings(graph)
    known = before.versions if before and reader_of(before.settings) == reader_of(settings) else {}
    versions = {path: (note_key, version) for path, note_key, version, _ in ask_shelf.documents(connection, graph)}
    records = {path: before.records[path] for path in versions if before and known.get(path) == versions[path]}
    fresh = {path: versions[path] for path in versions if path not in records}
    for path, packed in packed_records(store, connection, graph, fresh, run):
        records[path] = unpack_record(packed)
    return Documents(settings, records, committed_digest(connection, graph), versions)


def packed_records(
    store: Store, connection: Connection, graph: GraphRow, wanted: dict[str, tuple[int, int]], run: Run
) -> Iterator[tuple[str, bytes]]:
    """(path, record) of documents in the order of their paths, a few at a time. What is read anew is kept in the store,
    chunk by chunk: what a killed process made so far stays made."""
    from loreweave.knowledge.documents.page_record import record_pages

    settings, paths = page_settings(graph), sorted(wanted)
    for start in range(0, len(paths), BATCH):
        batch = {path: wanted[path] for path in paths[start : start + BATCH]}
        known = ask_shelf.readings_of(connection, graph, reader_of(settings), [key for key, _ in batch.values()])
        missing = {path: found for path, found in batch.items() if found[0] not in known}
        sources = read_sources(connection, graph, [note_key for note_key, _ in missing.values()])
        texts = [(path, sources[note_key]) for path, (note_key, _) in missing.items()]
        for chunk in record_pages(texts, settings, run):
            rows = [(*missing[path], packed) for path, packed in chunk]
            known |= {note_key: packed for note_key, _, packed in rows}
            store.keep(partial(ask_shelf.keep_readings, graph=graph, reader=reader_of(settings), readings=rows))
        yield from ((path, known[note_key]) for path, (note_key, _) in batch.items())


def read_sources(connection: Connection, graph: GraphRow, note_keys: list[int]) -> dict[int, str]:
    found = graph_shelf.texts(connection, graph.key, graph.revision, note_keys, "source")
    return {note_key: unpack_text(source) for note_key, source in found}


def committed_digest(connection: Connection, graph: GraphRow) -> bytes | None:
    """The digest file that came with the documents."""
    note_key = ask_shelf.document_key(connection, graph, DIGEST_PATH)
    return None if note_key is None else read_sources(connection, graph, [note_key])[note_key].encode()


def committed_hash(committed: bytes | None) -> str:
    return hashlib.sha256(committed).hexdigest() if committed else ""
