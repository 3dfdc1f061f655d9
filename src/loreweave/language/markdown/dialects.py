"""What trees of notes hold besides CommonMark, said in CommonMark: comments, shortcodes, titled blocks, block ids.

A dialect is read as a person would read it: marks go, titles and words stay. Positions are bytes of the source.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from loreweave.language.markdown.note_slugs import DOCUMENT_ENDINGS
from loreweave.language.markdown.parsed_text import Change, ParsedText

CodeRanges = Callable[[bytes], list[tuple[int, int]]]  # of code in a text, in order

SHORTCODE = re.compile(
    rb"\{\{([<%])[ \t\n]*+(/?)[ \t\n]*+([\w./-]*+)"
    rb"((?:[^{}\"`>%]|\"(?:[^\"\\]|\\.)*+\"|`[^`]*+`|[>%](?!\}\}))*+)[>%]\}\}",
    re.DOTALL,
)
_NAMED = re.compile(rb"([\w-]++)[ \t\n]*+=[ \t\n]*+(?:\"((?:[^\"\\]|\\.)*+)\"|([^\s\"]++))")
_FIRST = re.compile(rb"[ \t\n]*+(?:\"((?:[^\"\\]|\\.)*+)\"|`([^`]*+)`|([^\s\"=]++)(?![ \t]*+=))")
_HEADINGS = {
    b"whatsnext": b"What's next",
    b"prerequisites": b"Before you begin",
    b"objectives": b"Objectives",
    b"cleanup": b"Cleaning up",
    b"synopsis": b"Synopsis",
    b"options": b"Options",
    b"seealso": b"See also",
}
_WORDED = {"glossary_tooltip": ("text", "term_id"), "tooltip": ("text",)}  # shortcodes that stand for words of theirs

_BLANKS = re.compile(rb"[ \t]*+")
# Every branch starts with a letter of its own, so that the engine jumps from one to the next.
_MARK = re.compile(
    rb"%%|<!--|\{\{[<%]|:::|\[![\w-]++\][+-]?[ \t]*+|\^(?<=[ \t\n]\^)[A-Za-z0-9][\w-]*+(?=[ \t]*+$)"
    rb"|\[(?<!!\[)(?=(?:[^\[\]\\]|\\.){0,500}+\[\[[^\[\]\n]{1,512}+\]\])|\]\((?=[^\s()<>\"]++[ ])",
    re.MULTILINE,
)
# A document's address with blanks in it, of which CommonMark makes no link, and a title.
_SPACED = re.compile(rb"\]\(([^\s()<>\"]++[ ][^()<>\"\n]{0,400}+)(?:\"[^\"\n]{0,400}+\"[ \t]*+)?\)")
_BLOCK_ID = re.compile(rb"\^(?<=[ \t\n]\^)[A-Za-z0-9][\w-]*+[ \t]*+$", re.MULTILINE)
_LINK_IN_LABEL = re.compile(rb"\[(?=[^\[\]]{1,500}+\[\[|\[\[)")
_FENCE_LINE = re.compile(rb":{3,}+[ \t]*+(?P<kind>[A-Za-z][\w-]*+)?(?:\{[^{}\n]*+\})?(?P<opened>\[)?")
_LABEL = re.compile(rb"\[(?:(?:[^\[\]\\]|\\.)*+!?\[\[[^\[\]\n]{1,512}+\]\]())++(?:[^\[\]\\]|\\.)*+\](?=\()", re.DOTALL)
_CLOSERS = {b"%%": b"%%", b"<!--": b"-->"}
_FENCE = re.compile(rb"(?:>[ \t]?)*+(`{3,}+(?=[^`\n]*+$)|~{3,}+)")
_BANG = re.compile(
    rb"(?:(?:!!!|\?\?\?\+?)[ ]++(?P<kind>[\w-]++)(?:[ ]++[\w-]++)*+(?:[ ]++\"(?P<said>[^\"\n]*+)\")?"
    rb"|===[!+]*+[ ]++\"(?P<tab>[^\"\n]*+)\")[ \t]*+$"
)
_MARGIN = 200  # bytes in front of a mark that opens a line
_ROUNDS = 16  # times that code is looked for anew, because a comment hid the beginning of some


def find_changes(
    source: bytes, start: int, cuts: list[Change], code_in: CodeRanges, *, shown: bool = False
) -> tuple[list[Change], list[tuple[int, str]]]:
    """Changes beside those known already, in order, and the block ids with their places.

    `shown`: the page frames blocks without a title by the mark in front of them, so that mark stays.
    """
    bangs = any(sign in source for sign in (b"!!! ", b"??? ", b"???+ ", b'=== "'))
    if not bangs and not _has_marks(source):
        return cuts, []
    changes = sorted([*cuts, *_indented_blocks(source, start, shown)]) if bangs else list(cuts)
    marks = _Marks(source, start, changes, code_in, shown)
    at, rounds = start, 0
    while at < len(source):
        rounds += 1
        at = marks.read(at, once=rounds < _ROUNDS)
    return changes, marks.ids


def _has_marks(source: bytes) -> bool:
    """Comments that stand alone on their lines are none: the parser hides them itself."""
    if any(sign in source for sign in (b"{{<", b"{{%", b":::", b"[!")) or source.count(b"%%") > 1:
        return True
    if b"[[" in source and _LINK_IN_LABEL.search(source):
        return True
    if b"](" in source and any(map(_spaced_address, _SPACED.finditer(source))):
        return True
    return (b"^" in source and _BLOCK_ID.search(source) is not None) or _has_loose_comments(source)


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


def _indented_blocks(source: bytes, start: int, shown: bool) -> Iterator[Change]:
    """Blocks whose content is indented below a line with a title lose mark and indentation; `shown`, they are fenced
    instead, which is what the page frames."""
    open_at: list[int] = []  # indentation of each block that is open
    fence = b""
    end = start - 1
    while (at := end + 1) < len(source):
        end = source.find(b"\n", at)
        end = len(source) if end < 0 else end
        text = _BLANKS.match(source, at, end).end()  # type: ignore[union-attr]
        if text == end:
            continue
        indent = len(source[at:text].expandtabs(4))
        closed = b""
        while open_at and indent < open_at[-1] + 4:
            closed += b" " * (open_at.pop() - 4 * len(open_at)) + b"///\n\n"
            fence = b""
        if closed and shown:
            yield at, at, b"\n" + closed
        if open_at:
            yield at, _after_columns(source, at, text, 4 * len(open_at)), b""
        if mark := _FENCE.match(source, text, end):
            fence = b"" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (bang := _BANG.match(source, text, end)):
            open_at.append(indent)
            first, last = bang.span("said") if bang["said"] else bang.span("tab")
            if shown:
                kind = b"/// " + (bang["kind"] or b"tab")
                yield from (
                    ((text, first, kind + b" | "), (last, end, b"\n")) if first < last else ((text, end, kind + b"\n"),)
                )
            else:
                yield from ((text, first, b"**"), (last, end, b"**\n")) if first < last else ((text, end, b""),)
    if open_at and shown:
        yield len(source), len(source), b"\n\n" + b"///\n\n" * len(open_at)


def _after_columns(source: bytes, at: int, text: int, columns: int) -> int:
    """Where so many columns of indentation end."""
    seen = 0
    while at < text and seen < columns:
        seen += 4 - seen % 4 if source[at] == 9 else 1
        at += 1
    return at


class _Marks:
    """Goes from mark to mark once; what it finds joins the changes."""

    def __init__(self, source: bytes, start: int, changes: list[Change], code_in: CodeRanges, shown: bool) -> None:
        self._source = source
        self._start = start
        self._shown = shown
        self._changes = changes
        self._code_in = code_in
        self._known = [(first, last) for first, last, _ in changes]
        self._opened = -1  # so far the line holds nothing that is shown
        self._hopeless: set[bytes] = set() if _has_loose_comments(source) else {b"<!--"}
        self.ids: list[tuple[int, str]] = []

    def read(self, at: int, *, once: bool) -> int:
        """Up to a comment that may have hidden the beginning of code; there code has to be looked for anew."""
        code: list[tuple[int, int]] | None = None
        starts: list[int] = []
        found: list[Change] = []
        while mark := _MARK.search(self._source, at):
            place, sign = mark.start(), mark[0]
            at = mark.end() if sign[0] != 91 else place + 1
            escaped = self._source[place - 1 : place] == b"\\" and self._source[place - 2 : place - 1] != b"\\"
            if escaped or sign in self._hopeless or self._is_taken(place):
                continue
            if sign[0] == 123:
                shortcode = SHORTCODE.match(self._source, place)
                at = self._say_shortcode(shortcode, found) if shortcode else at
                continue
            if code is None:
                code = self._code()
                starts = [first for first, _ in code]
            index = bisect_right(starts, place) - 1
            if index >= 0 and place < code[index][1]:
                continue
            if sign in _CLOSERS:
                end = self._close(sign, place)
                if end is None:
                    continue
                at = self._hide(found, place, end)
                if once and (b"`" in self._source[place:end] or b"~~~" in self._source[place:end]):
                    break
            else:
                at = max(at, self._read_mark(mark, place, found))
        else:
            at = len(self._source)
        self._changes += found
        self._changes.sort()
        return at

    def _code(self) -> list[tuple[int, int]]:
        source = self._source
        if b"`" not in source and b"~~~" not in source and b"    " not in source and b"\t" not in source:
            return []
        parsed = ParsedText(source, self._start, self._changes)
        return [parsed.stretch(*found) for found in self._code_in(parsed.data)]

    def _is_taken(self, place: int) -> bool:
        index = bisect_right(self._known, (place, len(self._source))) - 1
        return index >= 0 and self._known[index][0] <= place < self._known[index][1]

    def _close(self, mark: bytes, place: int) -> int | None:
        if mark in self._hopeless:
            return None
        # "<!-->" is a whole comment, therefore the dashes of the opener may close it too.
        closer = _CLOSERS[mark]
        end = self._source.find(closer, place + 2)
        if end < 0:
            self._hopeless.add(mark)
            return None
        return end + len(closer)

    def _hide(self, found: list[Change], first: int, last: int) -> int:
        """What opens a line leaves no blanks behind: they would look like indented code."""
        before = first
        while before > self._start and self._source[before - 1] in b" \t":
            before -= 1
        if before == self._start or self._source[before - 1] == 10 or before == self._opened:
            last = self._opened = _BLANKS.match(self._source, last).end()  # type: ignore[union-attr]
        found.append((first, last, b""))
        return last

    def _read_mark(self, mark: re.Match[bytes], place: int, found: list[Change]) -> int:
        sign, end = mark[0], mark.end()
        low = max(0, place - _MARGIN)
        before = self._source[max(low, self._source.rfind(b"\n", low, place) + 1) : place]
        opens = len(before) < _MARGIN and not before.strip(b" \t>")  # nothing but quote marks in front
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
        if sign == b":::":
            return self._say_fence(place, before, found) if opens else end
        if sign.startswith(b"[!"):
            if not opens or b">" not in before:
                return end
            if self._shown and not self._source[end : self._line_end(end)].strip():
                return end
            return self._say_title(place, end, b"\n>", found)
        label = _LABEL.match(self._source, place)
        if label is not None:
            # A link around a link: the outer one begins behind the inner one, so that both are links.
            found += ((place, place + 1, b""), (label.end(1), label.end(1), b"["))
        return place + 1

    def _say_fence(self, place: int, before: bytes, found: list[Change]) -> int:
        """`:::tip Title`, `:::tip[Title]`; alone on its line the mark ends a block."""
        mark = _FENCE_LINE.match(self._source, place)
        assert mark is not None
        title = mark.end()
        end = self._line_end(title)
        if not mark["kind"] and self._source[title:end].strip():
            return title  # colons in front of text
        if self._shown:
            return self._keep_fence(mark, before, end, found)
        if not mark["opened"]:
            return self._say_title(place, _BLANKS.match(self._source, title).end(), b"\n", found)  # type: ignore[union-attr]
        close = self._source.rfind(b"]", title, end)
        if close < 0:
            return title
        found.append((place, title, b"**"))
        found.append((close, end, b"**\n"))
        return end

    def _keep_fence(self, mark: re.Match[bytes], before: bytes, end: int, found: list[Change]) -> int:
        """The same said with slashes, each in a paragraph of its own: the page frames what stands between."""
        sign = b"/" * (len(mark[0]) - len(mark[0].lstrip(b":")))
        alone = b"\n" + before
        if not mark["kind"]:
            found.append((mark.start(), end, alone + sign + alone))
            return end
        first = _BLANKS.match(self._source, mark.end()).end()  # type: ignore[union-attr]
        last = self._source.rfind(b"]", first, end) if mark["opened"] else end
        titled = b" | " if last > first else b""
        found.append((mark.start(), first, sign + b" " + mark["kind"] + titled))
        found.append((max(first, last), end, alone))
        return first

    def _say_title(self, first: int, title: int, after: bytes, found: list[Change]) -> int:
        end = self._line_end(title)
        if not self._source[title:end].strip():
            found.append((first, end, b""))
            return end
        found.append((first, title, b"**"))
        stop = title + len(self._source[title:end].rstrip())
        found.append((stop, end, b"**" + after))
        return title

    def _line_end(self, at: int) -> int:
        end = self._source.find(b"\n", at)
        return end if end >= 0 else len(self._source)

    def _say_shortcode(self, code: re.Match[bytes], found: list[Change]) -> int:
        name, inner = code[3].decode(), code.start(4)
        first, last = code.span()
        if code[2]:
            return self._hide(found, first, last)
        if name == "heading" and (said := _FIRST.match(code[4])):
            key = said[1] or said[2] or said[3]
            found.append((first, last, _HEADINGS.get(key, key.replace(b"-", b" ").capitalize())))
            return last
        if name in ("ref", "relref") and (said := _FIRST.match(code[4])):
            start, end = next(said.span(group) for group in (1, 2, 3) if said[group] is not None)
            linked = self._source[max(0, first - 2) : first] == b"]("
            found += ((first, inner + start, b"" if linked else b"[["), (inner + end, last, b"" if linked else b"]]"))
            return last
        if name == "comment":
            closing = re.compile(rb"\{\{[<%][ \t]*+/[ \t]*+comment[ \t]*+[>%]\}\}").search(self._source, last)
            return self._hide(found, first, closing.end() if closing else last)
        for key in _WORDED.get(name, ()):
            for given in _NAMED.finditer(code[4]):
                if given[1].decode() == key and (given[2] or given[3]):
                    start, end = given.span(2) if given[2] else given.span(3)
                    found += ((first, inner + start, b""), (inner + end, last, b""))
                    return last
        return self._hide(found, first, last)
