"""A digest to its index; from one of an earlier state, where there is one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from loreweave.entities.digest import Digest, DigestSection, SearchedSection, SearchTerm
from loreweave.index.bulk_work import Run
from loreweave.knowledge.asking.search.build_index import build_index
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.knowledge.asking.search.section_prints import as_list
from loreweave.seams.embedding.embedder import Embedder

STALE_SHARE = 0.05  # of the sections: so many changed, a stored index is worth storing anew

Made = Mapping[str, tuple[DigestSection, SearchedSection]]  # by id


@dataclass(frozen=True, slots=True)
class IndexedDigest:
    """An index, and how far the stored one is behind it."""

    index: SectionIndex
    stored: frozenset[bytes] = frozenset()  # prints of the sections of the index that is stored
    made: Made = field(default_factory=dict)

    @property
    def is_stale(self) -> bool:
        """Whether the stored index is of little use to one who starts from it."""
        present = frozenset(as_list(self.index.arrays.prints))
        return not self.stored or len(present ^ self.stored) > STALE_SHARE * len(present)


def stored_index(index: SectionIndex) -> IndexedDigest:
    """An index as it came out of the store, or went into it."""
    return IndexedDigest(index, frozenset(as_list(index.arrays.prints)))


def index_digest(
    digest: Digest, embedder: Embedder | None, before: IndexedDigest | None = None, run: Run = map
) -> IndexedDigest:
    """The same whatever was there `before` and however it is `run`; both only save time."""
    sections = searched_sections(digest, before.made if before else {})
    terms = [SearchTerm(entry.term, entry.aliases) for entry in digest.glossary]
    index = build_index(sections, terms, embedder, before=before.index if before else None, run=run)
    made = {section.id: (section, searched) for section, searched in zip(digest.sections, sections, strict=True)}
    return IndexedDigest(index, before.stored if before else frozenset(), made)


def searched_sections(digest: Digest, made: Made) -> list[SearchedSection]:
    """The sections as they are searched, in their order; those that are the same are not made again."""
    terms: dict[str, list[str]] = {}
    for entry in digest.glossary:
        if entry.section is not None:
            terms.setdefault(entry.section, []).extend((entry.term, *entry.aliases))
    sections = []
    for section in digest.sections:
        known = made.get(section.id)
        own = tuple(terms.get(section.id, ()))
        is_same = known and known[0] is section and known[1].terms == own
        sections.append(known[1] if known and is_same else _searched(section, own))
    return sections


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
