"""The ids in the built pages of a site, whatever generator made it."""

import os
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from loreweave.errors import NotFound
from loreweave.knowledge.asking.documents.anchors import Slugger
from loreweave.language.markdown.decode_text import decode_text

_PAGES = (".html", ".htm")


def html_ids(html: str) -> set[str]:
    """Every `id` of a page's elements; what is only written in scripts, comments or templates of text is none."""
    collector = _Ids()
    collector.feed(html)
    collector.close()
    return collector.found


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.update(value for name, value in attrs if name == "id" and value)


class BuiltSite:
    """Finds a slug's page: `guide.html` or `guide/index.html`, below the base path or at the root, with the slug as
    it is or as generators write it."""

    def __init__(self, folder: Path, base_path: str) -> None:
        if not folder.is_dir():
            raise NotFound(f"There is no folder {folder}", field="site")
        self._folder = folder
        self._base = [part for part in urlsplit(base_path).path.split("/") if part]
        self._pages: dict[str, Path] = {}
        self._folded: dict[str, Path] = {}
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                if name.lower().endswith(_PAGES):
                    self._take(Path(place) / name)

    def anchors(self, slug: str) -> set[str] | None:
        """The ids of a page; None where the site has no such page."""
        page = self._page(slug)
        return None if page is None else html_ids(decode_text(page.read_bytes())[0])

    def _take(self, page: Path) -> None:
        parts = list(page.relative_to(self._folder).with_suffix("").parts)
        if parts[-1].lower() == "index":
            parts.pop()
        self._pages.setdefault("/".join(parts), page)
        self._folded.setdefault(_folded("/".join(parts)), page)

    def _page(self, slug: str) -> Path | None:
        own = "" if slug == "index" else slug.removesuffix("/index")
        ways = ["/".join([*self._base, own]).strip("/"), own]
        for way in ways:
            if way in self._pages:
                return self._pages[way]
        return next((self._folded[_folded(way)] for way in ways if _folded(way) in self._folded), None)


def _folded(path: str) -> str:
    """As generators write paths: small letters, blanks as hyphens."""
    return "/".join(Slugger("github").slug(part) for part in path.split("/"))
