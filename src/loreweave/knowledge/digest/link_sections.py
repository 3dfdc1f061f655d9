"""Edges between sections: what lies below, what follows, what is linked, what is defined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from loreweave.entities.digest import DigestSection, GlossaryTerm, PageLink, SectionEdge
from loreweave.knowledge.digest.link_map import LinkedPage, LinkMap

EdgeRow = tuple[str, str, str, SectionEdge]  # source, target, kind: what edges are sorted by


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where the links of a page lead, among pages as they are."""

    edges: tuple[EdgeRow, ...]  # all edges from its sections, in order
    slugs: tuple[str, ...]  # of other pages, once for each edge
    reached: frozenset[str]  # paths of all documents that its links mean


def section_at(page: LinkedPage, anchor: str | None) -> DigestSection | None:
    """The section an anchor stands in; the page's first one where there is no such anchor."""
    if not page.sections:
        return None
    return page.sections[page.anchors.get(anchor, 0) if anchor else 0]


def link_page(
    page: LinkedPage, within: Iterable[SectionEdge], links: Iterable[PageLink], link_map: LinkMap
) -> PageLinks:
    """`within`: the edges between the page's own sections; `links`: those that may lead to a document of ours."""
    edges: dict[SectionEdge, str] = dict.fromkeys(within, page.slug)
    reached = set()
    for link in links:
        found = link_map.find(page.path, link.target, link.wikilink)
        if found is None:
            continue
        reached.add(found[0].path)
        target = section_at(*found)
        source = page.sections[link.section] if 0 <= link.section < len(page.sections) else None
        if target and source and target.id != source.id:
            edges[SectionEdge(source.id, target.id, "link")] = target.slug
    rows = sorted(_row(edge) for edge in edges)
    return PageLinks(tuple(rows), tuple(slug for slug in edges.values() if slug != page.slug), frozenset(reached))


def join_edges(pages: Iterable[PageLinks], glossary: Sequence[GlossaryTerm]) -> tuple[SectionEdge, ...]:
    rows = list(chain.from_iterable(page.edges for page in pages))
    for entry in glossary:
        if entry.section is not None:
            rows.append(_row(SectionEdge(entry.section, f"glossary:{entry.term}", "defines")))
    rows.sort(key=lambda row: row[:3])
    return tuple([row[3] for row in rows])


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


def _row(edge: SectionEdge) -> EdgeRow:
    return edge.source, edge.target, edge.kind, edge
