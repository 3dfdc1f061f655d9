"""The documents as pages to look at: rendered, as their source, and as lists for machines."""

from dataclasses import dataclass
from urllib.parse import quote

from loreweave.entities.digest import DigestSection
from loreweave.errors import NotFound
from loreweave.knowledge.asking.digest.link_map import LinkedPage
from loreweave.knowledge.asking.digest.llms_text import llms_full_text, llms_text
from loreweave.knowledge.asking.digest.read_documents import read_sources
from loreweave.knowledge.asking.digest_library import DigestLibrary, OpenDigest
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Store

BASE = "/docs/"  # where our own pages are, whatever address the documents have elsewhere
MOST_LINES = 200  # of one group in the list of pages; the search box finds the rest
MOST_PAGES = 600  # above that, of the other groups only the way in is listed


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page in a list of pages."""

    slug: str
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages that belong together; `lines` are those around the page that is shown, `count` is how many there are."""

    name: str | None
    lines: tuple[PageLine, ...]
    count: int


@dataclass(frozen=True, slots=True)
class RenderedPage:
    graph_id: str
    slug: str
    title: str
    group: str | None
    html: str  # clean: safe to show as it is
    headings: tuple[tuple[str, str, int], ...]  # (anchor, heading, level) of its sections
    groups: tuple[PageGroup, ...]
    before: PageLine | None  # the pages beside it in the list
    after: PageLine | None


class PageService:
    def __init__(self, store: Store, library: DigestLibrary) -> None:
        self._store = store
        self._library = library

    def page(self, slug: str, graph: str | None = None) -> RenderedPage:
        from loreweave.knowledge.asking.documents.dress_html import dress_html
        from loreweave.knowledge.asking.documents.render_page import render_page

        opened = self._library.open(graph)
        path = _path_of(opened, slug)
        source = self._source(opened, path)

        def link(target: str, wikilink: bool) -> str | None:
            found = opened.link_map.find(path, target, wikilink)
            if found is None:
                return None
            page, anchor = found
            return page_address(page.slug, graph) + (f"#{quote(anchor, safe='')}" if anchor else "")

        html = render_page(path, source, slug_scheme=opened.plain.settings.slug_scheme, link=link)
        page = opened.pages[slug]
        headings = tuple(
            (part.anchor, part.heading or "", part.level) for part in page.sections if part.anchor is not None
        )
        slugs = _slugs_by_group(opened)
        order = [each for group in slugs.values() for each in group]
        place = order.index(slug)
        return RenderedPage(
            graph_id=opened.graph_id,
            slug=slug,
            title=page.title,
            group=_group_of(page),
            html=dress_html(html),
            headings=headings,
            groups=_groups(opened, slugs, slug, graph),
            before=_line(opened, order[place - 1], graph) if place else None,
            after=_line(opened, order[place + 1], graph) if place + 1 < len(order) else None,
        )

    def source(self, slug: str, graph: str | None = None) -> str:
        """The document as it was read, byte for byte."""
        opened = self._library.open(graph)
        return self._source(opened, _path_of(opened, slug))

    def first_page(self, graph: str | None = None) -> str | None:
        """The root page, else the first there is."""
        pages = self._library.open(graph).pages
        return "index" if "index" in pages else min(pages, default=None)

    def llms(self, graph: str | None = None) -> str:
        """Every page by group, with links to the sources."""
        opened = self._library.open(graph)
        return llms_text(opened.plain, lambda _, slug: source_address(slug, graph))

    def llms_full(self, graph: str | None = None) -> str:
        """All documents in one text."""
        opened = self._library.open(graph)
        if opened.row is None:
            return llms_full_text(opened.plain, str)
        with self._store.read() as connection:
            keys = ask_shelf.document_keys(connection, opened.row)
            sources = read_sources(connection, opened.row, [keys[path] for path in opened.plain.slugs if path in keys])
        return llms_full_text(opened.plain, lambda path: sources.get(keys.get(path, -1), ""))

    def section_source(self, identity: str, graph: str | None = None) -> str:
        opened = self._library.open(graph)
        return self.text_of(opened, opened.section(identity))

    def text_of(self, opened: OpenDigest, section: DigestSection) -> str:
        """The raw text of a section: a slice of its document."""
        return self._source(opened, section.path).encode()[section.start : section.end].decode()

    def _source(self, opened: OpenDigest, path: str) -> str:
        assert opened.row is not None
        with self._store.read() as connection:
            note_key = ask_shelf.document_keys(connection, opened.row).get(path)
            found = read_sources(connection, opened.row, [note_key]) if note_key is not None else {}
        if not found:  # the graph moved on between two looks at it
            raise NotFound(f"There is no page {path[:200]!r} any more; ask again.")
        return next(iter(found.values()))


def page_address(slug: str, graph: str | None) -> str:
    address = BASE.removesuffix("/") if slug == "index" else BASE + quote(slug, safe="/")
    return f"{address}?graph={quote(graph, safe='')}" if graph else address


def source_address(slug: str, graph: str | None) -> str:
    """Where the source of a page is."""
    return BASE + quote(slug, safe="/") + ".md" + (f"?graph={quote(graph, safe='')}" if graph else "")


def _path_of(opened: OpenDigest, slug: str) -> str:
    page = opened.pages.get(slug)
    if page is None:
        raise NotFound(f"There is no page {slug[:200]!r}.", slug=slug[:200])
    return page.path


def _group_of(page: LinkedPage) -> str | None:
    return page.sections[0].group if page.sections else None


def _line(opened: OpenDigest, slug: str, graph: str | None) -> PageLine:
    return PageLine(slug, opened.pages[slug].title, page_address(slug, graph))


def _slugs_by_group(opened: OpenDigest) -> dict[str | None, list[str]]:
    """In the order of the list: pages without a group first, the root page before all."""
    groups: dict[str | None, list[str]] = {}
    for slug in sorted(opened.pages, key=lambda slug: (slug != "index", slug)):
        groups.setdefault(_group_of(opened.pages[slug]), []).append(slug)
    ordered = sorted(groups, key=lambda group: (group is not None, group or ""))
    return {group: groups[group] for group in ordered}


def _groups(
    opened: OpenDigest, slugs: dict[str | None, list[str]], here: str, graph: str | None
) -> tuple[PageGroup, ...]:
    is_large = len(opened.pages) > MOST_PAGES
    shown = []
    for name, members in slugs.items():
        if here in members:
            first = max(0, min(members.index(here) - MOST_LINES // 2, len(members) - MOST_LINES))
            chosen = members[first : first + MOST_LINES]
        else:
            chosen = members[:1] if is_large else members[:MOST_LINES]
        shown.append(PageGroup(name, tuple(_line(opened, slug, graph) for slug in chosen), len(members)))
    return tuple(shown)
