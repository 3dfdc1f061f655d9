"""One chunk of files, each parsed once and packed for everybody: the work a reader process does."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from loreweave.bulk_work import Batch, without_collection
from loreweave.contracts.skill_graph import IngestWarning, PageSettings
from loreweave.entities.note import DIGEST, NOTE
from loreweave.entities.note_rows import NoteRow, TextRow
from loreweave.errors import InvalidInput
from loreweave.knowledge.documents.page_record import pack_record, record_of
from loreweave.knowledge.documents.read_document import read_document
from loreweave.knowledge.documents.read_note import note_of
from loreweave.knowledge.documents.source_paths import read_digest
from loreweave.knowledge.graph.stored_notes import pack_links, pack_sections, pack_text, pack_warnings, render_sections
from loreweave.language.markdown.decode_text import decode_text
from loreweave.language.markdown.note_names import names_of, read_reference
from loreweave.language.stretch_tokens import StretchTokens, stretch_tokens
from loreweave.language.tokens import count_tokens


class FileToParse(NamedTuple):
    """A file's bytes, and its row but for what reading finds out."""

    row: NoteRow
    data: bytes


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read: its rows, and what linking looks at."""

    row: NoteRow
    text: TextRow
    names: tuple[tuple[str, int], ...] = ()
    link_keys: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    record: bytes = b""  # what the document gives to asking and to the index


def read_chunk(settings: PageSettings, chunk: Batch[FileToParse]) -> list[ReadFile]:
    notes = [file for file in chunk.items if file.row.kind == NOTE]
    with without_collection():
        texts = [decode_text(file.data) for file in notes]
        counters = stretch_tokens([source.encode() for source, _ in texts])
        read = [_read(*found, settings) for found in zip(notes, texts, counters, strict=True)]
        return read + [_kept(file) for file in chunk.items if file.row.kind != NOTE]


def _read(file: FileToParse, text: tuple[str, str | None], tokens: StretchTokens, settings: PageSettings) -> ReadFile:
    row, (source, oddity) = file.row, text
    reading = read_document(row.path, source)
    note = note_of(reading, oddity, settings.basePath)
    record = record_of(reading, tokens, settings)
    start = len(source[: note.body_start].encode())
    found = row._replace(
        name=note.name,
        type=note.type,
        has_type=note.has_type,
        domain=note.domain,
        description=note.description,
        tags=note.tags,
        updated=date.fromisoformat(note.updated).toordinal() if note.updated else None,
        tokens_sections=count_tokens(render_sections(note.sections)),
        tokens_full=tokens.count(start, start + len(note.body.encode())),
        warnings=pack_warnings(note.warnings),
    )
    packed = pack_text(source), pack_sections(note.sections), pack_links(note)
    stored = TextRow(row.note_key, row.version, note.body_start, note.body_end, *packed)
    names = tuple(names_of(note))
    keys = {key for link in note.links for key in read_reference(link.target).keys}
    return ReadFile(found, stored, names, tuple(sorted(keys)), note.headings, pack_record(record))


def _kept(file: FileToParse) -> ReadFile:
    """A digest that travels with its documents: it is no node, its text is kept, and it never stops them."""
    row, (text, _) = file.row, decode_text(file.data)
    warnings = []
    if row.kind == DIGEST:
        try:
            read_digest(file.data)
        except InvalidInput as trouble:
            warnings = [IngestWarning("bad_digest", row.path, f"{trouble.message} It is not used.")]
    stored = TextRow(row.note_key, row.version, 0, len(text), pack_text(text), b"", b"")
    return ReadFile(row._replace(warnings=pack_warnings(warnings)), stored)
