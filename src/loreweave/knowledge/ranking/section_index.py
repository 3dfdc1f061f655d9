"""Search: the best sections for a query, each with the stretch of its text that shows why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy

from loreweave.entities.digest import SectionHit
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.knowledge.ranking.cut_snippet import AskedChunks, cut_snippet
from loreweave.knowledge.ranking.rank_passages import RankedRows, Ranker
from loreweave.knowledge.ranking.read_query import SectionQuery
from loreweave.knowledge.ranking.score_words import largest
from loreweave.seams.embedding.embedder import Embedder

MOST_OF_A_PAGE = 2
LIMIT, MOST_RESULTS = 6, 50


class SectionIndex(Ranker):
    """A ranker whose rows are shown as sections."""

    def __init__(
        self,
        arrays: IndexArrays,
        embedder: Embedder | None,
        glossary: Sequence[Sequence[str]] = (),
        positions: Array | None = None,
    ) -> None:
        """`positions`: of the sections as they were given, where whoever asks numbers them otherwise; -1 for what is no
        section to them."""
        super().__init__(arrays, embedder, glossary)
        self._asked_positions = positions
        self._positions = arrays.given if positions is None else positions[arrays.given]

    def by_words(self) -> SectionIndex:
        """The same without meaning and other names: equal documents, equal hits, whatever the embedder."""
        return SectionIndex(self.arrays, None, positions=self._asked_positions)

    def search(self, query: str, limit: int = LIMIT) -> list[SectionHit]:
        """The best sections for a query, best first; none for a query of unknown words."""
        wanted = self.read(query)
        ranking = self.rank(query, wanted)
        if ranking is None or not len(ranking.rows):
            return []
        limit = max(1, min(limit, MOST_RESULTS))
        rows, scores = self._sections(ranking)
        asked = self._asked_chunks(wanted)
        for enough in (8 * limit, len(rows)):  # most often the best few are enough to choose from
            best = largest(scores, enough)
            order = best[numpy.lexsort((rows[best], -scores[best]))]
            pages = self.arrays.pages[rows[order]].tolist()
            shown, is_full = spread_over_pages(zip(order.tolist(), pages, strict=True), limit)
            if is_full:
                break
        return [self._hit(int(rows[place]), float(scores[place]), asked) for place in shown]

    def _sections(self, ranking: RankedRows) -> tuple[Array, Array]:
        """(best row, score) of each section that was found, lifted by its page."""
        lifted = self.lifted(ranking, self.weights.page_lift)
        sections = self.arrays.sections[ranking.rows]  # in order, as the rows are
        begins = numpy.flatnonzero(numpy.diff(sections, prepend=-1))
        most = numpy.repeat(numpy.maximum.reduceat(lifted, begins), numpy.diff(begins, append=len(sections)))
        best = numpy.flatnonzero(lifted == most)
        firsts = best[numpy.flatnonzero(numpy.diff(sections[best], prepend=-1))]
        firsts = firsts[self._positions[sections[firsts]] >= 0]
        return ranking.rows[firsts], lifted[firsts]

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
