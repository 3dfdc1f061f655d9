"""A handful of sections, and how they are searched."""

from collections.abc import Callable, Sequence

import pytest
from tests.indexed_sections import indexed

from loreweave.entities.digest import SearchedSection
from loreweave.seams.embedding.embedder import Embedder

Search = Callable[..., list[str]]


@pytest.fixture
def section() -> Callable[..., SearchedSection]:
    def make(
        id: str,
        text: str = "",
        *,
        heading: str | None = None,
        title: str = "Guide",
        terms: tuple[str, ...] = (),
        literals: tuple[str, ...] = (),
        summary: str = "",
    ) -> SearchedSection:
        page = id.partition("#")[0]
        return SearchedSection(id, page, title, heading, terms, literals, text, summary)

    return make


@pytest.fixture
def found() -> Search:
    """The ids found for a query, best first."""

    def search(
        sections: Sequence[SearchedSection],
        query: str,
        *,
        glossary: Sequence[Sequence[str]] = (),
        embedder: Embedder | None = None,
        limit: int = 6,
    ) -> list[str]:
        index = indexed(sections, embedder, glossary)
        return [sections[hit.section].id for hit in index.search(query, limit)]

    return search
