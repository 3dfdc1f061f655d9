"""What trees of notes hold besides CommonMark, said in CommonMark: comments, shortcodes, titled blocks, block ids.

A dialect is read as a person would read it: marks go, titles and words stay. Positions are bytes of the source.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Callable

from loreweave.language.markdown.generator_marks import BLANKS, CLOSINGS, MARGIN, blocks_by_line, say_brace, say_mark
from loreweave.language.markdown.note_slugs import DOCUMENT_ENDINGS
from loreweave.language.markdown.parsed_text import Change, ParsedText

CodeRanges = Callable[[bytes], list[tuple[int, int]]]  # of code in a text, in order

# Every branch starts with a letter of its own, so that the engine jumps from one to the next.
_MARK = re.compile(
    rb"%%|<!--|\{(?:[{%]|(?<![^\n]\{)/\*|[a-z][\w:.+-]*+\}(?=`)|(?=(?::|[ \t]*+(?:[.#]|[\w:-]++=))[^{}\n]++\}))|:::|///"
    rb"|\((?=[\w:./-]{1,200}+\)=[ \t]*+$)|\[![\w-]++\][+-]?[ \t]*+"
    rb"|\^(?<=[ \t\n]\^)[A-Za-z0-9][\w-]*+(?=[ \t]*+$)|\]\((?=[^\s()<>\"{]++[ ])"
    rb"|\[(?<!!\[)(?<![^\\]\\\[)(?=(?:[^\[\]\\]|\\.){0,500}+\[\[[^\[\]\n]{1,512}+\]\])",
    re.MULTILINE,
)
# A document's address with blanks in it, of which CommonMark makes no link, and a title.
_SPACED = re.compile(rb"\]\(([^\s()<>\"]++[ ][^()<>\"\n]{0,400}+)(?:\"[^\"\n]{0,400}+\"[ \t]*+)?\)")
_FENCE_LINE = re.compile(
    rb":{3,}+[ \t]*+(?P<kind>[A-Za-z][\w-]*+)?(?:\{[^{}\n]*+\})?(?:(?P<opened>\[)|[ \t]*+)"
    rb"|/{3,}+[ \t]*+(?:(?P<block>[A-Za-z][\w-]*+)[ \t]*+(?:\|[ \t]*+|$))?",
    re.MULTILINE,
)
# MyST: `{doc}`words <place>``, and a line that names the place below it.
_ROLE = re.compile(
    rb"(?<![^\s(>*\[|\"])\{([a-z][\w:.+-]*+)\}(`++)([~!]?+)(?:([^`<>\n]*?)[ \t]*+<([^`<>\n]++)>|([^`\n]++))\2"
)
_PLACE_LINE = re.compile(rb"\(([\w:./-]++)\)=(?:[ \t]*+(?:\n[ \t]*+)++(#{1,6}[ \t]++))?")
_LABEL = re.compile(rb"\[(?:(?:[^\[\]\\]|\\.)*+!?\[\[[^\[\]\n]{1,512}+\]\]())++(?:[^\[\]\\]|\\.)*+\](?=\()", re.DOTALL)
_ROUNDS = 16  # times that code is looked for anew, because a comment hid the beginning of some


def find_changes(
    source: bytes, start: int, cuts: list[Change], code_in: CodeRanges, *, shown: bool = False
) -> tuple[list[Change], list[tuple[int, str]]]:
    """Changes beside those known already, in order, and the block ids with their places.

    `shown`: the page frames blocks without a title by the mark in front of them, so that mark stays.
    """
    by_line = any(sign in source for sign in (b"!!! ", b"??? ", b"???+ ", b'=== "', b"``{", b"~~{", b"::{"))
    changes = sorted([*cuts, *blocks_by_line(source, start, shown)]) if by_line else list(cuts)
    marks = _Marks(source, start, changes, code_in, shown)
    at, rounds = start, 0
    while at < len(source):
        rounds += 1
        at = marks.read(at, once=rounds < _ROUNDS)
    return changes, marks.ids


def _spaced_address(link: re.Match[bytes] | None) -> tuple[int, int] | None:
    """Where the address of a document with blanks in it stands."""
    address = link[1].rstrip() if link else b""
    is_file = address.partition(b"#")[0].lower().endswith(tuple(map(str.encode, DOCUMENT_ENDINGS)))
    return (link.start(1), link.start(1) + len(address)) if link and is_file and b" " in address else None


def _has_loose_comments(source: bytes) -> bool:
    at = source.find(b"<!--")
    while at >= 0:
        close = source.find(b"-->", at)
        behind = source[close + 3 : source.find(b"\n", close) % (len(source) + 1)] if close >= 0 else b""
        if source[source.rfind(b"\n", 0, at) + 1 : at].strip() or behind.strip():
            return True
        at = source.find(b"<!--", close) if close >= 0 else -1
    return False


def _holds(spans: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, (place, sys.maxsize)) - 1
    return index >= 0 and place < spans[index][1]


class _Marks:
    """Goes from mark to mark once; what it finds joins the changes."""

    def __init__(self, source: bytes, start: int, changes: list[Change], code_in: CodeRanges, shown: bool) -> None:
        self._source = source
        self._start = start
        self._shown = shown
        self._changes = changes
        self._code_in = code_in
        self._code: list[tuple[int, int]] | None = None  # until it is looked for, again behind what hid some
        self._known = [(first, last) for first, last, _ in changes]
        self._opened = -1  # so far the line holds nothing that is shown
        # Comments that stand alone on their lines need no end: the parser hides them itself.
        self._closings: dict[bytes, re.Match[bytes] | None] = {} if _has_loose_comments(source) else {b"<!--": None}
        self.ids: list[tuple[int, str]] = []

    def read(self, at: int, *, once: bool) -> int:
        """Up to a comment that may have hidden the beginning of code; there code has to be looked for anew."""
        found: list[Change] = []
        while mark := _MARK.search(self._source, at):
            place, sign = mark.start(), mark[0]
            at = mark.end() if sign[0] != 91 else place + 1
            escaped = self._source[place - 1 : place] == b"\\" and self._source[place - 2 : place - 1] != b"\\"
            if escaped or _holds(self._known, place):
                continue
            if sign in (b"{{", b"{%", b"{"):
                brace = say_brace(self._source, place, self._closing, shown=self._shown)
                if brace is None or (not brace[1] and self._is_code(place)):
                    continue
                said, at = brace[0]
                found += said
                at = at if said else self._hide(found, place, at)
            elif sign in CLOSINGS:
                # "<!-->" is a whole comment, therefore the dashes of the opener may close it too.
                close = self._closing(sign, place + 2)
                if close is None or self._is_code(place):
                    continue
                at = self._hide(found, place, close.end())
            else:
                known = len(found), len(self.ids)
                at = max(at, self._read_mark(mark, place, found))
                if len(found) > known[0] and self._is_code(place):
                    del found[known[0] :], self.ids[known[1] :]
                    at = mark.end() if sign[0] != 91 else place + 1
                continue
            if once and sign[:2] != b"{{" and any(run in self._source[place:at] for run in (b"`", b"~~~")):
                break
        else:
            at = len(self._source)
        self._changes += found
        self._changes.sort()
        self._code = None
        return at

    def _is_code(self, place: int) -> bool:
        self._code = self._find_code() if self._code is None else self._code
        return _holds(self._code, place)

    def _find_code(self) -> list[tuple[int, int]]:
        source = self._source
        if b"`" not in source and b"~~~" not in source and b"    " not in source and b"\t" not in source:
            return []
        parsed = ParsedText(source, self._start, self._changes)
        return [parsed.stretch(*found) for found in self._code_in(parsed.data)]

    def _closing(self, name: bytes, at: int) -> re.Match[bytes] | None:
        """The next end of such a block; each is looked for once, however many begin in front of it."""
        found = self._closings.get(name)
        if name not in self._closings or (found and found.start() < at):
            found = self._closings[name] = CLOSINGS[name].search(self._source, at)
        return found

    def _hide(self, found: list[Change], first: int, last: int) -> int:
        """What opens a line leaves no blanks behind: they would look like indented code."""
        before = first
        while before > self._start and self._source[before - 1] in b" \t":
            before -= 1
        if before == self._start or self._source[before - 1] == 10 or before == self._opened:
            last = self._opened = BLANKS.match(self._source, last).end()  # type: ignore[union-attr]
        found.append((first, last, b""))
        return last

    def _read_mark(self, mark: re.Match[bytes], place: int, found: list[Change]) -> int:
        sign, end = mark[0], mark.end()
        low = max(0, place - MARGIN)
        before = self._source[max(low, self._source.rfind(b"\n", low, place) + 1) : place]
        opens = len(before) < MARGIN and not before.strip(b" \t>")  # nothing but quote marks in front
        if sign[0] == 93:
            first, last = _spaced_address(_SPACED.match(self._source, place)) or (end, end)
            found += [(first, first, b"<"), (last, last, b">")] * (first < last)
            return last
        if sign[0] == 94:
            self.ids.append((place, sign.decode()))
            place -= self._source[place - 1 : place] in (b" ", b"\t")
            end = self._line_end(end)
            found.append((place, end, b""))
            return end
        if sign in (b":::", b"///"):
            return self._say_fence(place, before, found) if opens else end
        if sign[0] == 123:
            return self._say_role(place, end, found)
        if sign == b"(":
            named = _PLACE_LINE.match(self._source, place) if opens else None
            if named is not None:
                line = self._line_end(place)
                below = named.end() if named[2] else line
                found += ((place, line, b""), (below, below, b'<a id="' + named[1] + b'"></a>'))
            return end
        if sign.startswith(b"[!"):
            line = self._line_end(end)
            titled = self._source[end:line].rstrip()
            if opens and b">" in before and (titled or not self._shown):
                found += say_mark(place, end, end + len(titled), line, b"", before)
            return end
        label = _LABEL.match(self._source, place)
        if label is not None:
            # A link around a link: the outer one begins behind the inner one, so that both are links.
            found += ((place, place + 1, b""), (label.end(1), label.end(1), b"["))
        return place + 1

    def _say_fence(self, place: int, before: bytes, found: list[Change]) -> int:
        """`:::tip Title`, `:::tip[Title]`, `/// tip | Title`; alone on its line the mark ends a block."""
        mark = _FENCE_LINE.match(self._source, place)
        assert mark is not None
        kind, title = mark["kind"] or mark["block"] or b"", mark.end()
        end = self._line_end(title)
        last = self._source.rfind(b"]", title, end) if mark["opened"] else title + len(self._source[title:end].rstrip())
        if last == title or (kind and last > title):  # else it stands in front of text
            found += say_mark(place, title, last, end, kind, before, shown=self._shown)
        return title

    def _say_role(self, place: int, end: int, found: list[Change]) -> int:
        role = _ROLE.match(self._source, place)
        if role is None:
            return end
        first, last = role.span(4) if role[5] else role.span(6)
        if role[1] in (b"doc", b"ref", b"numref"):
            found += ((place, first, b"["), (last, role.end(), b"](<" + (role[5] or role[6]) + b">)"))
        elif role[1] == b"term" or role[5]:
            found += ((place, first, b""), (last, role.end(), b""))
        else:  # code stays code
            found += ((place, role.start(2), b""), (*role.span(3), b""))
        return role.end()

    def _line_end(self, at: int) -> int:
        end = self._source.find(b"\n", at)
        return end if end >= 0 else len(self._source)
