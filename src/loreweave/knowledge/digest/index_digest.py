"""A digest by itself to its index: of a folder, or of a file."""

from loreweave.entities.digest import Digest, DigestSection, SearchedSection
from loreweave.index.build_index import BuiltIndex, build_index
from loreweave.knowledge.ranking.section_index import SectionIndex
from loreweave.seams.embedding.embedder import Embedder


def index_digest(digest: Digest, embedder: Embedder | None, before: BuiltIndex | None = None) -> SectionIndex:
    """The same whatever was there `before`; that only saves time."""
    names = [[entry.term, *entry.aliases] for entry in digest.glossary]
    return SectionIndex(build_index(searched_sections(digest), embedder, before).arrays, embedder, names)


def searched_sections(digest: Digest) -> list[SearchedSection]:
    """The sections as they are searched, in their order."""
    terms: dict[str, list[str]] = {}
    for entry in digest.glossary:
        if entry.section is not None:
            terms.setdefault(entry.section, []).extend((entry.term, *entry.aliases))
    return [_searched(section, tuple(terms.get(section.id, ()))) for section in digest.sections]


def _searched(section: DigestSection, terms: tuple[str, ...]) -> SearchedSection:
    return SearchedSection(
        id=section.id,
        page=section.slug,
        title=section.title,
        heading=section.heading,
        terms=terms,
        literals=tuple([fact.literal for fact in section.facts]),
        text=section.text,
        summary=section.summary if section.distilled else "",
    )
