"""One pass over the parser's events: blocks, headings, code, tables, links and the prose between."""

import re
from typing import Any

import pyromark

from loreweave.language.markdown.page_outline import (
    BlockKind,
    CodeBlock,
    CodeSpan,
    OutlineBlock,
    OutlineLink,
    PageOutline,
    SpanRole,
    read_heading,
)
from loreweave.language.markdown.parsed_text import ParsedText
from loreweave.language.markdown.prepare_text import OPTIONS, PreparedText, prepare_text, restore
from loreweave.language.markdown.read_blocks import BlockReader

KEY_HEADERS = ("option", "setting", "key", "name", "field", "parameter", "property", "variable")

_CONTAINERS = frozenset(("BlockQuote", "List", "Item", "FootnoteDefinition", "DefinitionList"))
_KINDS: dict[str, BlockKind] = {"DefinitionListTitle": "term", "DefinitionListDefinition": "definition"}
_UNITED = frozenset(("List", "DefinitionList"))  # their parts stand by themselves
_INLINE = frozenset(("Emphasis", "Strong", "Strikethrough", "Superscript", "Subscript", "Link", "Image"))
_TAG = re.compile(
    r"(?<![\w&/#.;:=\"'])#(?=[\w/-]*[^\W\d_])(?!(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\b)[\w/-]++"
)
_WIKILINK = re.compile(rb"(?<!\\)\[\[([^\[\]\n]{1,512}+)\]\]")
_WRITTEN_ID = re.compile(r"\{:?[ \t]*+#[^{}\n]*+\}")  # of a heading: no tag
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|li|td|th|tr|hr)\b", re.IGNORECASE)


def read_outline(path: str, source: str, body_start: int, *, shown: bool = False) -> tuple[PreparedText, PageOutline]:
    """The one parse of a document: its text as it was parsed, and everything that was found in it."""
    prepared = prepare_text(path, source, body_start, shown=shown)
    return prepared, OutlineWalker(prepared.parsed).walk(prepared.text)


