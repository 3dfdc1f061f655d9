"""The one ranker over passages: packs, search and answers order by it, whoever asks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy

from loreweave.entities.digest import SectionHit
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.nearness import Nearness, compare
from loreweave.index.vocabulary import Vocabulary
from loreweave.index.weigh_entries import Impacts, Weights
from loreweave.knowledge.ranking.agreement import agreement
from loreweave.knowledge.ranking.cut_snippet import AskedChunks, cut_snippet
from loreweave.knowledge.ranking.expand_query import LEAST_WORDS, telling_keys
from loreweave.knowledge.ranking.glossary_names import GlossaryNames
from loreweave.knowledge.ranking.read_query import SectionQuery, Slot, read_query
from loreweave.language.identifiers import HEADED, WHOLE
from loreweave.seams.embedding.embedder import Embedder

MOST_OF_A_PAGE = 2
LIMIT, MOST_RESULTS = 6, 50
MEANING_WEIGHT = 1.0  # of the nearest row, beside 1 for the best by words
SAID_WEIGHT = 0.2  # the same where one row holds all the words: the question decides
SAID_FROM = 0.8
SAID_LIFT = 0.03  # of what a page adds, where the question is said by one row
COVER_WEIGHT = 0.3  # of a row that holds every word
COVER_POWER = 4.0
MOST_COVERED = 8
SIMILARITY_FLOOR = 0.1  # cosine above the usual that a row without any of the words needs
FIRST = 20.0  # lifts the holders of a typed identifier above everything else
NAMED = 10.0  # lifts what is called just as was typed above what only speaks of it
WEIGHED = 4000  # best rows that speak for their pages
COMPARED = 512  # best rows by words that are also compared by name and meaning
COMMON_SHARE = 0.05  # an identifier in more rows than this leads only a query that is nothing else
EVIDENCE = (1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5)  # a page is as good as its passages
PAGE_MEANING = 0.5  # of meaning in what speaks for a page
PAGE_LIFT = 6.0  # of a section among results by its page
_PLACES, LEAST = 5, 1e-5  # of a score: decimal places, and what every hit has


@dataclass(frozen=True, slots=True)
class RankedRows:
    """Everything found, in order of the rows."""

    rows: Array
    scores: Array  # a row: words, names and meaning; the best has about 1 or 2
    pages: Array  # float64, a page of the index: what its sections say for it, the best having 1
    first: Array  # float64, a row: what lifts it above all others, a name or an identifier that was typed
    said: float  # how far one row says all of the question, from 0 to 1
    by_meaning: bool  # whether meaning had a part in it


class SectionIndex:
    """Answers are the same in every process that loads the same arrays."""

    def __init__(
        self,
        arrays: IndexArrays,
        embedder: Embedder | None,
        glossary: Sequence[Sequence[str]] = (),
        weights: Weights | None = None,
        positions: Array | None = None,
    ) -> None:
        """`glossary`: names of one thing. `positions`: of the sections as they were given, where whoever asks numbers
        them otherwise; -1 for what is no section to them."""
        self.arrays = arrays
        self._asked_positions = positions
        self._positions = arrays.given if positions is None else positions[arrays.given]
        self._impacts = Impacts(arrays, weights or Weights())
        self._embedder = embedder
        self._vocabulary = Vocabulary(arrays)
        self._glossary = GlossaryNames([list(names) for names in glossary if len(names) > 1])
        self._word_rarity = _word_rarity(arrays)

    def __len__(self) -> int:
        return len(self.arrays.sections)

    def by_words(self) -> SectionIndex:
        """The same without meaning and other names: equal documents, equal hits, whatever the embedder."""
        return SectionIndex(self.arrays, None, positions=self._asked_positions)

    def search(self, query: str, limit: int = LIMIT) -> list[SectionHit]:
        """The best sections for a query, best first; none for a query of unknown words."""
        wanted = self.read(query)
        ranking = self.rank(query, wanted)
        if ranking is None:
            return []
        limit = max(1, min(limit, MOST_RESULTS))
        rows, scores = self._sections(ranking)
        if any(slot.corrected for slot in wanted.slots):
            self._sink_corrected(rows, scores, wanted)
        asked = self._asked_chunks(wanted)
        for enough in (8 * limit, len(rows)):  # most often the best few are enough to choose from
            best = _largest(scores, enough)
            order = best[numpy.lexsort((rows[best], -scores[best]))]
            pages = self.arrays.pages[rows[order]].tolist()
            shown, is_full = spread_over_pages(zip(order.tolist(), pages, strict=True), limit)
            if is_full:
                break
        return [self._hit(int(rows[place]), float(scores[place]), asked) for place in shown]

    def read(self, query: str) -> SectionQuery:
        return read_query(query, self.arrays, self._vocabulary, self._glossary)

    def rank(self, text: str, wanted: SectionQuery) -> RankedRows | None:
        """Every row that a query finds; None where it holds no known word: only noise is near to nothing."""
        if not wanted.slots:
            return None
        words = self._word_scores(wanted.slots)
        cover = self._cover(wanted)
        said = min(1.0, max(0.0, (float(cover.max(initial=0.0)) - SAID_FROM) / (1.0 - SAID_FROM)))
        own = self._by_words(words, cover, wanted)
        nearness = None if wanted.alone else compare(self.arrays, self._embedder, text)
        near = self._by_meaning(own, nearness)
        scores = own + (MEANING_WEIGHT - (MEANING_WEIGHT - SAID_WEIGHT) * said) * near
        rows = numpy.flatnonzero(scores)
        scores = numpy.maximum(scores[rows].round(_PLACES), LEAST)
        if len([slot for slot in wanted.slots if slot.asked]) >= LEAST_WORDS and not wanted.first:
            words += self._word_scores(telling_keys(self.arrays, self._vocabulary, rows, scores, wanted))
        pages = self._page_scores(words / max(1e-9, float(words.max(initial=0.0))) + PAGE_MEANING * near)
        return RankedRows(rows, scores, pages, self._first(rows, wanted), said, nearness is not None)

    def _first(self, rows: Array, wanted: SectionQuery) -> Array:
        first = numpy.zeros(len(rows))
        for key in wanted.headed:
            first[self._marked(self._impacts.of(key)[0])[rows]] = NAMED
        for key in wanted.first:
            holders = self._impacts.of(key)[0]
            if wanted.alone or len(wanted.first) >= len(wanted.slots) or self._is_rare(len(holders)):
                first += FIRST * self._marked(holders)[rows]
        return first

    def _cover(self, wanted: SectionQuery) -> Array:
        """A row: the share of the words asked for that it holds, each by its rarity."""
        held, whole = numpy.zeros(len(self), dtype=numpy.float32), 0.0
        for slot in wanted.slots:
            if slot.asked:
                rarity = self._word_rarity[slot.alternatives[0][0]]
                whole += float(rarity)
                for key, _ in slot.alternatives[:MOST_COVERED]:
                    held[self._impacts.of(key)[0]] += rarity
        return numpy.minimum(1.0, held / max(1e-9, whole))

    def _by_words(self, words: Array, cover: Array, wanted: SectionQuery) -> Array:
        """A row: its words, and for the best of them how far a name or a sentence says the question; at most 1."""
        own = words.astype(numpy.float64)
        rows = numpy.flatnonzero(own)
        if len(rows):
            own /= own.max()
            best = rows[_largest(own[rows], COMPARED)]
            own[best] += agreement(self.arrays, best, wanted, self._word_rarity)
            own[best] += COVER_WEIGHT * cover[best] ** COVER_POWER
            own /= own.max()
        return own

    def _by_meaning(self, own: Array, nearness: Nearness | None) -> Array:
        """A row: how much nearer than usual it is, the nearest having 1; of those that seem near, and of the best by
        words."""
        near = numpy.zeros(len(self))
        if nearness is None:
            return near
        rows = numpy.flatnonzero(own)
        best = rows[_largest(own[rows], COMPARED)]
        others = numpy.setdiff1d(nearness.proposed, best, assume_unique=True)
        near[best] = nearness.cosines(best) - nearness.usual
        above = nearness.cosines(others) - nearness.usual
        near[others] = numpy.where((above >= SIMILARITY_FLOOR) | (own[others] > 0.0), above, 0.0)
        most = near.max(initial=0.0)
        return (near / most).clip(0.0) if most > 0.0 else numpy.zeros(len(self))

    def _page_scores(self, scores: Array) -> Array:
        """Of each page its best passage, half its second, a third of its third …; the best page has 1."""
        found = numpy.zeros(int(self.arrays.pages.max(initial=-1)) + 1)
        rows = numpy.flatnonzero(scores)
        if not len(rows):
            return found
        rows = rows[_largest(scores[rows], WEIGHED)]
        best, of = scores[rows], self.arrays.pages[rows]
        order = numpy.lexsort((-best, of))
        best, of = best[order], of[order]
        begins = numpy.flatnonzero(numpy.diff(of, prepend=-1))
        place = numpy.arange(len(of)) - numpy.repeat(begins, numpy.diff(begins, append=len(of)))
        counted = place < len(EVIDENCE)
        numpy.add.at(found, of[counted], best[counted] * numpy.array(EVIDENCE)[place[counted]])
        return (found / found.max()).round(_PLACES)

    def _sections(self, ranking: RankedRows) -> tuple[Array, Array]:
        """(best row, score) of each section that was found, lifted by its page."""
        lifted = self.lifted(ranking, PAGE_LIFT)
        sections = self.arrays.sections[ranking.rows]  # in order, as the rows are
        begins = numpy.flatnonzero(numpy.diff(sections, prepend=-1))
        most = numpy.repeat(numpy.maximum.reduceat(lifted, begins), numpy.diff(begins, append=len(sections)))
        best = numpy.flatnonzero(lifted == most)
        firsts = best[numpy.flatnonzero(numpy.diff(sections[best], prepend=-1))]
        firsts = firsts[self._positions[sections[firsts]] >= 0]
        return ranking.rows[firsts], lifted[firsts]

    def lifted(self, ranking: RankedRows, by_page: float) -> Array:
        """The scores of rows with what their pages and typed identifiers add."""
        by_page *= 1.0 - (1.0 - SAID_LIFT) * ranking.said
        lifted = ranking.scores + by_page * ranking.pages[self.arrays.pages[ranking.rows]] + ranking.first
        return lifted.round(_PLACES)  # here, so that whoever takes the first of equals takes the same

    def _word_scores(self, slots: Iterable[Slot]) -> Array:
        total = numpy.zeros(len(self), dtype=numpy.float32)
        for slot in slots:
            if len(slot.alternatives) == 1:
                key, weight = slot.alternatives[0]
                holders, impacts = self._impacts.of(key)
                total[holders] += numpy.float32(weight) * impacts
            else:
                total += self._best_alternative(slot)
        return total

    def _best_alternative(self, slot: Slot) -> Array:
        best = numpy.zeros(len(self), dtype=numpy.float32)
        for key, weight in slot.alternatives:
            holders, impacts = self._impacts.of(key)
            best[holders] = numpy.maximum(best[holders], numpy.float32(weight) * impacts)
        return best

    def _is_rare(self, holders: int) -> bool:
        return holders <= max(3.0, COMMON_SHARE * len(self))

    def _sink_corrected(self, rows: Array, scores: Array, wanted: SectionQuery) -> None:
        """Brings rows that hold no word as it was typed, only corrected ones, below all that do."""
        exact, corrected = (self._held_by(wanted, corrected)[rows] for corrected in (False, True))
        corrected &= ~exact
        if exact.any() and corrected.any():
            highest = 0.5 * scores[exact].min()
            scores[corrected] *= min(1.0, highest / scores[corrected].max())

    def _held_by(self, wanted: SectionQuery, corrected: bool) -> Array:
        """Which rows hold something of the slots of one kind."""
        held = numpy.zeros(len(self), dtype=bool)
        for slot in wanted.slots:
            if slot.corrected is corrected:
                for key, _ in slot.alternatives:
                    held[self._impacts.of(key)[0]] = True
        return held

    def _marked(self, holders: Array) -> Array:
        marked = numpy.zeros(len(self), dtype=bool)
        marked[holders] = True
        return marked

    def _hit(self, row: int, score: float, asked: AskedChunks) -> SectionHit:
        snippet, highlights = cut_snippet(self.arrays.text(row), asked)
        return SectionHit(int(self._positions[self.arrays.sections[row]]), score, snippet, highlights)

    def _asked_chunks(self, wanted: SectionQuery) -> AskedChunks:
        worth: dict[str, float] = {}
        for slot in wanted.slots:
            for key, weight in slot.alternatives:
                worth[self.arrays.keys[key]] = weight * float(self.arrays.rarity[key])
        return AskedChunks(worth)


def spread_over_pages(ranked: Iterable[tuple[int, int]], limit: int) -> tuple[list[int], bool]:
    """Of (place, page) in order, at most two a page while other pages have hits; the rest fills up.

    Also says whether other pages had hits enough.
    """
    shown: list[int] = []
    held_back: list[int] = []
    of_page: dict[int, int] = {}
    for section, page in ranked:
        if len(shown) == limit:
            break
        if of_page.get(page, 0) < MOST_OF_A_PAGE:
            of_page[page] = of_page.get(page, 0) + 1
            shown.append(section)
        elif len(held_back) < limit:
            held_back.append(section)
    return shown + held_back[: limit - len(shown)], len(shown) == limit


def _word_rarity(arrays: IndexArrays) -> Array:
    """The rarity of keys that are words; wholes stand beside their parts and count nothing more."""
    rarity = numpy.array(arrays.rarity)
    for mark in (WHOLE, HEADED):
        rarity[bisect_left(arrays.keys, mark) : bisect_left(arrays.keys, chr(ord(mark) + 1))] = 0.0
    return rarity


def _largest(scores: Array, count: int) -> Array:
    """Places of the largest scores, in order of place; of equal ones all, or none."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    return numpy.flatnonzero(scores >= numpy.partition(scores, -count)[-count])
