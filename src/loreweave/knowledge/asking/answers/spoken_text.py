"""What an answer says, as it goes out: where something was left out, its two sides must not form a new link or tag."""

from __future__ import annotations

from dataclasses import dataclass

from loreweave.knowledge.asking.answers.bare_addresses import UNSEEN
from loreweave.knowledge.asking.answers.held_text import HeldText, Piece

_JOINS = {("]", "("), ("]", "["), ("]", ":"), ("!", "[")}


@dataclass(eq=False, slots=True)
class Opener:
    """An opening bracket, and what was known when it was said."""

    piece: Piece
    image: bool
    first: bool  # on its line
    before: str  # the character before it
    in_angle: bool  # behind a lone `<`


class SpokenText:
    """Puts text into what is held, and remembers what this line and this block have said so far."""

    def __init__(self, held: HeldText) -> None:
        self._held = held
        self._prefix = Piece("")  # quotes, markers and blanks before the line's own text
        self._corrected = False  # something was left out just before
        self.angle = ""  # "open": a lone `<` went out; "changed": and something was left out behind it
        self.after_label = False  # a `](` that made no link went out: without what follows it, it might
        self.only_openers = True  # this line has said nothing else so far
        self.line_is_empty = True

    @property
    def last(self) -> str:
        return self._held.last

    @property
    def emptied(self) -> bool:
        """Whether all that this line said so far was left out: what follows now begins it."""
        return self.line_is_empty and self._corrected

    def start_line(self, prefix: Piece) -> None:
        """The prefix waits: it may have to be read again if nothing is left behind it."""
        self._prefix = prefix
        self.line_is_empty = True
        self.only_openers = True
        self._corrected = False

    def end_line(self) -> None:
        self.say("\n")
        self._held.settle(self._prefix)

    def end_block(self) -> None:
        self.angle = ""
        self.after_label = False
        self._corrected = False

    def say(self, text: str, *, raw: bool = False) -> None:
        self._meet(text)
        if self.line_is_empty or self.only_openers:
            self._begin_line(text)
        if not raw and ("<" in text or ">" in text):
            self._note_angles(text)
        self._held.say(text, raw=raw)

    def say_opener(self, text: str, *, image: bool = False) -> Opener:
        """Says an opening bracket that waits for its closing one."""
        opener = Opener(Piece(text, waiting=True), image, self.only_openers, self._held.last, bool(self.angle))
        self._meet(text)
        self._begin_line(text)
        self.only_openers = opener.first
        self._held.put(opener.piece)
        return opener

    def say_openers(self, text: str) -> None:
        """Says opening brackets that will never be closed."""
        first = self.only_openers
        self.say(text)
        self.only_openers = first

    def leave_out(self) -> None:
        """Something of the answer is not said."""
        self._corrected = True
        self.angle = self.angle and "changed"
        if self.after_label:
            self.say(UNSEEN)

    def _meet(self, text: str) -> None:
        if self._corrected and text:
            if meet(self._held.last, text[0]):
                self._held.say(" ")
            self._corrected = False

    def _begin_line(self, text: str) -> None:
        if not text.isspace() and text:
            self.only_openers = False
            if self.line_is_empty:
                self.line_is_empty = False
                self._held.settle(self._prefix)

    def _note_angles(self, text: str) -> None:
        if self.angle != "changed":
            self.angle = "open" if "<" in text.rpartition(">")[2] else "" if ">" in text else self.angle


def meet(last: str, first: str) -> bool:
    """Whether two characters that come together now might open a link or a tag."""
    return (last, first) in _JOINS or (last == "<" and (first.isalpha() or first in ("/", "!", "?")))
