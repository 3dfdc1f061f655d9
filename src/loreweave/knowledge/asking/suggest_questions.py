"""Whether a question finds the section it was made of: only such are suggested."""

from collections.abc import Callable

from loreweave.entities.digest import Digest
from loreweave.knowledge.ranking.section_index import SectionIndex

FINDING = 3  # a suggestion must find its own section among the first of its results


def finds_own_section(digest: Digest, index: SectionIndex) -> Callable[[str, str], bool]:
    words_only = SectionIndex(index.arrays, None)  # equal documents, equal digests, whatever the embedder

    def finds(question: str, section: str) -> bool:
        return any(digest.sections[hit.section].id == section for hit in words_only.search(question, FINDING))

    return finds
