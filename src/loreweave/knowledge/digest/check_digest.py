"""Everything that can be wrong with a digest, given the documents and, if there is one, the built site."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from loreweave.contracts.ask import DigestProblem, ProblemKind
from loreweave.entities.digest import Digest, DigestSection
from loreweave.errors import NotFound
from loreweave.knowledge.digest.assemble_digest import assemble
from loreweave.knowledge.digest.build_digest import Source
from loreweave.knowledge.digest.digest_file import distilled_of, node_value
from loreweave.knowledge.digest.link_pages import LinkedPage, LinkMap
from loreweave.knowledge.documents.render_page import render_page
from loreweave.language.markdown.anchors import Slugger
from loreweave.language.markdown.decode_text import decode_text

_DERIVED = ("title", "heading", "group", "url", "sources", "mode")  # what a node says of its document


def _problem(kind: ProblemKind, identity: str, message: str) -> DigestProblem:
    return DigestProblem(kind=kind, id=identity, message=message)


def check_digest(written: Mapping[str, Any], source: Source, site: Path | None) -> list[DigestProblem]:
    """`written` as it is in the file, against the documents as they are. Anchors are looked for in the site, else in
    our own rendering."""
    assembly = assemble(source.records, source.settings, distilled_of(written), source.assembly)
    present = assembly.digest
    data_of = lru_cache(1)(lambda path: source.text_of(path).encode())
    anchors_of = lru_cache(None)(_anchors(source, {page.slug: page.path for page in assembly.pages}, site))
    nodes = {node["id"]: node for node in _nodes(written)}
    problems = list(_compare(nodes, present))
    if not problems and written.get("contentHash") != present.content_hash:
        problems.append(_problem("stale", "", "The content hash is not that of the documents."))
    for section in sorted(present.sections, key=lambda section: section.id):
        if section.id in nodes:
            problems += _facts(nodes[section.id], data_of(section.path)[section.start : section.end].decode())
            problems += _anchor(section, anchors_of(section.slug))
    return [*problems, *broken_links(assembly.pages, assembly.link_map)]


def _anchors(source: Source, paths: Mapping[str, str], site: Path | None) -> Callable[[str], set[str] | None]:
    """The ids in the built page of a slug; None where there is no such page."""
    if site is not None:
        return BuiltSite(site, source.settings.basePath).anchors
    scheme = source.settings.slugScheme

    def rendered(slug: str) -> set[str]:
        path = paths[slug]
        return html_ids(render_page(path, source.text_of(path), slug_scheme=scheme, link=lambda target, wikilink: None))

    return rendered


def _nodes(written: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found = written.get("nodes")
    for node in found if isinstance(found, list) else ():
        if isinstance(node, dict) and isinstance(node.get("id"), str):
            yield node


def _compare(nodes: Mapping[str, dict[str, Any]], present: Digest) -> Iterator[DigestProblem]:
    found = {section.id: section for section in present.sections}
    for identity in sorted(found.keys() | nodes.keys()):
        if identity not in nodes:
            yield _problem("missing", identity, "The section is in the documents and not in the digest.")
        elif identity not in found:
            yield _problem("orphan", identity, "The section is in the digest and no longer in the documents.")
        elif nodes[identity].get("hash") != found[identity].hash:
            yield _problem("stale", identity, "The section has changed since the digest was built.")
        else:
            yield from _derived(nodes[identity], node_value(found[identity]))


def _derived(node: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[DigestProblem]:
    wrong = [name for name in _DERIVED if node.get(name) != derived[name]]
    if wrong:
        yield _problem("stale", derived["id"], f"The digest says otherwise than the documents: {', '.join(wrong)}.")


def _facts(node: Mapping[str, Any], text: str) -> Iterator[DigestProblem]:
    facts = node.get("facts")
    for fact in facts if isinstance(facts, list) else ():
        literal = fact.get("literal") if isinstance(fact, dict) else None
        if not isinstance(literal, str) or literal not in text:
            yield _problem("fact", node["id"], f"The literal {str(literal)[:80]!r} is not in the section.")


def _anchor(section: DigestSection, anchors: set[str] | None) -> Iterator[DigestProblem]:
    if anchors is None:
        yield _problem("anchor", section.id, f"The page {section.slug} is not in the built site.")
    elif section.anchor is not None and section.anchor not in anchors:
        yield _problem("anchor", section.id, f"The built page has no id {section.anchor!r}.")


def broken_links(pages: Iterable[LinkedPage], link_map: LinkMap) -> Iterator[DigestProblem]:
    """Links to documents that are not there, or to anchors that their page does not have."""
    for page in pages:
        for link in page.links:
            found = link_map.find(page.path, link.target, link.wikilink)
            place = page.sections[link.section].id if 0 <= link.section < len(page.sections) else page.slug
            if found is None:
                if link_map.is_local(link.target, link.wikilink):
                    yield _problem("link", place, f"{link.target[:200]} leads to no document.")
            elif found[1] is not None and found[1] not in found[0].anchors:
                yield _problem("link", place, f"{link.target[:200]}: that page has no such anchor.")


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
