"""A folder as a source: walked without following a link, and read file by file when asked."""

import errno
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.note import NOTE, SourceEntry, SourceListing
from loreweave.errors import LoreError, NoMarkdown, Unavailable
from loreweave.knowledge.documents.source_paths import (
    DIGEST_PATH,
    clean_relative,
    clean_subdirectory,
    in_order,
    kind_of,
    shown,
)
from loreweave.language.markdown.note_slugs import PASSED_OVER, is_ignored
from loreweave.seams.host.walk_below import existing_folder, open_below, read_below

_EFFECTIVE = os.access in os.supports_effective_ids
_ALL_MAY_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
_PLAIN_NOTE = re.compile(r"[A-Za-z0-9_ ()+,=@-][A-Za-z0-9_ ()+,=@.-]{0,199}\.md\Z")
LONG_PATH = 3_000  # letters of a folder's path from which every name below it is looked at closely
_WAY_TO_DIGEST = (DIGEST_PATH.partition("/")[0], DIGEST_PATH)  # the one file that is read from an ignored folder


@dataclass(frozen=True, slots=True)
class FileReader:
    """The `read` of a file below a folder. No part of the way may be a link.

    Raises Unavailable with the fact `file` when the file has gone, changed its nature or may not be read.
    """

    root: str
    path: str  # below the root, as the file system has it

    def __call__(self) -> bytes:
        try:
            return read_below(Path(self.root), self.path)
        except LoreError as trouble:
            raise Unavailable(f"{shown(self.path)} cannot be read: {trouble.message}", file=shown(self.path)) from None


@dataclass(slots=True)
class _Walk:
    """What a walk has found so far."""

    root: str
    kept: dict[str, SourceEntry] = field(default_factory=dict)  # by path
    odd_places: dict[str, str] = field(default_factory=dict)  # of those whose path is not the place on disk
    warnings: list[IngestWarning] = field(default_factory=list)

    def warn(self, code: str, path: str, message: str) -> None:
        self.warnings.append(IngestWarning(code, shown(path), message))


def list_folder(path: str | Path, *, subdirectory: str | None = None) -> SourceListing:
    """Everything usable below a folder. The folder itself may be a link; nothing below it is followed.

    A folder without any note is refused.
    """
    below = clean_subdirectory(subdirectory)
    root = existing_folder(os.fspath(path))
    name = os.path.basename(os.path.abspath(path))
    walk = _Walk(_enter(root, below) if below else root)
    folders = [""]
    while folders:
        folders.extend(_look_into(walk, folders.pop()))
    entries = tuple([walk.kept[found] for found in sorted(walk.kept)])
    if not any(entry.kind == NOTE for entry in entries):
        raise NoMarkdown(f"The folder holds no usable markdown file; {PASSED_OVER}")
    return SourceListing(shown(name), entries, in_order(walk.warnings))


def _enter(root: str, subdirectory: str) -> str:
    """The subdirectory's place; none of its parts may be a link."""
    try:
        with open_below(Path(root), subdirectory.split("/")):
            return os.path.join(root, subdirectory)
    except LoreError:
        raise NoMarkdown(f"There is no folder {shown(subdirectory)} in the source", field="subdirectory") from None


def _look_into(walk: _Walk, folder: str) -> list[str]:
    """Notes what one folder holds and returns the folders inside; `folder` is "" or ends with "/"."""
    inner: list[str] = []
    is_plain = len(folder) < LONG_PATH and (not folder or clean_relative(folder) == folder) and not is_ignored(folder)
    try:
        with os.scandir(os.path.join(walk.root, folder)) as found:
            for entry in found:
                if _take(walk, folder + entry.name, entry, is_plain=is_plain):
                    inner.append(f"{folder}{entry.name}/")
    except OSError as trouble:
        walk.warn("unreadable", folder.rstrip("/"), f"The folder could not be read: {trouble.strerror}")
    return inner


def _take(walk: _Walk, place: str, entry: os.DirEntry[str], *, is_plain: bool) -> bool:
    """Keeps a file that counts, warns of what cannot be taken; True for a folder to be looked into.

    `is_plain`: the folder's path needs no cleaning. Where the name needs none either, the rest is soon decided.
    """
    if is_plain and _PLAIN_NOTE.match(entry.name) and entry.is_file(follow_symlinks=False):
        _keep(walk, place, place, NOTE, entry)
        return False
    if is_ignored(entry.name if is_plain else place) and place not in _WAY_TO_DIGEST:
        return False
    path = clean_relative(place)
    if path is None:
        walk.warn("unsafe_path", place, "A name that is no safe path was skipped")
        return False
    if entry.is_dir(follow_symlinks=False):
        return True
    if not entry.is_file(follow_symlinks=False):
        if kind_of(path) or not is_ignored(path):
            walk.warn("symlink", path, "A link or special file was skipped")
    elif kind := kind_of(path):
        _keep(walk, path, place, kind, entry)
    return False


def _keep(walk: _Walk, path: str, place: str, kind: str, listed: os.DirEntry[str]) -> None:
    try:
        found = listed.stat(follow_symlinks=False)
        if found.st_mode & _ALL_MAY_READ != _ALL_MAY_READ and not os.access(listed, os.R_OK, effective_ids=_EFFECTIVE):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as trouble:
        walk.warn("unreadable", path, f"The file could not be read: {trouble.strerror}")
        return
    if path in walk.kept:  # one of the two has a backslash in its name; the walk's order must not matter
        walk.warn("duplicate_entry", path, "Two files of the folder stand for this path; one counts")
        if walk.odd_places.get(path, path) < place:
            return
    if place != path:
        walk.odd_places[path] = place
    walk.kept[path] = SourceEntry(path, kind, found.st_size, found.st_mtime_ns, FileReader(walk.root, place))
