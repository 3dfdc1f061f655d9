"""What can be learned from utterances that belong to skills: where their meaning lies, and which words tell.

A candidate's score is the cosine between the message and the middle of its texts, and beside it the mean
log-odds of the message's words and pairs of words for this candidate against the others (naive Bayes).
Meaning carries over to words never seen; the words tell neighbours in meaning apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import mul
from typing import Any

from loreweave.routing.folded_words import folded_words
from loreweave.routing.route_errors import SkillGraphError

_SMOOTHING = 0.01
_WORDS_WEIGHT = 0.2  # chosen on the validation part of a public set of intents; flat between 0.1 and 0.5


class ExampleIndex:
    """The texts of each candidate, counted and averaged."""

    def __init__(self, texts: Sequence[Sequence[str]], vectors: Sequence[list[float]]) -> None:
        self._centres: list[list[float]] = []
        start = 0
        for some in texts:
            self._centres.append(_centre(vectors[start : start + len(some)]))
            start += len(some)
        self._words = WordOdds([Counter(feature for text in some for feature in features(text)) for some in texts])

    def score(self, message: str, vector: list[float]) -> list[float]:
        odds = self._words.score(message)
        return [cosine(vector, centre) + _WORDS_WEIGHT * odd for centre, odd in zip(self._centres, odds, strict=True)]


class WordOdds:
    """For each candidate: how much likelier the message's words are there than elsewhere; a mean of logarithms."""

    def __init__(self, counts: Sequence[Counter[str]]) -> None:
        totals: Counter[str] = Counter()
        for count in counts:
            totals.update(count)
        every, spread = totals.total(), _SMOOTHING * max(1, len(totals))
        sizes = [count.total() for count in counts]
        self._size_odds = [math.log((every - size + spread) / (size + spread)) for size in sizes]
        self._absent = {word: math.log(_SMOOTHING / (total + _SMOOTHING)) for word, total in totals.items()}
        self._gains: dict[str, list[tuple[int, float]]] = {word: [] for word in totals}
        for place, count in enumerate(counts):
            for word, times in count.items():
                present = math.log((times + _SMOOTHING) / (totals[word] - times + _SMOOTHING))
                self._gains[word].append((place, present - self._absent[word]))

    def score(self, message: str) -> list[float]:
        asked = features(message)
        known = [word for word in asked if word in self._gains]
        base = math.fsum(self._absent[word] for word in known)
        scores = [base + len(known) * odds for odds in self._size_odds]
        for word in known:
            for place, gain in self._gains[word]:
                scores[place] += gain
        return [score / max(1, len(asked)) for score in scores]


def features(text: str) -> list[str]:
    """Words and pairs of neighbours, with the ends marked; each once, in order."""
    found = folded_words(text)
    return list(dict.fromkeys([*found, *(f"{one} {other}" for one, other in pairwise(("^", *found, "$")))]))


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Zero where one of them is zero."""
    lengths = math.sqrt(sum(map(mul, one, one))) * math.sqrt(sum(map(mul, other, other)))
    return sum(map(mul, one, other)) / lengths if lengths else 0.0


def read_vectors(answered: Any, count: int) -> list[list[float]]:
    """Plain numbers, whatever kind of array the embedder answers."""
    rows = answered.tolist() if hasattr(answered, "tolist") else answered
    try:
        vectors = [[float(number) for number in row] for row in rows]
    except (TypeError, ValueError) as error:
        raise SkillGraphError(f"an embedder must answer a list of vectors: {error}") from error
    if len(vectors) != count:
        raise SkillGraphError(f"the embedder answered {len(vectors)} vectors for {count} texts")
    if len({len(vector) for vector in vectors}) > 1:
        raise SkillGraphError("the embedder answered vectors of unequal dimensions")
    return vectors


def _centre(vectors: Sequence[list[float]]) -> list[float]:
    """The mean direction."""
    middle = [0.0] * len(vectors[0])
    for vector in vectors:
        length = math.sqrt(sum(map(mul, vector, vector)))
        if length:
            middle = [total + number / length for total, number in zip(middle, vector, strict=True)]
    return middle
