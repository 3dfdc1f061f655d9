"""The one ranker over passages: packs, search and answers order by it, whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy

from loreweave.index.index_arrays import Array, IndexArrays, begins_of
from loreweave.index.nearness import Nearness, compare
from loreweave.index.vocabulary import Vocabulary
from loreweave.knowledge.packs.agreement import agree
from loreweave.knowledge.packs.read_query import GlossaryNames, SectionQuery, read_query
from loreweave.knowledge.packs.score_words import RANKING, RankingWeights, WordScores, largest
from loreweave.seams.embedding.embedder import Embedder

WEIGHED = 4000  # best rows by words that are found, and that speak for their pages
COMPARED = 512  # best rows by words that are also compared by name and meaning
COMMON_SHARE = 0.05  # an identifier in more rows leads only a query that is nothing else
CORRECTED, TYPED = 1, 2
_PLACES, LEAST = 5, 1e-5  # of a score: decimal places, and what every hit has


@dataclass(frozen=True, slots=True)
class RankedRows:
    """What a query finds, in order of the rows."""

    rows: Array
    scores: Array  # a row: words, names and meaning; the best has about 1 or 2
    pages: Array  # float64, a page of the index: what its sections say for it, the best having 1
    first: Array  # float64, a row: what lifts it above all others, a name or an identifier that was typed
    spelt: Array  # int8, a row: 2 where it holds a word as it was typed, 1 where only corrected ones, if there are any
    said: float  # how far one row says all of the question, from 0 to 1
    by_meaning: bool  # whether meaning had a part in it

    def where(self, kept: Array) -> RankedRows:
        return replace(self, **{name: getattr(self, name)[kept] for name in ("rows", "scores", "first", "spelt")})


class Ranker:
    """Ranks are the same in every process that loads the same arrays."""

    def __init__(
        self,
        arrays: IndexArrays,
        embedder: Embedder | None,
        glossary: Sequence[Sequence[str]] = (),
        weights: RankingWeights = RANKING,
    ) -> None:
        """`glossary`: names of one thing."""
        self.arrays = arrays
        self.weights = weights
        self._embedder = embedder
        self._vocabulary = Vocabulary(arrays)
        self._glossary = GlossaryNames([list(names) for names in glossary if len(names) > 1])
        self._words = WordScores(arrays, self._vocabulary, weights)
        self._pages = int(arrays.pages.max(initial=-1)) + 1
        self._rare = max(3.0, COMMON_SHARE * len(arrays.sections))  # rows that an identifier may have to lead

    def read(self, query: str) -> SectionQuery:
        return read_query(query, self.arrays, self._vocabulary, self._glossary)

    def rank(self, text: str, wanted: SectionQuery, among: Array | None = None) -> RankedRows | None:
        """The rows that a query finds, of all or `among` some; None where it holds no known word: only noise is near to
        nothing."""
        if not wanted.slots:
            return None
        weights = self.weights
        words = self._words.of(wanted.slots)
        nearness = None if wanted.alone else compare(self.arrays, self._embedder, text)
        rows = _best_of(words, WEIGHED) if among is None else among
        if nearness is not None:
            proposed = nearness.proposed if among is None else among
            rows = _united(len(words), rows, proposed)
        cover = self._words.cover(wanted)
        said = max(0.0, (float(cover.max(initial=0.0)) - weights.said_from) / (1.0 - weights.said_from))
        own, alike = self._by_words(rows, words[rows].astype(numpy.float64), cover[rows], wanted)
        near = self._by_meaning(rows, own, nearness, proposed) if nearness else numpy.zeros(len(rows))
        scores = own + (weights.meaning - (weights.meaning - weights.said_meaning) * said) * near
        kept = numpy.flatnonzero(scores != 0)
        rows, near, alike, scores = rows[kept], near[kept], alike[kept], scores[kept]
        scores = numpy.maximum(scores.round(_PLACES), LEAST)
        words += self._words.of(self._words.expansion(rows, scores, wanted))
        words /= max(1e-9, float(words.max(initial=0.0)))
        words[rows] += weights.page_meaning * near
        pages, first = self._page_scores(words, rows, near), self._first(rows, alike, wanted)
        return RankedRows(rows, scores, pages, first, self._spelt(rows, wanted), said, nearness is not None)

    def lifted(self, ranking: RankedRows, by_page: float) -> Array:
        """The scores of rows with what their pages and what was typed add."""
        by_page *= 1.0 - (1.0 - self.weights.said_lift) * ranking.said
        lifted = ranking.scores + by_page * ranking.pages[self.arrays.pages[ranking.rows]] + ranking.first
        lifted = lifted.round(_PLACES)  # here, so that whoever takes the first of equals takes the same
        corrected, typed = ranking.spelt == CORRECTED, ranking.spelt == TYPED
        if corrected.any() and typed.any():  # what holds no word as it was typed comes below all that does
            lifted[corrected] *= min(1.0, 0.5 * lifted[typed].min() / lifted[corrected].max())
        return lifted

    def _by_words(self, rows: Array, own: Array, cover: Array, wanted: SectionQuery) -> tuple[Array, Array]:
        """A row: its words, and for the best of them how far a name or a sentence says the question, at most 1; and
        whether its name is the question."""
        alike = numpy.zeros(len(rows), dtype=bool)
        most = own.max(initial=0.0)
        if most > 0.0:
            own /= most
            best = _best_of(own, COMPARED)
            rarities = self._words.rarity, self._words.telling_rarity
            agreed, alike[best] = agree(self.arrays, rows[best], wanted, *rarities, self.weights)
            own[best] += agreed + self.weights.cover * cover[best] ** self.weights.cover_power
            own /= own.max()
        return own, alike

    def _by_meaning(self, rows: Array, own: Array, nearness: Nearness, proposed: Array) -> Array:
        """A row: how much nearer than usual it is, the nearest having 1; of those that seem near, and of the best by
        words."""
        near = numpy.zeros(len(rows))
        compared = _united(len(rows), _best_of(own, COMPARED), numpy.searchsorted(rows, proposed))
        above = nearness.cosines(rows[compared]) - nearness.usual
        above -= self.weights.commonness * nearness.commonness(rows[compared])
        near[compared] = numpy.where((above >= self.weights.similarity_floor) | (own[compared] > 0.0), above, 0.0)
        most = near.max(initial=0.0)
        return (near / most).clip(0.0) if most > 0.0 else numpy.zeros(len(rows))

    def _page_scores(self, scores: Array, seen: Array, near: Array) -> Array:
        """Of each page its best passage, half its second, a third of its third …, and how near its nearest is of the
        rows that were `seen`; the best page has 1."""
        rows, count = _best_of(scores, WEIGHED), self._pages
        if not len(rows):
            return numpy.zeros(count)
        best, of = scores[rows].astype(numpy.float64), self.arrays.pages[rows]
        best = best[numpy.argsort(4.0 * of - best)]  # page by page, as the rows are; no score reaches 4
        begins, found, nearest = begins_of(of), numpy.zeros(count), numpy.zeros(count)
        ends = numpy.append(begins[1:], len(of))
        for place, share in enumerate(self.weights.evidence):
            begins, ends = begins[begins + place < ends], ends[begins + place < ends]
            found[of[begins]] += best[begins + place] * share
        told = numpy.flatnonzero(near)
        numpy.maximum.at(nearest, self.arrays.pages[seen[told]], near[told])
        found = found / found.max() + self.weights.page_nearest * nearest
        return (found / found.max()).round(_PLACES)

    def _first(self, rows: Array, alike: Array, wanted: SectionQuery) -> Array:
        weights = self.weights
        first = weights.alike * alike
        for key in wanted.headed:
            named = self._words.marked([self._words.holders(key)])[rows]
            first[named] = weights.named + weights.named_page * self.arrays.opening[rows[named]]
        for key in wanted.first:
            holders = self._words.holders(key)
            if wanted.alone or len(wanted.first) >= len(wanted.slots) or len(holders) <= self._rare:
                first += weights.first * self._words.marked([holders])[rows]
        return first

    def _spelt(self, rows: Array, wanted: SectionQuery) -> Array:
        spelt = numpy.zeros(len(rows), dtype=numpy.int8)
        if any(slot.corrected for slot in wanted.slots):
            for slot in sorted(wanted.slots, key=lambda slot: not slot.corrected):
                held = self._words.marked(self._words.holders(key) for key, _ in slot.alternatives)[rows]
                spelt[held] = CORRECTED if slot.corrected else TYPED
        return spelt


def _united(count: int, *places: Array) -> Array:
    """All of these in order, each once; sorting them takes longer."""
    marked = numpy.zeros(count, dtype=bool)
    for some in places:
        marked[some] = True
    return numpy.flatnonzero(marked)


def _best_of(scores: Array, count: int) -> Array:
    """Places of the largest scores above 0."""
    places = numpy.flatnonzero(scores != 0)  # numbers themselves are looked through much slower
    return places[largest(scores[places], count)]
