"""Keyword search over the sections of one revision: the one ranker behind every face."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

import numpy

from loreweave.entities.digest import SectionHit
from loreweave.knowledge.asking.search.agreement import SAME_WEIGHT, agreement
from loreweave.knowledge.asking.search.cut_snippet import AskedChunks, cut_snippet
from loreweave.knowledge.asking.search.glossary_names import GlossaryNames
from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.nearness import compare
from loreweave.knowledge.asking.search.read_query import SectionQuery, Slot, read_query
from loreweave.knowledge.asking.search.section_prints import KnownPrints
from loreweave.knowledge.asking.search.vocabulary import Vocabulary
from loreweave.knowledge.asking.search.weigh_entries import Impacts
from loreweave.knowledge.asking.search.weights import Weights
from loreweave.language.identifiers import HEADED, WHOLE
from loreweave.seams.embedding.embedder import Embedder

MOST_OF_A_PAGE = 2


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


LIMIT, MOST_RESULTS = 6, 50
MEANING_WEIGHT = 0.25  # of the centred cosine, beside a lexical score of at most 1
SIMILARITY_FLOOR = 0.5  # cosine that a section without any of the words needs
FIRST = 2.0  # lifts the holders of a typed identifier above everything else
COMPARED = 96  # best sections by words that are also compared by name, passage and meaning
COMMON_SHARE = 0.05  # an identifier in more sections than this leads only a query that is nothing else
_PLACES, LEAST = 5, 1e-5  # of a score: decimal places, and what every hit has


class SectionIndex:
    """Answers are the same in every process that loads the same bytes."""

    def __init__(
        self,
        arrays: IndexArrays,
        embedder: Embedder | None,
        weights: Weights | None = None,
        known: KnownPrints | None = None,
    ) -> None:
        self.arrays = arrays
        self.known = known or {}  # the sections themselves, where this process built the index
        self._impacts = Impacts(arrays, weights or Weights())
        self._embedder = embedder
        self._vocabulary = Vocabulary(arrays)
        self._glossary = GlossaryNames(arrays.glossary)
        self._word_rarity = _word_rarity(arrays)

    def __len__(self) -> int:
        return len(self.arrays.given)

    def search(self, query: str, limit: int = LIMIT) -> list[SectionHit]:
        """The best sections for a query, best first; none for a query of unknown words."""
        wanted = read_query(query, self.arrays, self._vocabulary, self._glossary)
        if not wanted.slots:  # only the nearest noise could be found by meaning alone
            return []
        limit = max(1, min(limit, MOST_RESULTS))
        sections, scores = self._rank(query, wanted, limit)
        shown = self._choose(sections, scores, limit)
        asked = self._asked_chunks(wanted)
        return [self._hit(int(sections[place]), float(scores[place]), asked) for place in shown]

    def _choose(self, sections: Array, scores: Array, limit: int) -> list[int]:
        """Places of the sections to show; most often the best few are enough to choose from."""
        for enough in (8 * limit, len(sections)):
            best = _largest(scores, enough)
            order = best[numpy.lexsort((sections[best], -scores[best]))]
            ranked = zip(order.tolist(), self.arrays.pages[sections[order]].tolist(), strict=True)
            shown, full = spread_over_pages(ranked, limit)
            if full:
                break
        return shown

    def _rank(self, text: str, wanted: SectionQuery, limit: int) -> tuple[Array, Array]:
        """(sections, scores) of every hit."""
        words = self._word_scores(wanted)
        sections = numpy.flatnonzero(words)
        scores = words[sections].astype(numpy.float64)
        if len(sections):
            scores /= scores.max()
            self._add_agreement(sections, scores, wanted)
            scores /= scores.max()
        if not wanted.alone:
            sections, scores = self._add_meaning(text, sections, scores, limit)
        for key in wanted.first:
            holders = self._holders(key)
            if wanted.alone or len(wanted.first) >= len(wanted.slots) or self._is_rare(len(holders)):
                scores[self._marked(holders)[sections]] += FIRST
        scores = numpy.maximum(scores.round(_PLACES), LEAST)
        if any(slot.corrected for slot in wanted.slots):
            self._sink_corrected(sections, scores, wanted)
        return sections, scores

    def _word_scores(self, wanted: SectionQuery) -> Array:
        total = numpy.zeros(len(self), dtype=numpy.float32)
        for slot in wanted.slots:
            if len(slot.alternatives) == 1:
                key, weight = slot.alternatives[0]
                holders, impacts = self._postings(key)
                total[holders] += numpy.float32(weight) * impacts
            else:
                total += self._best_alternative(slot)
        return total

    def _best_alternative(self, slot: Slot) -> Array:
        best = numpy.zeros(len(self), dtype=numpy.float32)
        for key, weight in slot.alternatives:
            holders, impacts = self._postings(key)
            best[holders] = numpy.maximum(best[holders], numpy.float32(weight) * impacts)
        return best

    def _postings(self, key: int) -> tuple[Array, Array]:
        """(sections that hold a key, in order, and what it counts there)."""
        return self._impacts.of(key)

    def _holders(self, key: int) -> Array:
        return self._postings(key)[0]

    def _is_rare(self, holders: int) -> bool:
        return holders <= max(3.0, COMMON_SHARE * len(self))

    def _add_agreement(self, sections: Array, scores: Array, wanted: SectionQuery) -> None:
        """Lifts the best sections the more one of their names or passages says what the query says."""
        best = _largest(scores, COMPARED)
        best = best[numpy.argsort(-scores[best], kind="stable")[:COMPARED]]  # of equals the first ones
        scores[best] += agreement(self.arrays, sections[best], wanted, self._word_rarity)
        for key in wanted.headed:
            scores[self._marked(self._holders(key))[sections]] += SAME_WEIGHT

    def _sink_corrected(self, sections: Array, scores: Array, wanted: SectionQuery) -> None:
        """Brings sections that hold no word as it was typed, only corrected ones, below all that do."""
        exact, corrected = (self._held_by(wanted, corrected)[sections] for corrected in (False, True))
        corrected &= ~exact
        if exact.any() and corrected.any():
            highest = 0.5 * scores[exact].min()
            scores[corrected] *= min(1.0, highest / scores[corrected].max())

    def _held_by(self, wanted: SectionQuery, corrected: bool) -> Array:
        """Which sections hold something of the slots of one kind."""
        held = numpy.zeros(len(self), dtype=bool)
        for slot in wanted.slots:
            if slot.corrected is corrected:
                for key, _ in slot.alternatives:
                    held[self._holders(key)] = True
        return held

    def _marked(self, holders: Array) -> Array:
        marked = numpy.zeros(len(self), dtype=bool)
        marked[holders] = True
        return marked

    def _add_meaning(self, text: str, sections: Array, scores: Array, limit: int) -> tuple[Array, Array]:
        nearness = compare(self.arrays, self._embedder, text)
        if nearness is None:
            return sections, scores
        best = _largest(scores, COMPARED)
        scores[best] += MEANING_WEIGHT * (nearness.cosines(sections[best]) - nearness.usual).clip(0.0)
        if numpy.count_nonzero(scores[best] > MEANING_WEIGHT * (1.0 - nearness.usual)) >= 3 * limit:
            return sections, scores  # no section without the words could come among the best
        others = numpy.setdiff1d(nearness.proposed(), sections, assume_unique=True)
        cosines = nearness.cosines(others)
        near = cosines >= SIMILARITY_FLOOR
        lifted = MEANING_WEIGHT * (cosines[near] - nearness.usual).clip(0.0)
        return numpy.concatenate((sections, others[near])), numpy.concatenate((scores, lifted))

    def _hit(self, section: int, score: float, asked: AskedChunks) -> SectionHit:
        arrays = self.arrays
        first, last = arrays.text_starts[section : section + 2].tolist()
        snippet, highlights = cut_snippet(arrays.texts[first:last].decode("utf-8"), asked)
        return SectionHit(int(arrays.given[section]), score, snippet, highlights)

    def _asked_chunks(self, wanted: SectionQuery) -> AskedChunks:
        worth: dict[str, float] = {}
        for slot in wanted.slots:
            for key, weight in slot.alternatives:
                worth[self.arrays.keys[key]] = weight * float(self.arrays.rarity[key])
        return AskedChunks(worth)


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
