"""One document's source → what it says by itself."""

from loreweave.entities.page import PageLink, PageReading, PageSection
from loreweave.knowledge.asking.documents.find_facts import FactFinder
from loreweave.knowledge.asking.documents.find_sections import SectionFinder
from loreweave.knowledge.asking.documents.find_terms import TermFinder
from loreweave.knowledge.asking.documents.outline_page import OutlineWalker
from loreweave.knowledge.asking.documents.page_outline import PageOutline
from loreweave.knowledge.asking.documents.prepare_source import prepare_source
from loreweave.knowledge.reading.frontmatter import Header


def read_page(path: str, source: str, *, slug_scheme: str, heading_depth: int) -> PageReading:
    """Sections, facts, links and terms of a document; its ending says whether it is MDX. Reads any text."""
    header, parsed, text = prepare_source(path, source)
    outline = OutlineWalker(parsed).walk(text)
    description = _field(header, "description")
    finder = SectionFinder(outline, parsed, slug_scheme, heading_depth, description is not None)
    plans = finder.sections()
    facts = FactFinder(outline, parsed).find(finder, len(plans))
    sections = tuple(
        PageSection(
            plan.anchor,
            plan.heading.text if plan.heading else None,
            plan.heading.level if plan.heading else 0,
            plan.start,
            plan.end,
            plan.text,
            facts[number],
        )
        for number, plan in enumerate(plans)
    )
    title = _field(header, "title") or next((found.text for found in outline.headings if found.level == 1), None)
    terms = TermFinder(outline, finder, _is_glossary(path, title)).find()
    links = _links(outline, finder)
    return PageReading(title, _field(header, "group"), description, sections, links, terms, finder.anchors())


def _is_glossary(path: str, title: str | None) -> bool:
    """Whether the page is called so, by its file, its folder's index or its title."""
    *folders, name = path.casefold().split("/")
    name = name.rpartition(".")[0] or name
    called = folders[-1] if name == "index" and folders else name
    return "glossary" in (called, (title or "").casefold())


def _field(header: Header, key: str) -> str | None:
    value = header.fields.get(key)
    return (" ".join(value.split()) or None) if isinstance(value, str) else None


def _links(outline: PageOutline, finder: SectionFinder) -> tuple[PageLink, ...]:
    placed = ((finder.number(link.start), link) for link in outline.links)
    return tuple(PageLink(number, link.target, link.wikilink) for number, link in placed if number >= 0)
