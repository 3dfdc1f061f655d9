"""The text of a paragraph: code spans, links, images, tags and addresses, one after the other."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from loreweave.knowledge.asking.answers.bare_addresses import UNSEEN
from loreweave.knowledge.asking.answers.citation_sources import CitationSources
from loreweave.knowledge.asking.answers.citation_syntax import (
    LIMIT,
    MORE,
    Found,
    read_link_tail,
    read_reference,
    read_tag,
)
from loreweave.knowledge.asking.answers.held_text import HeldText, Piece

_SPECIAL = re.compile(r"[\\`\[\]\n]|<(?=[A-Za-z/!?]|\Z)|!(?=\[|\Z)")
_SPECIAL_IN_ANGLE = re.compile(_SPECIAL.pattern + "|>")
_DEEPEST = 32  # brackets inside one another
_ENDS_PARAGRAPH = re.compile(r"\n[ \t]*+(?:\n|>|[-*+][ \t\n]|\d{1,9}[.)][ \t\n]|#|```|~~~)")
_BLOCK_LIKE = re.compile(r"#{1,6}(?=\s|\Z)|>|~~~|```|[-+*](?=\s|\Z)|(?:-{3}|={3})")
_LINE_OPENER = re.compile(r"\s*+(?:\Z|[#>~`=|<\[]|[-+*](?:\s|\Z|[-+*])|\d{1,9}(?:[.)]|\Z))")
_JOINS = {("]", "("), ("]", "["), ("]", ":"), ("!", "[")}


@dataclass(eq=False, slots=True)
class _Opener:
    piece: Piece
    image: bool
    first: bool  # on its line
    before: str  # the character before it
    in_angle: bool  # behind a lone `<`


class InlineChecker:
    """Takes from the front of a text what it can decide, and puts the checked pieces into the held text."""

    def __init__(self, sources: CitationSources, held: HeldText, list_unverified: Callable[[str], None]) -> None:
        self._sources = sources
        self._held = held
        self._list_unverified = list_unverified
        self._openers: deque[_Opener] = deque()
        self._defined: dict[str, bool] = {}  # label → whether its address is a source's
        self._pending: dict[str, list[tuple[_Opener, Piece]]] = {}  # references whose definition is still to come
        self._lost = 0  # openers of this block that waited for too long
        self._corrected = False  # something was left out just before
        self._angle = ""  # "open": a lone `<` went out; "changed": and something was left out behind it
        self._after_label = False  # a `](` that made no link went out: without what follows it, it might
        self._only_openers = True  # this line has said nothing else so far
        self.line_is_empty = True
        self.awaited = ""  # characters without which looking again is in vain

    def start_line(self) -> None:
        self.line_is_empty = True
        self._only_openers = True
        self._corrected = False

    @property
    def emptied(self) -> bool:
        """Whether all that this line said so far was left out: what follows now begins it."""
        return self.line_is_empty and self._corrected

    def end_block(self) -> None:
        """No link reaches beyond its block."""
        for opener in self._openers:
            self._held.settle(opener.piece)
        self._openers.clear()
        self._lost = 0
        self._angle = ""
        self._after_label = False
        self._corrected = False

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

    def check(self, text: str, final: bool) -> tuple[str, bool]:
        """The rest that cannot be decided yet, and whether a line end was passed."""
        self.awaited = ""
        special = (_SPECIAL_IN_ANGLE if self._angle == "changed" else _SPECIAL).search(text)
        if special is None or special.start() > 0:
            end = special.start() if special else len(text)
            self._say(text[:end])
            return text[end:], False
        if text[0] == "\n":
            self._say("\n")
            return text[1:], True
        step = _STEPS[text[0]]
        taken = step(self, text, final or len(text) >= LIMIT)
        return (text if taken is None else taken), False

    # each step gives the rest of the text, or None where more must be seen

    def _escape(self, text: str, final: bool) -> str | None:
        if len(text) < 2:
            return self._taken(text, 1) if final else None
        return self._taken(text, 1 if text[1] == "\n" or text[1].isalnum() else 2)

    def _code(self, text: str, final: bool) -> str | None:
        run = len(text) - len(text.lstrip("`"))
        if run == len(text) and not final:
            return None
        window = text[:LIMIT]
        closer = re.compile(rf"(?<!`)`{{{run}}}(?!`)").search(window, run) if run < len(window) else None
        if closer and closer.end() == len(window) and not final:
            return None
        if closer is None:
            decided = final or _ENDS_PARAGRAPH.search(window, run)
            if not decided:
                near_line_end = "\n" in window[-12:]
                self.awaited = "" if near_line_end else "`\n"
                return None
        elif not _ENDS_PARAGRAPH.search(window, run, closer.start()):
            return self._decide_code(text, run, closer.start(), closer.end())
        return self._taken(text, run)

    def _decide_code(self, text: str, run: int, end: int, after: int) -> str:
        content = text[run:end]
        if self._sources.has_code(content):
            self._say(text[:after], raw=True)
            return text[after:]
        if content[:1] in " \n" and content[-1:] in " \n" and content.strip():
            content = content[1:-1]
        self._list_unverified(" ".join(content.split()) or content)
        self._left_out()
        if self.line_is_empty and _BLOCK_LIKE.match(content.lstrip()):
            content = "\\" + content.lstrip()  # what was code must not become a heading, a list or a fence
        return content + text[after:]

    def _angle_bracket(self, text: str, final: bool) -> str | None:
        kind, found = read_tag(text, final)
        if found is MORE:
            self.awaited = "" if len(text) < 12 else "<>\"'`= \n"
            return None
        if not isinstance(found, Found):
            like_a_tag = text[1:2].isalpha() or text[1:2] in ("/", "!", "?")
            doubtful = like_a_tag and (self._only_openers or len(text) >= LIMIT)
            self._say("\\<" if doubtful else "<")
            return text[1:]
        if kind == "autolink" and self._sources.has_url(found.url):
            self._say(text[: found.length], raw=True)
        else:
            self._left_out()
        return text[found.length :]

    def _closing_angle(self, text: str, final: bool) -> str | None:
        # A lone `<` and this would be a tag, now that what stood between them is gone.
        self._say("&gt;")
        return text[1:]

    def _exclamation(self, text: str, final: bool) -> str | None:
        if len(text) < 2 and not final:
            return None
        if text[1:2] != "[":
            return self._taken(text, 1)
        self._open("![", image=True)
        return text[2:]

    def _bracket(self, text: str, final: bool) -> str | None:
        run = len(text) - len(text.lstrip("["))
        if run > _DEEPEST:
            self._give_up(len(self._openers))
            self._lost += run - _DEEPEST
            return self._taken(text, run - _DEEPEST)
        self._open("[", image=False)
        return text[1:]

    def _closing_bracket(self, text: str, final: bool) -> str | None:
        if len(text) < 2 and not final:
            return None
        opener = self._last_opener()
        if opener is None:
            run = len(text) - len(text.lstrip("]"))
            return self._taken(text, run - 1) if run > 1 and not self._lost else self._close_lost(text)
        if text[1:2] == "(":
            tail = read_link_tail(text[1:LIMIT], final)
            if tail is MORE:
                self.awaited = ")"
                return None
            if isinstance(tail, Found):
                self._openers.pop()
                return self._close_link(text, opener, tail)
            if len(text) >= LIMIT:
                return self._close_doubtful(text, opener)
            self._after_label = True
        if text[1:2] == "[":
            reference = read_reference(text[1:LIMIT], final)
            if reference is MORE:
                return None
            if isinstance(reference, Found):
                return self._close_reference(text, opener, reference)
        return self._close_shortcut(text, opener)

    def _close_link(self, text: str, opener: _Opener, tail: Found) -> str:
        length = 1 + tail.length
        if opener.image or not self._sources.has_url(tail.url):
            self._unwrap(opener)
        else:
            self._keep(opener, text[:length])
        return text[length:]

    def _close_doubtful(self, text: str, opener: _Opener) -> str:
        """A destination too long to be read: the brackets stay, but make no link."""
        self._openers.pop()
        self._held.settle(opener.piece)
        self._say("]\\(")
        return text[2:]

    def _close_lost(self, text: str) -> str:
        if self._lost and text[1:2] == "(":
            self._lost -= 1
            self._say("]\\(")
            return text[2:]
        return self._taken(text, 1)

    def _close_reference(self, text: str, opener: _Opener, reference: Found) -> str:
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

    def _close_shortcut(self, text: str, opener: _Opener) -> str:
        self._openers.pop()
        known = self._defined.get(_key(self._label(opener))) if self._defined else None
        if known is False or (known and opener.image):
            self._unwrap(opener)
            return text[1:]
        self._held.settle(opener.piece)
        return self._taken(text, 1)

    def _unwrap(self, opener: _Opener, closer: Piece | None = None) -> None:
        """Of a link its label stays, which must not become something else where the line begins."""
        label = self._label(opener, closer)
        joins = _meet(opener.before, label[:1])
        guarded = self._after_label or opener.in_angle or joins or (opener.first and _LINE_OPENER.match(label))
        self._held.replace(opener.piece, UNSEEN if guarded else "")
        if closer is None:
            self._left_out()

    def _keep(self, opener: _Opener, closing: str) -> None:
        for piece in [opener.piece, *self._held.since(opener.piece)]:
            piece.raw = True
        self._say(closing, raw=True)
        self._held.settle(opener.piece)

    def _open(self, written: str, *, image: bool) -> None:
        first, before = self._only_openers, self._held.last
        piece = self._say(written, waiting=True)
        self._only_openers = first
        self._openers.append(_Opener(piece, image, first, before, bool(self._angle)))
        self._give_up(len(self._openers) - _DEEPEST)

    def _give_up(self, count: int) -> None:
        """The outermost brackets of a heap are taken as they are written."""
        for _ in range(count):
            self._held.settle(self._openers.popleft().piece)
            self._lost += 1

    def _last_opener(self) -> _Opener | None:
        while self._openers and self._openers[0].piece.given_up:
            self._give_up(1)
        return self._openers[-1] if self._openers else None

    def _label(self, opener: _Opener, closer: Piece | None = None) -> str:
        pieces = self._held.since(opener.piece)
        return "".join(piece.text for piece in pieces[: pieces.index(closer) if closer in pieces else None])

    def _left_out(self) -> None:
        self._corrected = True
        self._angle = self._angle and "changed"
        if self._after_label:
            self._say(UNSEEN)

    def _taken(self, text: str, length: int) -> str:
        self._say(text[:length])
        return text[length:]

    def _say(self, text: str, *, raw: bool = False, waiting: bool = False) -> Piece:
        """Puts text out; where something was left out before it, the two sides must not form a new link or tag."""
        if self._corrected and text:
            if _meet(self._held.last, text[0]):
                self._held.put(Piece(" "))
            self._corrected = False
        if text.strip():
            self.line_is_empty = self._only_openers = False
        if not raw and self._angle != "changed":
            self._angle = "open" if "<" in text.rpartition(">")[2] else self._angle if ">" not in text else ""
        return self._held.put(Piece(text, raw=raw, waiting=waiting))


def _meet(last: str, first: str) -> bool:
    """Whether two characters that come together now might open a link or a tag."""
    return (last, first) in _JOINS or (last == "<" and (first.isalpha() or first in ("/", "!", "?")))


def _key(label: str) -> str:
    return " ".join(label.casefold().split())


_STEPS: dict[str, Callable[[InlineChecker, str, bool], str | None]] = {
    "\\": InlineChecker._escape,
    "`": InlineChecker._code,
    "<": InlineChecker._angle_bracket,
    ">": InlineChecker._closing_angle,
    "!": InlineChecker._exclamation,
    "[": InlineChecker._bracket,
    "]": InlineChecker._closing_bracket,
}
