"""One chunk of files, each parsed once and packed for everybody: the work a reader process does."""

from collections.abc import Sequence
from dataclasses import dataclass

from loreweave.entities.digest import DigestSettings
from loreweave.entities.note import DIGEST, NOTE, ParsedNote, Warning
from loreweave.errors import InvalidInput
from loreweave.index.bulk_work import without_collection
from loreweave.knowledge.documents.page_record import pack_record, record_of
from loreweave.knowledge.documents.read_document import read_document
from loreweave.knowledge.documents.read_note import note_of
from loreweave.knowledge.documents.source_paths import read_digest
from loreweave.knowledge.graph.stored_notes import pack_links, pack_sections, pack_text, pack_warnings, render_sections
from loreweave.language.markdown.decode_text import decode_text
from loreweave.language.markdown.note_names import facts_of, names_of, read_reference
from loreweave.language.stretch_tokens import StretchTokens, stretch_tokens
from loreweave.language.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class ChunkFile:
    """A file to be read. `note_key` comes back with what was made of it."""

    note_key: int
    kind: str
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class FileChunk:
    """Files to be read together, and how their pages are addressed."""

    files: Sequence[ChunkFile]
    settings: DigestSettings

    def __len__(self) -> int:
        """How much there is to read."""
        return sum(len(file.data) for file in self.files)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read: columns and packed texts, ready for the store."""

    note_key: int
    columns: dict  # of entities.graph_rows.NoteRow; empty for files that are no notes
    body_start: int
    body_end: int
    source: bytes
    sections: bytes
    mentions: bytes
    warnings: str | None
    names: tuple[tuple[str, int], ...]
    link_keys: tuple[str, ...]
    facts: frozenset[tuple]  # what links from elsewhere can depend on; see note_names.facts_of
    record: bytes = b""  # what the document gives to asking and to the index


@dataclass(frozen=True, slots=True)
class ReadChunk:
    files: list[ReadFile]
    note_keys: list[int]  # of the notes among them


def read_chunk(chunk: FileChunk) -> ReadChunk:
    notes = [file for file in chunk.files if file.kind == NOTE]
    with without_collection():
        texts = [decode_text(file.data) for file in notes]
        counters = stretch_tokens([source.encode() for source, _ in texts])
        read = [_read(*found, chunk.settings) for found in zip(notes, texts, counters, strict=True)]
        files = [_packed(file.note_key, *found) for file, found in zip(notes, read, strict=True)]
        files += [_kept(file) for file in chunk.files if file.kind != NOTE]
        return ReadChunk(files, [file.note_key for file in notes])


def _read(
    file: ChunkFile, text: tuple[str, str | None], tokens: StretchTokens, settings: DigestSettings
) -> tuple[ParsedNote, bytes, int]:
    """The note, the packed record of the same parse, and the tokens of its body."""
    source, oddity = text
    reading = read_document(file.path, source)
    note = note_of(reading, oddity, settings.base_path)
    record = record_of(reading, tokens, settings.slug_scheme, settings.heading_depth)
    before, within = source[: note.body_start], source[note.body_start : note.body_end]
    start = len(before.encode())
    return note, pack_record(record), tokens.count(start, start + len(within.encode()))


def _packed(note_key: int, note: ParsedNote, record: bytes, tokens_full: int) -> ReadFile:
    names = tuple(names_of(note))
    keys = {key for link in note.links for key in read_reference(link.target).keys}
    return ReadFile(
        note_key=note_key,
        columns={
            "name": note.name,
            "type": note.type,
            "has_type": note.has_type,
            "domain": note.domain,
            "description": note.description,
            "tags": note.tags,
            "updated": _day_number(note.updated),
            "tokens_sections": count_tokens(render_sections(note.sections)),
            "tokens_full": tokens_full,
        },
        body_start=note.body_start,
        body_end=note.body_end,
        source=pack_text(note.source),
        sections=pack_sections(note.sections),
        mentions=pack_links(note),
        warnings=pack_warnings(note.warnings),
        names=names,
        link_keys=tuple(sorted(keys)),
        facts=frozenset(facts_of(note_key, names, note.headings)),
        record=record,
    )


def _kept(file: ChunkFile) -> ReadFile:
    """A page or a digest: its text is kept for those who read it, it is no node."""
    text, _ = decode_text(file.data)
    warnings = pack_warnings(_digest_warnings(file)) if file.kind == DIGEST else None
    return ReadFile(file.note_key, {}, 0, len(text), pack_text(text), b"", b"", warnings, (), (), frozenset())


def _digest_warnings(file: ChunkFile) -> list[Warning]:
    """A digest that travels with its documents never stops them."""
    try:
        read_digest(file.data)
    except InvalidInput as trouble:
        return [Warning("bad_digest", file.path, f"{trouble.message} It is not used.")]
    return []


def _day_number(date: str | None) -> int | None:
    from datetime import date as Date

    return Date.fromisoformat(date).toordinal() if date else None
