"""What the graph takes from one parse of a file. Whatever the text, reading never fails."""

import re

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.documents.read_document import DocumentReading
from loreweave.knowledge.documents.sections import LinkCollector, collect_links, read_sections

DEFAULT_TYPE = "skill"
KNOWN_TYPES = frozenset((DEFAULT_TYPE, "technique", "moc", "claim", "framework", "exploration"))

_BLANK_LINES = re.compile(r"(?:[ \t]*+\n)*+")


def note_of(reading: DocumentReading, oddity: str | None = None) -> ParsedNote:
    """Everything that linking, grading and disclosure need to know; `oddity` is what was odd about the encoding."""
    source, fields, outline = reading.source, reading.fields, reading.outline
    if oddity is not None:
        fields.warn("encoding", oddity, None)
    body_start, body_end = _body_span(source, reading.header.end)
    collector = LinkCollector()
    fields.collect_links(collector)
    collect_links(reading.path, reading.prepared.parsed, outline, collector)
    kind = fields.text("type")
    if kind is not None and (kind := kind.lower()) not in KNOWN_TYPES:
        fields.warn("unknown_type", f"type {kind!r} is not one of the known types", reading.header.lines.get("type"))
    return ParsedNote(
        path=reading.path,
        source=source,
        body_start=body_start,
        body_end=body_end,
        name=reading.name,
        type=kind or DEFAULT_TYPE,
        has_type=kind is not None,
        domain=fields.text("domain"),
        description=fields.text("description"),
        tags=tuple(dict.fromkeys((*fields.tags(), *outline.tags))),
        aliases=fields.names("aliases"),
        updated=fields.date("updated", "modified", "date"),
        headings=tuple(heading.text for heading in outline.headings),
        sections=read_sections(reading.prepared.parsed.data, outline, source[body_start:body_end]),
        links=collector.mentions(),
        sentences=tuple(collector.sentences),
        warnings=tuple(fields.warnings),
    )


def _body_span(source: str, header_end: int) -> tuple[int, int]:
    end = len(source.rstrip(" \t\n"))
    if end <= header_end:
        return header_end, header_end
    return min(_BLANK_LINES.match(source, header_end).end(), end), end  # type: ignore[union-attr]
