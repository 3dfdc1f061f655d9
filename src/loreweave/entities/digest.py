"""The digest of a graph: every document's sections under their ids, with what is said about them."""

from dataclasses import dataclass, field

from loreweave.entities.page import Fact


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


@dataclass(frozen=True, slots=True)
class SectionEdge:
    source: str
    target: str
    kind: str  # child, next, link, defines


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """How pages are addressed; part of every hash."""

    base_path: str = "/docs/"
    slug_scheme: str = "github"
    heading_depth: int = 3


@dataclass(frozen=True, slots=True)
class Distilled:
    """What somebody wrote about a corpus: a model, an agent, a person. Empty where nobody did."""

    context: str | None = None
    glossary: tuple[GlossaryTerm, ...] | None = None
    suggestions: tuple[str, ...] | None = None
    summaries: dict[str, tuple[str, str]] = field(default_factory=dict)  # section id → (hash it was written for, text)


@dataclass(frozen=True, slots=True)
class Digest:
    settings: DigestSettings
    content_hash: str
    sections: tuple[DigestSection, ...]  # documents by slug, sections in their order
    glossary: tuple[GlossaryTerm, ...]
    edges: tuple[SectionEdge, ...]
    overview: str
    context: str
    suggestions: tuple[str, ...]
    slugs: dict[str, str]  # path → slug, also of documents without sections
    written: frozenset[str] = frozenset()  # which of context and suggestions somebody wrote
