"""Addresses in running text that renderers turn into links: those of no source are taken out."""

from __future__ import annotations

import re

from loreweave.knowledge.asking.answers.citation_sources import CitationSources
from loreweave.knowledge.asking.answers.citation_syntax import LIMIT

_START = re.compile(r"(?:https?://|ftp://|www\.)", re.IGNORECASE)
_BEGUN = re.compile(r"(?:h|ht|htt|https?|https?:|https?:/|f|ft|ftp|ftp:|ftp:/|w|ww|www)\Z", re.IGNORECASE)
_END = re.compile(r"[\s<>\"`\[\]]")
_ADDRESS = re.compile(r"[!-~]++")
_TRAILING = "?!.,:;*_~'\")]}\\|"
_MARKERS = " \t>+-*.)0123456789"
UNSEEN = "\u200b"  # takes the place of what was left out where its two sides must not meet
_BLOCK_OPENERS = "#>~`+-*=[<|_"


class BareAddresses:
    """Text goes in and comes out without them; what is certain already (`raw`) goes through untouched."""

    def __init__(self, sources: CitationSources) -> None:
        self._sources = sources
        self._held = ""
        self._out: list[str] = []
        self._before = ""  # the character that went out last: it decides whether a word begins here
        self._swallowing = False  # inside an address too long to be held
        self._line_begins = True  # nothing but markers and blanks stands on this line so far
        self._uncovered = False  # an address was taken out where the line begins
        self._angle_open = False  # a `<` that opens nothing stands before
        self._after_label = False  # `](` stands before: without the address it might be a link after all

    def text(self, text: str) -> str:
        self._walk(self._held + text, final=False)
        return self._taken()

    def raw(self, text: str) -> str:
        out = self.end()
        if text:
            self._uncovered = False
            self._put(text)
        return out + self._taken()

    def end(self) -> str:
        """Nothing more belongs to what is held."""
        self._walk(self._held, final=True)
        self._swallowing = False
        return self._taken()

    def _taken(self) -> str:
        out = "".join(self._out)
        self._out = []
        return out

    def _walk(self, work: str, final: bool) -> None:
        place = 0
        self._held = ""
        while place < len(work):
            if self._swallowing:
                place = self._skip(work, place)
                continue
            begun = self._next(_START, work, place)
            if begun is None:
                cut = None if final else self._next(_BEGUN, work, max(place, len(work) - 8))
                self._put(work[place:cut])
                self._held = "" if cut is None else work[cut:]
                return
            self._put(work[place:begun])
            place = begun
            stop = _END.search(work, begun, begun + LIMIT)
            if stop is None and not final and len(work) - begun < LIMIT:
                self._held = work[begun:]
                return
            place = stop.start() if stop else min(len(work), begun + LIMIT)
            self._swallowing = stop is None and place - begun == LIMIT
            self._decide(work[begun:place])

    def _skip(self, work: str, place: int) -> int:
        stop = _END.search(work, place)
        self._swallowing = stop is None
        return stop.start() if stop else len(work)

    def _next(self, pattern: re.Pattern[str], work: str, place: int) -> int | None:
        """Where the pattern next stands at the beginning of a word."""
        for found in pattern.finditer(work, place):
            before = work[found.start() - 1] if found.start() else self._before
            if not (before.isascii() and before.isalnum()):
                return found.start()
        return None

    def _decide(self, run: str) -> None:
        plain = _ADDRESS.match(run)
        ascii_part = plain.group() if plain else run
        for candidate in {run, run.rstrip(_TRAILING), ascii_part, ascii_part.rstrip(_TRAILING)}:
            if self._sources.has_url(candidate):
                return self._put(run)
        if self._after_label or self._angle_open or self._before in ("!", "]", "<"):
            self._put(f"{UNSEEN} {UNSEEN}")  # two words, where one might be an address
        self._uncovered = self._line_begins
        return self._put(run[len(ascii_part.rstrip(_TRAILING)) :])

    def _put(self, text: str) -> None:
        if self._uncovered and (bare := text.lstrip(" \t")):
            # What follows begins the line now; it must not become a list, a fence or a definition by that.
            if bare[0] in _BLOCK_OPENERS or bare[0].isdigit():
                text = text[: len(text) - len(bare)] + (UNSEEN if bare[0].isdigit() else "\\") + bare
            self._uncovered = False
        if text:
            self._after_label = self._after_label or "](" in self._before + text
            self._angle_open = "<" in text.rpartition(">")[2] or (self._angle_open and ">" not in text)
            self._out.append(text)
            self._before = text[-1]
            line = text.rpartition("\n")[2]
            self._line_begins = (self._line_begins or "\n" in text) and not line.strip(_MARKERS)
