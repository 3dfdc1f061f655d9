"""Rows of single notes on the graph shelf, as an ingest compares and writes them."""

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple


class KnownFile(NamedTuple):
    """What is stored of a file, enough to see whether it changed. All of a graph are read at every ingest."""

    note_key: int
    version: int
    kind: str
    path: str
    content_hash: str
    size: int
    mtime_ns: int | None
    node_id: str | None


class NoteRow(NamedTuple):
    """One state of a note, or of another file that was read, in the order of its columns."""

    note_key: int
    version: int
    kind: str
    path: str
    content_hash: str
    size: int
    mtime_ns: int | None
    node_id: str | None = None
    name: str | None = None
    type: str | None = None
    has_type: bool = False
    domain: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    updated: int | None = None
    tokens_sections: int = 0
    tokens_full: int = 0
    warnings: str | None = None


class TextRow(NamedTuple):
    """The texts of one version of a note, packed, in the order of their columns."""

    note_key: int
    version: int
    body_start: int
    body_end: int
    source: bytes
    sections: bytes
    mentions: bytes


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """All edges that leave one note, column by column, and what its links leave to be said."""

    note_key: int
    targets: array = field(default_factory=lambda: array("q"))  # note keys
    types: array = field(default_factory=lambda: array("B"))
    counts: array = field(default_factory=lambda: array("q"))
    sentence_counts: array = field(default_factory=lambda: array("B"))
    sentences: array = field(default_factory=lambda: array("q"))
    broken: str | None = None
    warnings: str | None = None

    def as_stored(self) -> tuple:
        columns = (self.targets, self.types, self.counts, self.sentence_counts, self.sentences)
        return (self.note_key, *(column.tobytes() for column in columns), self.broken, self.warnings)
