"""Which document, and which place in it, a link means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from loreweave.entities.digest import DigestSection, DigestSettings, PageLink
from loreweave.knowledge.documents.anchors import Slugger
from loreweave.language.markdown.note_names import names_of, read_target
from loreweave.language.markdown.note_slugs import DOCUMENT_ENDINGS
from loreweave.language.markdown.resolve_link import MOST_ROOTED, Candidate, find_site_root, resolve, site_roots


@dataclass(slots=True)
class LinkedPage:
    """What is needed of a page to link from it and to it."""

    path: str
    slug: str
    title: str
    name: str
    aliases: Sequence[str]
    sections: Sequence[DigestSection]
    anchors: Mapping[str, int]  # anchor → position in sections
    links: Sequence[PageLink] = field(default_factory=tuple)

    def knows(self, anchor: str) -> bool:
        return anchor in self.anchors


class LinkMap:
    """Finds the document that a link means, by the rules of the graph."""

    def __init__(self, pages: Iterable[LinkedPage], settings: DigestSettings) -> None:
        base = settings.base_path
        self._base = base if base.endswith("/") else base + "/"
        self._scheme = settings.slug_scheme
        self._pages = list(pages)
        self._by_path = {page.path: page for page in self._pages}
        self._names: dict[str, list[Candidate]] = {}
        for number, page in enumerate(self._pages):
            for key, name_class in names_of(page):
                self._names.setdefault(key, []).append(Candidate(number, name_class, page.path))
        self.site_root = find_site_root(self._by_path, islice(self._rooted(), MOST_ROOTED))
        self._roots = site_roots(base, self.site_root)

    def _rooted(self) -> Iterable[str]:
        """Each rooted target of a page once, pages in order of their paths."""
        for path in sorted(self._by_path):
            targets = (self._target(link.target, link.wikilink, path)[0] for link in self._by_path[path].links)
            yield from dict.fromkeys(target for target in targets if target.startswith("/"))

    def _target(self, written: str, wikilink: bool, source: str) -> tuple[str, tuple[str, ...]]:
        """An address below the base is one from the site's root, whatever host is named before it."""
        if not wikilink and "://" in self._base and (written + "/").casefold().startswith(self._base.casefold()):
            written = "/" + self._base.partition("://")[2].partition("/")[2] + written[len(self._base) :]
        return read_target(written, source, wikilink=wikilink)

    def find(self, source: str, target: str, wikilink: bool) -> tuple[LinkedPage, str | None] | None:
        """The page that a link in the document at `source` means, and the anchor it names."""
        wanted, anchors = self._target(target, wikilink, source)
        page = self._by_path.get(source)
        if wanted:
            found = resolve(wanted, source, self._names, self._roots)
            page = self._pages[found.note_key] if found else None
        elif not anchors:
            page = page if target.strip().startswith(("#", "?")) or not target else None
        if page is None:
            return None
        anchor = anchors[-1] if anchors else None
        return page, self._wiki_anchor(page, anchor) if anchor and wikilink else anchor

    def is_local(self, target: str, wikilink: bool) -> bool:
        """Whether a link means to lead to a document of ours rather than out into the world."""
        wanted, anchors = self._target(target, wikilink, "")
        if wikilink or not wanted:
            return bool(wanted or anchors)
        rooted = wanted.startswith("/") and not any(root != "/" and wanted.startswith(root) for root in self._roots)
        name = wanted.rpartition("/")[2]
        return not rooted and ("." not in name or name.lower().endswith(DOCUMENT_ENDINGS))

    def _wiki_anchor(self, page: LinkedPage, heading: str) -> str:
        """A wikilink names the heading as it is written."""
        return heading if page.knows(heading) else Slugger(self._scheme).slug(heading)


def may_lead_here(link: PageLink, settings: DigestSettings) -> bool:
    """False for links that find no document, whatever documents there are: those out into the world."""
    base = settings.base_path if settings.base_path.endswith("/") else settings.base_path + "/"
    if link.wikilink or (link.target + "/").casefold().startswith(base.casefold()):
        return True
    target, anchors = read_target(link.target, "", wikilink=False)
    return bool(target or anchors)
