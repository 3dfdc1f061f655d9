"""What keyword search reads and answers."""

from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A glossary entry: a query that names one of its names also searches the others."""

    term: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionHit:
    """A found section by its position among those the index was built of."""

    section: int
    score: float
    snippet: str
    highlights: tuple[tuple[int, int], ...]  # [start, end) in code points of the snippet
