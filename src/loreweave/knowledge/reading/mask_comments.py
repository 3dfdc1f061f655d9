"""Comments out of the way: the same text, offset for offset, with HTML and %% comments blanked."""

import re

from loreweave.knowledge.reading.blocks import Block, BlockScanner
from loreweave.knowledge.reading.code_spans import CodeSpans

FILLER = "\0"  # stands for a comment in front of text; decoding leaves no other NUL

_INLINE = re.compile(r"\\.|`++|<!--|%%", re.DOTALL)
_BLANKS = re.compile(r"[ \t]*+")


def mask_comments(text: str, start: int) -> str:
    """Blank every closed comment that does not stand in code; an unclosed one is text."""
    if text.find("<!--", start) < 0 and text.count("%%", start) < 2:
        return text
    comments = _find_comments(text, start)
    pieces: list[str] = []
    done = 0
    for opening, closing in comments:
        pieces += (text[done:opening], _filling(text, opening, closing) * (closing - opening))
        done = closing
    pieces.append(text[done:])
    return "".join(pieces)


def _filling(text: str, opening: int, closing: int) -> str:
    """Blanks, unless these would push text behind the comment to the right, where it looked like code."""
    line_start = text.rfind("\n", 0, opening) + 1
    line_end = text.find("\n", closing)
    behind = text[closing : line_end if line_end >= 0 else len(text)]
    return FILLER if behind.strip() and not text[line_start:opening].strip() else " "


def _find_comments(text: str, start: int) -> list[tuple[int, int]]:
    finder = _CommentFinder(text)
    position: int | None = start
    while position is not None:
        position = finder.walk(position)
    return finder.comments


class _CommentFinder:
    def __init__(self, text: str) -> None:
        self.comments: list[tuple[int, int]] = []
        self._text = text
        self._hopeless: set[str] = set()  # openers that nothing further down can close

    def walk(self, position: int) -> int | None:
        """Search block by block; stop behind a comment that swallowed the end of its block."""
        for block in BlockScanner(self._text, position):
            resume = self._search(block)
            if resume > block.end:
                return _BLANKS.match(self._text, resume).end()  # type: ignore[union-attr]
        return None

    def _search(self, block: Block) -> int:
        position = block.start
        spans: CodeSpans | None = None
        while position < block.end and (found := _INLINE.search(self._text, position, block.end)):
            position = found.end()
            mark = found[0]
            if mark[0] == "`":
                spans = spans or CodeSpans(self._text, block.start, block.end)
                position = spans.end_of(found.start(), position)
            elif mark[0] != "\\":
                position = self._close(mark, found.start(), position)
        return position

    def _close(self, mark: str, opening: int, position: int) -> int:
        if mark in self._hopeless:
            return position
        # "<!-->" is a whole comment, therefore the dashes of the opener may close it too.
        closer, earliest = ("-->", opening + 2) if mark == "<!--" else ("%%", position)
        closing = self._text.find(closer, earliest)
        if closing < 0:
            self._hopeless.add(mark)
            return position
        self.comments.append((opening, closing + len(closer)))
        return closing + len(closer)
