"""The block of a page that is just being read: its text, its links, and where it stands."""

import html
from typing import Any

from loreweave.language.markdown.page_outline import (
    BlockKind,
    OutlineBlock,
    OutlineLink,
    PageOutline,
    find_html_links,
    find_html_places,
    find_html_text,
)
from loreweave.language.markdown.parsed_text import ParsedText
from loreweave.language.markdown.prepare_text import restore

MAX_WIKILINK = 512  # characters between its brackets
_NO_BLOCK = OutlineBlock("text", "", -1, "")


class BlockReader:
    """What it holds between two events of the parser is the block that is not complete yet."""

    def __init__(self, parsed: ParsedText) -> None:
        self._data = parsed.data
        self._prose = bytearray(len(parsed.data))
        self.outline = PageOutline(self._prose)
        self._parts: list[str] = []  # plain text of the block
        self._kind: BlockKind = "text"
        self._start = -1
        self._last = -1  # end of the last inline event of the block
        self._first = self._behind = -1  # of the block as written
        self._links: list[OutlineLink] = []  # of the block
        self._labels: list[bool] = []  # open links, and whether each is a picture
        self._quotes = 0
        self._bold = 0
        self._bold_from = -1
        self._html_from = -1
        self._pieces: list[tuple[str, int, int]] | None = None  # of the heading that is open

    def _add(self, value: str, start: int, end: int) -> None:
        """Inline text; markup since the last one is blank in the prose."""
        if self._start < 0:
            self._start = start
        self._reach(start, end)
        if 0 <= self._last < start:
            self._prose[self._last : start] = b" " * (start - self._last)
        if end > self._last:
            self._last = end
        self._parts.append(" " if value == "\n" else value)
        if self._pieces is not None:
            self._pieces.append((value, start, end))

    def _reach(self, start: int, end: int) -> None:
        """Something of the block as written that may be no text."""
        if self._first < 0:
            self._first = start
        if end > self._behind:
            self._behind = end

    def _flush(self, kind: BlockKind | None = None) -> None:
        """The block that was being read is complete."""
        if self._parts:
            text = "".join(self._parts)
            bold = " ".join(text[: self._bold].split()) if self._bold else ""
            text = " ".join(text.split()) if "  " in text else text.strip()
            if text or self._links:
                self._add_block(kind or self._kind, text, self._start, bold, self._first, self._behind)
            self._parts = []
        elif self._links:
            self._add_block(kind or self._kind, "", self._first, "", self._first, self._behind)
        self._last = self._start = self._bold_from = self._first = self._behind = -1
        self._bold = 0

    def _add_block(self, kind: BlockKind, text: str, start: int, bold: str, first: int, last: int) -> None:
        block = OutlineBlock(kind, text, start, bold, first, last, self._quotes > 0)
        for link in self._links:
            link.block = block
        self._links = []
        if text:
            self.outline.blocks.append(block)

    def _link(self, tag: str, link: dict[str, Any], start: int, end: int) -> None:
        target = restore(link["dest_url"])
        wikilink = isinstance(link["link_type"], dict)
        if (tag == "Image" and not wikilink) or any(self._labels):  # the words of a picture lead nowhere
            return
        if wikilink:
            target = self._data[start + (3 if tag == "Image" else 2) : end - 2].decode("utf-8", "replace")
            if "\n" in target or len(target) > MAX_WIKILINK:
                return
        self._add_link(start, end, target, wikilink)
        if link["link_type"] == "Inline" and "://" in target:
            written = target.encode("utf-8")
            found = self._data.rfind(written, start, end)
            if found >= 0:
                self.outline.urls.append((found, found + len(written)))

    def _add_link(self, start: int, end: int, target: str, wikilink: bool) -> None:
        link = OutlineLink(start, end, target, wikilink, _NO_BLOCK)
        self._links.append(link)
        self.outline.links.append(link)

    def _take_html(self, start: int, end: int) -> None:
        for first, last, target, wikilink in find_html_links(self._data, start, end):
            self._add_link(first, last, target, wikilink)
        self.outline.places += find_html_places(self._data, start, end)

    def _close_html(self) -> None:
        start, end, data = self._html_from, self._last, self._data
        self._html_from = self._last = -1
        if start < 0:
            return
        self._take_html(start, end)
        pieces = list(find_html_text(data, start, end))
        for first, last in pieces:
            self.outline.prose[first:last] = data[first:last]
        text = html.unescape(b" ".join([data[first:last] for first, last in pieces]).decode("utf-8", "replace"))
        text = " ".join(text.split())
        if text or self._links:
            self._add_block("html", text, start, "", start, end)
