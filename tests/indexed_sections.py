"""Sections with a ranker over their index, as a graph or a digest has them."""

from collections.abc import Sequence

from loreweave.entities.digest import SearchedSection
from loreweave.index.build_index import build_index
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.embedder import Embedder


def indexed(
    sections: Sequence[SearchedSection], embedder: Embedder | None = None, glossary: Sequence[Sequence[str]] = ()
) -> SectionIndex:
    return SectionIndex(build_index(sections, embedder), embedder, glossary)
