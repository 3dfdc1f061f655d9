"""Which document and which place in it a link means, and the edges between sections that come of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import DigestSection, GlossaryTerm, PageLink, SectionEdge
from loreweave.knowledge.graph.link_note import is_no_note
from loreweave.language.markdown.anchors import Slugger
from loreweave.language.markdown.note_names import names_of, read_target
from loreweave.language.markdown.note_slugs import DOCUMENT_ENDINGS
from loreweave.language.markdown.resolve_link import MOST_ROOTED, find_site_root, group_names, resolve, site_roots


@dataclass(slots=True)
class LinkedPage:
    """What is needed of a page to link from it and to it."""

    path: str
    slug: str
    title: str
    name: str
    aliases: Sequence[str]
    sections: Sequence[DigestSection]
    anchors: Mapping[str, int]  # anchor → position in sections
    links: Sequence[PageLink] = field(default_factory=tuple)


class LinkMap:
    """Finds the document that a link means, by the rules of the graph."""

    def __init__(self, pages: Iterable[LinkedPage], settings: PageSettings) -> None:
        self._base = settings.basePath
        self._scheme = settings.slugScheme
        self._pages = list(pages)
        self._by_path = {page.path: page for page in self._pages}
        named = ((key, number, of, page.path) for number, page in enumerate(self._pages) for key, of in names_of(page))
        self._names = group_names(named)
        self.site_root = find_site_root(self._by_path, islice(self._rooted(), MOST_ROOTED))
        self._roots = site_roots(self._base, self.site_root)

    def _rooted(self) -> Iterable[str]:
        """Each rooted target of a page once, pages in order of their paths."""
        for path in sorted(self._by_path):
            targets = (self._target(link.target, link.wikilink, path)[0] for link in self._by_path[path].links)
            yield from dict.fromkeys(target for target in targets if target.startswith("/"))

    def _target(self, written: str, wikilink: bool, source: str) -> tuple[str, tuple[str, ...]]:
        return read_target(written, source, wikilink=wikilink, base=self._base)

    def find(self, source: str, target: str, wikilink: bool) -> tuple[LinkedPage, str | None] | None:
        """The page that a link in the document at `source` means, and the anchor it names."""
        wanted, anchors = self._target(target, wikilink, source)
        page = self._by_path.get(source)
        if wanted:
            found = resolve(wanted, source, self._names, self._roots)
            page = self._pages[found.note_key] if found else None
        elif not anchors:
            page = page if target.strip().startswith(("#", "?")) or not target else None
        if page is None:
            return None
        anchor = anchors[-1] if anchors else _around_block(page, target)
        if anchor and wikilink and anchor not in page.anchors:  # it names the heading as it is written
            anchor = Slugger(self._scheme).slug(anchor)
        return page, anchor

    def is_local(self, target: str, wikilink: bool) -> bool:
        """Whether a link means to lead to a document of ours rather than out into the world."""
        wanted, anchors = self._target(target, wikilink, "")
        if wikilink or not wanted:
            return bool(wanted or anchors) and not is_no_note(wanted)
        rooted = wanted.startswith("/") and not any(root != "/" and wanted.startswith(root) for root in self._roots)
        name = wanted.rpartition("/")[2]
        return not rooted and ("." not in name or name.lower().endswith(DOCUMENT_ENDINGS))


def _around_block(page: LinkedPage, target: str) -> str | None:
    """The anchor of the section in which the block stands that a link names, if it names one: it has none itself."""
    block = target.rpartition("#")[2].strip()
    number = page.anchors.get(block) if block.startswith("^") else None
    return None if number is None or not page.sections else page.sections[number].anchor


def may_lead_here(link: PageLink, settings: PageSettings) -> bool:
    """False for links that find no document, whatever documents there are: those out into the world."""
    target, anchors = read_target(link.target, "", wikilink=link.wikilink, base=settings.basePath)
    return link.wikilink or bool(target or anchors)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where the links of a page lead, among pages as they are."""

    edges: tuple[SectionEdge, ...]  # all edges from its sections, in order
    reached: frozenset[str]  # paths of all documents that its links mean


def section_at(page: LinkedPage, anchor: str | None) -> DigestSection | None:
    """The section an anchor stands in; the page's first one where there is no such anchor."""
    return page.sections[page.anchors.get(anchor, 0) if anchor else 0] if page.sections else None


def link_page(
    page: LinkedPage, within: Iterable[SectionEdge], links: Iterable[PageLink], link_map: LinkMap
) -> PageLinks:
    """`within`: the edges between the page's own sections; `links`: those that may lead to a document of ours."""
    edges = set(within)
    reached = set()
    for link in links:
        found = link_map.find(page.path, link.target, link.wikilink)
        if found is None:
            continue
        reached.add(found[0].path)
        target = section_at(*found)
        source = page.sections[link.section] if 0 <= link.section < len(page.sections) else None
        if target and source and target.id != source.id:
            edges.add(SectionEdge(source.id, target.id, "link"))
    return PageLinks(tuple(sorted(edges)), frozenset(reached))


def join_edges(pages: Iterable[PageLinks], glossary: Sequence[GlossaryTerm]) -> tuple[SectionEdge, ...]:
    terms = (entry for entry in glossary if entry.section is not None)
    defined = [SectionEdge(entry.section or "", f"glossary:{entry.term}", "defines") for entry in terms]
    return tuple(sorted(chain(defined, *(page.edges for page in pages))))


def edges_within(sections: Sequence[DigestSection]) -> Iterable[SectionEdge]:
    above: list[DigestSection] = []
    for position, section in enumerate(sections):
        while above and above[-1].level >= section.level:
            above.pop()
        if above:
            yield SectionEdge(above[-1].id, section.id, "child")
        above.append(section)
        if position:
            yield SectionEdge(sections[position - 1].id, section.id, "next")
