"""The scorers that come with the product: by words, or by the meaning an embedder sees."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from loreweave.routing.entry_values import EntryCandidate, TextEmbedder, check_embedder
from loreweave.routing.example_index import ExampleIndex, cosine, read_vectors
from loreweave.routing.folded_words import telling_set

_known_set = lru_cache(maxsize=16_384)(telling_set)  # of descriptions and examples, which come again
_KEPT_INDEXES = 8  # candidates change with the conditions of entries; a few sets of them recur


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
        return read_vectors(answered, len(texts))


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
