"""The figures that ordering passages depends on, and what words alone say about every row.

The figures were fitted together and are changed together. They stand where their neighbours do as well, for questions
of documentation, notes and skills as for headings, links and sentences of a site.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy

from loreweave.index.index_arrays import Array, IndexArrays, Rows, begins_of
from loreweave.index.vocabulary import Vocabulary
from loreweave.index.weigh_entries import Impacts, Weights
from loreweave.knowledge.packs.read_query import SectionQuery, Slot
from loreweave.language.identifiers import HEADED, WHOLE
from loreweave.language.stop_words import QUESTION_WORDS, STOP_WORDS
from loreweave.language.terms import stem


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Of a row by words, names and meaning, where the best by words has 1; then of its page, and of packs."""

    words: Weights = field(default_factory=Weights)
    name: float = 1.3  # that says just the query
    sentence: float = 0.8  # with many words of the query: it may say in passing what a name stands for
    same: float = 0.5  # a name that is the query word for word, beside those that only come near
    opening: float = 0.05  # a page's opening beside its parts: who names a page means all of it
    cover: float = 0.3  # of a row that holds every word
    cover_power: float = 4.0
    meaning: float = 1.0  # of the nearest row
    said_meaning: float = 0.2  # the same where one row holds all the words: the question decides
    said_from: float = 0.8  # of the words, from where on a row begins to say the question
    said_lift: float = 0.03  # of what a page adds, where the question is said by one row
    similarity_floor: float = 0.1  # cosine above the usual that a row without any of the words needs
    commonness: float = 0.15  # taken off for what is near to everything, as long and general passages are
    evidence: tuple[float, ...] = (1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5)  # a page is as good as its passages
    page_meaning: float = 0.5  # of meaning in what speaks for a page
    page_nearest: float = 0.2  # of its nearest passage, however little its words say for it
    page_lift: float = 6.0  # of a section among results by its page
    # What puts rows above others whatever their words:
    first: float = 20.0  # holders of a typed identifier
    named: float = 10.0  # what is called just as was typed
    named_page: float = 1.0  # a page of that name, above a section of that name
    alike: float = 5.0  # what is called so in other forms or another order of the words
    # Of packs:
    pack_page_lift: float = 0.3  # of a passage by its note: more would fill a pack with one note
    link_lift: float = 0.1  # of a passage by the links to its note
    long_discount: float = 0.3  # a passage of twice the usual length must say more to be worth its tokens
    least_cover: float = 0.35  # what the best note has, however few of the words it holds: it may say them otherwise
    # What the best rows speak of beside a question is asked for as well:
    expanded_words: int = 3  # of a question that is worth it, at least
    expanding_rows: int = 10
    expanding_keys: int = 15
    expansion: float = 0.35  # of the most telling key, beside a word that was asked for
    common_share: float = 0.2  # of the rows: a key in more of them tells nothing


RANKING = RankingWeights()

MOST_COVERED = 8  # alternatives of a word that are looked for
SHORTEST = 3  # letters of a key that is asked for beside the question


