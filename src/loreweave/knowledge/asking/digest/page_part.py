"""What one page gives to a digest under its address, whatever its neighbours: made once, kept while it is the same."""

import hashlib
import json
import re
from dataclasses import astuple, dataclass
from typing import NamedTuple

from loreweave.entities.digest import DigestSection, DigestSettings, Distilled, GlossaryTerm, SectionEdge
from loreweave.entities.page import PageLink
from loreweave.knowledge.asking.digest.link_map import LinkedPage, may_lead_here
from loreweave.knowledge.asking.digest.link_sections import edges_within
from loreweave.knowledge.asking.digest.orientation import overview_line
from loreweave.knowledge.asking.digest.page_addresses import group_of, page_url, section_id
from loreweave.knowledge.asking.digest.page_record import EXTRACTOR, PageRecord, SectionRecord

_SOURCE_PRIMARY = re.compile(r"(?<![^\W_])(?:api|reference)(?![^\W_])", re.IGNORECASE)


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


def make_part(path: str, slug: str, record: PageRecord, settings: DigestSettings, distilled: Distilled) -> PagePart:
    page = _page(path, slug, record, settings, distilled)
    return PagePart(
        record=record,
        page=page,
        rows=tuple(_row(section) for section in page.sections),
        terms=tuple(_terms(page, record)),
        within=tuple(edges_within(page.sections)),
        links=tuple(link for link in record.links if may_lead_here(link, settings)),
    )


def _row(section: DigestSection) -> SectionRow:
    hashed = section.id.encode() + b"\0" + section.hash.encode() + b"\n"
    return SectionRow(section.id, hashed, section.group, overview_line(section))


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


def _section_hash(parts: list[str | int | None]) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _terms(page: LinkedPage, record: PageRecord) -> list[GlossaryTerm]:
    return [
        GlossaryTerm(found.term, found.aliases, found.definition, page.sections[found.section].id)
        for found in record.glossary
        if 0 <= found.section < len(page.sections)
    ]
