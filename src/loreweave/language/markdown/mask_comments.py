"""Comments out of the way: the same text, offset for offset, with HTML and %% comments blanked."""

import re

from loreweave.language.markdown.blocks import Block, BlockScanner
from loreweave.language.markdown.code_spans import CodeSpans

FILLER = "\0"  # stands for a comment in front of text; decoding leaves no other NUL

_INLINE = re.compile(r"[\\`<%](?:(?<=\\).|(?<=`)`*+|(?<=<)!--|(?<=%)%)", re.DOTALL)
_BLANKS = re.compile(r"[ \t]*+")


def mask_comments(text: str, start: int) -> str:
    """Blank every closed comment that does not stand in code; an unclosed one is text."""
    if text.find("<!--", start) < 0 and text.count("%%", start) < 2:
        return text
    pieces: list[str] = []
    done = start
    blank_before = True  # nothing but blanks and comments on the line so far
    for opening, closing in _find_comments(text, start):
        line_start = text.rfind("\n", done, opening) + 1
        blank_before = (blank_before or line_start > 0) and not text[max(done, line_start) : opening].strip()
        pieces += (text[done:opening], _filling(text, closing, blank_before) * (closing - opening))
        done = closing
    return "".join([text[:start], *pieces, text[done:]])


def _filling(text: str, closing: int, blank_before: bool) -> str:
    """Blanks, unless these would push text behind the comment to the right, where it looked like code."""
    behind = _BLANKS.match(text, closing).end()  # type: ignore[union-attr]
    return FILLER if blank_before and behind < len(text) and text[behind] != "\n" else " "


def _find_comments(text: str, start: int) -> list[tuple[int, int]]:
    finder = _CommentFinder(text)
    scanner = BlockScanner(text, start)
    for block in scanner:
        resume = finder.search(block)
        if resume > block.end:  # the comment swallowed the end of its block
            scanner.jump(_BLANKS.match(text, resume).end())  # type: ignore[union-attr]
    return finder.comments


class _CommentFinder:
    def __init__(self, text: str) -> None:
        self.comments: list[tuple[int, int]] = []
        self._text = text
        self._hopeless: set[str] = set()  # openers that nothing further down can close

    def search(self, block: Block) -> int:
        """Collect the comments of a block; where to go on, behind the block's end if a comment ends there."""
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
        """Where a comment ends, and those that follow it without a gap; `position` when nothing closes it."""
        while mark and mark not in self._hopeless:
            # "<!-->" is a whole comment, therefore the dashes of the opener may close it too.
            closer = "-->" if mark == "<!--" else "%%"
            closing = self._text.find(closer, opening + 2)
            if closing < 0:
                self._hopeless.add(mark)
                break
            position = closing + len(closer)
            self.comments.append((opening, position))
            opening, mark = position, self._opener_at(position)
        return position

    def _opener_at(self, position: int) -> str:
        if self._text.startswith("<!--", position):
            return "<!--"
        return "%%" if self._text.startswith("%%", position) else ""
