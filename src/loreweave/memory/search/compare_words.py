"""Whether two texts hardly differ: at most in case, marks and spacing, and in about one word of ten.

Words that differ must say nothing about the subject: no number, name, identifier or negation, and no word that the
language does not know, unless it is a misspelling or another form of the word in its place.
"""

from __future__ import annotations

from collections import Counter

from loreweave.entities.stored_memory import PLACES
from loreweave.language.edits import within_one_edit
from loreweave.language.telling_words import NAME, are_opposites, is_known, is_telling
from loreweave.language.terms import stem

WORDS_A_DIFFERENCE = 9
MOST_DIFFERENCES = 64  # however long the texts
_SHORTEST_MISSPELT = 5


def differences_allowed(words: int) -> int:
    """Of two texts, of which the longer has so many words."""
    return min(words // WORDS_A_DIFFERENCE, MOST_DIFFERENCES)


def differences_reached(words: int) -> int:
    """The most that a text of so many words may differ from any other: from one that is longer by just as many."""
    return min(words // (WORDS_A_DIFFERENCE - 1), MOST_DIFFERENCES)


def compare_words(one: list[str], other: list[str]) -> float | None:
    """How similar two texts are, given their marked words; None where they differ in more than may be."""
    longest = max(len(one), len(other))
    if not longest:
        return None
    allowed = differences_allowed(longest)
    differences = count_differences(one, other, allowed)
    return None if differences > allowed or _contradict(one, other) else round(1.0 - differences / longest, PLACES)


def count_differences(one: list[str], other: list[str], allowed: int) -> int:
    """The least number of harmless changes that make the texts equal; more than `allowed` where there is none."""
    one, other = _without_equal_ends(one, other)
    width = min(2, allowed)
    while True:  # most twins differ little, and a narrow band is walked quickly
        found = _count_within(one, other, width)
        if found <= width or width == allowed:
            return found
        width = min(2 * width, allowed)


def _count_within(one: list[str], other: list[str], allowed: int) -> int:
    """The same for texts whose differing parts are given: word by word along a band around the diagonal."""
    far = allowed + 1
    if abs(len(one) - len(other)) > allowed:
        return far
    harmless = [is_harmless(word) for word in other]
    previous = _first_row(harmless, allowed)
    for row, word in enumerate(one, start=1):
        current = _next_row(previous, row - allowed, word, other, harmless)
        if min(current) >= far:
            return far
        previous = current
    return previous[len(other) - len(one) + allowed]


def _first_row(harmless: list[bool], allowed: int) -> list[int]:
    """What it takes to begin with so many words of the other text; places before its first word are too far."""
    row = [allowed + 1] * allowed + [0]
    for place in range(allowed):
        may_add = place < len(harmless) and harmless[place]
        row.append(min(row[-1] + 1, allowed + 1) if may_add else allowed + 1)
    return row


def _next_row(previous: list[int], first: int, word: str, other: list[str], harmless: list[bool]) -> list[int]:
    """`first` is the column of the band's first place."""
    far = (len(previous) + 1) // 2
    current = [far] * len(previous)
    is_free = is_harmless(word)
    bare = _bare(word)
    for place in range(max(0, -first), min(len(previous), len(other) - first + 1)):
        column = first + place
        best = previous[place + 1] + 1 if is_free and place + 1 < len(previous) else far
        if column:
            facing, across = other[column - 1], previous[place]
            if _bare(facing) == bare:
                best = min(best, across)
            elif across + 1 < best and may_replace(word, facing):
                best = across + 1
            if place and harmless[column - 1]:
                best = min(best, current[place - 1] + 1)
        current[place] = min(best, far)
    return current


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