class WordScores:
    """What words say about every row of an index; what all questions need is made once."""

    def __init__(self, arrays: IndexArrays, vocabulary: Vocabulary, weights: RankingWeights) -> None:
        self._arrays = arrays
        self._weights = weights
        self._impacts = Impacts(arrays, weights.words)
        self.rarity = _word_rarity(arrays)
        self.telling_rarity = self.rarity.copy()  # stop words have none
        self.telling_rarity[_numbers(vocabulary, QUESTION_WORDS)] = 0.0
        self._expands = self.rarity > 0.0
        self._expands[_numbers(vocabulary, STOP_WORDS)] = False
        self._expands[arrays.holders > weights.common_share * len(arrays.sections)] = False

    def holders(self, key: int) -> Array:
        return self._impacts.of(key)[0]

    def of(self, slots: Iterable[Slot]) -> Array:
        """A row: the sum of its best alternatives."""
        total = numpy.zeros(len(self._arrays.sections), dtype=numpy.float32)
        for slot in slots:
            key, weight = slot.alternatives[0]
            holders, impacts = self._impacts.of(key)
            if len(slot.alternatives) == 1:
                total[holders] += numpy.float32(weight) * impacts
                continue
            best = numpy.zeros_like(total)
            for key, weight in slot.alternatives:
                holders, impacts = self._impacts.of(key)
                best[holders] = numpy.maximum(best[holders], numpy.float32(weight) * impacts)
            total += best
        return total

    def cover(self, wanted: SectionQuery) -> Array:
        """A row: the share of the words asked for that it holds, each by its rarity, each once."""
        held, whole = numpy.zeros(len(self._arrays.sections), dtype=numpy.float32), 0.0
        for slot in wanted.slots:
            if slot.asked:
                rarity = self.rarity[slot.alternatives[0][0]]
                whole += float(rarity)
                rows = [self.holders(key) for key, _ in slot.alternatives[:MOST_COVERED]]
                held[rows[0] if len(rows) == 1 else self.marked(rows)] += rarity
        return numpy.minimum(1.0, held / max(1e-9, whole))

    def marked(self, holders: Iterable[Array]) -> Array:
        """Whether a row is among any of these."""
        marked = numpy.zeros(len(self._arrays.sections), dtype=bool)
        for rows in holders:
            marked[rows] = True
        return marked

    def expansion(self, rows: Array, scores: Array, wanted: SectionQuery) -> list[Slot]:
        """The most telling words of the best rows, asked for as well: how much the scores speak for a word, times its
        rarity; ties in the order of the words."""
        weights = self._weights
        if wanted.first or sum(slot.asked for slot in wanted.slots) < weights.expanded_words:
            return []
        kept = largest(scores, weights.expanding_rows)
        kept = kept[numpy.lexsort((rows[kept], -scores[kept]))][: weights.expanding_rows]
        best, scores = rows[kept], scores[kept]
        keys, owners = Rows(self._arrays.passage_keys, self._arrays.passage_starts).of(best)
        expands = self._expands.copy()
        expands[[key for slot in wanted.slots for key, _ in slot.alternatives]] = False
        kept = expands[keys]
        mentions = numpy.sort(keys[kept].astype(numpy.int64) * len(best) + owners[kept])
        firsts = begins_of(mentions)
        counts = numpy.append(firsts[1:], len(mentions)) - firsts
        keys, owners = numpy.divmod(mentions[firsts], max(1, len(best)))
        keys, own = numpy.unique(keys, return_inverse=True)
        worth = (numpy.bincount(own, weights=scores[owners] * counts / (counts + 1.0)) * self.rarity[keys]).round(9)
        told = numpy.flatnonzero(worth != 0)
        told = told[largest(worth[told], 2 * weights.expanding_keys)]
        order = told[numpy.lexsort((told, -worth[told]))]
        pairs = zip(keys[order].tolist(), worth[order].tolist(), strict=True)
        chosen = [pair for pair in pairs if len(self._arrays.keys[pair[0]]) >= SHORTEST][: weights.expanding_keys]
        return [Slot(((key, weights.expansion * (own / chosen[0][1])),), asked=False) for key, own in chosen]


def largest(scores: Array, count: int) -> Array:
    """Places of the largest scores, in order of place; of equal ones all, or none."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    return numpy.flatnonzero(scores >= numpy.partition(scores, -count)[-count])


def _word_rarity(arrays: IndexArrays) -> Array:
    """The rarity of keys that are words; wholes stand beside their parts and count nothing more."""
    rarity = numpy.array(arrays.rarity)
    for mark in (WHOLE, HEADED):
        rarity[bisect_left(arrays.keys, mark) : bisect_left(arrays.keys, chr(ord(mark) + 1))] = 0.0
    return rarity


def _numbers(vocabulary: Vocabulary, words: Iterable[str]) -> list[int]:
    return [number for number in {vocabulary.number(stem(word)) for word in words} if number >= 0]
