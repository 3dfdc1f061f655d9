"""Edges between sections: what lies below, what follows, what is linked, what is defined."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from loreweave.entities.digest import DigestSection, DigestSettings, GlossaryTerm, SectionEdge
from loreweave.entities.page import PageLink
from loreweave.knowledge.asking.documents.anchors import Slugger


@dataclass(slots=True)
class LinkedPage:
    """What is needed of a page to link from it and to it."""

    path: str
    slug: str
    title: str
    sections: Sequence[DigestSection]
    anchors: Mapping[str, int]  # anchor → position in sections
    links: Sequence[PageLink] = field(default_factory=tuple)

    def knows(self, anchor: str) -> bool:
        return anchor in self.anchors


class LinkMap:
    """Finds the document, and the section, that a link means."""

    def __init__(self, pages: Iterable[LinkedPage], settings: DigestSettings) -> None:
        base = settings.base_path
        self._base = (base if base.endswith("/") else base + "/").casefold()
        self._scheme = settings.slug_scheme
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
        if page is None:
            return None
        named = _decoded(anchor).strip()
        if wikilink and named and not page.knows(named):
            named = Slugger(self._scheme).slug(named)  # a wikilink names the heading as it is written
        return page, named or None

    def is_local(self, target: str, wikilink: bool) -> bool:
        """Whether a link means to lead to a document of ours rather than out into the world."""
        address = target.partition("#")[0]
        if wikilink or not address or address.casefold().startswith(self._base):
            return True
        try:
            parts = urlsplit(address)
        except ValueError:
            return False
        is_document = posixpath.splitext(parts.path)[1].lower() in ("", ".md", ".mdx", ".markdown")
        return not parts.scheme and not parts.netloc and not parts.path.startswith("/") and is_document

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
