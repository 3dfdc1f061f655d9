"""Holds an answer against its sources while it streams: foreign links, images, HTML and invented code do not pass.

Text goes in in pieces of any size and comes out checked; an answer that needs no correction comes out character for
character, and how it was cut makes no difference. Plain text flows. From the first character that may mean something
its block is held to its end; then it is parsed, checked and sent. Code in fences flows line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from loreweave.knowledge.answers.correct_block import CLOSES, BlockCorrector
from loreweave.knowledge.answers.read_block import ADDRESS, DASHES, CitationSources

LIMIT = 8_192  # characters for which a block may be held
_AHEAD = 128  # no pattern below looks further than this
_FENCE = r" {0,3}(?:`{3,40}[^`\n]{0,40}|~~~[^\n]{0,40})\n"
# Where a block ends, whatever it is: behind the line of a fence, a blank line, before an item, a heading or a fence.
_BOUNDARY = re.compile(
    rf"\A{_FENCE}|\n[ \t]{{0,32}}\n|\n(?= {{0,3}}(?:(?:[-+*]|1[.)])[ \t]{{1,16}}\S|#{{1,6}}[ \t])|{_FENCE})"
)
_DEEP = r"(?P<deep>(?:\A|(?<=\n))(?:[ \t]{32}|(?:(?:[-+*]|\d{1,2}[.)])[ \t]{1,3}|>[ \t]?){16}))"
_MEANINGFUL = re.compile(rf"!?\[|[<`]|~~~|(?:(?<=[ \t]{{2}})|(?<=\t))>|{ADDRESS}|{_DEEP}", re.IGNORECASE)
_BEGUN = re.compile(
    r"(?:!|~~?|(?<![0-9A-Za-z])(?:h|ht|htt|https?|https?:|https?:/|f|ft|ftp|ftp:|ftp:/|w|ww|www))\Z", re.IGNORECASE
)
_ENDS_BLANK = re.compile(r"(?:\A|\n)[ \t]*\n\Z")
_TAB_BEHIND_FENCE = re.compile(r"(?<=[`~]) *\t[ \t]*(?=\n|\Z)")  # with it the line closes the code to some readers only
_MAY_OPEN_ITEM = " \t>+-*0123456789"
_UNSEEN = "\u200b"
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


_BARE_MARK = re.compile(r"\n[ \t>]{0,8}(?:[-+*]|\d{1,9}[.)])[ \t]{0,8}\n")
_EMPTY_ITEM = re.compile(r"[ \t>]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]*+)++(?=\n|\Z)")


def _may_open_item(block: str) -> bool:
    """At its beginning, or below a heading, where nothing needs to stand behind the mark."""
    return block.lstrip("\n")[:1] in _MAY_OPEN_ITEM or _BARE_MARK.search(block) is not None


class CitationChecker:
    """`feed` and `finish` give checked text; `unverified` lists code that stands in no source, in order."""

    def __init__(self, urls: Iterable[str], texts: Iterable[str]) -> None:
        self._corrector = BlockCorrector(CitationSources(urls, texts))
        self._out: list[str] = []
        self._text = ""  # of the block so far, and what came behind it
        self._sent = 0  # characters of it that went out
        self._looked = 0  # up to here no block ends
        self._meaning: int | None = None  # where the first character stands that may mean something
        self._is_long = False  # a plain paragraph, whose beginning is no longer at hand
        self._waits = False  # for the definitions of its references
        self._left_code = False  # without a line that closes it
        self._around = ""  # the list items that the block may belong to
        self._in_table = False  # whether rows of one stand above, without a blank line between
        self._fence: str | None = None  # what opened the code; empty where that line is still to come

    @property
    def unverified(self) -> list[str]:
        return self._corrector.unverified

    def feed(self, text: str) -> str:
        text = _NO_TEXT.sub("\ufffd", text.replace("\r", ""))
        for start in range(0, len(text), LIMIT):
            self._text += text[start : start + LIMIT]
            while self._step(final=False):
                pass
        return self._taken()

    def finish(self) -> str:
        while self._step(final=True):
            pass
        return self._taken()

    def _taken(self) -> str:
        out = "".join(self._out)
        self._out = []
        return out

    def _step(self, final: bool) -> bool:
        """Whether something was decided, so that the rest is to be looked at."""
        if not self._text:
            return False
        if self._fence is not None:
            return self._pass_line(final)
        if self._waits:
            return self._wait(final)
        end = self._find_end()
        held = self._find_meaning(end)
        limit = LIMIT if held is None or held >= LIMIT else held + LIMIT
        if end is None and final:
            end = len(self._text)
        if self._is_long and held is not None:
            self._break_at(held)
        elif end is not None and end <= limit:
            self._close(end, settled=final and end == len(self._text))
        elif final or len(self._text) >= limit + _AHEAD:
            self._cut(limit, held)
        else:
            self._flow(min(limit, len(self._text)) if held is None else held)
            return False
        return True

    def _find_end(self) -> int | None:
        found = _BOUNDARY.search(self._text, max(0, self._looked - _AHEAD))
        self._looked = self._looked if found else len(self._text)
        return found.end() if found else None

    def _find_meaning(self, end: int | None) -> int | None:
        if self._meaning is None:
            found = _MEANINGFUL.search(self._text, max(0, self._sent - _AHEAD), len(self._text) if end is None else end)
            self._meaning = (found.end() if found["deep"] else found.start()) if found else None
        return None if self._meaning is None or (end is not None and self._meaning >= end) else self._meaning

    def _flow(self, end: int) -> None:
        """Plain text goes out, but for what may begin an address or an image."""
        begun = _BEGUN.search(self._text, max(0, end - 8), end)
        end = begun.start() if begun else end
        if end > self._sent:
            self._out.append(self._text[self._sent : end])
            self._sent = end

    def _close(self, end: int, *, settled: bool) -> None:
        """The block ends here."""
        block = self._text[:end]
        held = self._meaning if self._meaning is not None and self._meaning < end else None
        if self._is_long or (held is None and not self._around and not _may_open_item(block)):
            self._leave(block, end, "")
        elif not block.strip():
            self._leave(block, end, self._around)
        else:
            first = end if held is None else held
            checked = self._corrector.correct(self._around, block, first, settled=settled)
            if self._left_code and checked and checked[0] + checked[1] != block and not block[:first].strip():
                # What left the code is not what it was. Another character has to do it, or all that follows is code.
                block = block[:first] + _UNSEEN + block[first:]
                checked = self._corrector.correct(self._around, block, first, settled=settled)
            if checked is None:
                self._waits = True
                return
            text, rest, around = checked
            line = text.rfind("\n", 0, first) + 1
            if text != block[: len(text)] and _EMPTY_ITEM.match(text, line):
                # An item that says nothing any more is none: below a line of text its mark is part of that.
                text = text[:first] + _UNSEEN + text[first:]
                around = self._corrector.open_items(self._around + text)
            self._leave(text, end, around if text else self._around)
            if rest:
                block, self._text, self._fence = text, rest + self._text, ""
        if self._around and _ENDS_BLANK.search(block) and not self._around.endswith("\n\n"):
            self._around += "\n"

    def _leave(self, text: str, end: int, around: str) -> None:
        self._out.append(text[self._sent :])
        self._in_table = (self._in_table or DASHES.search(text) is not None) and not _ENDS_BLANK.search(text)
        self._text = self._text[end:]
        self._sent = max(0, self._sent - len(text))
        self._looked = 0
        self._meaning = None
        self._is_long = self._waits = self._left_code = False
        self._around = around

    def _wait(self, final: bool) -> bool:
        """A block with references is held on for their definitions, to the end or as long as a block may be held."""
        limit = (self._meaning or 0) + LIMIT
        if not final and len(self._text) < limit + _AHEAD:
            return False
        ends = [found.end() for found in _BOUNDARY.finditer(self._text[: limit + _AHEAD]) if found.end() <= limit]
        self._close(len(self._text) if len(self._text) <= limit else ends[-1], settled=True)
        return True

    def _cut(self, limit: int, held: int | None) -> None:
        """The block is too long. A plain paragraph flows on; anything else is certainly ended, by a blank line."""
        if self._is_long or (held != limit - LIMIT and not self._around and not _may_open_item(self._text)):
            self._out.append(self._text[self._sent : limit])
            self._text = self._text[limit - 1 :]
            self._sent = 1
            self._looked = 0
            self._meaning = None
            self._is_long = True
            return
        self._close(limit, settled=True)
        if self._fence is None:
            self._break_at(0)

    def _break_at(self, place: int) -> None:
        around = "" if self._is_long or not self._around else self._around.rstrip("\n") + "\n\n"
        self._leave(self._text[:place] + "\n\n", place, around)

    def _pass_line(self, final: bool) -> bool:
        """Code goes out as it is; a line that stands in no source is listed. One that is far too long is broken."""
        end = self._text.find("\n") + 1
        if end == 0 and not final and len(self._text) < LIMIT:
            return False
        taken = self._text[: min(end or LIMIT, LIMIT)]
        is_cut = len(taken) == LIMIT and not taken.endswith("\n")
        line = _TAB_BEHIND_FENCE.sub("", taken) + "\n" * is_cut
        if not self._fence:
            line = line.replace("|", "")  # with one, and dashes below, it is the head of a table to some readers
            if self._in_table and not self._sent and line[:1] in " \t`~":  # some readers take other items for open
                line, self._around = "\n" + line.lstrip(" \t"), ""
            self._fence = self._around + line
            self._around = self._corrector.open_items(self._fence)
        elif (code := self._corrector.read_code(self._fence, line)) is None:
            self._fence = None
            self._left_code = True
            return True
        elif code == CLOSES:
            self._fence = None
        else:
            self._corrector.list_unverified(code.strip())
        self._leave(line, len(taken), self._around)
        return True
