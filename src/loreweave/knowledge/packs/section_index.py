"""Search: the best sections for a query, each with the stretch of its text that shows why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy

from loreweave.entities.digest import SectionHit
from loreweave.index.index_arrays import Array, IndexArrays, begins_of
from loreweave.index.read_chunks import MENTIONS
from loreweave.knowledge.packs.rank_passages import RankedRows, Ranker
from loreweave.knowledge.packs.score_words import largest
from loreweave.language.identifiers import Mention
from loreweave.language.slug import compatible
from loreweave.seams.embedding.embedder import Embedder

LONGEST = 240  # characters
_LEAD = 60  # characters kept before the first match, so that it does not open the snippet
_READ = 60_000  # characters looked at: beyond them a match is not worth the time
_CLUSTER = re.compile("(?s:.)[\u0300-\u036f\u3099\u309a\u1160-\u11ff]*")  # what composes into one character

Span = tuple[int, int]


class _Match(NamedTuple):
    start: int
    end: int
    key: str
    worth: float


def cut_snippet(text: str, worth: Mapping[str, float]) -> tuple[str, tuple[Span, ...]]:
    """At most 240 characters around the best match, and what to highlight in them, in code points; `worth`: how much
    each key asked for tells.

    Blanks in the text are single.
    """
    matches = _matches(text[:_READ], worth)
    start, end = _whole_words(text, _best_start(matches))
    spans = [(match.start - start, match.end - start) for match in matches if start <= match.start and match.end <= end]
    return text[start:end], _merged(spans)


def _matches(text: str, worth: Mapping[str, float]) -> list[_Match]:
    chunks = text.split(" ")
    mentioned = map(MENTIONS.__getitem__, chunks)
    asked = [(place, one) for place, mentions in enumerate(mentioned) for one in mentions if one[0] in worth]
    lengths = list(accumulate(map(len, chunks))) if asked else []  # without the blanks between
    matches = []
    for place, mention in asked:
        start = lengths[place] - len(chunks[place]) + place
        first, last = _place_in(chunks[place], mention)
        matches.append(_Match(start + first, start + last, mention.key, worth[mention.key]))
    return matches


def _place_in(chunk: str, mention: Mention) -> Span:
    """Where a mention stands in a chunk as written; its positions count the compatible form."""
    if chunk.isascii():
        return mention.start, mention.end
    place, first, last = 0, len(chunk), 0
    for cluster in _CLUSTER.finditer(chunk):
        length = len(compatible(cluster[0]))
        if place < mention.end and place + length > mention.start:
            first, last = min(first, cluster.start()), cluster.end()
        place += length
    return first, max(first, last)


def _best_start(matches: Sequence[_Match]) -> int:
    """Where the stretch that holds the most telling matches begins; a key counts once in full, then a little."""
    best, best_worth, first = 0, 0.0, 0
    counts: dict[str, int] = {}
    total = 0.0
    for match in matches:
        total += match.worth if not counts.get(match.key) else match.worth * 0.1
        counts[match.key] = counts.get(match.key, 0) + 1
        while match.end - matches[first].start > LONGEST - _LEAD and matches[first] is not match:
            gone = matches[first]
            counts[gone.key] -= 1
            total -= gone.worth if not counts[gone.key] else gone.worth * 0.1
            first += 1
        if total > best_worth + 1e-9:
            best, best_worth = matches[first].start, total
    return max(0, best - _LEAD)


def _whole_words(text: str, start: int) -> Span:
    """The stretch moved to the ends of words where it would cut one."""
    if len(text) <= LONGEST:
        return 0, len(text)
    start = min(start, len(text) - LONGEST)
    if start and text[start - 1] != " ":
        blank = text.find(" ", start, start + _LEAD)
        start = blank + 1 if blank >= 0 else start
    end = min(len(text), start + LONGEST)
    if end < len(text) and text[end] != " ":
        blank = text.rfind(" ", start + LONGEST // 2, end)
        end = blank if blank >= 0 else end
    while end > start and text[end - 1] == " ":
        end -= 1
    return start, end


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        elif last > first:
            merged.append((first, last))
    return tuple(merged)


MOST_OF_A_PAGE, LIMIT, MOST_RESULTS = 2, 6, 50
TELLING = 160  # characters from which the same text on another page says nothing more


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
        keys, rarity = self.arrays.keys, self.arrays.rarity
        alternatives = [pair for slot in wanted.slots for pair in slot.alternatives]
        worth = {keys[key]: weight * float(rarity[key]) for key, weight in alternatives}
        for enough in (8 * limit, len(rows)):  # most often the best few are enough to choose from
            best = largest(scores, enough)
            order = best[numpy.lexsort((rows[best], -scores[best]))]
            pages = self.arrays.pages[rows[order]].tolist()
            said = map(self.arrays.text, rows[order].tolist())
            shown, is_full = spread_over_pages(zip(order.tolist(), pages, said, strict=True), limit)
            if is_full:
                break
        return [self._hit(int(rows[place]), float(scores[place]), worth) for place in shown]

    def _sections(self, ranking: RankedRows) -> tuple[Array, Array]:
        """(best row, score) of each section that was found, lifted by its page."""
        lifted = self.lifted(ranking, self.weights.page_lift)
        sections = self.arrays.sections[ranking.rows]  # in order, as the rows are
        begins = begins_of(sections)
        most = numpy.repeat(numpy.maximum.reduceat(lifted, begins), numpy.diff(begins, append=len(sections)))
        best = numpy.flatnonzero(lifted == most)
        firsts = best[begins_of(sections[best])]
        firsts = firsts[self._positions[sections[firsts]] >= 0]
        return ranking.rows[firsts], lifted[firsts]

    def _hit(self, row: int, score: float, worth: Mapping[str, float]) -> SectionHit:
        snippet, highlights = cut_snippet(self.arrays.text(row), worth)
        return SectionHit(int(self._positions[self.arrays.sections[row]]), score, snippet, highlights)


def spread_over_pages(ranked: Iterable[tuple[int, int, str]], limit: int) -> tuple[list[int], bool]:
    """Of (place, page, text) in order, at most two a page, and none that says what a better one has said, while there
    are others; the rest fills up.

    Also says whether there were others enough.
    """
    shown: list[int] = []
    held_back: list[int] = []
    of_page: dict[int, int] = {}
    told: set[str] = set()
    for section, page, text in ranked:
        if len(shown) == limit:
            break
        if of_page.get(page, 0) < MOST_OF_A_PAGE and text not in told:
            of_page[page] = of_page.get(page, 0) + 1
            shown.append(section)
            if len(text) >= TELLING:
                told.add(text)
        elif len(held_back) < limit:
            held_back.append(section)
    return shown + held_back[: limit - len(shown)], len(shown) == limit
