"""Which document, and which place in it, a link means."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from loreweave.entities.digest import DigestSection, DigestSettings, PageLink
from loreweave.knowledge.documents.anchors import Slugger

_DOCUMENTS = (".md", ".mdx", ".markdown")
_FOLDER_PAGES = ("index", "readme")  # what an address of a folder means


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
    """Finds the document that a link means. Letters as written go before letters of the other case."""

    def __init__(self, pages: Iterable[LinkedPage], settings: DigestSettings) -> None:
        base = settings.base_path
        self._base = base if base.endswith("/") else base + "/"
        self._scheme = settings.slug_scheme
        self._by_path: dict[str, LinkedPage] = {}  # exactly
        self._by_folded: dict[str, LinkedPage] = {}
        self._by_name: dict[str, list[LinkedPage]] = {}
        for page in pages:
            stem = _without_extension(page.path)
            for key in (page.path, stem, page.slug):
                self._by_path.setdefault(key, page)
                self._by_folded.setdefault(key.casefold(), page)
            for name in dict.fromkeys((posixpath.basename(stem).casefold(), page.title.casefold().strip())):
                self._by_name.setdefault(name, []).append(page)

    def find(self, source: str, target: str, wikilink: bool) -> tuple[LinkedPage, str | None] | None:
        """The page that a link in the document at `source` means, and the anchor it names."""
        if wikilink:
            target = target.partition("|")[0]
        address, _, anchor = target.partition("#")
        page = self._wiki_page(address.strip(), source) if wikilink else self._linked_page(address, source)
        if page is None:
            return None
        return page, self._wiki_anchor(page, anchor) if wikilink else _decoded(anchor) or None

    def is_local(self, target: str, wikilink: bool) -> bool:
        """Whether a link means to lead to a document of ours rather than out into the world."""
        address = target.partition("#")[0]
        if wikilink or not address or address.casefold().startswith(self._base.casefold()):
            return True
        try:
            parts = urlsplit(address)
        except ValueError:
            return False
        is_document = posixpath.splitext(parts.path)[1].lower() in ("", *_DOCUMENTS)
        return not parts.scheme and not parts.netloc and not parts.path.startswith("/") and is_document

    def _wiki_anchor(self, page: LinkedPage, written: str) -> str | None:
        """A wikilink names the heading as it is written, below others where there are several; ^ names no heading."""
        heading = written.rpartition("#")[2].strip()
        if not heading or heading.startswith("^"):
            return None
        return heading if page.knows(heading) else Slugger(self._scheme).slug(heading)

    def _wiki_page(self, name: str, source: str) -> LinkedPage | None:
        if not name:
            return self._by_path.get(source)
        found = self._at(posixpath.join(posixpath.dirname(source), name)) or self._at(name)
        if found is not None or "/" in name:
            return found or self._ending_with(_without_extension(name.strip("/")), source)
        return _nearest(self._by_name.get(_without_extension(name).casefold(), ()), source)

    def _ending_with(self, end: str, source: str) -> LinkedPage | None:
        wanted = "/" + end.casefold()
        named = self._by_name.get(posixpath.basename(end).casefold(), ())
        return _nearest([page for page in named if _without_extension(page.path).casefold().endswith(wanted)], source)

    def _linked_page(self, address: str, source: str) -> LinkedPage | None:
        if not address:
            return self._by_path.get(source)
        whole = address.partition("?")[0]
        if (whole + "/").casefold().startswith(self._base.casefold()):
            return self._at(_decoded(whole[len(self._base) :]))
        path = _path_without_host(address)
        if path is None:
            return None
        if not path or path.startswith("/"):
            return self._at(path) if path else self._by_path.get(source)
        beside_page = _without_extension(source).removesuffix("/index")  # as a browser reads /docs/page/
        return self._at(posixpath.join(posixpath.dirname(source), path)) or self._at(posixpath.join(beside_page, path))

    def _at(self, path: str) -> LinkedPage | None:
        clean = posixpath.normpath("/" + path.strip("/")).strip("/")
        stem = _without_extension(clean).removesuffix(".html")
        inside = [f"{clean}/{name}" if clean else name for name in _FOLDER_PAGES]
        keys = (clean, stem, *inside)
        for key in keys:
            if key in self._by_path:
                return self._by_path[key]
        return next((self._by_folded[key.casefold()] for key in keys if key.casefold() in self._by_folded), None)


def _nearest(pages: Sequence[LinkedPage], source: str) -> LinkedPage | None:
    """In the nearest folder, then in the fewest folders, then by path."""
    here = source.split("/")[:-1]

    def distance(page: LinkedPage) -> tuple[int, int, str]:
        folders = page.path.split("/")[:-1]
        shared = len(posixpath.commonprefix([here, folders]))  # of lists, too
        return len(here) + len(folders) - 2 * shared, len(folders), page.path

    return min(pages, key=distance, default=None)


def may_lead_here(link: PageLink, settings: DigestSettings) -> bool:
    """False for links that find no document, whatever documents there are: those out into the world."""
    address = link.target.partition("#")[0]
    if link.wikilink or not address or _path_without_host(address) is not None:
        return True
    base = settings.base_path if settings.base_path.endswith("/") else settings.base_path + "/"
    return (address.partition("?")[0] + "/").casefold().startswith(base.casefold())


@lru_cache(16_384)
def _path_without_host(address: str) -> str | None:
    """The decoded path of an address; None where it has a scheme or a host, or is no address at all."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return None if parts.scheme or parts.netloc else _decoded(parts.path)


def _without_extension(path: str) -> str:
    stem, extension = posixpath.splitext(path)
    return stem if extension.lower() in _DOCUMENTS else path


def _decoded(text: str) -> str:
    return unquote(text, errors="replace")
