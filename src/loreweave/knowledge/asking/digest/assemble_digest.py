"""The digest of a graph from what its documents gave, one by one, and from what somebody wrote about them."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import astuple, replace

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled, GlossaryTerm
from loreweave.knowledge.asking.digest import orientation
from loreweave.knowledge.asking.digest.link_map import LinkedPage, LinkMap
from loreweave.knowledge.asking.digest.link_sections import link_sections
from loreweave.knowledge.asking.digest.merge_glossary import merge_glossary
from loreweave.knowledge.asking.digest.page_addresses import deal_slugs, group_of, page_url, section_id
from loreweave.knowledge.asking.digest.page_record import EXTRACTOR, PageRecord, SectionRecord

_SOURCE_PRIMARY = re.compile(r"(?<![^\W_])(?:api|reference)(?![^\W_])", re.IGNORECASE)


def assemble_digest(records: Mapping[str, PageRecord], settings: DigestSettings, distilled: Distilled) -> Digest:
    """`records` by path. Suggestions are those that somebody wrote; to find some takes a search: with_suggestions."""
    pages = address_pages(records, settings, distilled)
    sections = tuple(section for page in pages for section in page.sections)
    found = (term for page in pages for term in _terms(page, records[page.path]))
    glossary = merge_glossary(distilled.glossary or (), found)
    edges = link_sections(pages, LinkMap(pages, settings), glossary)
    return Digest(
        settings=settings,
        content_hash=content_hash(sections),
        sections=sections,
        glossary=glossary,
        edges=edges,
        overview=orientation.overview(sections),
        context=orientation.context(sections, edges) if not distilled.context else distilled.context,
        suggestions=distilled.suggestions or (),
        slugs={page.path: page.slug for page in pages},
        written=_written(distilled),
    )


def address_pages(
    records: Mapping[str, PageRecord], settings: DigestSettings, distilled: Distilled
) -> list[LinkedPage]:
    """Every page by slug, its sections under their ids."""
    slugs = deal_slugs(records)
    ordered = sorted(slugs, key=slugs.__getitem__)
    return [_page(path, slugs[path], records[path], settings, distilled) for path in ordered]


def with_suggestions(digest: Digest, finds: Callable[[str, str], bool]) -> Digest:
    """Questions that the documents themselves suggest, where nobody wrote any."""
    if digest.suggestions:
        return digest
    return replace(digest, suggestions=tuple(orientation.suggestions(digest.sections, digest.edges, finds)))


def content_hash(sections: tuple[DigestSection, ...]) -> str:
    """Over all (id, hash), ids in byte order."""
    pairs = sorted((section.id.encode(), section.hash.encode()) for section in sections)
    digest = hashlib.sha256()
    for section, found in pairs:
        digest.update(section + b"\0" + found + b"\n")
    return digest.hexdigest()


def _page(path: str, slug: str, record: PageRecord, settings: DigestSettings, distilled: Distilled) -> LinkedPage:
    title = record.title or slug
    group = group_of(slug, record.group)
    url = page_url(settings.base_path, slug)
    hashed = [EXTRACTOR, *astuple(settings)]
    mode = "source-primary" if _SOURCE_PRIMARY.search(group or "") or _SOURCE_PRIMARY.search(path) else "agent-primary"

    def section_of(part: SectionRecord) -> DigestSection:
        section = part.section
        identity = section_id(slug, section.anchor)
        found = _section_hash([*hashed, identity, title, group, section.heading, part.raw_hash])
        written = distilled.summaries.get(identity)
        is_distilled = written is not None and written[0] == found
        return DigestSection(
            id=identity,
            slug=slug,
            path=path,
            title=title,
            heading=section.heading,
            group=group,
            anchor=section.anchor,
            level=section.level,
            url=url if section.anchor is None else f"{url}#{section.anchor}",
            summary=written[1] if written and is_distilled else part.excerpt,
            distilled=is_distilled,
            hash=found,
            mode=mode,
            terms=part.terms,
            facts=section.facts,
            text=section.text,
            start=section.start,
            end=section.end,
        )

    sections = tuple(section_of(part) for part in record.sections)
    own = {part.anchor: number for number, part in enumerate(sections) if part.anchor is not None}
    return LinkedPage(path, slug, title, sections, own | dict(record.anchors), record.links)


def _written(distilled: Distilled) -> frozenset[str]:
    return frozenset(name for name in ("context", "suggestions") if getattr(distilled, name))


def _section_hash(parts: list[str | int | None]) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _terms(page: LinkedPage, record: PageRecord) -> list[GlossaryTerm]:
    return [
        GlossaryTerm(found.term, found.aliases, found.definition, page.sections[found.section].id)
        for found in record.glossary
        if 0 <= found.section < len(page.sections)
    ]
