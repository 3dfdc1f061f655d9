"""Where a path lies, seen from a workspace, once every link on its way is followed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from loreweave.seams.host.sandbox import SEEN_AS
from loreweave.work.agents.permission_policy import PathPlace

LONGEST_PATH = 4_096
_GUARDED = frozenset((".git", ".lore"))


@dataclass(frozen=True, slots=True)
class PlacedPath:
    """`relative` is the real path below the workspace, free of links; empty is the workspace itself."""

    place: PathPlace
    relative: str = ""


def place_path(root: Path, path: str, *, seen_as: str | None = SEEN_AS) -> PlacedPath:
    """`seen_as` is the name under which commands see the workspace, where they do."""
    below = _below(root, path, seen_as)
    words = _walked(below) if below is not None else None
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
    if "\0" in path or path.startswith("~") or not _is_text(path):
        return None
    for start in (seen_as, str(root)):
        if start and (path == start or path.startswith(start + "/")):
            return path[len(start) :].lstrip("/")
    return None if path.startswith("/") else path


def _walked(path: str) -> list[str] | None:
    """The parts as the words give them; none where they climb out."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return parts


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
