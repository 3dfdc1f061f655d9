"""Edges between sections: what lies below, what follows, what is linked, what is defined."""

from collections.abc import Iterable, Sequence

from loreweave.entities.digest import DigestSection, GlossaryTerm, SectionEdge
from loreweave.knowledge.asking.digest.link_map import LinkedPage, LinkMap


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
    for entry in glossary:
        if entry.section is not None:
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
        source = page.sections[link.section] if 0 <= link.section < len(page.sections) else None
        if target and source and target.id != source.id:
            yield SectionEdge(source.id, target.id, "link")
