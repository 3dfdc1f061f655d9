"""The documents as pages to look at: rendered, as their source, and as lists for machines."""

from collections.abc import Callable, Mapping
from functools import cached_property
from html import escape
from urllib.parse import quote
from weakref import WeakKeyDictionary

from loreweave.contracts.context_packs import HeadingLine, PageAnswer, PageGroup, PageLine
from loreweave.entities.digest import DigestSection
from loreweave.errors import NotFound
from loreweave.knowledge.digest.digest_library import DigestLibrary
from loreweave.knowledge.digest.link_pages import LinkedPage
from loreweave.knowledge.digest.opened_digest import OpenDigest
from loreweave.knowledge.digest.orientation import llms_full_text, llms_text
from loreweave.knowledge.graph.stored_notes import read_sources
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Connection, Store

BASE = "/docs/"  # where our own pages are, whatever address the documents have elsewhere
MOST_LINES = 200  # of one group in the list of pages; the search box finds the rest
MOST_PAGES = 600  # above that, of the other groups only the way in is listed
# What laying out a page costs grows with these signs, and a little with every letter. The largest pages of real
# handbooks weigh 42,000; what weighs more would keep a core busy for seconds each time somebody looks.
_COSTLY, _LETTERS = "\n*_`[<|&~", 64
MOST_WEIGHT = 60_000
TOO_LONG = "This page is too long to be laid out. Here it is as it was written."


class PageService:
    def __init__(self, store: Store, library: DigestLibrary) -> None:
        self._store = store
        self._library = library
        self._lists: WeakKeyDictionary[OpenDigest, _PageList] = WeakKeyDictionary()

    def page(self, slug: str, graph: str | None = None) -> PageAnswer:
        opened = self._library.open(graph)
        return self._laid_out(opened, _slug_of(opened, slug), lambda other: page_address(other, graph))

    def read(self, wanted: str | None, graph: str) -> PageAnswer:
        """The same among the views of its graph, by slug or path; where neither is said, the first one."""
        opened = self._library.open(graph)
        wanted = wanted or _first(opened.pages) or ""
        slug = wanted if wanted in opened.pages else opened.plain.slugs.get(wanted, wanted)
        return self._laid_out(opened, slug, lambda other: reading_address(other, opened.graph_id))

    def _laid_out(self, opened: OpenDigest, slug: str, address: Callable[[str], str]) -> PageAnswer:
        from loreweave.knowledge.documents.dress_html import dress_html
        from loreweave.knowledge.documents.render_page import render_page

        path = _path_of(opened, slug)
        assert opened.row is not None
        with self._store.read() as connection:
            source = _source(connection, opened, path)
            node_id = ask_shelf.node_at(connection, opened.row, path)

        def link(target: str, wikilink: bool) -> str | None:
            found = opened.link_map.find(path, target, wikilink)
            if found is None:
                return None
            page, anchor = found
            return address(page.slug) + (f"#{quote(anchor, safe='')}" if anchor else "")

        page = opened.pages[slug]
        headings = [
            HeadingLine(level=part.level, heading=part.heading or "", anchor=part.anchor)
            for part in page.sections
            if part.anchor is not None
        ]
        if sum(map(source.count, _COSTLY)) + len(source) // _LETTERS > MOST_WEIGHT:
            html, headings = _as_written(page, source), headings[:MOST_LINES]
        else:
            html = dress_html(render_page(path, source, slug_scheme=opened.plain.settings.slugScheme, link=link))
        pages = self._lists.get(opened) or self._lists.setdefault(opened, _PageList(opened))
        return PageAnswer(
            graphId=opened.graph_id,
            revision=opened.row.revision,
            slug=slug,
            path=path,
            id=node_id,
            title=_title_of(page),
            html=html,
            headings=headings,
            groups=pages.groups(slug),
            before=pages.beside(slug, -1),
            after=pages.beside(slug, 1),
        )

    def source(self, slug: str, graph: str | None = None) -> str:
        """The document as it was read, byte for byte."""
        opened = self._library.open(graph)
        with self._store.read() as connection:
            return _source(connection, opened, _path_of(opened, slug))

    def first_page(self, graph: str | None = None) -> str | None:
        """The root page, else the first there is."""
        return _first(self._library.open(graph).pages)

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
        with self._store.read() as connection:
            return _source(connection, opened, section.path).encode()[section.start : section.end].decode()


