"""What the graph takes from one parse of a file: each heading with its opening words, each link with its sentences.

Whatever the text, reading never fails.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from loreweave.contracts.skill_graph import IngestWarning, NodeSection
from loreweave.entities.note import MAX_CONTEXTS, LinkMention, ParsedNote
from loreweave.knowledge.documents.read_document import DocumentReading
from loreweave.language.markdown.contexts import MAX_CONTEXT, Sentences
from loreweave.language.markdown.note_names import read_target, split_wikilink
from loreweave.language.markdown.page_outline import OutlineBlock, PageOutline

DEFAULT_TYPE = "skill"
KNOWN_TYPES = frozenset((DEFAULT_TYPE, "technique", "moc", "claim", "framework", "exploration"))

MAX_WORDS = 100
MAX_CHARACTERS = 400

_QUOTE_PREFIX = re.compile(r"^[ \t]*+(?:>[ \t]?)++", re.MULTILINE)
_MAX_TRIED = 4 * MAX_CONTEXTS  # mentions whose sentence is looked up: a thousand equal ones cost no more
_MAX_SENTENCES = 5_000
_BLANK_LINES = re.compile(r"(?:[ \t]*+\n)*+")


def note_of(reading: DocumentReading, oddity: str | None = None, base: str = "") -> ParsedNote:
    """Everything that linking, grading and disclosure need to know; `oddity` is what was odd about the encoding, `base`
    where the pages are published."""
    source, fields, outline = reading.source, reading.fields, reading.outline
    if oddity is not None:
        fields.warn("encoding", oddity, None)
    body_start, body_end = _body_span(source, reading.header.end)
    collector = _LinkCollector()
    for relation, raw, line in fields.relations():
        mention = collector.add(relation, *split_wikilink(raw), raw, line)
        collector.add_sentence(mention, f"frontmatter: {relation}")
    _collect_links(reading, base, collector)
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
        aliases=reading.aliases,
        updated=fields.date("updated", "modified", "date"),
        headings=outline.named_places(),
        sections=_read_sections(reading.prepared.parsed.data, outline, source[body_start:body_end]),
        links=collector.mentions(),
        sentences=tuple(collector.sentences),
        warnings=tuple(IngestWarning(code, reading.path, message, line) for code, message, line in fields.warnings),
    )


def _body_span(source: str, header_end: int) -> tuple[int, int]:
    end = len(source.rstrip(" \t\n"))
    if end <= header_end:
        return header_end, header_end
    return min(_BLANK_LINES.match(source, header_end).end(), end), end  # type: ignore[union-attr]


def _read_sections(data: bytes, outline: PageOutline, body: str) -> tuple[NodeSection, ...]:
    """Sections in order; for a body without heading, paragraph or list item its first characters."""
    sections: list[NodeSection] = []
    levels = {heading.block: heading.level for heading in outline.headings}
    level, heading = 0, None
    waiting = True  # for the first paragraph or list item of the section
    for number, block in enumerate(outline.blocks):
        if block.kind == "heading":
            if waiting and heading is not None:
                sections.append(NodeSection(level, heading, ""))
            level, heading, waiting = levels[number], " ".join(_written(data, block).split()), True
        elif waiting and block.kind in ("text", "term", "definition") and (opening := _opening(data, block)):
            sections.append(NodeSection(level, heading, opening))
            waiting = False
    if waiting and heading is not None:
        sections.append(NodeSection(level, heading, ""))
    if not sections and body:
        sections.append(NodeSection(0, None, body.strip()[:MAX_CHARACTERS].rstrip()))
    return tuple(sections)


def _opening(data: bytes, block: OutlineBlock) -> str:
    # Beyond this many bytes of source nothing can be shown, save for very long runs of blanks.
    words = _written(data, block, 32 * MAX_CHARACTERS).split(None, MAX_WORDS)[:MAX_WORDS]
    opening = " ".join(words)
    if len(opening) <= MAX_CHARACTERS:
        return opening
    cut = opening[: MAX_CHARACTERS + 1]
    return cut.rpartition(" ")[0] if " " in cut else cut[:MAX_CHARACTERS]


def _written(data: bytes, block: OutlineBlock, most: int = 1 << 30) -> str:
    """A block as it was written, without the marks of a quote in front of its lines."""
    piece = data[block.first : min(block.last, block.first + most)].decode("utf-8", "ignore")
    return _QUOTE_PREFIX.sub("", piece) if block.quoted else piece


@dataclass(slots=True)
class _Mention:
    """A target while it is being collected."""

    kind: str
    target: str
    raw: str
    line: int
    count: int = 0
    anchors: dict[str, None] = field(default_factory=dict)
    sentences: dict[int, None] = field(default_factory=dict)


class _LinkCollector:
    """Gathers mentions and their sentences, equal ones once."""

    def __init__(self) -> None:
        self._mentions: dict[tuple[str, str], _Mention] = {}
        self.sentences: dict[str, int] = {}  # distinct, in the order of the numbers that mentions hold

    def add(self, kind: str, target: str, anchors: Iterable[str], raw: str, line: int) -> _Mention:
        """Count one mention of a target."""
        mention = self._mentions.get((kind, target))
        if mention is None:
            mention = self._mentions[kind, target] = _Mention(kind, target, raw, line)
        mention.count += 1
        for anchor in anchors:
            mention.anchors[anchor] = None
        return mention

    def add_sentence(self, mention: _Mention, sentence: str) -> None:
        """Remember that a mention stands in a sentence."""
        mention.sentences[self.sentences.setdefault(sentence, len(self.sentences))] = None

    def mentions(self) -> tuple[LinkMention, ...]:
        """Every target in the order of its first mention."""
        return tuple(
            LinkMention(one.kind, one.target, one.raw, tuple(one.anchors), one.line, one.count, tuple(one.sentences))
            for one in self._mentions.values()
        )


def _collect_links(reading: DocumentReading, base: str, collector: _LinkCollector) -> None:
    """The links of a note's text, in order."""
    path, parsed = reading.path, reading.prepared.parsed
    split: dict[tuple[bool, str], tuple[str, tuple[str, ...]]] = {}
    sentences: Sentences | None = None
    line, counted = 1, 0
    for link in reading.outline.links:
        key = link.wikilink, link.target
        parts = split.get(key)
        if parts is None:
            parts = split[key] = read_target(link.target, path, wikilink=link.wikilink, base=base)
        if not parts[0]:
            continue
        origin = parsed.origin(link.start)
        if origin < counted:
            line, counted = 1, 0
        line += parsed.source.count(b"\n", counted, origin)
        counted = origin
        mention = collector.add("wiki" if link.wikilink else "markdown", *parts, link.target, line)
        if mention.count > _MAX_TRIED or len(mention.sentences) >= MAX_CONTEXTS:
            continue
        if len(collector.sentences) >= _MAX_SENTENCES:  # further links are shown without theirs
            written = parsed.data[link.start : link.end].decode("utf-8", "replace")
            collector.add_sentence(mention, written[:MAX_CONTEXT])
            continue
        if sentences is None or sentences.block is not link.block:
            sentences = Sentences(parsed.data, link.block)
        collector.add_sentence(mention, sentences.around(link.start, link.end))
