"""Whether two texts say the same of one subject but for one value: another number, day, date, time, version or setting,
or a negation.

A text is read as symbols: words by their stems, a value as a mark of its kind, whatever it is; negations and what
comes with them are left out and remembered by their place. Texts of the same symbols differ in values alone. A number
that names a thing (`room 12`) is a word: another number there is another subject.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain

import numpy

from loreweave.entities.stored_memory import PLACES
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE, are_opposites, is_telling
from loreweave.language.terms import stem

_NUMBERS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
    half once twice thrice first second third fourth fifth sixth seventh eighth ninth tenth
"""
_TIMES = """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april may june july august september october november december
    today tomorrow yesterday noon midnight morning afternoon evening night am pm
    hourly daily weekly fortnightly monthly quarterly yearly
"""
_UNITS = """
    second seconds minute minutes hour hours day days week weeks month months quarter quarters year years ms
    byte bytes kb mb gb tb kib mib gib percent euro euros dollar dollars pound pounds degrees
"""
_SWITCHES = """
    on off enabled disabled enable disable enables disables true false active inactive open closed allow deny forbid
    allowed denied forbidden allows denies forbids
"""
_LABELLED = """
    room user order ticket issue step chapter page floor server node host machine customer invoice case item task bug
    line number no nr id team group phase part section building gate platform flight bus route sprint pr figure table
    question answer day week house apartment suite unit employee account patient topic level
"""
_VALUES = frozenset(f"{_NUMBERS} {_TIMES}".split())
_UNIT_WORDS, _SWITCH_WORDS, _LABEL_WORDS = (frozenset(words.split()) for words in (_UNITS, _SWITCHES, _LABELLED))
_NEGATIONS = {"not": "", "never": "", "no": "", "cannot": "can", "without": "with"}
_BEFORE_NEGATION = {"do": "do", "does": "do", "did": "do", "wo": "will", "ca": "can", "sha": "shall"}
_SILENT = frozenset(("do", "does", "did", "always", *_NEGATIONS))
_DIGITS_OF = {word: str(number) for number, word in enumerate(_NUMBERS.split()[:21])}
_DIGITS_OF |= {word: str(10 * number) for number, word in enumerate(_NUMBERS.split()[20:28], start=2)}
_DIGITS = re.compile(r"v?\d+(?:[a-z]{1,3})?")
_WHOLE_VALUE = re.compile(r"=[$€£~<>+−-]*v?\d[\d.,:/'’-]*(?:[a-z%°]{1,3}[\d:.]*z?)?")
_VALUE, _SWITCH = "\0", "\1"  # symbols that no word is


def symbol(word: str) -> str:
    """What a word without its mark counts as where texts may differ in values; nothing for what is left out."""
    if _is_value(word) or word in _SILENT or word in _UNIT_WORDS or word in _SWITCH_WORDS:
        return ""
    if word.endswith("n't"):
        base = _BEFORE_NEGATION.get(word[:-3], word[:-3])
        return "" if base == "do" else stem(base)
    return word if word[0] == WHOLE else stem(word)


