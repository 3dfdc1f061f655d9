"""What one pass over a document finds, before sections, facts and terms are made of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
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
    first: int = -1  # the same as written, marks of links and emphasis included
    last: int = -1
    quoted: bool = False  # lines may start with ">"


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


@dataclass(slots=True)
class OutlineLink:
    """A link as written, and the block that it stands in."""

    start: int
    end: int
    target: str  # of a wikilink all that stands between its brackets
    wikilink: bool
    block: OutlineBlock


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
    tags: dict[str, None] = field(default_factory=dict)  # written in the text as #tag
    places: list[tuple[int, str]] = field(default_factory=list)  # ids that raw HTML gives to places
    units: list[tuple[int, int]] = field(default_factory=list)  # blocks, items and definitions that stand by themselves

    def named_places(self) -> tuple[str, ...]:
        """What a link may name after `#`: headings, the ids written for them, and those that raw HTML gives."""
        written = (heading.explicit for heading in self.headings if heading.explicit)
        return tuple(
            dict.fromkeys([*(heading.text for heading in self.headings), *written, *(name for _, name in self.places)])
        )


_EXPLICIT = re.compile(rb"\{:?[ \t]*+#([^\s{}]++)(?:[ \t][^{}\n]*+)?\}[ \t]*+")


def read_heading(data: bytes, pieces: list[tuple[str, int, int]], level: int, start: int, end: int) -> OutlineHeading:
    """Pieces are the heading's inline texts with their places; `top` and `block` are still open."""
    explicit: str | None = None
    mark = _find_mark(data, pieces, start) if pieces else -1
    if mark >= 0:
        found = _EXPLICIT.match(data, mark)
        explicit = found[1].decode("utf-8") if found else None
        pieces = _without_tail(pieces, mark)
    slug_text = "".join(text for text, _, _ in pieces)
    if explicit is not None:
        slug_text = slug_text.rstrip()
    return OutlineHeading(level, False, " ".join(slug_text.split()), slug_text, explicit, mark, start, end, -1)


def _find_mark(data: bytes, pieces: list[tuple[str, int, int]], start: int) -> int:
    """Where a written id begins; in a code span or behind a backslash it is none."""
    last = pieces[-1][2]
    mark = data.rfind(b"{", start, last)
    if mark <= start or data[mark - 1 : mark] == b"\\" or not _EXPLICIT.fullmatch(data, mark, last):
        return -1
    in_code = data.startswith(b"`", pieces[-1][1]) and pieces[-1][1] < mark
    return -1 if in_code else mark


def _without_tail(pieces: list[tuple[str, int, int]], mark: int) -> list[tuple[str, int, int]]:
    return [
        (text if end <= mark else text[: text.rfind("{")], start, end) for text, start, end in pieces if start < mark
    ]


_MARKUP = re.compile(rb"<(?:!--|/?([A-Za-z][A-Za-z0-9-]*+)(?:[^<>\"']*+(?:\"[^\"]*+\"|'[^']*+'))*+[^<>\"']*+>)")
_HIDDEN = (b"script", b"style", b"template")


def find_html_text(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Stretches of data[start:end] that a reader would see: no tags, comments, scripts or styles."""
    at = start
    while found := _MARKUP.search(data, at, end):
        mark, after = found.span()
        if mark > at:
            yield at, mark
        name = found[1]
        if name is None:
            close = data.find(b"-->", after, end)
            after = close + 3 if close >= 0 else end
        elif name.lower() in _HIDDEN and data[mark + 1] != 47:  # all of the element
            close = data.find(b"</" + name.lower(), after, end)
            after = (data.find(b">", close, end) + 1 or end) if close >= 0 else end
        at = after
    if end > at:
        yield at, end


_HTML_LINK = re.compile(
    rb"<!--|<(pre|code|script|style|textarea|template)\b.*?(?:</\1\s*+>|\Z)"
    rb"|<a\s[^<>]*?\bhref\s*+=\s*+(?:\"([^\"<>]*+)\"|'([^'<>]*+)'|([^\s\"'<>]++))"
    rb"|(?<!\\)\[\[([^\[\]\n]{1,512}+)\]\]",
    re.DOTALL | re.IGNORECASE,
)
_HTML_PLACE = re.compile(
    rb"<(?:a\s[^<>]*?\bname|[a-z][\w-]*+\s[^<>]*?\bid)\s*+=\s*+[\"']?([^\s\"'<>]++)", re.IGNORECASE
)


def find_html_links(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, str, bool]]:
    """Links of raw HTML and wikilinks in its text, outside of code and comments: from, to, target, whether wiki."""
    piece = data[start:end]
    if b"[[" not in piece and b"href" not in piece.lower():  # which is quickly seen
        return
    at, closes = start, True
    while found := _HTML_LINK.search(data, at, end):
        at = found.end()
        if found[5] is not None:
            yield found.start(), at, found[5].decode("utf-8", "replace"), True
        elif (target := found[2] or found[3] or found[4]) is not None:
            yield found.start(), at, unescape(target.decode("utf-8", "replace")), False
        elif closes and not found[1]:
            close = data.find(b"-->", at, end)
            closes = close >= 0  # an unclosed comment is text
            at = close + 3 if closes else at


def find_html_places(data: bytes, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Ids and names that can be linked to."""
    for found in _HTML_PLACE.finditer(data, start, end):
        yield found.start(), unescape(found[1].decode("utf-8", "replace"))
