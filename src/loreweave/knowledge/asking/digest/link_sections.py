"""Edges between sections: what lies below, what follows, what is linked, what is defined."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from loreweave.entities.digest import DigestSection, GlossaryTerm, SectionEdge
from loreweave.entities.page import PageLink


@dataclass(slots=True)
class LinkedPage:
    """What is needed of a page to link from it and to it."""

    path: str
    slug: str
    title: str
    sections: Sequence[DigestSection]
    anchors: Mapping[str, int]  # anchor → position in sections
    links: Sequence[PageLink] = field(default_factory=tuple)


class LinkMap:
    """Finds the document, and the section, that a link means."""

    def __init__(self, pages: Iterable[LinkedPage], base_path: str) -> None:
        self._base = (base_path if base_path.endswith("/") else base_path + "/").casefold()
        self._by_path: dict[str, LinkedPage] = {}
        self._by_name: dict[str, LinkedPage] = {}
        for page in pages:
            for key in (page.path, _without_extension(page.path), page.slug):
                self._by_path.setdefault(key.casefold(), page)
            for name in (posixpath.basename(_without_extension(page.path)), page.title):
                self._by_name.setdefault(name.casefold().strip(), page)

    def find(self, source: str, target: str, wikilink: bool) -> tuple[LinkedPage, str | None] | None:
        """The page that a link in the document at `source` means, and the anchor it names."""
        address, _, anchor = target.partition("#")
        page = self._wiki_page(address, source) if wikilink else self._linked_page(address, source)
        return None if page is None else (page, _decoded(anchor) or None)

    def _wiki_page(self, name: str, source: str) -> LinkedPage | None:
        name = name.partition("|")[0].strip()
        if not name:
            return self._by_path.get(source.casefold())
        key = _without_extension(name).casefold()
        return self._by_path.get(key.strip("/")) or self._by_name.get(key)

    def _linked_page(self, address: str, source: str) -> LinkedPage | None:
        if not address:
            return self._by_path.get(source.casefold())
        if address.casefold().startswith(self._base) or address.casefold() == self._base[:-1]:
            return self._at(_decoded(address[len(self._base) :].partition("?")[0]))
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        if parts.scheme or parts.netloc:
            return None
        path = _decoded(parts.path)
        if path.startswith("/"):
            return self._at(path)
        folder = posixpath.dirname(source)
        beside_page = _without_extension(source).removesuffix("/index")  # as a browser reads /docs/page/
        return self._at(posixpath.join(folder, path)) or self._at(posixpath.join(beside_page, path))

    def _at(self, path: str) -> LinkedPage | None:
        clean = posixpath.normpath("/" + path.strip("/")).strip("/").casefold()
        for key in (clean, _without_extension(clean), f"{clean}/index" if clean else "index"):
            if key in self._by_path:
                return self._by_path[key]
        return None


def section_at(page: LinkedPage, anchor: str | None) -> DigestSection | None:
    """The section an anchor stands in; the page's first one where there is no such anchor."""
    if not page.sections:
        return None
    return page.sections[page.anchors.get(anchor, 0) if anchor else 0]


def link_sections(
    pages: Sequence[LinkedPage], link_map: LinkMap, glossary: Sequence[GlossaryTerm]
) -> tuple[SectionEdge, ...]:
    edges: dict[SectionEdge, None] = {}
    for page in pages:
        for edge in (*_within(page.sections), *_links(page, link_map)):
            edges[edge] = None
    known = {section.id for page in pages for section in page.sections}
    for entry in glossary:
        if entry.section in known:
            edges[SectionEdge(entry.section, f"glossary:{entry.term}", "defines")] = None
    return tuple(sorted(edges, key=lambda edge: (edge.source, edge.target, edge.kind)))


def _within(sections: Sequence[DigestSection]) -> Iterable[SectionEdge]:
    above: list[DigestSection] = []
    for position, section in enumerate(sections):
        while above and above[-1].level >= section.level:
            above.pop()
        if above:
            yield SectionEdge(above[-1].id, section.id, "child")
        above.append(section)
        if position:
            yield SectionEdge(sections[position - 1].id, section.id, "next")


def _links(page: LinkedPage, link_map: LinkMap) -> Iterable[SectionEdge]:
    for link in page.links:
        found = link_map.find(page.path, link.target, link.wikilink)
        target = section_at(*found) if found else None
        source = page.sections[link.section] if link.section < len(page.sections) else None
        if target and source and target.id != source.id:
            yield SectionEdge(source.id, target.id, "link")


def _without_extension(path: str) -> str:
    stem, extension = posixpath.splitext(path)
    return stem if extension.lower() in (".md", ".mdx", ".markdown") else path


def _decoded(text: str) -> str:
    return unquote(text, errors="replace")