class OutlineWalker(BlockReader):
    """Collects a page's outline."""

    def __init__(self, parsed: ParsedText) -> None:
        super().__init__(parsed)
        self._lists = 0
        self._indented = False  # the code block that is open
        self._depth = 0
        self._body: list[str] | None = None  # text of the code block that is open
        self._body_range = (-1, -1)
        self._headers: list[str] = []
        self._column = -1  # of the table, -1 outside
        self._cell = 0  # parts before the cell
        self._unit_end = -1  # of the unit that is open: what is inside it is no unit of its own

    def walk(self, text: str) -> PageOutline:
        """The outline of a text as the parser reads it."""
        value: Any
        for event, span in pyromark.events_with_range(text, options=OPTIONS, merge_text=True):
            start, end = span["start"], span["end"]
            if isinstance(event, str):
                if event == "Rule":
                    self._flush()
                elif self._body is None:
                    self._add("\n", start, end)
                continue
            for kind, value in event.items():  # there is one
                if kind == "Text":
                    self._text(value, start, end)
                elif kind == "Start":
                    self._open(value, start, end)
                elif kind == "End":
                    self._close(value, start, end)
                elif kind == "Code":
                    self._code(value, start, end)
                else:
                    self._tags(kind, value, start, end)
        self._flush()
        return self.outline

    def _tags(self, kind: str, value: Any, start: int, end: int) -> None:
        if kind == "Html":
            self._html_from = start if self._html_from < 0 else self._html_from
            self._last = end
            return
        self._reach(start, end)
        if kind == "InlineHtml":
            if not any(self._labels):
                self._take_html(start, end)
            if _BREAKING_TAG.match(value):
                self._add(" ", start, end)

    def _text(self, value: str, start: int, end: int) -> None:
        if self._body is not None:
            self._body.append(restore(value))
            self._body_range = (start if self._body_range[0] < 0 else self._body_range[0], end)
            return
        if "#" in value and not self._labels:
            self.outline.tags.update(
                (found[1:].rstrip("/-"), None) for found in _TAG.findall(_WRITTEN_ID.sub("", value))
            )
        self._add(restore(value), start, end)
        self._prose[start:end] = self._data[start:end]

    def _code(self, value: str, start: int, end: int) -> None:
        self._add(value, start, end)
        prose, data, outer = self._prose, self._data, start
        prose[start:end] = b"`" + bytes(end - start - 2) + b"`" if end - start > 1 else b"`"
        while start < end and data[start] == 96 and data[end - 1] == 96:
            start, end = start + 1, end - 1
        if value and data[start : start + 1] == b" " and data[end - 1 : end] == b" " and not value.isspace():
            start, end = start + 1, end - 1
        self.outline.code_spans.append(CodeSpan(outer, start, end, self._role()))

    def _open(self, value: Any, start: int, end: int) -> None:
        tag = value if isinstance(value, str) else next(iter(value))
        if start >= self._unit_end and tag not in _UNITED:
            self._unit_end = end
            if tag != "Heading":
                self.outline.units.append((start, end))
        if tag in _INLINE:
            self._reach(start, end)
            if tag == "Strong" and self._bold_from < 0 and not self._bold and not any(map(str.strip, self._parts)):
                self._bold_from = start
            elif tag in ("Link", "Image"):
                self._link(tag, value[tag], start, end)
                self._labels.append(tag == "Image" and not isinstance(value[tag]["link_type"], dict))
            return
        if tag in ("TableCell", "TableRow", "TableHead", "Table"):
            self._open_table(tag)
            return
        self._flush()
        self._kind = _KINDS.get(tag, "text" if tag != "Paragraph" else self._kind)
        self._depth += tag in _CONTAINERS
        self._quotes += tag == "BlockQuote"
        self._lists += tag == "List"
        if tag == "Heading":
            self._pieces = []
        elif tag == "CodeBlock":
            self._body = []
            self._body_range = (-1, -1)
            self._indented = value[tag] == "Indented"
        elif tag == "HtmlBlock":
            self._html_from = -1

    def _close(self, value: Any, start: int, end: int) -> None:
        tag = value if isinstance(value, str) else next(iter(value))
        if tag in _INLINE:
            if tag == "Strong" and self._bold_from == start:
                self._bold = sum(map(len, self._parts))
            if tag in ("Link", "Image"):
                self._labels.pop()
            return
        if tag == "TableCell":
            self._close_cell(start, end)
        elif tag == "Heading":
            self._close_heading(int(value["Heading"][1]), start, end)
        elif tag == "CodeBlock":
            self._close_code(start)
        elif tag == "HtmlBlock":
            self._close_html()
        elif tag in ("TableRow", "TableHead"):
            self._flush("row")
        else:
            self._flush()
            self._depth -= tag in _CONTAINERS
            self._quotes -= tag == "BlockQuote"
            self._lists -= tag == "List"
            if tag != "Paragraph":
                self._kind = "text"
        if tag == "Table":
            self._column = -1

    def _open_table(self, tag: str) -> None:
        if tag == "Table":
            self._flush()
            self._headers = []
        if tag == "TableCell":
            self._column += 1
            if self._column and self._parts:
                self._parts.append(" ")
            self._cell = len(self._parts)
        else:
            self._column = -1

    def _close_cell(self, start: int, end: int) -> None:
        if self._column == len(self._headers):
            self._headers.append("".join(self._parts[self._cell :]).strip().casefold())
        elif self._role() == "default":
            inner = self._data[start:end]
            left = len(inner) - len(inner.lstrip())
            self.outline.default_cells.append((start + left, start + len(inner.rstrip())))
        self._last = -1  # nothing in the prose spans two cells

    def _role(self) -> SpanRole | None:
        """What the column's header says of a cell below it."""
        if not 0 <= self._column < len(self._headers):
            return None
        words = self._headers[self._column].split()
        if words and words[0] in ("default", "defaults"):
            return "default"
        last = words[-1] if words else ""
        if self._column == 0 and (last in KEY_HEADERS or last.removesuffix("s") in KEY_HEADERS or last == "properties"):
            return "key"
        return None

    def _close_heading(self, level: int, start: int, end: int) -> None:
        pieces, self._pieces = self._pieces or [], None
        heading = read_heading(self._data, pieces, level, start, end)
        if heading.mark >= 0:
            last = pieces[-1][2]
            self.outline.prose[heading.mark : last] = b" " * (last - heading.mark)
        self._parts = [heading.text]
        self._bold = 0
        if heading.mark >= 0:
            self._behind = heading.mark
        self._flush("heading")
        if heading.text:
            heading.top = not self._depth
            heading.block = len(self.outline.blocks) - 1
            self.outline.headings.append(heading)

    def _close_code(self, start: int) -> None:
        text, (first, last) = "".join(self._body or ()), self._body_range
        self._body = None
        if self._lists and self._indented and "[[" in text:  # deep in a list blanks are rather layout than code
            block = OutlineBlock("code", text, first, "", first, last, self._quotes > 0)
            for found in _WIKILINK.finditer(self._data, first, last):
                target = found[1].decode("utf-8", "replace")
                self.outline.links.append(OutlineLink(*found.span(), target, True, block))
        if text.strip():
            info = self._data[start:first].split(b"\n", 1)[0].lstrip(b"`~ \t").split(None, 1) if first > start else []
            language = info[0].lower() if info else b""
            self.outline.blocks.append(OutlineBlock("code", text.strip("\n"), first, ""))
            self.outline.code_blocks.append(CodeBlock(first, last, language))
        self._last = -1
