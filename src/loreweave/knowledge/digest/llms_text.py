"""The documents as lists for machines: llms.txt, and all of them in one text."""

import re
from collections.abc import Callable, Iterator

from loreweave.entities.digest import Digest, DigestSection
from loreweave.knowledge.digest.orientation import NO_GROUP
from loreweave.knowledge.digest.section_searcher import page_url
from loreweave.knowledge.documents.page_record import excerpt

_MARKED = re.compile(r"([\\\[\]])")
NAMELESS = "Documentation"


def llms_text(digest: Digest, address: Callable[[str, str], str]) -> str:
    """A heading, what this is, and every page by group.

    `address(path, slug)` is where a page's source can be had, fit for a link.
    """
    pages = list(_pages(digest))
    blocks = [f"# {_title(digest)}"]
    if digest.context:
        blocks.append(f"> {excerpt(digest.context, 10_000)}")
    groups: dict[str, list[str]] = {}
    for path, slug, first in pages:
        label = _MARKED.sub(r"\\\1", _line(first.title if first else slug))
        said = f": {_line(first.summary)}" if first and first.summary else ""
        group = (first.group if first else None) or NO_GROUP
        groups.setdefault(group, []).append(f"- [{label}]({address(path, slug)}){said}")
    blocks += ["\n".join([f"## {_line(group)}", "", *groups[group]]) for group in sorted(groups)]
    return "\n\n".join(blocks) + "\n"


def llms_full_text(digest: Digest, text_of: Callable[[str], str]) -> str:
    """Every source in full, each below its title and address."""
    blocks = [f"# {_title(digest)}"]
    for path, slug, first in _pages(digest):
        url = page_url(digest.settings.base_path, slug)
        blocks.append(f"---\n\nPage: {_line(first.title if first else slug)}\nSource: {url}\n\n{text_of(path).strip()}")
    return "\n\n".join(blocks) + "\n"


def _title(digest: Digest) -> str:
    root = next((part.title for part in digest.sections if part.slug.casefold() in ("index", "readme")), None)
    return _line(root or NAMELESS)


def _pages(digest: Digest) -> Iterator[tuple[str, str, DigestSection | None]]:
    """(path, slug, first section) of every document, by slug."""
    firsts = {section.path: section for section in reversed(digest.sections)}
    for path, slug in sorted(digest.slugs.items(), key=lambda item: item[1]):
        yield path, slug, firsts.get(path)


def _line(text: str) -> str:
    return " ".join(text.split())
