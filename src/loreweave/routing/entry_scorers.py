"""The scorers that come with the product: by words, or by the meaning an embedder sees.

What can be learned from utterances that belong to skills is where their meaning lies, and which words tell. A score
is then the cosine between the message and the middle of a candidate's texts, and beside it the mean log-odds of the
message's words and pairs of words for this candidate against the others (naive Bayes). Meaning carries over to words
never seen; the words tell neighbours in meaning apart.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from operator import mul
from typing import Any

from loreweave.language.slug import fold
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words
from loreweave.routing.entry_values import EntryCandidate, TextEmbedder, check_embedder
from loreweave.routing.graph_problems import SkillGraphError

_KEPT_INDEXES = 8  # candidates change with the conditions of entries; a few sets of them recur
_SMOOTHING = 0.01
_WORDS_WEIGHT = 0.2  # chosen on the validation part of a public set of intents; flat between 0.1 and 0.5
_SHORTEST_PLURAL = 4  # letters; `bus` and `is` are no plurals


class KeywordScorer:
    """Cosine of the sets of words; where a candidate has examples, of the text that is nearest."""

    name = "keyword"

    def score(self, message: str, candidates: Sequence[EntryCandidate]) -> list[float]:
        asked = telling_set(message)
        return [max(_set_cosine(asked, _known_set(text)) for text in texts_of(one)) for one in candidates]


class EmbeddingScorer:
    """Cosine of message and description. Where there are examples, what was learned from them decides.

    One call to the embedder a scoring: of the message and all texts, or of the message alone once the examples
    of these candidates are known.
    """

    name = "embedding"

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self._indexes: dict[tuple[EntryCandidate, ...], ExampleIndex] = {}

    async def score(self, message: str, candidates: Sequence[EntryCandidate]) -> list[float]:
        if not any(one.examples for one in candidates):
            vectors = await self._embed([message, *(one.text for one in candidates)])
            return [cosine(vectors[0], vector) for vector in vectors[1:]]
        key = tuple(candidates)
        index = self._indexes.get(key)
        if index is None:
            texts = [texts_of(one) for one in candidates]
            vectors = await self._embed([message, *(text for some in texts for text in some)])
            index = ExampleIndex(texts, vectors[1:])
            while len(self._indexes) >= _KEPT_INDEXES:
                self._indexes.pop(next(iter(self._indexes)), None)
            self._indexes[key] = index
        else:
            vectors = await self._embed([message])
        return index.score(message, vectors[0])

    async def _embed(self, texts: list[str]) -> list[list[float]]:
        answered: Any = self._embedder.embed(texts)
        if inspect.isawaitable(answered):
            answered = await answered
        return plain_vectors(answered, len(texts))


def keyword_scorer() -> KeywordScorer:
    """Scores by the words that message and description share; needs nothing."""
    return KeywordScorer()


def embedding_scorer(embedder: TextEmbedder) -> EmbeddingScorer:
    """Scores by meaning; an embedder has `embed(texts)`, plain or async."""
    return EmbeddingScorer(check_embedder(embedder))


def texts_of(candidate: EntryCandidate) -> tuple[str, ...]:
    return candidate.text, *getattr(candidate, "examples", ())


def _set_cosine(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    return len(one & other) / math.sqrt(len(one) * len(other))


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


def plain_vectors(answered: Any, count: int) -> list[list[float]]:
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


_known_set = lru_cache(maxsize=16_384)(telling_set)  # of descriptions and examples, which come again
