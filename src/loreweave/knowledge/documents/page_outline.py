"""What one pass over a document finds, before sections, facts and terms are made of it."""

from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["text", "heading", "code", "term", "definition", "row", "html"]
SpanRole = Literal["key", "default"]


@dataclass(slots=True)
class OutlineHeading:
    """A heading with text; `slug_text` keeps every blank and line end that an anchor is made of."""

    level: int
    top: bool  # stands in no quote, list or definition
    text: str
    slug_text: str
    explicit: str | None
    mark: int  # where the written id begins, -1 without one
    start: int
    end: int
    block: int  # the block that it is


@dataclass(slots=True)
class OutlineBlock:
    """One paragraph, row or code block as plain text; `bold` are the bold words that open it."""

    kind: BlockKind
    text: str
    start: int
    bold: str


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Inline code without its backticks; a column of a table can give it a role."""

    outer: int  # its first backtick
    start: int
    end: int
    role: SpanRole | None


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """The body of a fenced or indented block; `language` is the first word of its info string."""

    start: int
    end: int
    language: bytes


@dataclass(frozen=True, slots=True)
class OutlineLink:
    """A link as written and where it begins."""

    start: int
    target: str
    wikilink: bool


@dataclass(slots=True)
class PageOutline:
    """Everything by position in the parsed text.

    `prose` is as long as the parsed text and holds its prose at the same places: inline code is a pair of backticks
    around NUL, markup within a block is blank, everything else is NUL.
    """

    prose: bytearray
    headings: list[OutlineHeading] = field(default_factory=list)
    blocks: list[OutlineBlock] = field(default_factory=list)
    code_spans: list[CodeSpan] = field(default_factory=list)
    code_blocks: list[CodeBlock] = field(default_factory=list)
    default_cells: list[tuple[int, int]] = field(default_factory=list)
    urls: list[tuple[int, int]] = field(default_factory=list)  # destinations of links
    links: list[OutlineLink] = field(default_factory=list)
