"""What reading makes of files: values that are stored and linked, never sent as they are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from loreweave.contracts.skill_graph import IngestWarning, NodeSection

NOTE = "note"  # a document: a node of the graph
DIGEST = "digest"  # .ask/digest.json: kept with the revision, no node


class SourceEntry(NamedTuple):
    """One usable file of a source. `mtime_ns` is None where the source has no trustworthy file times."""

    path: str  # below the root, with "/", wrapper and subdirectory stripped
    kind: str  # NOTE or DIGEST
    size: int
    mtime_ns: int | None
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class SourceListing:
    """What a source offers: entries ordered by path, and what was skipped on the way."""

    name: str  # what the source would be called, before slugging: repository, folder, wrapper folder or ZIP stem
    entries: tuple[SourceEntry, ...]
    warnings: tuple[IngestWarning, ...]


class LinkMention(NamedTuple):
    """All mentions of one target in one note: equal kind and equal target text are one mention."""

    kind: str  # "wiki", "markdown", "extends" or "contradicts"
    target: str  # before "#" and "|", trimmed; for markdown links percent-decoded
    raw: str  # what was written first, between the brackets
    anchors: tuple[str, ...]  # headings asked for after "#", distinct, in order; block ids (^b) left out
    line: int  # of the first mention, counted from 1 in the source; for headers the header's line
    count: int  # type: ignore[assignment]  # how often; not the method of tuples
    sentences: tuple[int, ...]  # indexes into ParsedNote.sentences, distinct, at most MAX_CONTEXTS


MAX_CONTEXTS = 8  # sentences kept for one link: enough to show, bounded for hostile notes


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """One markdown file, read."""

    path: str
    source: str  # decoded text with LF line ends, header included
    body_start: int  # offset of the body in `source`, after header and blank lines
    body_end: int
    name: str
    type: str
    has_type: bool
    domain: str | None  # as first written; None when absent or blank
    description: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    updated: str | None  # ISO date, yyyy-mm-dd
    headings: tuple[str, ...]  # what a link may name after `#`: plain text of every heading, then written ids
    sections: tuple[NodeSection, ...]
    links: tuple[LinkMention, ...]
    sentences: tuple[str, ...]
    warnings: tuple[IngestWarning, ...]

    @property
    def body(self) -> str:
        return self.source[self.body_start : self.body_end]
