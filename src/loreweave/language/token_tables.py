"""Tables behind the token count: measured once against public vocabularies and shipped as text."""

from functools import cache
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase

_FOLDER = Path(__file__).parent


class Tables:
    """Known words, mark groups, rare letter pairs and what characters beyond ASCII cost."""

    def __init__(self) -> None:
        self.words = _read_words()
        self.mark_groups = frozenset(_read("mark_groups.txt").split())
        self.loose_pairs = _loose_pairs()
        self._costs: bytearray | None = None

    def character_halves(self, character: str) -> int:
        """Half tokens of a character beyond ASCII; four-byte characters cost a token a byte."""
        if self._costs is None:
            self._costs = _read_costs()
        code = ord(character)
        return self._costs[code] if code < 0x10000 else 8


@cache
def TABLES() -> Tables:
    """The tables, read when first needed."""
    return Tables()


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _read_words() -> dict[str, int]:
    """Words that are one token after a blank, with their cost elsewhere; each line names the cost of the
    lower-case and of the capitalised form, 0 where that form is unknown."""
    words = dict.fromkeys(ascii_letters, 1)
    for line in _read("everyday_words.txt").splitlines():
        costs, *listed = line.split()
        lower, capitalised = int(costs[0]), int(costs[1])
        words.update(dict.fromkeys(listed, lower))
        if capitalised:
            words.update((word.capitalize(), capitalised) for word in listed)
    return words


def _loose_pairs() -> frozenset[str]:
    """Neighbours of which nothing forbids that both stand alone: rare pairs, and where camelCase is cut."""
    rare = (group[0] + second for group in _read("rare_pairs.txt").split() for second in group[1:])
    humps = (lower + upper for lower in ascii_lowercase for upper in ascii_uppercase)
    return frozenset((*rare, *humps))


def _read_costs() -> bytearray:
    costs = bytearray(b"\4" * 0x800 + b"\6" * (0x10000 - 0x800))
    for line in _read("character_costs.txt").splitlines():
        halves, *ranges = line.split()
        for entry in ranges:
            first, _, last = entry.partition("-")
            start, end = int(first, 16), int(last or first, 16) + 1
            costs[start:end] = bytes([int(halves)]) * (end - start)
    return costs
