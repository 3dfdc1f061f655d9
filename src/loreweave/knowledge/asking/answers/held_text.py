"""Checked text on its way out: pieces wait behind the first one of which it is not yet known what it is."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from loreweave.knowledge.asking.answers.bare_addresses import BareAddresses

LONGEST_WAIT = 4_096


@dataclass(eq=False, slots=True)
class Piece:
    """`waiting` while it may still turn out to belong to a link; `raw` where it is certain as it stands."""

    text: str
    raw: bool = False
    waiting: bool = False
    given_up: bool = False
    gone: bool = False


class HeldText:
    """A queue of pieces. One that has waited for too long is taken as it is written."""

    def __init__(self, addresses: BareAddresses) -> None:
        self._addresses = addresses
        self._pieces: deque[Piece] = deque()
        self._size = 0
        self._plain: list[str] = []  # may leave, once it was looked through for addresses
        self._out: list[str] = []
        self.last = ""  # the last character put in

    def put(self, piece: Piece) -> Piece:
        if piece.text:
            self.last = piece.text[-1]
        if not self._pieces and not piece.waiting:
            piece.gone = True
            self._go(piece.text, piece.raw)
            return piece
        self._pieces.append(piece)
        self._size += len(piece.text)
        while self._size > LONGEST_WAIT and self._pieces:
            self._pieces[0].given_up = self._pieces[0].waiting
            self._pieces[0].waiting = False
            self._flow()
        self._flow()
        return piece

    def say(self, text: str, *, raw: bool = False) -> None:
        """Puts in what nobody will ask for again."""
        if self._pieces:
            self.put(Piece(text, raw=raw))
        elif text:
            self.last = text[-1]
            self._go(text, raw)

    def since(self, opener: Piece) -> list[Piece]:
        """The pieces behind one that is still held."""
        found: list[Piece] = []
        for piece in reversed(self._pieces):
            if piece is opener:
                break
            found.append(piece)
        return found[::-1]

    def drop(self, piece: Piece) -> None:
        """It is not said after all, unless it already left."""
        self.replace(piece, "")

    def replace(self, piece: Piece, text: str) -> None:
        """Something else is said instead, and that is certain."""
        if piece.gone:
            return
        self._size += len(text) - len(piece.text)
        piece.text = text
        self.settle(piece)

    def settle(self, piece: Piece) -> None:
        """It is what it is written."""
        piece.waiting = False
        self._flow()

    def settle_all(self) -> None:
        for piece in self._pieces:
            piece.waiting = False
        self._flow()

    def taken(self) -> str:
        """What may leave."""
        self._look_through()
        out = "".join(self._out)
        self._out = []
        return out

    def finish(self) -> str:
        self.settle_all()
        self._look_through()
        self._out.append(self._addresses.end())
        return self.taken()

    def _flow(self) -> None:
        while self._pieces and not self._pieces[0].waiting:
            piece = self._pieces.popleft()
            piece.gone = True
            self._size -= len(piece.text)
            self._go(piece.text, piece.raw)

    def _go(self, text: str, raw: bool) -> None:
        if not text:
            return
        if raw:
            self._look_through()
            self._out.append(self._addresses.raw(text))
        else:
            self._plain.append(text)

    def _look_through(self) -> None:
        """All at once: how text was cut makes no difference to the addresses in it, but much to the time it takes."""
        if self._plain:
            self._out.append(self._addresses.text("".join(self._plain)))
            self._plain.clear()
