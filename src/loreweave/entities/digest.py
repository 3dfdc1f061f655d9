"""The digest of a graph: every document's sections under their ids, with what is said about them."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from loreweave.contracts.skill_graph import PageSettings

EXTRACTOR = "4"  # raised when the same text would give other sections, facts or summaries
TERMS = "9"  # raised when it would give other terms or passages: what was written about its sections stays valid

PASSAGE_TOKENS = 200  # about so many are found together
BREAK_TOKENS = 2  # of the blank line behind a passage

FactKind = Literal["flag", "key", "default", "value", "code"]


class Fact(NamedTuple):
    """A slice of the source: literal = source[start:end], counted in UTF-8 bytes."""

    kind: FactKind
    literal: str
    start: int
    end: int


class PageLink(NamedTuple):
    """A link as written; section is the position of the section it stands in."""

    section: int
    target: str
    wikilink: bool


class GlossaryFinding(NamedTuple):
    """A term that the text itself defines in one sentence."""

    term: str
    aliases: tuple[str, ...]
    definition: str
    section: int


class PageHeading(NamedTuple):
    """A heading that stands in no quote or list; deeper ones than sections have are among them."""

    level: int
    text: str
    anchor: str
    start: int  # bytes of the source: the line or lines that it is written on
    end: int


class Passage(NamedTuple):
    """Neighbouring blocks below one heading, as many as are worth finding together."""

    heading: int  # position among the page's headings, -1 above the first
    start: int  # bytes of the source, without the heading
    end: int
    tokens: int  # of these bytes as they are written, and of a blank line behind them
    text: str  # plain; a heading too deep for a section of its own opens it


class PageSection(NamedTuple):
    """From a heading to the next boundary; the page-level section has no heading and no anchor."""

    anchor: str | None
    heading: str | None
    level: int  # 0 for the page-level section
    start: int  # bytes of the source, heading included
    end: int
    text: str  # plain text of the body without markup, components and comments; code stays
    facts: tuple[Fact, ...]
    passages: tuple[Passage, ...]  # their texts, line by line, are the text; a page's description opens it
    raw_hash: str  # of the source's own bytes
    excerpt: str
    terms: tuple[str, ...]


class PageRecord(NamedTuple):
    """Everything that one document says by itself; ids and urls need its neighbours and come later."""

    title: str | None  # of the header, else the first H1; the slug stands in where there is none
    group: str | None  # of the header only
    description: str | None
    sections: tuple[PageSection, ...]
    links: tuple[PageLink, ...]
    glossary: tuple[GlossaryFinding, ...]
    anchors: tuple[tuple[str, int], ...]  # every anchor, deeper headings' too, and the section it stands in
    name: str = ""  # as the graph calls it
    aliases: tuple[str, ...] = ()
    headings: tuple[PageHeading, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchedNote:
    """What a note is called, and the sentences in which it links; read with the first passage of its page."""

    name: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchedSection:
    """One section as it is searched; the page is what results are spread over."""

    id: str
    page: str
    title: str
    heading: str | None
    terms: tuple[str, ...]  # glossary terms and aliases that the section defines
    literals: tuple[str, ...]
    text: str  # plain, without markup
    summary: str
    above: str = ""  # the headings between the page's title and its own
    called: tuple[str, ...] = ()  # names that mean just this section, beside its heading
    passages: tuple[str, ...] = ()  # what the text is found by; the whole of it where there are none
    sizes: tuple[int, ...] = ()  # tokens of each passage as it is written
    deeper: tuple[str, ...] = ()  # what heads each passage where that is no heading of a section
    note: SearchedNote | None = None  # of the section that opens a page


@dataclass(frozen=True, slots=True)
class SearchedPassage:
    """One passage of a section, under everything that stands over it: a row of the index."""

    section: SearchedSection
    number: int
    text: str
    size: int = 0

    @property
    def note(self) -> SearchedNote | None:
        return None if self.number else self.section.note

    @property
    def deeper(self) -> str:
        return self.section.deeper[self.number] if self.section.deeper else ""

    @property
    def literals(self) -> tuple[str, ...]:
        """Those that it holds itself; what no passage holds stands with the first."""
        text, literals = self.text, self.section.literals
        if len(self.section.passages) < 2 or not literals:
            return literals
        if self.number:
            return tuple([literal for literal in literals if literal in text])
        elsewhere = "\0".join(self.section.passages[1:])
        return tuple([literal for literal in literals if literal in text or literal not in elsewhere])


@dataclass(frozen=True, slots=True)
class SectionHit:
    """A found section by its position among those the index was built of."""

    section: int
    score: float
    snippet: str
    highlights: tuple[tuple[int, int], ...]  # [start, end) in code points of the snippet


@dataclass(frozen=True, slots=True)
class DigestSection:
    """One section of one document, addressed."""

    id: str
    slug: str  # of its page
    path: str  # of its document below the root
    title: str  # of its page
    heading: str | None
    group: str | None
    anchor: str | None
    level: int
    url: str
    summary: str
    distilled: bool  # whether the summary was written by somebody rather than cut from the text
    hash: str
    mode: str
    terms: tuple[str, ...]
    facts: tuple[Fact, ...]
    text: str  # plain
    start: int  # bytes of the document's source
    end: int


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    term: str
    aliases: tuple[str, ...]
    definition: str
    section: str | None = None  # id of the section that defines it
    given: bool = False  # by somebody, rather than found in the text


class SectionEdge(NamedTuple):
    source: str
    target: str
    kind: str  # child, next, link, defines


def reader_of(pages: PageSettings) -> str:
    """What the record of a page depends on besides path and text."""
    return f"{EXTRACTOR}.{TERMS}:{pages.slugScheme}:{pages.headingDepth}"


@dataclass(frozen=True, slots=True)
class Distilled:
    """What somebody wrote about a corpus: a model, an agent, a person. Empty where nobody did."""

    context: str | None = None
    glossary: tuple[GlossaryTerm, ...] | None = None
    suggestions: tuple[str, ...] | None = None
    summaries: dict[str, tuple[str, str]] = field(default_factory=dict)  # section id → (hash it was written for, text)


@dataclass(frozen=True, slots=True)
class Digest:
    settings: PageSettings  # part of every hash
    content_hash: str
    sections: tuple[DigestSection, ...]  # documents by slug, sections in their order
    glossary: tuple[GlossaryTerm, ...]
    edges: tuple[SectionEdge, ...]
    overview: str
    context: str
    suggestions: tuple[str, ...]
    slugs: dict[str, str]  # path → slug, also of documents without sections
    written: frozenset[str] = frozenset()  # which of context and suggestions somebody wrote
