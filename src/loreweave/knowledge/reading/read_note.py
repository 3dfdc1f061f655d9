"""One markdown file, from bytes to a value. Whatever the bytes, reading never fails."""

import hashlib
import re
from collections.abc import Iterator
from datetime import date

from loreweave.entities.note import ParsedNote, Warning
from loreweave.knowledge.reading.frontmatter import Header, read_header
from loreweave.knowledge.reading.plain_header import Value
from loreweave.knowledge.reading.sections import LinkCollector, collect_links, read_sections
from loreweave.language.markdown.decode_text import decode_text
from loreweave.language.markdown.note_names import split_wikilink, title_from_path
from loreweave.language.markdown.outline_page import read_outline

RELATIONS = ("extends", "contradicts")

_WIKILINK = re.compile(r"\[\[([^\[\]]{1,512}+)\]\]")
_ISO_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:?\d{2}.*)?", re.ASCII | re.DOTALL)


class HeaderFields:
    """Asks a header for text, lists and dates, and keeps what was odd."""

    def __init__(self, path: str, header: Header) -> None:
        self._path = path
        self._header = header
        self._asked: set[str] = set()  # fields whose shape was already complained of
        self.warnings = [Warning("frontmatter", path, message, line) for message, line in header.troubles]

    def warn(self, code: str, message: str, line: int | None) -> None:
        """Note something odd about the file."""
        self.warnings.append(Warning(code, self._path, message, line))

    def text(self, key: str) -> str | None:
        """A text field, None when missing, blank or no text."""
        value = self._header.fields.get(key)
        if isinstance(value, (list, dict)):
            self._complain(key, "text")
            return None
        return (value.strip() or None) if value is not None else None

    def tags(self) -> tuple[str, ...]:
        """Tags without their number sign, each once."""
        value = self._header.fields.get("tags")
        if isinstance(value, dict):
            self._complain("tags", "a list")
            return ()
        if isinstance(value, str):
            parts = value.split(",") if "," in value else value.split()
        else:
            parts = list(_texts(value))
        tags = (part.strip().removeprefix("#").strip() for part in parts)
        return tuple(dict.fromkeys(tag for tag in tags if tag))

    def names(self, key: str) -> tuple[str, ...]:
        """Names of other notes or of this one, brackets taken off, each once."""
        return tuple(dict.fromkeys(split_wikilink(raw)[0] for raw in self._written(key)))

    def collect_links(self, collector: LinkCollector) -> None:
        """The two relations that a header can state."""
        for key in RELATIONS:
            line = self._header.lines.get(key, 1)
            for raw in self._written(key):
                target, anchors = split_wikilink(raw)
                mention = collector.add(key, target, raw, anchors, line)
                collector.add_sentence(mention, f"frontmatter: {key}")

    def date(self, *keys: str) -> str | None:
        """The first of the fields that holds an ISO date."""
        for key in keys:
            value = self._header.fields.get(key)
            found = _ISO_DATE.fullmatch(value.strip()) if isinstance(value, str) else None
            if found and _is_day(found[1]):
                return found[1]
        return None

    def _written(self, key: str) -> Iterator[str]:
        """What was written for a list of names, one name at a time, blank ones left out."""
        value = self._header.fields.get(key)
        if isinstance(value, dict):
            self._complain(key, "a list of names")
            return
        for text in _texts(value):
            for raw in _WIKILINK.findall(text) or [text]:
                if split_wikilink(raw)[0]:
                    yield raw.strip()

    def _complain(self, key: str, shape: str) -> None:
        if key not in self._asked:
            self._asked.add(key)
            self.warn("frontmatter", f"header field {key!r} is not {shape}", self._header.lines.get(key))


def _texts(value: Value, depth: int = 0) -> Iterator[str]:
    """Texts of a list. Unquoted, `[[a, b]]` is a list in a list to YAML: one name with a comma in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        texts = [item for item in value if isinstance(item, str)]
        if depth and len(texts) == len(value) > 1:
            yield ", ".join(texts)
            return
        for item in value:
            yield from _texts(item, depth + 1)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


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
    prepared, outline = read_outline(path, source, header.end)
    collector = LinkCollector()
    fields.collect_links(collector)
    collect_links(path, prepared.parsed, outline, collector)
    first = next((heading.text for heading in outline.headings if heading.level == 1), None)
    kind = fields.text("type")
    if kind is not None and (kind := kind.lower()) not in KNOWN_TYPES:
        fields.warn("unknown_type", f"type {kind!r} is not one of the known types", header.lines.get("type"))
    return ParsedNote(
        path=path,
        content_hash=hashlib.sha256(data).hexdigest(),
        source=source,
        body_start=body_start,
        body_end=body_end,
        name=name_of(fields, first, path),
        type=kind or DEFAULT_TYPE,
        has_type=kind is not None,
        domain=fields.text("domain"),
        description=fields.text("description"),
        tags=tuple(dict.fromkeys((*fields.tags(), *outline.tags))),
        aliases=fields.names("aliases"),
        updated=fields.date("updated", "modified", "date"),
        headings=tuple(heading.text for heading in outline.headings),
        sections=read_sections(prepared.parsed.data, outline, source[body_start:body_end]),
        links=collector.mentions(),
        sentences=tuple(collector.sentences),
        warnings=tuple(fields.warnings),
    )


def name_of(fields: HeaderFields, first_title: str | None, path: str) -> str:
    """What a document is called: by its header, its first heading of the first level, its file."""
    written = fields.text("name") or fields.text("title")
    return " ".join(written.split()) if written else first_title or title_from_path(path)


def _body_span(source: str, header_end: int) -> tuple[int, int]:
    end = len(source.rstrip(" \t\n"))
    if end <= header_end:
        return header_end, header_end
    return min(_BLANK_LINES.match(source, header_end).end(), end), end  # type: ignore[union-attr]
