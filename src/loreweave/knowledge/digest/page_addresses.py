"""Where pages live: slugs from paths, urls from slugs."""

import re
from collections.abc import Iterable

_EXTENSION = re.compile(r"\.(?:md|mdx|markdown)\Z", re.IGNORECASE)


def deal_slugs(paths: Iterable[str]) -> dict[str, str]:
    """A slug for every document. Of two that would share one, the first path in byte order keeps it."""
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=str.encode):
        slugs[path] = next(slug for slug in _candidates(path) if slug not in taken)
        taken.add(slugs[path])
    return slugs


def _candidates(path: str) -> Iterable[str]:
    whole = path.replace("#", "%23")  # a bare # would read as the beginning of an anchor
    plain = _EXTENSION.sub("", whole)
    yield "index" if plain == "_index" else plain.removesuffix("/index").removesuffix("/_index")
    yield plain
    yield whole
    number = 2
    while True:
        yield f"{whole}~{number}"
        number += 1


def page_url(base_path: str, slug: str) -> str:
    """The address of a page. What an address would read as something else is written as %XX."""
    base = base_path if base_path.endswith("/") else base_path + "/"
    if slug == "index":
        return base.removesuffix("/") or "/"
    return base + slug.replace("%", "%25").replace("?", "%3F").replace("#", "%23")


def section_id(slug: str, anchor: str | None) -> str:
    return slug if anchor is None else f"{slug}#{anchor}"


def group_of(slug: str, given: str | None) -> str | None:
    """The header's group, else the first folder."""
    if given:
        return given
    folder, slash, _ = slug.partition("/")
    return folder if slash else None
