"""Words that decide what a text is about, so that two texts that differ in one of them speak of different things.

Numbers, identifiers and names are told by how they are written; the words listed here look like any other.
"""

import re
from functools import cache
from pathlib import Path

from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.tokens import TABLES

NAME = "^"  # opens a word that is written as a name
WHOLE = "="  # opens a number or an identifier as it stands, beside the words in it

_LIST = """
    no not never none nobody nothing nowhere neither nor cannot without except unless hardly barely
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february april june july august september october november december
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half twice
"""
TELLING = frozenset(_LIST.split())
_OPENING_LIST = """
    please note remember also currently now then however today usually generally normally often sometimes use used using
    keep make sure check see run set everything everyone something people users user one another many much several there
"""
_OPENERS = frozenset(_OPENING_LIST.split())
_NEGATING = ("un", "dis", "non", "in", "im", "ir", "mis")
_NO_GROUP: frozenset[int] = frozenset()
_DIGIT = re.compile(r"\d")


def is_telling(word: str) -> bool:
    """Whether another word in its place makes another text, however it is written."""
    return (
        word[0] == WHOLE
        or word in TELLING
        or word.endswith("n't")
        or (len(word) == 1 and word != "a")
        or _DIGIT.search(word) is not None
    )


def is_known(word: str) -> bool:
    """A word of the language, as far as names and jargon can be told from it."""
    return word in STOP_WORDS or word in TABLES().words


def may_open_sentence(word: str) -> bool:
    """Whether its capital letter says nothing where a sentence begins."""
    return word in STOP_WORDS or word in _OPENERS


def are_opposites(one: str, other: str) -> bool:
    """Words that exclude each other where one stands for the other: `fast` and `slow`, `able` and `unable`."""
    short, long = sorted((one, other), key=len)
    negated = len(short) > 2 and any(long == prefix + short for prefix in _NEGATING)
    return negated or not _groups().get(one, _NO_GROUP).isdisjoint(_groups().get(other, _NO_GROUP))


@cache
def _groups() -> dict[str, frozenset[int]]:
    """The groups each word is in; a comma or a line end parts two groups."""
    found: dict[str, set[int]] = {}
    lines = Path(__file__).with_name("contrasting_words.txt").read_text("utf-8").replace(",", "\n").splitlines()
    for number, group in enumerate(lines):
        for word in group.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