def _source(connection: Connection, opened: OpenDigest, path: str) -> str:
    assert opened.row is not None
    note_key = ask_shelf.document_key(connection, opened.row, path)
    found = read_sources(connection, opened.row, [note_key]) if note_key is not None else {}
    if not found:  # the graph moved on between two looks at it
        raise NotFound(f"There is no page {path[:200]!r} any more; ask again.")
    return next(iter(found.values()))


def _as_written(page: LinkedPage, source: str) -> str:
    """A page that nobody lays out: links still lead to the sections in which their headings are."""
    starts = [part.start for part in page.sections] or [0]  # headings alone are no section
    ids: list[list[str]] = [[] for _ in starts]
    for anchor, place in page.anchors.items():
        ids[place].append(f'<span id="{escape(anchor)}"></span>')
    data, at, shown = source.encode(), 0, [f"<p><em>{TOO_LONG}</em></p>\n<pre>"]
    for start, here in zip(starts, ids, strict=True):
        shown += [escape(data[at:start].decode(), quote=False), *here]
        at = start
    return "".join([*shown, escape(data[at:].decode(), quote=False), "</pre>"])


def page_address(slug: str, graph: str | None) -> str:
    address = BASE.removesuffix("/") if slug == "index" else BASE + quote(slug, safe="/")
    return f"{address}?graph={quote(graph, safe='')}" if graph else address


def reading_address(slug: str, graph: str) -> str:
    """Where a page is read among the views of its graph."""
    return f"/g/{quote(graph, safe='')}/read/{quote(slug, safe='/')}"


def source_address(slug: str, graph: str | None) -> str:
    """Where the source of a page is."""
    return BASE + quote(slug, safe="/") + ".md" + (f"?graph={quote(graph, safe='')}" if graph else "")


def _path_of(opened: OpenDigest, slug: str) -> str:
    page = opened.pages.get(slug)
    if page is None:
        raise NotFound(f"There is no page {slug[:200]!r}.", slug=slug[:200])
    return page.path


def _slug_of(opened: OpenDigest, asked: str) -> str:
    """Itself where a page has it; of a folder that of its page, as links to the folder mean it."""
    found = None if asked in opened.pages else opened.link_map.find("", f"{asked}/", False)
    return found[0].slug if found and found[0].slug.rpartition("/")[0] == asked else asked


def _first(pages: Mapping[str, LinkedPage]) -> str | None:
    return "index" if "index" in pages else min(pages, default=None)


def _title_of(page: LinkedPage) -> str:
    """Its name rather than its address, where it has no title."""
    return page.name if page.title == page.slug else page.title


class _PageList:
    """All pages of a digest in the order of the list: those without a group first, the root page before all."""

    def __init__(self, opened: OpenDigest) -> None:
        self._titles = {slug: _title_of(page) for slug, page in opened.pages.items()}
        groups: dict[str | None, list[str]] = {}
        for slug in sorted(opened.pages, key=lambda slug: (slug != "index", slug)):
            sections = opened.pages[slug].sections
            groups.setdefault(sections[0].group if sections else None, []).append(slug)
        ordered = sorted(groups, key=lambda group: (group is not None, group or ""))
        self._groups = [(name, groups[name]) for name in ordered]

    @cached_property
    def _order(self) -> list[str]:
        return [slug for _, members in self._groups for slug in members]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {slug: place for place, slug in enumerate(self._order)}

    def beside(self, slug: str, step: int) -> PageLine | None:
        place = self._places[slug] + step
        return self._line(self._order[place]) if 0 <= place < len(self._order) else None

    def groups(self, here: str) -> list[PageGroup]:
        shown = []
        place, start = self._places[here], 0
        for name, members in self._groups:
            chosen = members[:1] if len(self._order) > MOST_PAGES else members[:MOST_LINES]
            if start <= place < start + len(members):
                first = max(0, min(place - start - MOST_LINES // 2, len(members) - MOST_LINES))
                chosen = members[first : first + MOST_LINES]
            start += len(members)
            shown.append(PageGroup(name=name, pages=[self._line(slug) for slug in chosen], count=len(members)))
        return shown

    def _line(self, slug: str) -> PageLine:
        return PageLine(slug=slug, title=self._titles[slug])
