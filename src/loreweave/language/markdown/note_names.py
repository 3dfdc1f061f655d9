"""The names a note answers to, what a link asks for, and the names under which it is looked for."""

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple, Protocol

from loreweave.language.markdown.note_slugs import base_slug, is_skill_file, stem_of, without_number
from loreweave.language.slug import legacy_slug, slug

# How a note comes by a name; smaller goes first when a link could mean several.
BASE, FOLDER, ALIAS, NAME, PATH_ONLY = range(5)

FOLDER_FILES = ("skill", "index", "_index", "readme")  # what a link to a folder means, in this order
ROOT = "/"  # under this key the pages of the whole tree are found


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
    elif stem_of(own_name).casefold() in FOLDER_FILES:
        names.append((slug(pure.parent.name), FOLDER) if pure.parent.name else (ROOT, PATH_ONLY))
        names.append((slug(without_number(pure.parent.name)), PATH_ONLY))
    names.append((_key(without_number(own_name)), PATH_ONLY))
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

    parts: tuple[str, ...]  # without `.` and without the ending of a document; `..` is kept
    last: str  # key of the last component
    whole: str  # key of all of it
    is_rooted: bool  # written from the root of a site

    @property
    def keys(self) -> tuple[str, ...]:
        """Rooted targets are known by the root too: what they mean hangs on where the site begins."""
        if self.is_rooted:
            return tuple(dict.fromkeys((self.last, self.whole, ROOT)))
        return tuple(dict.fromkeys((self.last, self.whole))) if self.parts else ()


@lru_cache(maxsize=20_000)  # a vault names the same notes again and again
def read_reference(target: str) -> Reference:
    parts = [part for part in target.replace("\\", "/").split("/") if part not in ("", ".")]
    is_rooted = target.startswith("/")
    if not parts:
        return Reference((), ROOT if is_rooted else "", ROOT if is_rooted else "", is_rooted)
    last = parts[-1]
    parts[-1] = stem_of(last)
    return Reference(tuple(parts), _key(last), _key(target.strip("/ ")), is_rooted)


def speaks_for_folder(path: str) -> bool:
    return stem_of(path.rpartition("/")[2]).casefold() in FOLDER_FILES


def title_from_path(path: str) -> str:
    """What a file is called by its name: a slug as words, anything else as written, a folder's page as the folder."""
    folders, _, base = path.rpartition("/")
    stem = stem_of(base)
    if stem.casefold() in FOLDER_FILES:
        stem = folders.rpartition("/")[2] or ("Home" if stem.casefold().endswith("index") else stem)
    hyphened = stem.replace("_", "-")
    if slug(hyphened) != hyphened:
        return " ".join(stem.split()) or path
    return " ".join(word[:1].upper() + word[1:] for word in hyphened.split("-") if word)


def _key(name: str) -> str:
    """Where a name is looked up: its slug, or, for a name without letter and digit, the name itself."""
    return slug(name) or "=" + stem_of(name.strip().casefold())


def facts_of(note_key: int, names: Iterable[tuple[str, int]], headings: Sequence[str]) -> set[tuple]:
    """What links from elsewhere can depend on: the names a note answers to and the headings it has."""
    shape = zlib.crc32("\n".join(headings).encode("utf-8"))
    return {(key, name_class, note_key, shape) for key, name_class in names}


_SEPARATOR = re.compile(r"\\?\|")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def without_label(raw: str) -> str:
    """What a wikilink asks for, without the words it is shown as."""
    return _SEPARATOR.split(raw, 1)[0] if "|" in raw else raw


def split_wikilink(raw: str) -> tuple[str, tuple[str, ...]]:
    """Target and headings of what stands between `[[` and `]]`; an empty target is no link."""
    raw = without_label(raw)
    if "#" not in raw:
        return raw.strip(), ()
    target, *anchors = raw.split("#")
    return target.strip(), _headings(anchors)


def split_destination(raw: str) -> tuple[str, tuple[str, ...]]:
    """Target and headings of a markdown link's destination; empty for URLs and links within the page."""
    if _SCHEME.match(raw):
        return "", ()
    path, _, anchor = raw.partition("#")
    path = path.partition("?")[0]
    if "%" in raw:
        path, anchor = _decode(path), _decode(anchor)
    path = path.strip().removeprefix("@site")  # Docusaurus' word for the root of its folder
    return (path[:-5] if path.endswith(".html") else path), _headings([anchor])


def _headings(anchors: list[str]) -> tuple[str, ...]:
    trimmed = (anchor.strip() for anchor in anchors)
    return tuple(dict.fromkeys(anchor for anchor in trimmed if anchor and anchor[0] != "^"))


def _decode(text: str) -> str:
    from urllib.parse import unquote

    decoded = unquote(text, errors="replace")
    return " ".join(decoded.replace("\0", "\ufffd").splitlines())


def read_target(raw: str, source_path: str, *, wikilink: bool, base: str = "") -> tuple[str, tuple[str, ...]]:
    """Target and headings of a link in the document at `source_path`; an empty target leads to no other document.

    `base`: where the pages are published. Where that is a whole address, one below it is one from the site's root.
    """
    if wikilink:
        return split_wikilink(raw)
    if "://" in base:
        base = base.rstrip("/") + "/"
        if f"{raw}/".casefold().startswith(base.casefold()):
            raw = f"/{base.partition('://')[2].partition('/')[2]}{raw[len(base) :]}"
    target, headings = split_destination(raw)
    if target.rstrip("/").rpartition("/")[2] in (".", ".."):  # a folder that only the place of the link can name
        here = source_path.split("/")[:-1]
        for part in target.split("/"):
            here = here[:-1] if part == ".." else here
        target = "/" + "".join(f"{part}/" for part in here)
    return target, headings
