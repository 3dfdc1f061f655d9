"""Which id each note has. Ids depend on paths alone, so they are dealt before any note is read."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from loreweave.language.slug import fallback_slug, slug

if TYPE_CHECKING:
    from loreweave.entities.note import Warning

PREFIX = "skill:"


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


def deal_ids(paths: Iterable[str]) -> "tuple[dict[str, str], list[Warning]]":
    """An id for every path: the first keeps the short one; when those are dealt, the others go by their path."""
    from loreweave.entities.note import Warning  # readers of a graph need the order of paths alone

    ids: dict[str, str] = {}
    taken: set[str] = set()
    late: list[str] = []
    for path in sorted(paths, key=path_order):
        short = base_slug(path)
        if short in taken:
            late.append(path)
        else:
            taken.add(short)
            ids[path] = PREFIX + short
    warnings = []
    for path in late:
        chosen = _free(slug(path) or fallback_slug(path), taken)
        taken.add(chosen)
        ids[path] = PREFIX + chosen
        message = f"another note is called {base_slug(path)}; this one goes by {PREFIX}{chosen}"
        warnings.append(Warning("duplicate_id", path, message))
    return ids, warnings


def _free(wanted: str, taken: set[str]) -> str:
    number, candidate = 1, wanted
    while candidate in taken:
        number += 1
        candidate = f"{wanted}-{number}"
    return candidate
