"""The names a note answers to, and the names under which a link looks for its target."""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple, Protocol

from loreweave.language.markdown.note_slugs import base_slug, is_skill_file
from loreweave.language.slug import legacy_slug, slug

# How a note comes by a name; smaller goes first when a link could mean several.
BASE, FOLDER, ALIAS, NAME, PATH_ONLY = range(5)

FOLDER_FILES = ("skill", "index", "readme")  # what a link to a folder means, in this order


class Named(Protocol):
    """What a note's names come from."""

    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> Sequence[str]: ...


def names_of(note: Named) -> list[tuple[str, int]]:
    """(key, class) of every name of a note, each key once under its best class."""
    pure = PurePosixPath(note.path)
    own_name = pure.name
    names: list[tuple[str, int]] = [(base_slug(note.path), BASE)]
    if is_skill_file(note.path):
        own_name = pure.parent.name or own_name
        names.append(("skill", PATH_ONLY))
    elif pure.stem.casefold() in FOLDER_FILES and pure.parent.name:
        names.append((slug(pure.parent.name), FOLDER))
    names += [(slug(alias), ALIAS) for alias in note.aliases]
    names.append((legacy_slug(own_name), ALIAS))
    names.append((_key(own_name), BASE))
    names.append((slug(note.name), NAME))
    best: dict[str, int] = {}
    for key, name_class in names:
        if key and name_class < best.get(key, PATH_ONLY + 1):
            best[key] = name_class
    return sorted(best.items())


class Reference(NamedTuple):
    """What a target says: the components of a path, and the keys under which candidates are looked up."""

    parts: tuple[str, ...]  # without `.` and without the final `.md`; `..` is kept
    last: str  # key of the last component
    whole: str  # key of all of it

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.last, self.whole))) if self.parts else ()


@lru_cache(maxsize=20_000)  # a vault names the same notes again and again
def read_reference(target: str) -> Reference:
    parts = [part for part in target.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts:
        return Reference((), "", "")
    last = parts[-1]
    if last.lower().endswith(".md"):
        parts[-1] = last[:-3]
    return Reference(tuple(parts), _key(last), _key(target.strip("/ ")))


def _key(name: str) -> str:
    """Where a name is looked up: its slug, or, for a name without letter and digit, the name itself."""
    return slug(name) or "=" + name.strip().casefold().removesuffix(".md")


def facts_of(note_key: int, names: Iterable[tuple[str, int]], headings: Sequence[str]) -> set[tuple]:
    """What links from elsewhere can depend on: the names a note answers to and the headings it has."""
    shape = zlib.crc32("\n".join(headings).encode("utf-8"))
    return {(key, name_class, note_key, shape) for key, name_class in names}
