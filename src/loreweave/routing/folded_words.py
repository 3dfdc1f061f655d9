"""The words of a message as scorers compare them: folded, of any script, singular."""

from __future__ import annotations

from loreweave.language.folding import fold
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words

_SHORTEST_PLURAL = 4  # letters; `bus` and `is` are no plurals


def folded_words(text: str) -> list[str]:
    """All words in order, without the plural s."""
    return [singular(word) for word in words(fold(text))]


def telling_set(text: str) -> frozenset[str]:
    """The set of words without stop words."""
    return frozenset(singular(word) for word in words(fold(text)) if word not in STOP_WORDS)


def singular(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
