"""Writing the notes that were read: rows, texts and names, chunk by chunk."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from loreweave.bulk_work import in_batches
from loreweave.entities.digest import reader_of
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import NOTE
from loreweave.entities.note_rows import NoteRow
from loreweave.errors import Conflict
from loreweave.knowledge.graph.compare_source import FileToRead
from loreweave.knowledge.graph.graph_library import IngestTools
from loreweave.knowledge.graph.read_chunk import FileToParse, ReadFile, read_chunk
from loreweave.knowledge.graph.stored_notes import page_settings
from loreweave.language.markdown.note_names import facts_of
from loreweave.seams.storage import ask_shelf, graph_shelf

CHUNK_BYTES, LARGE_CHUNK_BYTES = 512 * 1024, 2 * 1024 * 1024
CHUNKS = 16  # wanted of a large source, for the processes to share
CHUNK_FILES = 1000


class NoteWriter:
    """Writes for one revision to come; afterwards it knows what linking has to look at."""

    def __init__(self, tools: IngestTools, graph: GraphRow, revision: int, ids: Mapping[str, str]) -> None:
        self._tools = tools
        self._graph = graph
        self._revision = revision
        self._ids = ids
        self._settings = page_settings(graph)
        self.next_note_key = graph.next_note_key
        self.written: dict[int, FileToRead] = {}
        self.note_keys: list[int] = []  # of the notes written
        self.facts: set[tuple] = set()  # what other notes' links could depend on; see note_names.facts_of

    def write(self, files: Sequence[FileToRead]) -> None:
        for file in sorted(files, key=lambda file: file.entry.path):
            self.written[file.before.note_key if file.before else self._new_note_key()] = file
        total = sum(file.entry.size for file in files)
        largest = min(LARGE_CHUNK_BYTES, max(CHUNK_BYTES, total // CHUNKS))
        chunks = in_batches(self._to_parse(), lambda file: len(file.data), largest, CHUNK_FILES)
        done = 0
        for read in self._tools.readers.run(partial(read_chunk, self._settings), chunks):
            self._write_chunk(read)
            done += len(read)
            self._tools.progress("reading", done, len(files))
            self._tools.fail_at("ingest.chunk")

    def _new_note_key(self) -> int:
        self.next_note_key += 1
        return self.next_note_key - 1

    def _to_parse(self) -> Iterator[FileToParse]:
        for key, file in self.written.items():
            path, kind, size, mtime_ns, _ = file.entry
            known = kind, path, file.content_hash, size, mtime_ns, self._ids.get(path)
            yield FileToParse(NoteRow(key, self._revision, *known), _same_data(file))

    def _write_chunk(self, files: Sequence[ReadFile]) -> None:
        keyed = [(file, file.row.note_key, self._revision) for file in files]
        names = [(name, key, revision, of) for file, key, revision in keyed for name, of in file.names]
        links = [(name, key, revision) for file, key, revision in keyed for name in file.link_keys]
        records = [(key, revision, file.record) for file, key, revision in keyed if file.record]
        with self._tools.store.write() as connection:
            graph_key = self._graph.key
            graph_shelf.add_notes(connection, graph_key, self._revision, [file.row for file in files])
            graph_shelf.add_texts(connection, graph_key, [file.text for file in files])
            graph_shelf.add_names(connection, graph_key, names, links)
            ask_shelf.add_readings(connection, graph_key, reader_of(self._settings), records)
        self.note_keys += [file.row.note_key for file in files if file.row.kind == NOTE]
        if self._graph.revision:  # in the first all links are new: nobody asks which of them the notes touch
            for file in files:
                self.facts |= facts_of(file.row.note_key, file.names, file.headings)


def _same_data(file: FileToRead) -> bytes:
    """The bytes that were hashed: held, or read again and found the same."""
    held, file.data = file.data, None
    if held is not None:
        return held
    data = file.entry.read()
    if hashlib.sha256(data).hexdigest() != file.content_hash:
        raise Conflict(f"{file.entry.path} changed while it was read; try again.", file=file.entry.path)
    return data
