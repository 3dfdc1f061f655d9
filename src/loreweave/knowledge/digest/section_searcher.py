"""Where pages and sections live, and a search for them that needs no digest: the index says all that results tell."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from loreweave.contracts.ask import KeywordResult
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import GlossaryTerm
from loreweave.knowledge.digest.digest_file import merge_glossary
from loreweave.knowledge.packs.index_library import PassageIndex
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.embedder import is_local

_REMEMBERED = 2048  # pages
_ANSWERED = 512  # questions whose results stay at hand: many ask the same
_EXTENSION = re.compile(r"\.(?:md|mdx|markdown)\Z", re.IGNORECASE)


def deal_slugs(paths: Iterable[str]) -> dict[str, str]:
    """A slug for every document. Of two that would share one, the first path in byte order keeps it."""
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=str.encode):
        slugs[path] = next(slug for slug in _candidates(path) if slug not in taken)
        taken.add(slugs[path])
    return slugs


def _candidates(path: str) -> Iterable[str]:
    whole = path.replace("#", "%23")  # a bare # would read as the beginning of an anchor
    plain = _EXTENSION.sub("", whole)
    yield "index" if plain == "_index" else plain.removesuffix("/index").removesuffix("/_index")
    yield plain
    yield whole
    number = 2
    while True:
        yield f"{whole}~{number}"
        number += 1


def page_url(base_path: str, slug: str) -> str:
    """The address of a page. What an address would read as something else is written as %XX."""
    base = base_path if base_path.endswith("/") else base_path + "/"
    if slug == "index":
        return base.removesuffix("/") or "/"
    return base + slug.replace("%", "%25").replace("?", "%3F").replace("#", "%23").replace(" ", "%20")


def section_address(slug: str, anchor: str | None) -> str:
    """Below the address of the page, or below its slug, which makes it the id of the section."""
    return slug if anchor is None else f"{slug}#{anchor}"


def group_of(slug: str, given: str | None) -> str | None:
    """The header's group, else the first folder."""
    if given:
        return given
    folder, slash, _ = slug.partition("/")
    return folder if slash else None


class SectionSearcher:
    """Searches the sections of one digest. `label` gives what results say of a section, by its number in the index."""

    def __init__(
        self, index: SectionIndex, label: Callable[[int], dict[str, Any]], graph_id: str = "", *, keeps: bool = False
    ) -> None:
        """`keeps`: whether results stay at hand; not where an embedder may be away for one question."""
        self.index = index
        self._label = label
        self.graph_id = graph_id

        def found(query: str, limit: int) -> tuple[KeywordResult, ...]:
            hits = ((label(hit.section), hit) for hit in index.search(query, limit))
            return tuple(
                KeywordResult(**said, snippet=hit.snippet, score=hit.score, highlights=list(hit.highlights))
                for said, hit in hits
            )

        self._found = lru_cache(_ANSWERED if keeps else 0)(found)  # gone with this state of the graph

    def search(self, query: str, limit: int) -> list[KeywordResult]:
        return list(self._found(query, limit))

    def by_words(self) -> SectionSearcher:
        return SectionSearcher(self.index.by_words(), self._label)


def graph_searcher(
    index: PassageIndex, settings: PageSettings, given: tuple[GlossaryTerm, ...] | None, graph_id: str
) -> SectionSearcher:
    """`given`: the glossary that somebody wrote, which goes before what the documents say."""
    slugs = deal_slugs(index.paths)
    starts = index.first_sections.tolist()
    read_label = lru_cache(_REMEMBERED)(lambda page: json.loads(index.labels[page]))

    def label(number: int) -> dict[str, Any]:
        page = bisect_right(starts, number) - 1
        title, group, sections = read_label(page)
        anchor, heading = sections[number - starts[page]]
        slug = slugs[index.paths[page]]
        return {
            "id": section_address(slug, anchor),
            "title": title or slug,
            "heading": heading,
            "group": group_of(slug, group),
            "url": section_address(page_url(settings.basePath, slug), anchor),
        }

    ranker = index.ranker
    if given:
        found = (GlossaryTerm(names[0], tuple(names[1:]), "") for names in index.glossary)
        ranker = index.ranker_with([[entry.term, *entry.aliases] for entry in merge_glossary(given, found)])
    return SectionSearcher(ranker, label, graph_id, keeps=index.embedder is None or is_local(index.embedder))
