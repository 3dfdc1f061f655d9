"""One pass over the lines of a note: where its headings, paragraphs, list items and table rows lie."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.language.markdown.block_patterns import (
    DEFINITION,
    FENCE,
    FENCE_END,
    HTML_START,
    MARGIN,
    MARKER,
    MAX_MARKERS,
    OPENERS,
    QUOTE,
    RAW_ENDS,
)

HEADING, PARAGRAPH, ITEM, ROW, HTML = "heading", "paragraph", "item", "row", "html"


class Block(NamedTuple):
    """A stretch of text that can hold links; code is none. For headings the text alone, without its marks."""

    kind: str
    start: int
    end: int
    level: int = 0  # of a heading
    quoted: bool = False  # lines may start with ">"


class BlockScanner:
    """Walks the lines once, remembering the open paragraph, list and table."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self.position = start
        self.definitions: dict[str, str] = {}
        self._leaf_kind = ""  # "" while no text is open
        self._leaf_start = self._leaf_end = 0
        self._leaf_line = 0  # start of the last line of the open text
        self._leaf_quoted = False
        self._list_indent = 0  # content column of the outermost open list, 0 outside lists
        self._after_blank = True
        self._unclosed_tags: set[str] = set()
        self._ready: list[Block] = []

    def __iter__(self) -> Iterator[Block]:
        text, length = self.text, len(self.text)
        while self.position < length:
            start = self.position
            end = text.find("\n", start)
            if end < 0:
                end = length
            self.position = end + 1
            self._take_line(start, end)
            while self._ready:
                yield self._ready.pop(0)
        self._close()
        yield from self._ready

    def jump(self, position: int) -> None:
        """Go on further down, as at the start of a text; what was open is forgotten."""
        self.position = position
        self._leaf_kind, self._list_indent, self._after_blank = "", 0, True
        self._ready.clear()

    def _take_line(self, start: int, end: int) -> None:
        text = self.text
        first, indent, quoted = start, 0, False
        if start == end or text[start] in " \t>":
            content = start
            if text.startswith((">", " >", "  >", "   >"), start):
                content = QUOTE.match(text, start, end).end()  # type: ignore[union-attr]
                quoted = True
            first = MARGIN.match(text, content, end).end()  # type: ignore[union-attr]
            if first >= end:
                self._close()
                self._after_blank = True
                return
            indent = len(text[content:first].expandtabs(4))
            if quoted and not self._leaf_quoted:
                self._close()
        if self._after_blank and indent < self._list_indent and not MARKER.match(text, first, end):
            self._list_indent = 0
        self._place(first, end, indent, quoted)
        self._after_blank = False

    def _place(self, first: int, end: int, indent: int, quoted: bool) -> None:
        """Find out what the line is, whose text starts at `first`."""
        shallow = indent < 4 or self._list_indent > 0
        if not shallow and not self._leaf_kind:
            return  # indented code
        if shallow and self.text[first] in OPENERS and self._take_marked(first, end, indent, quoted):
            return
        if self._leaf_kind == ROW:
            self._ready.append(Block(ROW, first, end, 0, quoted))
        elif self._leaf_kind:
            self._leaf_line, self._leaf_end = first, end
        else:
            self._open(PARAGRAPH, first, end, quoted)

    def _take_marked(self, first: int, end: int, indent: int, quoted: bool) -> bool:
        """Try every construct that a mark in front can open; False when the line is ordinary text."""
        text, mark = self.text, self.text[first]
        if mark in "`~":
            fence = FENCE.match(text, first, end)
            return fence is not None and self._skip_fence(fence, indent, quoted)
        if mark == "#":
            return self._take_heading(first, end, quoted)
        if mark == "<":
            return self._take_html(first, end, quoted)
        if mark in "=-" and self._take_setext(first, end, quoted):
            return True
        if mark in "|:-" and self._take_delimiter_row(first, end, quoted):
            return True
        if mark in "-*_" and _is_rule(text[first:end], mark):
            self._close()
            self._list_indent = 0
            return True
        return self._take_item(first, end, indent, quoted)

    def _take_heading(self, first: int, end: int, quoted: bool) -> bool:
        text = self.text
        if self._leaf_kind == HTML:
            return False
        line = text[first:end]
        level = len(line) - len(line.lstrip("#"))
        after = first + level
        if level > 6 or (after < end and text[after] not in " \t"):
            return False
        self._close()
        self._list_indent = 0
        title = line[level:].strip(" \t")
        bare = title.rstrip("#")
        if len(bare) < len(title) and (not bare or bare[-1] in " \t"):
            title = bare.rstrip(" \t")
        begin = text.find(title, after, end) if title else after
        self._ready.append(Block(HEADING, begin, begin + len(title), level, quoted))
        return True

    def _take_setext(self, first: int, end: int, quoted: bool) -> bool:
        if self._leaf_kind != PARAGRAPH or quoted != self._leaf_quoted:
            return False
        mark = self.text[first]
        if self.text[first:end].rstrip(" \t").strip(mark):
            return False
        level = 1 if mark == "=" else 2
        start, stop = self._leaf_start, self._leaf_end
        self._leaf_kind = ""
        self._ready.append(Block(HEADING, start, stop, level, quoted))
        return True

    def _take_delimiter_row(self, first: int, end: int, quoted: bool) -> bool:
        """The line under a table's head: from here on every line is a row."""
        line = self.text[first:end]
        if self._leaf_kind in ("", ROW, HTML) or "|" not in line or "-" not in line or line.strip("|:- \t"):
            return False
        head = self._leaf_line
        if "|" not in self.text[head : self._leaf_end]:
            return False
        row = Block(ROW, head, self._leaf_end, 0, quoted)
        if head > self._leaf_start:
            self._leaf_end = self.text.rfind("\n", self._leaf_start, head)
            self._close()
        self._leaf_kind = ROW
        self._leaf_quoted = quoted
        self._ready.append(row)
        return True

    def _take_html(self, first: int, end: int, quoted: bool) -> bool:
        tag = HTML_START.match(self.text, first, end)
        if tag is None:
            return False
        if tag[1] and (closing := self._find_raw_end(tag[1].lower(), first)):
            self._close()
            self._ready.append(Block(HTML, first, closing, 0, quoted))
            line_end = self.text.find("\n", closing)
            self.position = line_end + 1 if line_end >= 0 else len(self.text)
            return True
        if self._leaf_kind != HTML:
            self._close()
            self._open(HTML, first, end, quoted)
        else:
            self._leaf_line, self._leaf_end = first, end
        return True

    def _find_raw_end(self, tag: str, start: int) -> int:
        """End of an element whose content is not markdown, blank lines included; 0 when nothing closes it."""
        if tag in self._unclosed_tags:
            return 0
        closing = RAW_ENDS[tag].search(self.text, start)
        if closing is None:
            self._unclosed_tags.add(tag)
            return 0
        return closing.end()

    def _take_item(self, first: int, end: int, indent: int, quoted: bool) -> bool:
        text = self.text
        marker = MARKER.match(text, first, end)
        if marker is None or self._leaf_kind == HTML:
            return False
        after = MARGIN.match(text, marker.end(), end).end()  # type: ignore[union-attr]
        if self._leaf_kind and not self._list_indent and (after >= end or marker[1] not in (None, "1")):
            return False  # only a filled item, numbered 1 if at all, may interrupt a paragraph
        self._close()
        column = indent + min(after - first, marker.end() - first + 4)
        self._list_indent = min(self._list_indent, column) if self._list_indent else column
        for _ in range(MAX_MARKERS):  # a list in a list on one line
            if after >= end or (marker := MARKER.match(text, after, end)) is None:
                break
            after = MARGIN.match(text, marker.end(), end).end()  # type: ignore[union-attr]
        if after >= end:
            return True
        if text[after] in "`~" and (fence := FENCE.match(text, after, end)):
            return self._skip_fence(fence, column, quoted)
        if quote := QUOTE.match(text, after, end):
            after = quote.end()
        self._open(ITEM, after, end, quoted)
        return True

    def _skip_fence(self, fence: re.Match[str], indent: int, quoted: bool) -> bool:
        """Move behind a block of fenced code; unclosed it runs to the end of what holds it."""
        self._close()
        run = fence[1] or fence[2]
        if indent < self._list_indent:
            self._list_indent = 0
        if quoted or self._list_indent:
            self._skip_held_fence(run, quoted)
            return True
        for closing in FENCE_END[run[0]].finditer(self.text, self.position):
            if len(closing[1]) >= len(run):
                self.position = closing.end() + 1
                return True
        self.position = len(self.text)
        return True

    def _skip_held_fence(self, run: str, quoted: bool) -> None:
        text, length = self.text, len(self.text)
        while self.position < length:
            start = self.position
            if not quoted and text[start] not in " \t\n":
                self._list_indent = 0
                return
            end = text.find("\n", start)
            end = length if end < 0 else end
            content = start
            if quoted:
                quote = QUOTE.match(text, start, end)
                if quote is None:
                    return
                content = quote.end()
            line = text[content:end].expandtabs(4)
            bare = line.strip(" ")
            if not quoted and bare and len(line) - len(line.lstrip(" ")) < self._list_indent:
                self._list_indent = 0
                return
            self.position = end + 1
            if bare.startswith(run) and not bare.strip(run[0]):
                return

    def _open(self, kind: str, start: int, end: int, quoted: bool) -> None:
        self._leaf_kind, self._leaf_quoted = kind, quoted
        self._leaf_start, self._leaf_line, self._leaf_end = start, start, end

    def _close(self) -> None:
        kind, self._leaf_kind = self._leaf_kind, ""
        if not kind or kind == ROW:
            return
        start, end = self._leaf_start, self._leaf_end
        if kind in (PARAGRAPH, ITEM) and self.text[start] == "[":
            start = self._take_definitions(start, end)
        if start < end:
            self._ready.append(Block(kind, start, end, 0, self._leaf_quoted))

    def _take_definitions(self, start: int, end: int) -> int:
        while start < end and (definition := DEFINITION.match(self.text, start, end)):
            label = fold_label(definition[1])
            if label and label[0] != "^":  # footnotes are text
                self.definitions.setdefault(label, definition[2])
            else:
                break
            start = definition.end()
        return start


def fold_label(label: str) -> str:
    """How reference labels are compared: without regard to case and blanks."""
    return " ".join(label.casefold().split())


def _is_rule(line: str, mark: str) -> bool:
    return line.count(mark) >= 3 and not line.strip(mark + " \t") and not line.replace(mark, "").strip(" \t")
