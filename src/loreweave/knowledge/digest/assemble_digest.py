"""The digest of a graph from what its documents gave, one by one, and from what somebody wrote about them."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import (
    EXTRACTOR,
    Digest,
    DigestSection,
    Distilled,
    GlossaryTerm,
    PageLink,
    PageRecord,
    PageSection,
    SectionEdge,
)
from loreweave.knowledge.digest import orientation
from loreweave.knowledge.digest.digest_file import merge_glossary
from loreweave.knowledge.digest.link_pages import (
    LinkedPage,
    LinkMap,
    PageLinks,
    edges_within,
    join_edges,
    link_page,
    may_lead_here,
)
from loreweave.knowledge.digest.section_searcher import deal_slugs, group_of, page_url, section_address
from loreweave.knowledge.documents.page_record import given_title

_SOURCE_PRIMARY = re.compile(r"(?<![^\W_])(?:api|reference)(?![^\W_])", re.IGNORECASE)
_AS_READ = ("heading", "anchor", "level", "terms", "facts", "text", "start", "end")


class SectionRow(NamedTuple):
    """What is said of a section in lists of all sections, which go by its id."""

    id: str
    hashed: bytes  # for the hash of all content
    group: str | None
    line: str  # of the overview


@dataclass(frozen=True, slots=True)
class PagePart:
    record: PageRecord
    page: LinkedPage
    rows: tuple[SectionRow, ...]
    terms: tuple[GlossaryTerm, ...]
    within: tuple[SectionEdge, ...]
    links: tuple[PageLink, ...]  # that may lead to a document of ours


def _part(path: str, slug: str, record: PageRecord, settings: PageSettings, distilled: Distilled) -> PagePart:
    page = _page(path, slug, record, settings, distilled)
    sections = page.sections
    terms = (
        GlossaryTerm(found.term, found.aliases, found.definition, sections[found.section].id)
        for found in record.glossary
        if 0 <= found.section < len(sections)
    )
    rows = (
        SectionRow(part.id, f"{part.id}\0{part.hash}\n".encode(), part.group, orientation.overview_line(part))
        for part in sections
    )
    links = tuple(link for link in record.links if may_lead_here(link, settings))
    return PagePart(record, page, tuple(rows), tuple(terms), tuple(edges_within(sections)), links)


def _page(path: str, slug: str, record: PageRecord, settings: PageSettings, distilled: Distilled) -> LinkedPage:
    title = given_title(path, record) or slug
    group = group_of(slug, record.group)
    url = page_url(settings.basePath, slug)
    hashed = [EXTRACTOR, settings.basePath, settings.slugScheme, settings.headingDepth]
    mode = "source-primary" if _SOURCE_PRIMARY.search(group or "") or _SOURCE_PRIMARY.search(path) else "agent-primary"

    def section_of(section: PageSection) -> DigestSection:
        identity = section_address(slug, section.anchor)
        facts = [*hashed, identity, title, group, section.heading, section.raw_hash]
        found = hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()
        written = distilled.summaries.get(identity)
        is_distilled = written is not None and written[0] == found
        return DigestSection(
            id=identity,
            slug=slug,
            path=path,
            title=title,
            group=group,
            url=section_address(url, section.anchor),
            summary=written[1] if written and is_distilled else section.excerpt,
            distilled=is_distilled,
            hash=found,
            mode=mode,
            **{name: getattr(section, name) for name in _AS_READ},
        )

    sections = tuple(section_of(part) for part in record.sections)
    own = {part.anchor: number for number, part in enumerate(sections) if part.anchor is not None}
    anchors = own | dict(record.anchors)
    return LinkedPage(path, slug, title, record.name or title, record.aliases, sections, anchors, record.links)


@dataclass(frozen=True, slots=True)
class DigestAssembly:
    """A digest and the parts it was put together of, by slug: what did not change is not made again."""

    digest: Digest
    parts: tuple[PagePart, ...]
    links: Mapping[str, PageLinks]  # by path
    link_map: LinkMap
    distilled: Distilled

    @property
    def pages(self) -> list[LinkedPage]:
        return [part.page for part in self.parts]


def assemble(
    records: Mapping[str, PageRecord],
    settings: PageSettings,
    distilled: Distilled,
    before: DigestAssembly | None = None,
) -> DigestAssembly:
    """`records` by path. The same whatever was there `before`, which only saves work. Suggestions are those that
    somebody wrote; to find some takes a search: opened_digest.suggesting."""
    if before and before.digest.settings != settings:
        before = None
    parts = _parts(records, settings, distilled, before)
    pages = [part.page for part in parts]
    link_map = LinkMap(pages, settings)
    links = _links(parts, link_map, before)
    sections = tuple(section for page in pages for section in page.sections)
    glossary = merge_glossary(distilled.glossary or (), (term for part in parts for term in part.terms))
    edges = join_edges((links[page.path] for page in pages), glossary)
    rows = sorted(row for part in parts for row in part.rows)
    context = distilled.context or orientation.context(pages, edges)
    digest = Digest(
        settings=settings,
        content_hash=hashlib.sha256(b"".join([row.hashed for row in rows])).hexdigest(),  # ids in byte order
        sections=sections,
        glossary=glossary,
        edges=edges,
        overview=orientation.overview([(row.group, row.line) for row in rows]),
        context=context,
        suggestions=distilled.suggestions or (),
        slugs={page.path: page.slug for page in pages},
        written=frozenset(name for name in ("context", "suggestions") if getattr(distilled, name)),
    )
    return DigestAssembly(digest, parts, links, link_map, distilled)


def _parts(
    records: Mapping[str, PageRecord], settings: PageSettings, distilled: Distilled, before: DigestAssembly | None
) -> tuple[PagePart, ...]:
    """Every page by slug, its sections under their ids."""
    kept = {part.page.path: part for part in before.parts} if before else {}
    old, new = before.distilled.summaries if before else {}, distilled.summaries
    rewritten = {section for section in old.keys() | new.keys() if old.get(section) != new.get(section)}
    slugs = deal_slugs(records)
    parts = []
    for path in sorted(slugs, key=slugs.__getitem__):
        part = kept.get(path)
        is_kept = part is not None and part.record is records[path] and part.page.slug == slugs[path]
        if part is None or not is_kept or not rewritten.isdisjoint(row.id for row in part.rows):
            part = _part(path, slugs[path], records[path], settings, distilled)
        parts.append(part)
    return tuple(parts)


def _links(parts: Sequence[PagePart], link_map: LinkMap, before: DigestAssembly | None) -> dict[str, PageLinks]:
    """A page's links lead elsewhere when a page comes, goes or is named anew, or when what they lead to changes."""
    kept: dict[str, PageLinks] = {}
    unmoved = before and before.link_map.site_root == link_map.site_root
    if before and unmoved and _addresses(parts) == _addresses(before.parts):
        same = {part.page.path for part, old in zip(parts, before.parts, strict=True) if part is old}
        kept = {path: found for path, found in before.links.items() if path in same and same.issuperset(found.reached)}
    return {
        part.page.path: kept.get(part.page.path) or link_page(part.page, part.within, part.links, link_map)
        for part in parts
    }


def _addresses(parts: Sequence[PagePart]) -> list[tuple[str, str, str, Sequence[str]]]:
    return [(part.page.path, part.page.slug, part.page.name, part.page.aliases) for part in parts]
