"""The names a note answers to, and the names under which a link looks for its target."""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.node_ids import base_slug, is_skill_file
from loreweave.language.slug import legacy_slug, slug

# How a note comes by a name; smaller goes first when a link could mean several.
BASE, FOLDER, ALIAS, NAME, PATH_ONLY = range(5)

FOLDER_FILES = ("skill", "index", "readme")  # what a link to a folder means, in this order


def names_of(note: ParsedNote) -> list[tuple[str, int]]:
    """(key, class) of every name of a note, each key once under its best class."""
    pure = PurePosixPath(note.path)
    names: list[tuple[str, int]] = [(base_slug(note.path), BASE)]
    if is_skill_file(note.path):
        names.append(("skill", PATH_ONLY))
    elif pure.stem.casefold() in FOLDER_FILES and pure.parent.name:
        names.append((slug(pure.parent.name), FOLDER))
    names += [(slug(alias), ALIAS) for alias in note.aliases]
    names.append((legacy_slug(pure.stem), ALIAS))
    names.append((slug(note.name), NAME))
    best: dict[str, int] = {}
    for key, name_class in names:
        if key and name_class < best.get(key, PATH_ONLY + 1):
            best[key] = name_class
    return sorted(best.items())


class Reference(NamedTuple):
    """What a target says: the components of a path, and the keys under which candidates are looked up."""

    parts: tuple[str, ...]  # without `.` and without the final `.md`; `..` is kept
    last: str  # slug of the last component
    whole: str  # slug of all of it

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(key for key in (self.last, self.whole) if key))


@lru_cache(maxsize=20_000)  # a vault names the same notes again and again
def read_reference(target: str) -> Reference:
    parts = target_parts(target)
    return Reference(tuple(parts), slug(parts[-1]), slug(target.strip("/ "))) if parts else Reference((), "", "")


def target_parts(target: str) -> list[str]:
    """The components of a target, without `.` and without the final `.md`; `..` is kept."""
    parts = [part for part in target.replace("\\", "/").split("/") if part not in ("", ".")]
    if parts and parts[-1].lower().endswith(".md"):
        parts[-1] = parts[-1][:-3]
    return parts


def facts_of(note_key: int, names: Iterable[tuple[str, int]], headings: Sequence[str]) -> set[tuple]:
    """What links from elsewhere can depend on: the names a note answers to and the headings it has."""
    shape = zlib.crc32("\n".join(headings).encode("utf-8"))
    return {(key, name_class, note_key, shape) for key, name_class in names}