class _Signs(dict[str, int]):
    """Marked word → its place in `numbers`, where no other word has its numbers: as a telling word, and as a symbol;
    0 where it is none."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = numpy.zeros((1024, 2), dtype=numpy.uint64)
        self._lock = threading.Lock()

    def __missing__(self, marked: str) -> int:
        word = marked.removeprefix(NAME)
        told = symbol(word)
        with self._lock:
            place = self.get(marked, len(self))
            if place == len(self.numbers):
                self.numbers = numpy.concatenate((self.numbers, numpy.zeros_like(self.numbers)))
            self.numbers[place] = _number(word) if is_telling(word) else 0, _number(told) if told else 0
            self[marked] = place
        return place


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_SIGNS = _Signs()


def signs_of(contents: Sequence[Sequence[str]]) -> numpy.ndarray:
    """uint64, (signature, skeleton) of each content, given as marked words: equal for those of the same telling words,
    and for those that differ in values alone."""
    places = list(map(_SIGNS.__getitem__, chain.from_iterable(contents)))
    sums = numpy.zeros((len(places) + 1, 2), dtype=numpy.uint64)
    numpy.cumsum(_SIGNS.numbers[places], axis=0, out=sums[1:])
    ends = numpy.cumsum([0, *map(len, contents)])
    return sums[ends[1:]] - sums[ends[:-1]]


def differing_values(one: list[str], other: list[str]) -> tuple[str, str] | None:
    """The two values of texts, given as marked words, that differ in one value alone, as they are shown."""
    first, second = _Symbols(one), _Symbols(other)
    if first.symbols != second.symbols or not any(map(_tells, first.symbols)):
        return None
    differing = [place for place, value in first.values.items() if _plain(value) != _plain(second.values[place])]
    negated = first.negations.keys() ^ second.negations.keys()
    if len(differing) + len(negated) != 1:
        return None
    if negated:
        place = negated.pop()
        return first.negated(place), second.negated(place)
    place = differing[0]
    values = first.values[place], second.values[place]
    if first.symbols[place] == _SWITCH and not are_opposites(*map(_plain, values)):
        return None
    return _shown(*values)


def value_similarity(words: int) -> float:
    """Of texts of so many words that differ in one value."""
    return round(1.0 - 1.0 / max(2, words), PLACES)


@dataclass(slots=True)
class _Symbols:
    marked: list[str]
    symbols: list[str] = field(default_factory=list)
    spelled: list[str] = field(default_factory=list)  # for each symbol the word as it is shown
    values: dict[int, str] = field(default_factory=dict)  # by their places among the symbols
    told: dict[int, list[str]] = field(default_factory=dict)  # the words of each
    negations: dict[int, str] = field(default_factory=dict)  # place of what is negated: the negating word

    def __post_init__(self) -> None:
        previous, is_label = "", False
        for word in self.marked:
            bare = word.removeprefix(NAME)
            shown = bare.capitalize() if word[0] == NAME else bare.removeprefix(WHOLE)
            is_label = _is_value(bare) and bare not in _VALUES and (is_label or previous in _LABEL_WORDS)
            if is_label:
                self._add(bare, shown)
            else:
                self._take(bare, shown)
            previous = bare
        for place, words in self.told.items():  # at the end: a text may be one value of many thousand words
            self.values[place] = self.spelled[place] = " ".join(words)

    def _take(self, word: str, shown: str) -> None:
        last = len(self.symbols) - 1
        follows_value = last >= 0 and self.symbols[last] == _VALUE
        if follows_value and (_is_value(word) or word in _UNIT_WORDS):
            told = self.told[last]
            inner = re.findall(r"\w+", shown) if word[0] == WHOLE else []  # stands behind the words in it
            if inner and inner == [each.lower() for each in told[-len(inner) :]]:
                del told[-len(inner) :]
            told.append(shown)
        elif _is_value(word) or word in _SWITCH_WORDS:
            self.told[last + 1] = [shown]
            self._add(_VALUE if _is_value(word) else _SWITCH, shown)
        elif word in _NEGATIONS or word.endswith("n't"):
            self.negations[last + 1] = shown
            base = _NEGATIONS[word] if word in _NEGATIONS else symbol(word)
            if base:
                self._add(stem(base), shown)
        elif word not in _SILENT:
            self._add(word if word[0] == WHOLE else stem(word), shown)

    def _add(self, symbol: str, shown: str) -> None:
        self.symbols.append(symbol)
        self.spelled.append(shown)

    def negated(self, place: int) -> str:
        """What stands at a place, with its negation where there is one."""
        word = self.spelled[place] if place < len(self.spelled) else ""
        negation = self.negations.get(place, "")
        return word if negation == word else f"{negation} {word}".strip() or "…"


def _is_value(word: str) -> bool:
    return word in _VALUES or (_WHOLE_VALUE if word[0] == WHOLE else _DIGITS).fullmatch(word) is not None


def _tells(symbol: str) -> bool:
    return symbol not in (_VALUE, _SWITCH) and symbol not in STOP_WORDS


def _plain(value: str) -> str:
    return " ".join(_DIGITS_OF.get(word, word) for word in value.lower().split())


def _shown(one: str, other: str) -> tuple[str, str]:
    """Without the words that both begin or end with."""
    first, second = one.split(), other.split()
    most = min(len(first), len(second)) - 1
    begin = end = 0
    while begin < most and _plain(first[begin]) == _plain(second[begin]):
        begin += 1
    while end < most - begin and _plain(first[-1 - end]) == _plain(second[-1 - end]):
        end += 1
    return " ".join(first[begin : len(first) - end]), " ".join(second[begin : len(second) - end])
