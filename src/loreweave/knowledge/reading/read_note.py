"""One markdown file, from bytes to a value. Whatever the bytes, reading never fails."""

import hashlib
import re
from collections.abc import Iterable

from loreweave.entities.note import ParsedNote, Section
from loreweave.knowledge.reading.frontmatter import read_header
from loreweave.knowledge.reading.header_fields import HeaderFields
from loreweave.knowledge.reading.scan_links import LinkCollector, LinkScan
from loreweave.knowledge.reading.sections import plain_heading, read_sections
from loreweave.language.markdown.blocks import BlockScanner
from loreweave.language.markdown.decode_text import decode_text
from loreweave.language.markdown.mask_comments import mask_comments

DEFAULT_TYPE = "skill"
KNOWN_TYPES = frozenset((DEFAULT_TYPE, "technique", "moc", "claim", "framework", "exploration"))

_BLANK_LINES = re.compile(r"(?:[ \t]*+\n)*+")


def read_note(path: str, data: bytes) -> ParsedNote:
    """Everything that linking, grading and disclosure need to know of a file."""
    source, oddity = decode_text(data)
    header = read_header(source)
    fields = HeaderFields(path, header)
    if oddity is not None:
        fields.warn("encoding", oddity, None)

    body_start, body_end = _body_span(source, header.end)
    text = mask_comments(source[:body_end], body_start)
    scanner = BlockScanner(text, body_start)
    blocks = list(scanner)

    collector = LinkCollector()
    fields.collect_links(collector)
    links = LinkScan(source, text, scanner.definitions, collector)
    for block in blocks:
        links.read_block(block)

    body = source[body_start:body_end]
    sections = read_sections(text, blocks, body)
    kind = fields.text("type")
    if kind is not None and (kind := kind.lower()) not in KNOWN_TYPES:
        fields.warn("unknown_type", f"type {kind!r} is not one of the known types", header.lines.get("type"))
    return ParsedNote(
        path=path,
        content_hash=hashlib.sha256(data).hexdigest(),
        source=source,
        body_start=body_start,
        body_end=body_end,
        name=_name(fields, sections, path),
        type=kind or DEFAULT_TYPE,
        has_type=kind is not None,
        domain=fields.text("domain"),
        description=fields.text("description"),
        tags=fields.tags(),
        aliases=fields.names("aliases"),
        updated=fields.date("updated", "modified", "date"),
        headings=tuple(plain_heading(one.heading) for one in sections if one.heading is not None),
        sections=sections,
        links=collector.mentions(),
        sentences=collector.sentences(),
        warnings=tuple(fields.warnings),
    )


def _name(fields: HeaderFields, sections: Iterable[Section], path: str) -> str:
    written = fields.text("name") or fields.text("title")
    return " ".join(written.split()) if written else _first_title(sections) or name_from_path(path)


def name_from_path(path: str) -> str:
    """A file's name as words; a SKILL.md in a folder is called as the folder."""
    folders, _, base = path.rpartition("/")
    stem = base[:-3] if base[-3:].lower() == ".md" else base
    if stem.casefold() == "skill" and folders:
        stem = folders.rpartition("/")[2]
    words = stem.replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words) or stem or path


def _body_span(source: str, header_end: int) -> tuple[int, int]:
    end = len(source.rstrip(" \t\n"))
    if end <= header_end:
        return header_end, header_end
    return min(_BLANK_LINES.match(source, header_end).end(), end), end  # type: ignore[union-attr]


def _first_title(sections: Iterable[Section]) -> str:
    for section in sections:
        if section.level == 1 and section.heading and (title := plain_heading(section.heading)):
            return title
    return ""
