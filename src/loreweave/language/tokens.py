"""How many tokens a text costs at most: a count that no common tokenizer exceeds.

Tokenizers cut a text into words, digits and marks and merge bytes inside each piece until no two
neighbours form a token. Hence the bounds used here: a word known to be one token costs 1; of an unknown
run of letters no two neighbours stand alone when they form a token as a pair, which leaves at most two
thirds of them (and a third more for each pair that is rare or falls between two words, as in camelCase).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import add
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase

_FOLDER = Path(__file__).parent


class Tables:
    """Known words, mark groups, rare letter pairs and what characters beyond ASCII cost."""

    def __init__(self) -> None:
        self.words = _read_words()
        self.mark_groups = frozenset(_read("mark_groups.txt").split())
        self.loose_pairs = _read_loose_pairs()
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


def _read_loose_pairs() -> frozenset[str]:
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


_PIECES = re.compile(
    r"'(?:[sdmt]|ll|ve|re)(?![A-Za-z])|(?P<split>'(?i:[sdmtſ]|ll|ve|re))"
    r"|(?P<letters>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<other>[^\x00-\x7f]+)|(?P<marks>[^A-Za-z0-9\x80-\U0010ffff]+)"
)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_EQUAL_MARKS = re.compile(r"([#%*+\-./;=_~])\1{4,}+")
_PLAIN_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")  # of ASCII without an apostrophe
_BLANK_RUNS = re.compile(r"  +")
_LINE_STARTS = re.compile(r"\n(\S+)")
_WIDE_STARTS = re.compile(r"[^\S ](\S+)")
_NOT_LETTERS = re.compile(r"[^A-Za-z]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_WHITESPACE = re.compile(r"\s+")

_ONE_WITH_BLANK = frozenset("–—‘’“”„•…→")  # one token together with the blank in front

_MEMO_SIZE = 60_000
_MEMO_LENGTH = 100
_CAMEL_LENGTH = 40  # longer runs of letters are keys rather than names in camelCase
_LONG = 1000  # chunks beyond this are keys, minified code or scripts without blanks: no words to look up


class _Costs(dict[str, int]):
    """Half tokens, worked out when first met: texts repeat most of their chunks, and chunks most of their pieces."""

    def __init__(self, cost: Callable[[str], int]) -> None:
        super().__init__()
        self._cost = cost

    def __missing__(self, text: str) -> int:
        halves = self._cost(text)
        if len(text) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_SIZE:
                self.clear()
            self[text] = halves
        return halves


def _piece_halves(piece: str, first: bool) -> int:
    """A run of letters, of digits or of marks; `first`: behind a blank."""
    if piece.isalpha():
        return 2 * _letter_tokens(piece, first, False, TABLES())
    return 2 * (len(piece) + first if piece.isdigit() else _mark_tokens(piece, first, TABLES()))


_first_pieces, _pieces = _Costs(partial(_piece_halves, first=True)), _Costs(partial(_piece_halves, first=False))


def _halves(chunk: str, blank_before: bool) -> int:
    if len(chunk) > _LONG or "'" in chunk or not chunk.isascii():
        return _chunk_halves(chunk, blank_before, TABLES())
    first, *more = _PLAIN_PIECES.findall(chunk)
    return (_first_pieces if blank_before else _pieces)[first] + sum(map(_pieces.__getitem__, more))


_after_blank, _at_start = _Costs(partial(_halves, blank_before=True)), _Costs(partial(_halves, blank_before=False))


def count_tokens(text: str) -> int:
    """An upper bound of the tokens of a text, and for plain English not far above them."""
    if not text:
        return 0
    chunks = text.split()
    newlines = text.count("\n")
    if text.count(" ") + newlines + sum(map(len, chunks)) == len(text):
        whitespace = newlines + blank_tokens(text)
        starts = _LINE_STARTS.findall(text)
    else:
        whitespace = _whitespace_tokens(text)
        starts = _WIDE_STARTS.findall(text)
    if chunks and text[0] == chunks[0][0]:
        starts.append(chunks[0])
    halves = 2 * whitespace + sum(map(_after_blank.__getitem__, chunks))
    # Chunks at the start of a line were counted as if a blank stood before them; long ones cost the same.
    starts = [chunk for chunk in starts if len(chunk) <= _LONG]
    halves += sum(map(_at_start.__getitem__, starts)) - sum(map(_after_blank.__getitem__, starts))
    return (halves + 1) // 2


def chunk_halves(chunks: Iterable[str], blank_before: bool) -> Iterator[int]:
    """Half tokens of each chunk without whitespace, with or without a blank in front of it."""
    return map((_after_blank if blank_before else _at_start).__getitem__, chunks)


def blank_tokens(text: str) -> int:
    """Runs of blanks; a lone blank belongs to the word behind it, if there is one."""
    runs = sum((len(run) + 15) // 16 for run in _BLANK_RUNS.findall(text))
    return runs + text.endswith(" ")


def _whitespace_tokens(text: str) -> int:
    """The same with tabs and stranger blanks in the text: a token for each of their bytes, and one more
    where such a blank touches a word, which it may spoil."""
    tokens = int(text.endswith(" "))
    for run, count in Counter(_WHITESPACE.findall(text)).items():
        bare = run.strip(" \n")
        if bare:
            tokens += (len(run.encode("utf-8", "surrogatepass")) + (run[-1] not in " \n")) * count
        else:
            tokens += (run.count("\n") + blank_tokens(run + "x")) * count
    return tokens


def _chunk_halves(chunk: str, blank_before: bool, tables: Tables) -> int:
    """Half tokens of text without whitespace."""
    if len(chunk) > _LONG:
        return _long_halves(chunk, tables)
    if blank_before and chunk[0] == "'":  # the blank takes the apostrophe; what follows starts afresh
        return 2 + _chunk_halves(chunk[1:], False, tables)
    halves = 0
    glued = False  # to letters beyond ASCII, with which letters form one word
    previous: str | None = ""
    for piece in _PIECES.finditer(chunk):
        kind, text = piece.lastgroup, piece[0]
        first = blank_before and piece.start() == 0
        if kind == "letters":
            glued = glued or not chunk[piece.end() : piece.end() + 1].isascii()
            halves += 2 * _letter_tokens(text, first, glued, tables)
        elif kind == "digits":
            halves += 2 * (len(text) + first)
        elif kind == "other":
            halves += sum(map(tables.character_halves, text)) + 2 * (first and text[0] not in _ONE_WITH_BLANK)
        elif kind == "marks":
            halves += 2 * _mark_tokens(text, first, tables)
        elif text.islower() and text.isascii():  # 's and its like: one token, or the start of another word
            halves += 2 if previous == "letters" and kind is None else 4
        else:  # 'rE has no token of its own, nor has 'ſ, which tokenizers take for 's
            halves += 2 * len(text.encode())
        glued = kind == "other"
        previous = kind
    return halves


def _long_halves(chunk: str, tables: Tables) -> int:
    """The same bounds for a whole chunk at once, without a step per piece."""
    words = _NOT_LETTERS.sub(" ", chunk)
    runs = len(words.split())
    letters = len(words) - words.count(" ")
    loose = _loose_pairs(words, tables)
    beyond = _BEYOND_ASCII.findall(chunk)
    marks = len(chunk) - letters - sum(map(len, beyond))
    tokens = 1 + (2 * letters + loose + runs) // 3 + marks + chunk.count("'")
    return 2 * tokens + sum(tables.character_halves(one) * n for one, n in Counter("".join(beyond)).items())


def _loose_pairs(run: str, tables: Tables) -> int:
    return sum(map(tables.loose_pairs.__contains__, map(add, run, run[1:])))


def _letter_tokens(run: str, blank_before: bool, glued: bool, tables: Tables) -> int:
    if not glued:
        known = tables.words.get(run)
        if known is not None:
            return 1 if blank_before else known
    length = len(run)
    loose = _loose_pairs(run, tables)
    bound = 1 + (2 * length + loose) // 3 if blank_before else (2 * length + loose + 1) // 3
    if loose and not glued and length < _CAMEL_LENGTH:
        parts = _CAMEL.findall(run)
        if all(part in tables.words for part in parts):
            return min(bound, 2 * len(parts))
    return bound


def _mark_tokens(run: str, blank_before: bool, tables: Tables) -> int:
    if len(run) > 1:
        if run in tables.mark_groups:
            return 1
        tokens = len(run)
        for equal in _EQUAL_MARKS.finditer(run):
            length = equal.end() - equal.start()
            tokens -= max(0, length - 4 - length // 8)
        return tokens + blank_before
    return 1 + (blank_before and not run.isprintable())
