"""Which headings begin a section, and what is found below them: passages of about two hundred tokens, never across a
heading, never half a fence or table."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from loreweave.entities.digest import BREAK_TOKENS, PASSAGE_TOKENS, PageHeading, Passage
from loreweave.language.markdown.anchors import give_anchors
from loreweave.language.markdown.page_outline import OutlineHeading, PageOutline
from loreweave.language.markdown.parsed_text import ParsedText
from loreweave.language.stretch_tokens import StretchTokens


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section before its text and facts are filled in; blocks are those of its body."""

    heading: OutlineHeading | None
    anchor: str | None
    place: int  # in the parsed text
    until: int
    first_block: int
    last_block: int  # the first behind it
    own_block: int  # its heading, or the page's title; -1 without one
    start: int  # in the source
    end: int
    text: str


class SectionFinder:
    """The sections of one page in order, and the section of any place in the parsed text."""

    def __init__(self, outline: PageOutline, parsed: ParsedText, scheme: str, depth: int, described: bool) -> None:
        boundaries = _find_boundaries(outline.headings, depth)
        self.given = give_anchors(outline.headings, scheme)
        anchors = dict(zip(map(id, outline.headings), self.given, strict=True))
        self._places = [(anchors[id(heading)], heading.start) for heading in outline.headings]
        self._starts = [0, *(heading.start for heading in boundaries)]
        places = [*self._starts, len(parsed.data) + 1]
        self._plans: list[SectionPlan] = []
        source_starts = [parsed.origin(0), *(_line_start(parsed, heading) for heading in boundaries)]
        ends = [*source_starts[1:], len(parsed.source)]
        blocks = [0, *(heading.block for heading in boundaries), len(outline.blocks)]
        title = outline.headings[0].block if outline.headings and outline.headings[0].level == 1 else -1
        for number, heading in enumerate([None, *boundaries]):
            own = heading.block if heading else title
            body = [outline.blocks[index].text for index in range(blocks[number], blocks[number + 1]) if index != own]
            anchor = anchors[id(heading)] if heading else None
            span = self._starts[number], places[number + 1], blocks[number], blocks[number + 1], own
            start, end = source_starts[number], ends[number]
            self._plans.append(SectionPlan(heading, anchor, *span, start, end, "\n".join(body)))
        self._has_page_level = described or bool(self._plans[0].text)
        if not boundaries and not self._has_page_level:
            # A page of a header, a picture or a component alone is still a place that links lead from and to.
            start, end = parsed.stretch(outline.headings[0].start, outline.headings[0].end) if title >= 0 else (0, 0)
            self._has_page_level = _says_something(parsed.source[:start] + parsed.source[end:])

    def sections(self) -> list[SectionPlan]:
        """The page-level section first, where there is one."""
        return self._plans if self._has_page_level else self._plans[1:]

    def anchors(self) -> tuple[tuple[str, int], ...]:
        """Every anchor of the page, and the section it stands in; a title above all sections leads to the first."""
        return tuple((anchor, max(0, self.number(place))) for anchor, place in self._places)

    def number(self, place: int) -> int:
        """Position of the section that holds a place of the parsed text; -1 above the first."""
        return bisect_right(self._starts, place) - 1 - (not self._has_page_level)


def _says_something(source: bytes) -> bool:
    """Whether there is more than comments, rules and headings without words."""
    first, *more = source.split(b"<!--")
    return any(part.strip(b" \t\n-*_#") for part in (first, *(part.rpartition(b"-->")[2] for part in more)))


def _is_comment(source: bytes) -> bool:
    """Whether a block is a comment alone, which nobody reads and nobody should pay for."""
    return source.startswith(b"<!--") and source.find(b"-->", 4) == len(source) - 3


def _find_boundaries(headings: list[OutlineHeading], depth: int) -> list[OutlineHeading]:
    return [
        heading
        for number, heading in enumerate(headings)
        if heading.top and (2 <= heading.level <= depth or (heading.level == 1 and number))
    ]


def _line_start(parsed: ParsedText, heading: OutlineHeading) -> int:
    """Where the heading's line begins, unless a tag stands before it on the line."""
    origin = parsed.origin(heading.start)
    line = parsed.source.rfind(b"\n", 0, origin) + 1
    return origin if parsed.source[line:origin].strip(b" \t") else line


COMMENT_TOKENS = 24  # a comment of more ends a passage rather than being shown with it


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

    def __init__(self, outline: PageOutline, parsed: ParsedText, anchors: list[str], tokens: StretchTokens) -> None:
        self._outline = outline
        self._parsed = parsed
        self._tokens = tokens
        self.source = parsed.source
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
        tokens = self._tokens.count(cut.start, cut.end) + BREAK_TOKENS if cut.start < cut.end else 0
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
            source_end = source_start + len(self.source[source_start:source_end].rstrip())
            tokens = self._tokens.count(source_start, source_end) + BREAK_TOKENS
            unseen = _is_comment(self.source[source_start:source_end])
            if unseen and not cut.tokens:
                continue
            if cut.tokens and (tokens > COMMENT_TOKENS if unseen else cut.tokens + tokens > PASSAGE_TOKENS):
                block = self._take(cut, block, plan, start)
                yield cut
                cut = self._empty(cut.heading, start)
                if unseen:
                    continue
            cut.add(source_start, source_end, tokens)
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
