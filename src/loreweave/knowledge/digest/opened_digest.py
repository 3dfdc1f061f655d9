"""A digest as it is asked: its sections by id, its pages, its index."""

import threading
from collections.abc import Callable
from functools import cached_property

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled
from loreweave.entities.graph_rows import GraphRow
from loreweave.knowledge.digest.assemble_digest import DigestAssembly, assemble, with_suggestions
from loreweave.knowledge.digest.index_digest import index_digest
from loreweave.knowledge.digest.link_map import LinkedPage, LinkMap
from loreweave.knowledge.graph.graph_library import not_found
from loreweave.knowledge.ranking.section_index import SectionIndex

FindIndex = Callable[[Digest], SectionIndex]
FINDING = 3  # a suggestion must find its own section among the first of its results


def finds_own_section(digest: Digest, index: SectionIndex) -> Callable[[str, str], bool]:
    """Whether a question finds the section it was made of: only such are suggested."""
    words_only = SectionIndex(index.arrays, None)  # equal documents, equal digests, whatever the embedder

    def finds(question: str, section: str) -> bool:
        return any(digest.sections[hit.section].id == section for hit in words_only.search(question, FINDING))

    return finds


class OpenDigest:
    """The digest of one state of a graph, with what is needed to search it and to show its pages."""

    def __init__(
        self, digest: Digest, find_index: FindIndex, assembly: DigestAssembly | None = None, row: GraphRow | None = None
    ) -> None:
        self.plain = digest  # without suggestions, unless somebody wrote some: cheap to have
        self.row = row
        self._find_index = find_index
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
    def index(self) -> SectionIndex:
        with self._making:
            return self._index

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
    def _index(self) -> SectionIndex:
        return self._find_index(self.plain)

    @cached_property
    def _whole(self) -> Digest:
        if self.plain.suggestions:
            return self.plain
        return with_suggestions(self.plain, finds_own_section(self.plain, self._index))


_NO_PAGES = assemble({}, DigestSettings(), Distilled())
EMPTY = OpenDigest(_NO_PAGES.digest, lambda digest: index_digest(digest, None), _NO_PAGES)
