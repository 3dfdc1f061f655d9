"""A digest as it is asked: its sections by id, its pages, a search; of a graph, or of a file by itself."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Digest, DigestSection, Distilled, Fact, GlossaryTerm, SearchedSection
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import InvalidInput, NotFound
from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import IndexArrays
from loreweave.knowledge.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.digest.link_pages import LinkedPage, LinkMap
from loreweave.knowledge.digest.orientation import suggestions
from loreweave.knowledge.digest.section_searcher import SectionSearcher
from loreweave.knowledge.documents.source_paths import read_digest
from loreweave.knowledge.graph.graph_library import not_found
from loreweave.knowledge.graph.stored_notes import settings_of
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.embedder import Embedder

FINDING = 3  # a suggestion must find its own section among the first of its results
_SAID = ("id", "title", "heading", "group", "url")  # of a section by results


def index_digest(digest: Digest, embedder: Embedder | None, before: IndexArrays | None = None) -> SectionIndex:
    """Of a digest by itself. The same whatever was there `before`; that only saves time."""
    names = [[entry.term, *entry.aliases] for entry in digest.glossary]
    return SectionIndex(build_index(searched_sections(digest), embedder, before), embedder, names)


def searched_sections(digest: Digest) -> list[SearchedSection]:
    """The sections as they are searched, in their order."""
    terms: dict[str, list[str]] = {}
    for entry in digest.glossary:
        if entry.section is not None:
            terms.setdefault(entry.section, []).extend((entry.term, *entry.aliases))
    return [
        SearchedSection(
            id=section.id,
            page=section.slug,
            title=section.title,
            heading=section.heading,
            terms=tuple(terms.get(section.id, ())),
            literals=tuple([fact.literal for fact in section.facts]),
            text=section.text,
            summary=section.summary if section.distilled else "",
        )
        for section in digest.sections
    ]


def digest_searcher(digest: Digest, index: SectionIndex) -> SectionSearcher:
    return SectionSearcher(index, lambda number: {name: getattr(digest.sections[number], name) for name in _SAID})


def suggesting(digest: Digest, searcher: SectionSearcher) -> Digest:
    """With questions that find the section they were made of, where nobody wrote any."""
    words_only = searcher.by_words()

    def finds(question: str, section: str) -> bool:
        return any(found.id == section for found in words_only.search(question, FINDING))

    return replace(digest, suggestions=tuple(suggestions(digest.sections, digest.edges, finds)))


class OpenDigest:
    """The digest of one state of a graph, with what is needed to search it and to show its pages."""

    def __init__(
        self,
        digest: Digest,
        open_searcher: Callable[[], SectionSearcher],
        assembly: DigestAssembly | None = None,
        row: GraphRow | None = None,
    ) -> None:
        self.plain = digest  # without suggestions, unless somebody wrote some: cheap to have
        self.row = row
        self._open_searcher = open_searcher  # asked each time: what was made while an embedder was away is replaced
        self._assembly = assembly  # None where there are no documents
        self._making = threading.RLock()  # what is made on demand is made once, however many ask

    @property
    def graph_id(self) -> str:
        return self.row.graph_id if self.row else ""

    @property
    def sections(self) -> tuple[DigestSection, ...]:
        return self.plain.sections

    def section(self, wanted: str) -> DigestSection:
        section = self._by_id.get(wanted)
        if section is None:
            raise not_found(f"There is no section {wanted[:200]!r}.", wanted[:200], self._by_id, id=wanted[:200])
        return section

    @property
    def searcher(self) -> SectionSearcher:
        with self._making:
            return self._open_searcher()

    @property
    def digest(self) -> Digest:
        """The whole of it, suggestions too."""
        with self._making:
            return self._whole

    @cached_property
    def pages(self) -> dict[str, LinkedPage]:
        """By slug."""
        return {page.slug: page for page in self._assembly.pages} if self._assembly else {}

    @cached_property
    def link_map(self) -> LinkMap:
        return self._assembly.link_map if self._assembly else LinkMap([], self.plain.settings)

    @cached_property
    def _by_id(self) -> dict[str, DigestSection]:
        return {section.id: section for section in self.plain.sections}

    @cached_property
    def _whole(self) -> Digest:
        return self.plain if self.plain.suggestions else suggesting(self.plain, self._open_searcher())


def open_nothing() -> OpenDigest:
    """Where there is no graph."""
    made = assemble({}, PageSettings(), Distilled())
    return OpenDigest(made.digest, searches_once(made.digest, None), made)


def searches_once(digest: Digest, embedder: Embedder | None) -> Callable[[], SectionSearcher]:
    """Opens the searcher of a digest by itself: made by the first question, kept for the others."""
    return cache(lambda: digest_searcher(digest, index_digest(digest, embedder)))


class DigestFileLibrary:
    """A digest file stands where a DigestLibrary stands: no store, no documents, only what the file itself says."""

    def __init__(self, data: bytes, embedder: Embedder | None) -> None:
        self._data = data
        self._embedder = embedder

    def open(self, graph_id: str | None = None) -> OpenDigest:
        if graph_id:
            raise NotFound("A digest file holds no graphs.", graph=graph_id[:200])
        return self._opened

    def searcher(self, graph_id: str | None = None) -> SectionSearcher:
        return self.open(graph_id).searcher

    def is_misconfigured(self) -> bool:
        return False

    @cached_property
    def _opened(self) -> OpenDigest:
        digest = digest_of(read_digest(self._data))
        return OpenDigest(digest, searches_once(digest, self._embedder))


def digest_of(found: dict[str, Any]) -> Digest:
    """A parsed digest file as a digest; its sections have their summary for a text."""
    try:
        return Digest(
            settings=settings_of(found.get("settings")),
            content_hash=str(found.get("contentHash", "")),
            sections=tuple(_section(node) for node in found["nodes"]),
            glossary=tuple(
                GlossaryTerm(each["term"], tuple(each["aliases"]), each["definition"]) for each in found["glossary"]
            ),
            edges=(),
            overview=str(found["overview"]),
            context=str(found["context"]),
            suggestions=tuple(map(str, found["suggestions"])),
            slugs={},
        )
    except (KeyError, TypeError, ValueError) as trouble:
        raise InvalidInput(f"The digest is damaged: {trouble!r}.", field="digest") from None


def _section(node: dict[str, Any]) -> DigestSection:
    identity = str(node["id"])
    facts = tuple(Fact(fact["kind"], fact["literal"], fact["start"], fact["end"]) for fact in node["facts"])
    return DigestSection(
        id=identity,
        slug=identity.partition("#")[0],
        path="",
        anchor=node["sources"][0]["anchor"],
        level=0 if node["heading"] is None else 2,
        **{name: node[name] for name in ("title", "heading", "group", "url", "summary", "mode")},
        distilled=bool(node.get("distilled")),
        hash=str(node.get("hash", "")),
        terms=tuple(node["terms"]),
        facts=facts,
        text=node["summary"],
        start=0,
        end=0,
    )
