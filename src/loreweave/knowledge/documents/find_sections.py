"""Which headings begin a section, and which anchor every heading has."""

from bisect import bisect_right
from dataclasses import dataclass

from loreweave.knowledge.documents.anchors import Slugger
from loreweave.language.markdown.page_outline import OutlineHeading, PageOutline
from loreweave.language.markdown.parsed_text import ParsedText


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

    def sections(self) -> list[SectionPlan]:
        """The page-level section first, where there is one."""
        return self._plans if self._has_page_level else self._plans[1:]

    def anchors(self) -> tuple[tuple[str, int], ...]:
        """Every anchor of the page, and the section it stands in; a title above all sections leads to the first."""
        return tuple((anchor, max(0, self.number(place))) for anchor, place in self._places)

    def number(self, place: int) -> int:
        """Position of the section that holds a place of the parsed text; -1 above the first."""
        return bisect_right(self._starts, place) - 1 - (not self._has_page_level)


def give_anchors(headings: list[OutlineHeading], scheme: str) -> list[str]:
    """The anchor of every heading of a page."""
    slugger = Slugger(scheme, (heading.explicit for heading in headings if heading.explicit is not None))
    return [slugger.slug(heading.slug_text, heading.explicit) for heading in headings]


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
