"""Which block a line of a growing answer belongs to: quotes, lists, fences, indented code.

Renderers read a fence inside a list item or a quote as closed where the item or quote ends; so does this, because
what counts as code here goes out unchecked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MARKER = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|\Z)")
_MARKER_BEGUN = re.compile(r"(?:[-+*]|\d{1,9}[.)]?)\Z")
_FENCE = re.compile(r"(`{3,}+)[^`\n]*+(?:\n|\Z)|(~{3,}+)[^\n]*+(?:\n|\Z)")
_BEFORE_TEXT = " \t\n>+-*0123456789"  # what may begin a line without being its own text
_DEEPEST = 32  # quotes and list items inside one another
_HEADING = re.compile(r"#{1,6}(?:[ \t\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Fence:
    character: str
    length: int
    quotes: int
    column: int  # of the list item it stands in


@dataclass(frozen=True, slots=True)
class LineStart:
    """`length` characters of quotes, markers and blanks lie before the line's own text."""

    length: int
    kind: str  # text, blank, fence, code, new (text that cannot continue what stood before)


@dataclass(slots=True)
class AnswerBlocks:
    """Reads line starts in order; `fence` is the one that is open."""

    fence: Fence | None = None
    quotes: int = 0
    items: list[int] = field(default_factory=list)  # columns at which the contents of open list items begin
    paragraph: bool = False

    def copy(self) -> AnswerBlocks:
        return AnswerBlocks(self.fence, self.quotes, list(self.items), self.paragraph)

    def start_line(self, text: str, final: bool) -> LineStart | None:
        """How the line begins; None where more of it must be seen. The caller holds at most a line."""
        items = list(self.items)
        if text[0] not in _BEFORE_TEXT:
            if not final and _undecided(text, 0):
                return None
            return self._text(text, 0, 0, 0, False, [] if self.quotes else items)
        place, columns, quotes, marked = 0, 0, 0, False
        for _ in range(_DEEPEST):
            blanks = len(text[place:]) - len(text[place:].lstrip(" \t"))
            columns += _width(text[place : place + blanks])
            place += blanks
            if place >= len(text) and not final:
                return None
            if place >= len(text) or text[place] == "\n":
                return self._blank(place, quotes, marked, items)
            rest = text[place : place + 12]
            base = items[-1] if items else 0
            if text[place] == ">" and columns - base < 4:
                place, columns, quotes = place + 1, 0, quotes + 1
                if quotes > self.quotes or marked:
                    items = []
                if text[place : place + 1] in (" ", "\t"):
                    place += 1
                continue
            if not marked and quotes == 0 and self.quotes:
                items = []
            if columns - _holding(items, columns) >= 4:
                return self._indented(place, columns, quotes, marked, items)
            if _MARKER_BEGUN.match(rest) and place + len(rest) == len(text) and not final:
                return None
            marker = _MARKER.match(rest)
            if marker is None:
                if not final and _undecided(text, place):
                    return None
                return self._text(text, place, columns, quotes, marked, items)
            items = [item for item in items if item <= columns]
            place += marker.end()
            columns += marker.end()
            items.append(columns + 1)
            marked = True
        return self._text(text, place, columns, quotes, marked, items)

    def _blank(self, place: int, quotes: int, marked: bool, items: list[int]) -> LineStart:
        self.paragraph = False
        self.quotes, self.items = quotes, items
        return LineStart(place, "new" if marked else "blank")

    def _indented(self, place: int, columns: int, quotes: int, marked: bool, items: list[int]) -> LineStart:
        """Indented code, but only where it certainly is some; else it is text and will be checked."""
        if self.paragraph and not marked:
            return LineStart(place, "text")
        certain = quotes == 0 and self.quotes == 0 and not marked
        self.quotes = quotes
        self.items = [item for item in items if item <= columns]
        self.paragraph = not certain
        return LineStart(place, "code" if certain else "new")

    def _text(self, text: str, place: int, columns: int, quotes: int, marked: bool, items: list[int]) -> LineStart:
        fence = _FENCE.match(text, place)
        lazy = self.paragraph and not marked and quotes <= self.quotes and not fence and not _HEADING.match(text, place)
        if not lazy:
            self.items = [item for item in items if item <= columns]
            self.quotes = quotes
        if fence:
            run = fence[1] or fence[2]
            column = self.items[-1] if self.items else 0
            self.fence = Fence(run[0], len(run), quotes, column)
            self.paragraph = False
            return LineStart(place, "fence")
        heading = _HEADING.match(text, place) is not None
        self.paragraph = not heading
        return LineStart(place, "text" if lazy else "new")

    def leaves_fence(self, line: str) -> bool:
        """Whether this whole line lies outside the quote or list item of the open fence."""
        fence = self.fence
        assert fence is not None
        rest = _without_quotes(line, fence.quotes)
        if rest is None:
            return True
        bare = rest.lstrip(" \t")
        return bool(bare.strip()) and _width(rest[: len(rest) - len(bare)]) < fence.column

    def closes_fence(self, line: str) -> bool:
        fence = self.fence
        assert fence is not None
        rest = _without_quotes(line, fence.quotes) or ""
        bare = rest.lstrip(" \t")
        if _width(rest[: len(rest) - len(bare)]) - fence.column >= 4:
            return False
        bare = bare.rstrip()
        return len(bare) >= fence.length and not bare.strip(fence.character)

    def code_in(self, line: str) -> str:
        """The line without what belongs to its quote."""
        assert self.fence is not None
        return (_without_quotes(line, self.fence.quotes) or line).strip()


def _undecided(text: str, place: int) -> bool:
    """Whether it cannot be told yet if a fence or a heading begins: of a fence the whole line must be seen."""
    first = text[place]
    if first not in "`~#":
        return False
    run = len(text) - place - len(text[place:].lstrip(first))
    if place + run == len(text):
        return True
    return first != "#" and run >= 3 and "\n" not in text[place:] and (first == "~" or "`" not in text[place + run :])


def _holding(items: list[int], columns: int) -> int:
    """The innermost list item that a line indented by so much still belongs to."""
    return max((item for item in items if item <= columns), default=0)


def _without_quotes(line: str, quotes: int) -> str | None:
    for _ in range(quotes):
        bare = line.lstrip(" \t")
        if not bare.startswith(">"):
            return None
        line = bare[1:].removeprefix(" ")
    return line


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(4))
