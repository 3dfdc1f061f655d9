"""Brackets in the text of a paragraph: links, images and references stay, or of them only their label."""

from __future__ import annotations

import re
from collections import deque

from loreweave.knowledge.asking.answers.bare_addresses import UNSEEN
from loreweave.knowledge.asking.answers.citation_sources import CitationSources
from loreweave.knowledge.asking.answers.citation_syntax import (
    LIMIT,
    MORE,
    FoundReference,
    read_link_tail,
    read_reference,
)
from loreweave.knowledge.asking.answers.held_text import HeldText, Piece
from loreweave.knowledge.asking.answers.spoken_text import Opener, SpokenText, meet

_DEEPEST = 32  # brackets inside one another
_OPENERS = re.compile(r"(?:!?\[)++")
_OPENER = re.compile(r"!?\[")
_LINE_OPENER = re.compile(r"\s*+(?:\Z|[#>~`=|<\[]|[-+*](?:\s|\Z|[-+*])|\d{1,9}(?:[.)]|\Z))")


class LinkChecker:
    """Takes brackets from the front of a text. Each step gives the rest, or None where more must be seen."""

    def __init__(self, sources: CitationSources, held: HeldText, spoken: SpokenText) -> None:
        self._sources = sources
        self._held = held
        self._spoken = spoken
        self._openers: deque[Opener] = deque()
        self._defined: dict[str, bool] = {}  # label → whether its address is a source's
        self._pending: dict[str, list[tuple[Opener, Piece]]] = {}  # references whose definition is still to come
        self._lost = 0  # openers of this block that waited for too long
        self.awaited = ""  # characters without which looking again is in vain

    @property
    def known(self) -> str:
        """What brackets may mean: "open" where one waits to be closed, "defined" where labels are known, or nothing."""
        return "open" if self._openers or self._lost else "defined" if self._defined else ""

    def end_block(self) -> None:
        """No link reaches beyond its block."""
        for opener in self._openers:
            self._held.settle(opener.piece)
        self._openers.clear()
        self._lost = 0

    def define(self, label: str, url: str) -> bool:
        """A definition was read: whether it may stay. References that waited for it are decided."""
        allowed = self._sources.has_url(url)
        key = _key(label)
        self._defined[key] = self._defined.get(key, False) or allowed
        for opener, closer in self._pending.pop(key, []):
            if allowed and not opener.image:
                self._held.settle(opener.piece)
            elif not opener.piece.gone:
                self._held.drop(closer)
                self._unwrap(opener, closer)
        return allowed

    def open(self, text: str) -> str:
        """At `[` or `![`. Of a heap of them the outermost are taken as they are written."""
        run = _OPENERS.match(text)
        assert run is not None
        ends = [found.end() for found in _OPENER.finditer(run.group())] if run.end() > _DEEPEST else []
        if len(ends) > _DEEPEST:
            self._give_up(len(self._openers))
            self._lost += len(ends) - _DEEPEST
            end = ends[-_DEEPEST - 1]
            self._spoken.say_openers(text[:end])
            return text[end:]
        length = 2 if text[0] == "!" else 1
        self._openers.append(self._spoken.say_opener(text[:length], image=length == 2))
        self._give_up(len(self._openers) - _DEEPEST)
        return text[length:]

    def close(self, text: str, final: bool) -> str | None:
        """At `]`: what follows it tells what the brackets are."""
        self.awaited = ""
        following = text[1:2]
        if not following and not final:
            return None
        opener = self._last_opener()
        if opener is None:
            return self._close_lost(text)
        if following == "(":
            tail = read_link_tail(text[1:LIMIT])
            if isinstance(tail, FoundReference):
                return self._close_link(text, opener, tail)
            if tail is MORE and not final:
                self.awaited = ")"
                return None
            if tail is MORE and len(text) >= LIMIT:
                return self._close_doubtful(text, opener)
            self._spoken.after_label = True
        if following == "[":
            reference = read_reference(text[1:LIMIT], final)
            if reference is MORE:
                return None
            if isinstance(reference, FoundReference):
                return self._close_reference(text, opener, reference)
        return self._close_shortcut(text, opener)

    def _close_link(self, text: str, opener: Opener, tail: FoundReference) -> str:
        self._openers.pop()
        length = 1 + tail.length
        if opener.image or not self._sources.has_url(tail.url):
            self._unwrap(opener)
        else:
            self._keep(opener, text[:length])
        return text[length:]

    def _close_doubtful(self, text: str, opener: Opener) -> str:
        """A destination too long to be read: the brackets stay, but make no link."""
        self._openers.pop()
        self._held.settle(opener.piece)
        self._spoken.say("]\\(")
        return text[2:]

    def _close_lost(self, text: str) -> str:
        if self._lost and text[1:2] == "(":
            self._lost -= 1
            self._spoken.say("]\\(")
            return text[2:]
        self._spoken.say("]")
        return text[1:]

    def _close_reference(self, text: str, opener: Opener, reference: FoundReference) -> str:
        self._openers.pop()
        length = 1 + reference.length
        key = _key(reference.label or self._label(opener))
        if key not in self._defined:
            closer = self._held.put(Piece(text[:length]))
            self._pending.setdefault(key, []).append((opener, closer))
        elif opener.image or not self._defined[key]:
            self._unwrap(opener)
        else:
            self._keep(opener, text[:length])
        return text[length:]

    def _close_shortcut(self, text: str, opener: Opener) -> str:
        self._openers.pop()
        known = self._defined.get(_key(self._label(opener))) if self._defined else None
        if known is False or (known and opener.image):
            self._unwrap(opener)
        else:
            self._held.settle(opener.piece)
            self._spoken.say("]")
        return text[1:]

    def _unwrap(self, opener: Opener, closer: Piece | None = None) -> None:
        """Of a link its label stays, which must not become something else where the line begins."""
        label = self._label(opener, closer)
        joins = meet(opener.before, label[:1])
        begins = opener.first and _LINE_OPENER.match(label)
        guarded = self._spoken.after_label or opener.in_angle or joins or begins
        self._held.replace(opener.piece, UNSEEN if guarded else "")
        if closer is None:
            self._spoken.leave_out()

    def _keep(self, opener: Opener, closing: str) -> None:
        for piece in [opener.piece, *self._held.since(opener.piece)]:
            piece.raw = True
        self._spoken.say(closing, raw=True)
        self._held.settle(opener.piece)

    def _give_up(self, count: int) -> None:
        """The outermost brackets of a heap are taken as they are written."""
        for _ in range(count):
            self._held.settle(self._openers.popleft().piece)
            self._lost += 1

    def _last_opener(self) -> Opener | None:
        while self._openers and self._openers[0].piece.given_up:
            self._give_up(1)
        return self._openers[-1] if self._openers else None

    def _label(self, opener: Opener, closer: Piece | None = None) -> str:
        pieces = self._held.since(opener.piece)
        return "".join(piece.text for piece in pieces[: pieces.index(closer) if closer in pieces else None])


def _key(label: str) -> str:
    return " ".join(label.casefold().split())
