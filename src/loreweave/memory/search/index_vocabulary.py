"""Numbers for the words, scopes and tags of an index. They grow and are never taken back.

Results never depend on them: another process numbers otherwise and finds the same.
"""

from __future__ import annotations

import numpy

from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE, is_telling
from loreweave.language.terms import stem

Array = numpy.ndarray
NO_TERM = -1


class IndexVocabulary:
    """Written by one thread at a time; whoever reads meanwhile sees old numbers unchanged."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.spellings: list[str] = []
        self.terms: dict[str, int] = {}
        self.tokens = _Tokens(self)
        self.scopes: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        self._facts = numpy.zeros((1024, 3), dtype=numpy.int32)  # a word: its term, is it telling, is it a stop word

    def number(self, word: str) -> int:
        """Of a word without its mark."""
        known = self.words.get(word)
        if known is None:
            known = len(self.spellings)
            if known == len(self._facts):
                self._facts = numpy.concatenate((self._facts, numpy.zeros_like(self._facts)))
            self._facts[known] = (self._term(word), is_telling(word), word in STOP_WORDS)
            self.spellings.append(word)
            self.words[word] = known
        return known

    def scope(self, name: str) -> int:
        return self.scopes.setdefault(name, len(self.scopes))

    def tag(self, name: str) -> int:
        return self.tags.setdefault(name, len(self.tags))

    def terms_of(self, tokens: Array) -> Array:
        """The term of each token, NO_TERM for what is not searched by words."""
        return self._facts[tokens >> 1, 0]

    def telling(self, tokens: Array) -> Array:
        return self._facts[tokens >> 1, 1].astype(bool)

    def stopping(self, tokens: Array) -> Array:
        return self._facts[tokens >> 1, 2].astype(bool)

    def _term(self, word: str) -> int:
        if word[0] == WHOLE:
            return NO_TERM
        return self.terms.setdefault(stem(word), len(self.terms))


class _Tokens(dict[str, int]):
    """Marked word → twice the number of the word, and one more where it is written as a name."""

    def __init__(self, vocabulary: IndexVocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, marked: str) -> int:
        is_name = marked[0] == NAME
        token = self[marked] = 2 * self._vocabulary.number(marked[is_name:]) + is_name
        return token
