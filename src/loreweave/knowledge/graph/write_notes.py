"""Writing the notes that were read: rows, texts and names, chunk by chunk."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from loreweave.entities.digest import DigestSettings
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note_rows import NoteRow, TextRow
from loreweave.errors import Conflict
from loreweave.index.bulk_work import NoteReaders
from loreweave.knowledge.graph.compare_source import FileToRead, HeldFiles
from loreweave.knowledge.graph.graph_library import GraphLibrary
from loreweave.knowledge.graph.read_chunk import ChunkFile, FileChunk, ReadChunk, ReadFile, read_chunk
from loreweave.knowledge.graph.stored_notes import page_settings
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Store

CHUNK_BYTES, LARGE_CHUNK_BYTES = 512 * 1024, 2 * 1024 * 1024
CHUNKS = 16  # wanted of a large source, for the processes to share
CHUNK_FILES = 1000

Progress = Callable[[str, int, int], None]  # phase, done, total


@dataclass(frozen=True, slots=True)
class IngestTools:
    """What an ingest works with, chosen by the application."""

    store: Store
    files: HeldFiles
    library: GraphLibrary  # holds compiled views from one ingest to the next
    readers: NoteReaders
    now: Callable[[], str]
    fail_at: Callable[[str], None]  # kills the process at a named point, in tests of crashes
    progress: Progress


class NoteWriter:
    """Writes for one revision to come; afterwards it knows what linking has to look at."""

    def __init__(self, tools: IngestTools, graph: GraphRow, revision: int, ids: Mapping[str, str | None]) -> None:
        self._tools = tools
        self._graph = graph
        self._revision = revision
        self._ids = ids
        self._settings = page_settings(graph)
        self.next_note_key = graph.next_note_key
        self.written: dict[int, FileToRead] = {}
        self.note_keys: list[int] = []  # of the notes written
        self.facts: set[tuple] = set()  # what other notes' links could depend on; see relink.facts_of

    def write(self, files: Sequence[FileToRead]) -> None:
        files = sorted(files, key=lambda file: file.entry.path)
        keys = [file.before.note_key if file.before else self._new_note_key() for file in files]
        by_key = self.written = dict(zip(keys, files, strict=True))
        done = 0
        for chunk in self._tools.readers.run(read_chunk, _chunks(by_key, self._settings), len):
            self._write_chunk(chunk, by_key)
            done += len(chunk.files)
            self._tools.progress("reading", done, len(files))
            self._tools.fail_at("ingest.chunk")

    def _new_note_key(self) -> int:
        self.next_note_key += 1
        return self.next_note_key - 1

    def _write_chunk(self, chunk: ReadChunk, by_key: dict[int, FileToRead]) -> None:
        names = [(key, file.note_key, self._revision, of) for file in chunk.files for key, of in file.names]
        links = [(key, file.note_key, self._revision) for file in chunk.files for key in file.link_keys]
        with self._tools.store.write() as connection:
            graph_key = self._graph.key
            rows = [self._note_row(file, by_key[file.note_key]) for file in chunk.files]
            graph_shelf.add_notes(connection, graph_key, self._revision, rows)
            graph_shelf.add_texts(connection, graph_key, [self._text_row(file) for file in chunk.files])
            graph_shelf.add_names(connection, graph_key, names, links)
            records = [(file.note_key, self._revision, file.record) for file in chunk.files if file.record]
            ask_shelf.add_readings(connection, graph_key, self._settings.reader, records)
        self.note_keys += chunk.note_keys
        for file in chunk.files:
            self.facts |= file.facts

    def _note_row(self, file: ReadFile, to_read: FileToRead) -> NoteRow:
        entry = to_read.entry
        return NoteRow(
            note_key=file.note_key,
            version=self._revision,
            kind=entry.kind,
            path=entry.path,
            content_hash=to_read.content_hash,
            size=entry.size,
            mtime_ns=entry.mtime_ns,
            node_id=self._ids.get(entry.path),
            warnings=file.warnings,
            **file.columns,
        )

    def _text_row(self, file: ReadFile) -> TextRow:
        return TextRow(
            file.note_key, self._revision, file.body_start, file.body_end, file.source, file.sections, file.mentions
        )  # fmt: skip


def _chunks(by_key: dict[int, FileToRead], settings: DigestSettings) -> Iterator[FileChunk]:
    total = sum(file.entry.size for file in by_key.values())
    limit = min(LARGE_CHUNK_BYTES, max(CHUNK_BYTES, total // CHUNKS))
    chunk: list[ChunkFile] = []
    size = 0
    for key, file in by_key.items():
        data = _same_data(file)
        if chunk and (size + len(data) > limit or len(chunk) >= CHUNK_FILES):
            yield FileChunk(chunk, settings)
            chunk, size = [], 0
        chunk.append(ChunkFile(key, file.entry.kind, file.entry.path, data))
        size += len(data)
    if chunk:
        yield FileChunk(chunk, settings)


def _same_data(file: FileToRead) -> bytes:
    """The bytes that were hashed: held, or read again and found the same."""
    data = file.entry.read() if file.data is None else file.data
    if file.data is None and hashlib.sha256(data).hexdigest() != file.content_hash:
        raise Conflict(f"{file.entry.path} changed while it was read; try again.", file=file.entry.path)
    return data
