"""Every path that an argument of a command may name, and where it lies once every link on its way is followed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from urllib.parse import unquote

from loreweave.language.strange_text import is_unicode, walked
from loreweave.seams.host.sandbox import SEEN_AS
from loreweave.work.agents.command_rules import TEXT_FOLLOWS, TEXT_OPTIONS
from loreweave.work.agents.permission_policy import PathPlace

_FILE_ADDRESS = re.compile(r"file:(?://[^/]*)?([^\s]*)", re.IGNORECASE)
_LETTERS = re.compile(r"-[A-Za-z0-9]+")
_REMOTE = re.compile(r"(?!file:)\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s,;]*", re.IGNORECASE)
_SEPARATORS = re.compile(r"[=@:,;]")
_SIGNS = 32
_PROSE = re.compile(r"[\s\"'()]")
LONGEST_PATH = 4_096
_GUARDED = frozenset((".git", ".lore"))


def paths_of_command(argv: tuple[str, ...]) -> set[str]:
    """Those of all arguments but the ones that are code or a pattern."""
    found: set[str] = set()
    texts_after = TEXT_FOLLOWS.get(argv[0], frozenset())
    for before, argument in pairwise(argv):
        if before not in texts_after and not argument.startswith(TEXT_OPTIONS.get(argv[0], ("\0",))):
            found.update(paths_of_argument(argument))
    return found - {"", "-", "--"}


def paths_of_argument(argument: str) -> Iterator[str]:
    if argument.startswith("--"):
        yield from _parts(argument.partition("=")[2])
    elif argument.startswith("-"):
        yield from _joined(argument)
    else:
        yield from _parts(argument)


def _joined(argument: str) -> Iterator[str]:
    """`-o/tmp/x`, `-rf../x`: a value may begin after any of the letters."""
    letters = _LETTERS.match(argument)
    end = letters.end() if letters else 1
    for start in range(3, min(end, 64)):
        yield argument[start:]
    yield from _parts(argument[2:])
    yield from _parts(argument[end:])


def _parts(text: str) -> Iterator[str]:
    """The text itself, and what stands behind or between signs that join values: `a=@b`, `host:/x`, `a,b`."""
    yield text
    for found in _FILE_ADDRESS.finditer(text):
        yield unquote(found[1]) or "/"
    if text.startswith("@"):
        yield text[1:]
    if "=" in text:
        yield text.partition("=")[2].removeprefix("@")
    if _PROSE.search(text):
        return  # a sentence or a piece of code
    here = _REMOTE.sub("", text)  # an address on the network names no file of this computer
    yield from _SEPARATORS.split(here)
    if len(here) <= LONGEST_PATH:
        for sign in islice(_SEPARATORS.finditer(here), _SIGNS):
            yield here[sign.end() :]  # a name may hold such a sign itself


@dataclass(frozen=True, slots=True)
class PlacedPath:
    """`relative` is the real path below the workspace, free of links; empty is the workspace itself."""

    place: PathPlace
    relative: str = ""


def place_path(root: Path, path: str, *, seen_as: str | None = SEEN_AS) -> PlacedPath:
    """`seen_as` is the name under which commands see the workspace, where they do."""
    below = _below(root, path, seen_as)
    words = walked(below) if below is not None else None
    if below is None or words is None:
        return PlacedPath("outside")
    if len(below) > LONGEST_PATH:
        return PlacedPath("inside", below)  # no system opens it, so there are no links to follow
    real_root = os.path.realpath(root)
    real = os.path.realpath(os.path.join(real_root, below))
    if real != real_root and not real.startswith(real_root + os.sep):
        return PlacedPath("link")
    relative = real[len(real_root) + 1 :]
    if any(part.casefold() in _GUARDED for part in (*words, *relative.split(os.sep))):
        return PlacedPath("guarded")
    return PlacedPath("inside", relative)


def _below(root: Path, path: str, seen_as: str | None) -> str | None:
    """The path without the name of the workspace; none where its first letters lead elsewhere."""
    if "\0" in path or path.startswith("~") or not is_unicode(path):
        return None
    for start in (seen_as, str(root)):
        if start and (path == start or path.startswith(start + "/")):
            return path[len(start) :].lstrip("/")
    return None if path.startswith("/") else path
