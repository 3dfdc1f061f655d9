"""Whether two texts hardly differ: at most in case, marks and spacing, and in about one word of ten.

Words that differ must say nothing about the subject: no number, name, identifier or negation, and no word that the
language does not know, unless it is a misspelling or another form of the word in its place.
"""

from __future__ import annotations

from collections import Counter

from loreweave.language.edits import within_one_edit
from loreweave.language.telling_words import NAME, are_opposites, is_known, is_telling
from loreweave.language.terms import stem

WORDS_A_DIFFERENCE = 9
_SHORTEST_MISSPELT = 5
_PLACES = 6


def differences_allowed(words: int) -> int:
    """Of two texts, of which the longer has so many words."""
    return words // WORDS_A_DIFFERENCE


def differences_reached(words: int) -> int:
    """The most that a text of so many words may differ from any other: from one that is longer by just as many."""
    return words // (WORDS_A_DIFFERENCE - 1)


def compare_words(one: list[str], other: list[str]) -> float | None:
    """How similar two texts are, given their marked words; None where they differ in more than may be."""
    longest = max(len(one), len(other))
    if not longest:
        return None
    allowed = differences_allowed(longest)
    differences = count_differences(one, other, allowed)
    return None if differences > allowed or _contradict(one, other) else round(1.0 - differences / longest, _PLACES)


def count_differences(one: list[str], other: list[str], allowed: int) -> int:
    """The least number of harmless changes that make the texts equal; more than `allowed` where there is none."""
    one, other = _without_equal_ends(one, other)
    far = allowed + 1
    if abs(len(one) - len(other)) > allowed:
        return far
    previous = _first_row(other, far)
    for row, word in enumerate(one, start=1):
        current = [far] * (len(other) + 1)
        harmless = is_harmless(word)
        for column in range(max(0, row - allowed), min(len(other), row + allowed) + 1):
            best = previous[column] + 1 if harmless else far
            if column:
                facing = other[column - 1]
                if _bare(word) == _bare(facing):
                    best = min(best, previous[column - 1])
                elif previous[column - 1] < allowed and may_replace(word, facing):
                    best = min(best, previous[column - 1] + 1)
                if current[column - 1] < allowed and is_harmless(facing):
                    best = min(best, current[column - 1] + 1)
            current[column] = min(best, far)
        if min(current) >= far:
            return far
        previous = current
    return previous[-1]


def _contradict(one: list[str], other: list[str]) -> bool:
    """Whether one text has a word too many whose opposite the other has, wherever they stand."""
    first, second = Counter(map(_bare, one)), Counter(map(_bare, other))
    return any(are_opposites(word, facing) for word in first - second for facing in second - first)


def is_harmless(marked: str) -> bool:
    return marked[0] != NAME and not is_telling(marked) and is_known(marked)


def may_replace(one: str, other: str) -> bool:
    if NAME in (one[0], other[0]) or is_telling(one) or is_telling(other) or are_opposites(one, other):
        return False
    if is_known(one) and is_known(other):
        return True
    return stem(one) == stem(other) or (min(len(one), len(other)) >= _SHORTEST_MISSPELT and within_one_edit(one, other))


def _first_row(other: list[str], far: int) -> list[int]:
    row = [0]
    for word in other:
        row.append(min(far, row[-1] + 1) if row[-1] < far and is_harmless(word) else far)
    return row


def _without_equal_ends(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    shortest = min(len(one), len(other))
    front = 0
    while front < shortest and _bare(one[front]) == _bare(other[front]):
        front += 1
    back = 0
    while back < shortest - front and _bare(one[-1 - back]) == _bare(other[-1 - back]):
        back += 1
    return one[front : len(one) - back], other[front : len(other) - back]


def _bare(marked: str) -> str:
    return marked.removeprefix(NAME)
