"""Holds an answer against its sources while it streams: foreign links, images, HTML and invented code do not pass.

Text goes in in pieces of any size and comes out checked; an answer that needs no correction comes out character for
character, and how it was cut makes no difference. Possible links and code spans wait until they close, at most a few
thousand characters; plain text flows.
"""

from __future__ import annotations

from collections.abc import Iterable

from loreweave.knowledge.asking.answers.answer_blocks import AnswerBlocks
from loreweave.knowledge.asking.answers.bare_addresses import BareAddresses
from loreweave.knowledge.asking.answers.check_inline import InlineChecker
from loreweave.knowledge.asking.answers.citation_sources import CitationSources
from loreweave.knowledge.asking.answers.citation_syntax import LIMIT, MORE, FoundReference, read_definition
from loreweave.knowledge.asking.answers.held_text import HeldText, Piece


class CitationChecker:
    """`feed` and `finish` give checked text; `unverified` lists code that stands in no source, in order."""

    def __init__(self, urls: Iterable[str], texts: Iterable[str]) -> None:
        self.unverified: list[str] = []
        self._sources = CitationSources(urls, texts)
        self._held = HeldText(BareAddresses(self._sources))
        self._inline = InlineChecker(self._sources, self._held, self._list_unverified)
        self._blocks = AnswerBlocks()
        self._text = ""
        self._where = "line start"  # or: own text (of a line), inline, code line
        self._line = ""  # what has been seen of a line of code
        self._prefix = Piece("")  # quotes, markers and blanks before a line's own text
        self._before_line = AnswerBlocks()  # as the line found them

    def feed(self, text: str) -> str:
        for start in range(0, len(text), LIMIT):
            part = text[start : start + LIMIT]
            self._text += part
            if len(self._text) < LIMIT and self._waits(part):
                continue
            self._walk(final=False)
        return self._held.taken()

    def finish(self) -> str:
        self._walk(final=True)
        self._inline.end_block()
        if self._line:
            self._check_line()
        return self._held.finish()

    def _waits(self, part: str) -> bool:
        """Whether nothing in this part can decide what is being waited for: looking again would be in vain."""
        awaited = self._inline.awaited if self._where == "inline" else ""
        return bool(awaited) and not any(character in part for character in awaited)

    def _walk(self, final: bool) -> None:
        """Consumes as much as can be decided."""
        while self._text:
            before = (len(self._text), self._where)
            if self._where == "line start":
                self._start_line(final)
            elif self._where == "own text":
                self._start_own_text(final)
            elif self._where == "code line":
                self._pass_code_line()
            else:
                self._check_inline(final)
            if (len(self._text), self._where) == before:
                return

    def _check_inline(self, final: bool) -> None:
        self._text, ended = self._inline.check(self._text, final, goes_on=self._blocks.paragraph)
        if ended:
            self._where = "line start"
        elif self._inline.spoken.emptied:
            # What is left begins the line now, and may be a list, a fence or a definition.
            self._text = self._prefix.text + self._text
            self._held.drop(self._prefix)
            self._blocks = self._before_line
            self._where = "line start"

    def _start_line(self, final: bool) -> None:
        if self._blocks.fence is not None:
            self._start_fenced_line(final)
            return
        window = self._text[:LIMIT]
        before = self._blocks.copy()
        start = self._blocks.start_line(window, final or len(window) == LIMIT)
        if start is None:
            return
        if start.kind in ("new", "blank", "fence", "code"):
            self._inline.end_block()
        if start.kind == "fence":
            self._say_raw(self._text.find("\n") + 1 or len(self._text))
            return
        self._before_line = before
        self._where = "own text"
        if start.kind == "code":
            self._where = "code line"
            self._say_raw(start.length)
        else:
            self._prefix = self._held.put(Piece(self._text[: start.length], raw=True, waiting=True))
            self._text = self._text[start.length :]
            self._inline.spoken.start_line(self._prefix)

    def _start_fenced_line(self, final: bool) -> None:
        """A line of a fence is passed on as soon as it is known to be none that ends it."""
        end = self._text.find("\n") + 1
        if not end and not final and len(self._text) < LIMIT:
            return
        line = self._text[: end or LIMIT]
        if self._blocks.leaves_fence(line):
            self._blocks.fence = None
            self._start_line(final)
        elif self._blocks.closes_fence(line):
            self._blocks.fence = None
            self._say_raw(len(line))
        else:
            self._where = "code line"

    def _pass_code_line(self) -> None:
        """Code goes out as it is; a line that stands in no source is listed, by its first part if it is very long."""
        end = self._text.find("\n") + 1
        taken = end or len(self._text)
        self._line += self._text[: min(taken, LIMIT - len(self._line))]
        self._say_raw(taken)
        if end:
            self._check_line()
            self._where = "line start"

    def _check_line(self) -> None:
        code = self._blocks.code_in(self._line) if self._blocks.fence else self._line.strip()
        self._line = ""
        if code and not self._sources.has_code(code):
            self._list_unverified(code)

    def _start_own_text(self, final: bool) -> None:
        """Where a line's own text begins, a definition of a reference may stand."""
        self._where = "inline"
        if not self._text.startswith("["):
            return
        found = read_definition(self._text, final)
        if found is MORE and len(self._text) < LIMIT:
            self._where = "own text"
        elif found is MORE:
            self._text = "\\" + self._text  # too long to be read: it must not become a definition
        elif isinstance(found, FoundReference):
            self._held.settle(self._prefix)
            if self._inline.links.define(found.label, found.url):
                self._say_raw(found.length)
            else:
                self._text = self._text[found.length :]
            self._where = "line start"

    def _say_raw(self, length: int) -> None:
        self._held.put(Piece(self._text[:length], raw=True))
        self._text = self._text[length:]

    def _list_unverified(self, code: str) -> None:
        if code not in self.unverified:
            self.unverified.append(code)
