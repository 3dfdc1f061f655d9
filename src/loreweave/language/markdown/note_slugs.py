"""What paths alone say of notes: which are none, and which slug each goes by, before any note is read."""

import re
from collections.abc import Iterable

from loreweave.language.slug import fallback_slug, slug

DOCUMENT_ENDINGS = (".markdown", ".mdx", ".md")


def stem_of(name: str) -> str:
    """A file's name without the ending of a document."""
    folded = name.lower()
    return next((name[: -len(ending)] for ending in DOCUMENT_ENDINGS if folded.endswith(ending)), name)


_NUMBER = re.compile(r"^\d{1,3}[-_. ]++(?=[^\W\d_])")


def without_number(name: str) -> str:
    """How sites publish a file or folder whose number says only where it stands: `02-setup` as `setup`."""
    return _NUMBER.sub("", name)


PASSED_OVER = "hidden folders and those called node_modules, dist or build are passed over"


def is_ignored(path: str) -> bool:
    """Whether any whole component of a clean path below the root is a name nobody writes notes under."""
    whole = f"/{path}/"
    if "/." in whole or "/node_modules/" in whole:
        return True
    return "/dist/" in whole or "/build/" in whole or "/__MACOSX/" in whole


def path_order(path: str) -> tuple[int, str]:
    """Shallow notes first, then by code points."""
    return path.count("/"), path


def base_slug(path: str) -> str:
    """The slug a note goes by: of its file name, or of its folder where the file is the folder's SKILL.md."""
    folder, _, name = path.rpartition("/")
    if folder and is_skill_file(path):
        name = folder.rpartition("/")[2]
    return slug(name) or fallback_slug(path)


def is_skill_file(path: str) -> bool:
    return path.rpartition("/")[2].casefold() == "skill.md"


def deal_slugs(paths: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """A slug for every path: the first keeps the short one; when those are dealt, the late ones go by their path."""
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    late: list[str] = []
    for path in sorted(paths, key=path_order):
        short = base_slug(path)
        if short in taken:
            late.append(path)
        else:
            taken.add(short)
            slugs[path] = short
    for path in late:
        slugs[path] = _free(slug(path) or fallback_slug(path), taken)
        taken.add(slugs[path])
    return slugs, late


def _free(wanted: str, taken: set[str]) -> str:
    number, candidate = 1, wanted
    while candidate in taken:
        number += 1
        candidate = f"{wanted}-{number}"
    return candidate
