"""One document as contract 002 reads it: sections with anchors, and what code finds in them."""

from dataclasses import dataclass
from typing import Literal

FactKind = Literal["flag", "key", "default", "value", "code"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A slice of the source: literal = source[start:end], counted in UTF-8 bytes."""

    kind: FactKind
    literal: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link as written; section is the position of the section it stands in."""

    section: int
    target: str
    wikilink: bool


@dataclass(frozen=True, slots=True)
class GlossaryFinding:
    """A term that the text itself defines in one sentence."""

    term: str
    aliases: tuple[str, ...]
    definition: str
    section: int


@dataclass(frozen=True, slots=True)
class PageSection:
    """From a heading to the next boundary; the page-level section has no heading and no anchor."""

    anchor: str | None
    heading: str | None
    level: int  # 0 for the page-level section
    start: int  # bytes of the source, heading included
    end: int
    text: str  # plain text of the body without markup, components and comments; code stays
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class PageReading:
    """Everything that one document says by itself; ids and urls need its neighbours and come later."""

    title: str | None  # of the header, else the first H1; the slug stands in where there is none
    group: str | None  # of the header only
    description: str | None
    sections: tuple[PageSection, ...]
    links: tuple[PageLink, ...]
    glossary: tuple[GlossaryFinding, ...]
    anchors: tuple[
        tuple[str, int], ...
    ] = ()  # every anchor of the page, deeper headings too, and the section it stands in
