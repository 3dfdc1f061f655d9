"""Links inside one block of text: wikilinks, embeds and markdown links, outside inline code."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.language.markdown.blocks import Block, fold_label
from loreweave.language.markdown.code_spans import CodeSpans

WIKI, MARKDOWN = "wiki", "markdown"


class Found(NamedTuple):
    """A link as written: `raw` is what stands between the brackets, for markdown the destination."""

    kind: str
    raw: str
    start: int
    end: int


# Each pattern starts with one set of characters: the regex engine then jumps from one to the next.
_WIKI_REST = r"(?<=\[)\[([^\[\]\n]{1,512}+)\]\]"
_WIKI_ONLY = re.compile(rf"[\[\\`](?:{_WIKI_REST}|(?<=\\).|(?<=`)`*+)", re.DOTALL)
_ALL = re.compile(rf"[\[\]\\`](?:{_WIKI_REST}|(?<=\\).|(?<=`)`*+|(?<=[\[\]]))", re.DOTALL)
_DESTINATION = re.compile(
    r"\(\s*+(?:<([^<>\n]*+)>|((?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.)*+\))(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+)?)"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?\s*+\)",
    re.DOTALL,
)
_LABEL = re.compile(r"\[([^\[\]]{0,999}+)\]")


def find_links(text: str, block: Block, definitions: dict[str, str]) -> Iterator[Found]:
    """Links of a block in the order in which they end."""
    if definitions or text.find("](", block.start, block.end) >= 0:
        return _MarkdownWalk(text, block, definitions).links()
    return _wikilinks(text, block)


def _wikilinks(text: str, block: Block) -> Iterator[Found]:
    if text.find("[[", block.start, block.end) < 0:
        return
    position, spans = block.start, None
    while found := _WIKI_ONLY.search(text, position, block.end):
        position = found.end()
        raw = found[1]
        if raw is not None:
            if "`" in raw:
                spans = spans or CodeSpans(text, block.start, block.end)
                position = _past_code_in_link(text, found, spans)
            if position == found.end():
                yield Found(WIKI, raw, found.start(), position)
        elif text[found.start()] == "`":
            spans = spans or CodeSpans(text, block.start, block.end)
            position = spans.end_of(found.start(), position)


def _past_code_in_link(text: str, link: re.Match[str], spans: CodeSpans) -> int:
    """End of the link, or of the inline code that starts inside it and takes its end away."""
    start = text.index("`", link.start())
    end = start
    while text[end] == "`":
        end += 1
    return max(link.end(), spans.end_of(start, end))


class _MarkdownWalk:
    """Keeps the open brackets of a block, as many as there are, and meets every closing one once."""

    def __init__(self, text: str, block: Block, definitions: dict[str, str]) -> None:
        self._text = text
        self._block = block
        self._definitions = definitions
        self._open: list[tuple[int, bool]] = []  # offset of "[", whether it is an image's
        self._flat = -1  # the open bracket that no other bracket has followed yet

    def links(self) -> Iterator[Found]:
        text, block, position = self._text, self._block, self._block.start
        spans: CodeSpans | None = None
        while found := _ALL.search(text, before := position, block.end):
            start, position = found.span()
            mark = text[start]
            if found[1] is not None:
                if "`" in found[1]:
                    spans = spans or CodeSpans(text, block.start, block.end)
                    position = _past_code_in_link(text, found, spans)
                if position == found.end():
                    self._flat = -1
                    yield Found(WIKI, found[1], start, position)
            elif mark == "]":
                if self._open:
                    position, link = self._close(start)
                    if link is not None:
                        yield link
            elif mark == "`":
                spans = spans or CodeSpans(text, block.start, block.end)
                position = spans.end_of(start, position)
            elif mark == "[":
                self._flat = start
                self._open.append((start, start > before and text[start - 1] == "!"))

    def _close(self, closing: int) -> tuple[int, Found | None]:
        opening, is_image = self._open.pop()
        flat, self._flat = self._flat == opening, -1
        destination, end = self._destination(opening, closing, flat)
        if destination is None:
            return closing + 1, None
        if is_image:
            return end, None
        self._open.clear()  # no link inside a link: what is still open stays text
        return end, Found(MARKDOWN, destination, opening, end)

    def _destination(self, opening: int, closing: int, flat: bool) -> tuple[str | None, int]:
        text, stop = self._text, self._block.end
        if text.startswith("(", closing + 1) and (inline := _DESTINATION.match(text, closing + 1, stop)):
            return inline[1] if inline[1] is not None else inline[2] or "", inline.end()
        if not self._definitions:
            return None, closing + 1
        label, end = "", closing + 1
        if text.startswith("[", end) and (full := _LABEL.match(text, end, stop)):
            label, end = full[1], full.end()
        if not label.strip():
            if not flat or closing - opening > 1000:
                return None, closing + 1
            label = text[opening + 1 : closing]
        destination = self._definitions.get(fold_label(label))
        if destination is None:
            return None, closing + 1
        return destination.strip("<>") if destination[0] == "<" else destination, end
