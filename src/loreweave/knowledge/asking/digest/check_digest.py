"""Everything that can be wrong with a digest, given the documents and, if there is one, the built site."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from loreweave.contracts.ask import DigestProblem
from loreweave.entities.digest import DigestSection
from loreweave.knowledge.asking.digest.assemble_digest import assemble
from loreweave.knowledge.asking.digest.build_digest import Source
from loreweave.knowledge.asking.digest.built_site import BuiltSite, html_ids
from loreweave.knowledge.asking.digest.digest_file import distilled_of
from loreweave.knowledge.asking.digest.verify_digest import broken_links, verify_digest
from loreweave.knowledge.asking.documents.render_page import render_page


def check_digest(written: Mapping[str, Any], source: Source, site: Path | None) -> list[DigestProblem]:
    """`written` as it is in the file. Anchors are looked for in the site, else in our own rendering."""
    settings = source.settings
    present = assemble(source.records, settings, distilled_of(written), source.assembly)
    paths = {page.slug: page.path for page in present.pages}
    data_of = lru_cache(1)(lambda path: source.text_of(path).encode())

    def raw_text(section: DigestSection) -> str:
        raw: bytes = data_of(section.path)[section.start : section.end]
        return raw.decode()

    anchors_of = _anchors(source, paths, site)
    problems = verify_digest(written, present.digest, raw_text, anchors_of)
    return [*problems, *broken_links(present.pages, present.link_map)]


def _anchors(source: Source, paths: Mapping[str, str], site: Path | None) -> Callable[[str], set[str] | None]:
    if site is not None:
        return BuiltSite(site, source.settings.base_path).anchors
    scheme = source.settings.slug_scheme

    def rendered(slug: str) -> set[str]:
        path = paths[slug]
        return html_ids(render_page(path, source.text_of(path), slug_scheme=scheme, link=lambda target, wikilink: None))

    return rendered
