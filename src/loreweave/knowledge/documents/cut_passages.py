"""What is found: passages of about two hundred tokens, never across a heading, never half a fence or table."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from loreweave.entities.digest import PageHeading, Passage
from loreweave.knowledge.documents.find_sections import SectionPlan
from loreweave.language.markdown.page_outline import OutlineHeading, PageOutline
from loreweave.language.markdown.parsed_text import ParsedText
from loreweave.language.tokens import count_tokens

PASSAGE_TOKENS = 200
BREAK_TOKENS = 2  # of the blank line behind a passage


@dataclass(slots=True)
class _Cut:
    """The passage that is being filled; positions are those of the source."""

    heading: int
    start: int
    end: int
    tokens: int = 0
    texts: list[str] = field(default_factory=list)

    def add(self, start: int, end: int, tokens: int) -> None:
        if not self.tokens:
            self.start = start
        self.end, self.tokens = end, self.tokens + tokens


class PassageCutter:
    """Cuts one page, section by section."""

    def __init__(self, outline: PageOutline, parsed: ParsedText, anchors: list[str]) -> None:
        self._outline = outline
        self._parsed = parsed
        self._tops = [heading for heading in outline.headings if heading.top]
        self._heading_starts = [heading.start for heading in self._tops]
        self._unit_starts = [start for start, _ in outline.units]
        named = dict(zip(map(id, outline.headings), anchors, strict=True))
        self.headings = tuple(self._heading(heading, named[id(heading)]) for heading in self._tops)

    def cut(self, plan: SectionPlan) -> tuple[Passage, ...]:
        """The passages of a section, one at least."""
        found = [cut for cut in self._cuts(plan) if cut.tokens or cut.texts]
        if not found:  # a heading alone
            number = bisect_left(self._heading_starts, plan.place + 1) - 1
            found = [self._empty(number, self._tops[number].end if number >= 0 else 0)]
        return tuple(self._passage(cut) for cut in found)

    def _passage(self, cut: _Cut) -> Passage:
        """What stands between its blocks costs as well, when it is shown."""
        written = self._parsed.source[cut.start : cut.end].decode("utf-8", "replace")
        tokens = count_tokens(written) + BREAK_TOKENS if written else 0
        return Passage(cut.heading, cut.start, cut.end, tokens, "\n".join(cut.texts))

    def _cuts(self, plan: SectionPlan) -> Iterator[_Cut]:
        block, place = plan.first_block, plan.place
        cut = self._empty(bisect_left(self._heading_starts, place) - 1, place)
        for start, heading, unit in self._parts(place, plan.until):
            if unit < 0:
                block = self._take(cut, block, plan, start)
                yield cut
                cut = self._empty(heading, self._tops[heading].end)
                continue
            end = self._outline.units[unit][1]
            source_start, source_end = self._parsed.stretch(start, end)
            written = self._parsed.source[source_start:source_end].rstrip()
            tokens = count_tokens(written.decode("utf-8", "replace")) + BREAK_TOKENS
            if cut.tokens and cut.tokens + tokens > PASSAGE_TOKENS:
                block = self._take(cut, block, plan, start)
                yield cut
                cut = self._empty(cut.heading, start)
            cut.add(source_start, source_start + len(written), tokens)
            block = self._take(cut, block, plan, end)
        self._take(cut, block, plan, plan.until)
        yield cut

    def _parts(self, place: int, until: int) -> list[tuple[int, int, int]]:
        """(start, number of the heading or -1, number of the unit or -1) in order."""
        headings, units = self._heading_starts, self._unit_starts
        found = [(headings[number], number, -1) for number in _between(headings, place, until)]
        return sorted([*found, *((units[number], -1, number) for number in _between(units, place, until))])

    def _take(self, cut: _Cut, block: int, plan: SectionPlan, until: int) -> int:
        """Gives a passage the texts of the blocks that begin before a place."""
        blocks = self._outline.blocks
        while block < plan.last_block and (blocks[block].start < until or until >= plan.until):
            if block != plan.own_block:
                cut.texts.append(blocks[block].text)
            block += 1
        return block

    def _empty(self, heading: int, place: int) -> _Cut:
        origin = self._parsed.stretch(0, place)[1]
        return _Cut(heading, origin, origin)

    def _heading(self, heading: OutlineHeading, anchor: str) -> PageHeading:
        start, end = self._parsed.stretch(heading.start, heading.end)
        return PageHeading(heading.level, heading.text, anchor, start, end)


def _between(starts: list[int], first: int, last: int) -> range:
    return range(bisect_left(starts, first), bisect_left(starts, last))
