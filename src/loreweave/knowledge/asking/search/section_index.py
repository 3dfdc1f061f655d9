"""Keyword search over the sections of one revision: the one ranker behind every face."""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from loreweave.entities.searched_section import SectionHit
from loreweave.knowledge.asking.search.choose_hits import spread_over_pages
from loreweave.knowledge.asking.search.cut_snippet import cut_snippet
from loreweave.knowledge.asking.search.glossary_names import GlossaryNames
from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.nearness import compare
from loreweave.knowledge.asking.search.read_query import Query, Slot, read_query
from loreweave.knowledge.asking.search.vocabulary import Vocabulary
from loreweave.seams.embedding.embedder import Embedder

LIMIT, MOST_RESULTS = 6, 50
MEANING_WEIGHT = 0.3  # of the centred cosine, beside a lexical score of at most 1
SIMILARITY_FLOOR = 0.5  # cosine that a section without any of the words needs
HEADING_WEIGHT = 0.5  # of a heading that says what the query says, beside the words' own score
FIRST = 2.0  # lifts the holders of a typed identifier above everything else
COMPARED = 256  # best sections by words that are also compared by meaning
COMMON_SHARE = 0.05  # an identifier in more sections than this leads only a query that is nothing else
_PLACES = 5


class SectionIndex:
    """Answers are the same in every process that loads the same bytes."""

    def __init__(self, arrays: IndexArrays, embedder: Embedder | None) -> None:
        self.arrays = arrays
        self._embedder = embedder
        self._vocabulary = Vocabulary(arrays)
        self._glossary = GlossaryNames(arrays.glossary)

    def __len__(self) -> int:
        return len(self.arrays.given)

    def search(self, query: str, limit: int = LIMIT) -> list[SectionHit]:
        """The best sections for a query, best first; none for a query of unknown words."""
        wanted = read_query(query, self.arrays, self._vocabulary, self._glossary)
        if not wanted.slots:  # only the nearest noise could be found by meaning alone
            return []
        limit = max(1, min(limit, MOST_RESULTS))
        sections, scores = self._rank(query, wanted)
        order = numpy.lexsort((sections, -scores))
        ranked = _with_pages(sections[order], self.arrays.pages)
        score_of = dict(zip(sections.tolist(), scores.tolist(), strict=True))
        return [self._hit(section, score_of[section], wanted) for section in spread_over_pages(ranked, limit)]

    def _rank(self, text: str, wanted: Query) -> tuple[Array, Array]:
        """(sections, scores) of every hit."""
        words = self._word_scores(wanted)
        sections = numpy.flatnonzero(words)
        scores = words[sections].astype(numpy.float64)
        if len(sections):
            self._add_headings(sections, scores, wanted)
            scores /= scores.max()
        if not wanted.alone:
            sections, scores = self._add_meaning(text, sections, scores)
        for key in wanted.first:
            holders = self._holders(key)
            if wanted.alone or len(wanted.first) == len(wanted.slots) or self._is_rare(len(holders)):
                scores[numpy.isin(sections, holders)] += FIRST
        return sections, scores.round(_PLACES)

    def _word_scores(self, wanted: Query) -> Array:
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
        first, last = self.arrays.key_starts[key : key + 2].tolist()
        return self.arrays.posting_sections[first:last], self.arrays.posting_impacts[first:last]

    def _holders(self, key: int) -> Array:
        return self._postings(key)[0]

    def _is_rare(self, holders: int) -> bool:
        return holders <= max(3.0, COMMON_SHARE * len(self))

    def _add_headings(self, sections: Array, scores: Array, wanted: Query) -> None:
        """Lifts a section the more its heading says all that the query says, and nothing else."""
        arrays = self.arrays
        asked = [slot for slot in wanted.slots if slot.asked]
        worth = numpy.zeros(len(arrays.keys), dtype=numpy.float32)
        for slot in asked:
            for key, weight in slot.alternatives:
                worth[key] = max(worth[key], min(1.0, weight) * arrays.rarity[key])
        said = sum(float(arrays.rarity[slot.alternatives[0][0]]) for slot in asked)
        best = _largest(scores, COMPARED)
        starts = arrays.heading_starts[sections[best]]
        counts = arrays.heading_starts[sections[best] + 1] - starts
        rows = numpy.arange(counts.sum()) + numpy.repeat(starts - (numpy.cumsum(counts) - counts), counts)
        owners = numpy.repeat(numpy.arange(len(best)), counts)
        keys = arrays.heading_keys[rows]
        shared = numpy.bincount(owners, weights=worth[keys], minlength=len(best))
        whole = numpy.bincount(owners, weights=arrays.rarity[keys], minlength=len(best))
        agreement = shared * shared / numpy.maximum(whole * said, 1e-9)
        scores[best] += HEADING_WEIGHT * scores.max() * agreement.clip(0.0, 1.0)

    def _add_meaning(self, text: str, sections: Array, scores: Array) -> tuple[Array, Array]:
        nearness = compare(self.arrays, self._embedder, text)
        if nearness is None:
            return sections, scores
        best = _largest(scores, COMPARED)
        scores[best] += MEANING_WEIGHT * (nearness.cosines(sections[best]) - nearness.usual).clip(0.0)
        if len(best) >= MOST_RESULTS and scores[best].min() > MEANING_WEIGHT:
            return sections, scores  # no section without the words could come among them
        others = numpy.setdiff1d(nearness.proposed(), sections, assume_unique=True)
        cosines = nearness.cosines(others)
        near = cosines >= SIMILARITY_FLOOR
        lifted = MEANING_WEIGHT * (cosines[near] - nearness.usual).clip(0.0)
        return numpy.concatenate((sections, others[near])), numpy.concatenate((scores, lifted))

    def _hit(self, section: int, score: float, wanted: Query) -> SectionHit:
        arrays = self.arrays
        first, last = arrays.text_starts[section : section + 2].tolist()
        worth: dict[str, float] = {}
        for slot in wanted.slots:
            for key, weight in slot.alternatives:
                worth[arrays.keys[key]] = weight * float(arrays.rarity[key])
        snippet, highlights = cut_snippet(arrays.texts[first:last].decode("utf-8"), worth)
        return SectionHit(int(arrays.given[section]), score, snippet, highlights)


def _with_pages(sections: Array, pages: Array) -> Iterator[tuple[int, int]]:
    for start in range(0, len(sections), 64):
        block = sections[start : start + 64]
        yield from zip(block.tolist(), pages[block].tolist(), strict=True)


def _largest(scores: Array, count: int) -> Array:
    """Places of the largest scores, in order of place; all where there are no more."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    return numpy.sort(numpy.argpartition(-scores, count)[:count])
