"""A folder as a source: walked without following a link, and read file by file when asked."""

import errno
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from loreweave.entities.note import DIGEST, NOTE, SourceEntry, SourceListing, Warning
from loreweave.errors import InvalidInput, NoMarkdown, NotFound, Unavailable
from loreweave.knowledge.documents.source_paths import (
    DIGEST_PATH,
    clean_relative,
    clean_subdirectory,
    in_order,
    kind_by_name,
    kind_of,
    shown,
)
from loreweave.language.markdown.note_slugs import is_ignored

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_EFFECTIVE = os.access in os.supports_effective_ids
_ALL_MAY_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
_PLAIN_NOTE = re.compile(r"[A-Za-z0-9_ ()+,=@-][A-Za-z0-9_ ()+,=@.-]{0,199}\.md\Z")
LONG_PATH = 3_000  # letters of a folder's path from which every name below it is looked at closely
_FOLDER = os.O_RDONLY | _NO_LINK | getattr(os, "O_DIRECTORY", 0)


@dataclass(frozen=True, slots=True)
class FileReader:
    """The `read` of a file below a folder. No part of the way may be a link.

    Raises Unavailable with the fact `file` when the file has gone, changed its nature or may not be read.
    """

    root: str
    path: str  # below the root, as the file system has it

    def __call__(self) -> bytes:
        try:
            with open(self._descriptor(), "rb", buffering=0) as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise OSError("it is no regular file")
                return stream.read()
        except OSError as trouble:
            message = f"{shown(self.path)} cannot be read: {trouble.strerror or trouble}"
            raise Unavailable(message, file=shown(self.path)) from trouble

    def _descriptor(self) -> int:
        if os.open not in os.supports_dir_fd:
            return os.open(os.path.join(self.root, self.path), _FILE)
        folders = self.path.split("/")
        name = folders.pop()
        here = os.open(self.root, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            for folder in folders:
                inner = os.open(folder, _FOLDER, dir_fd=here)
                os.close(here)
                here = inner
            return os.open(name, _FILE, dir_fd=here)
        finally:
            os.close(here)


@dataclass(slots=True)
class _Walk:
    """What a walk has found so far."""

    root: str
    kept: dict[str, SourceEntry] = field(default_factory=dict)  # by path
    odd_places: dict[str, str] = field(default_factory=dict)  # of those whose path is not the place on disk
    warnings: list[Warning] = field(default_factory=list)

    def warn(self, code: str, path: str, message: str) -> None:
        self.warnings.append(Warning(code, shown(path), message))


def list_folder(path: str | Path, *, subdirectory: str | None = None) -> SourceListing:
    """Everything usable below a folder. The folder itself may be a link; nothing below it is followed.

    A folder without any note is refused.
    """
    below = clean_subdirectory(subdirectory)
    root = _existing_folder(os.fspath(path))
    name = os.path.basename(os.path.abspath(path))
    walk = _Walk(_enter(root, below) if below else root)
    folders = [""]
    while folders:
        folders.extend(_look_into(walk, folders.pop()))
    _take_digest(walk)
    entries = tuple([walk.kept[found] for found in sorted(walk.kept)])
    if not any(entry.kind == NOTE for entry in entries):
        raise NoMarkdown("The folder holds no usable markdown file")
    return SourceListing(shown(name), entries, in_order(walk.warnings))


def _existing_folder(path: str) -> str:
    try:
        found = os.stat(path)
        if not stat.S_ISDIR(found.st_mode):
            raise InvalidInput(f"{shown(path)} is not a folder", field="path")
        with os.scandir(path):
            return os.path.realpath(path)  # entries are read later, maybe from another working directory
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"There is no folder {shown(path)}", field="path") from None
    except (OSError, ValueError) as trouble:
        raise InvalidInput(f"The folder {shown(path)} cannot be read: {trouble}", field="path") from trouble


def _enter(root: str, subdirectory: str) -> str:
    """The subdirectory's place; none of its parts may be a link."""
    place = root
    for part in subdirectory.split("/"):
        place = os.path.join(place, part)
        try:
            if stat.S_ISDIR(os.lstat(place).st_mode):
                continue
        except OSError:
            pass
        raise NoMarkdown(f"There is no folder {shown(subdirectory)} in the source", field="subdirectory")
    return place


def _look_into(walk: _Walk, folder: str) -> list[str]:
    """Notes what one folder holds and returns the folders inside; `folder` is "" or ends with "/"."""
    inner: list[str] = []
    is_plain = len(folder) < LONG_PATH and (not folder or clean_relative(folder) == folder)
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
    if is_ignored(entry.name):
        return False
    path = clean_relative(place)
    if path is None:
        walk.warn("unsafe_path", place, "A name that is no safe path was skipped")
        return False
    if entry.is_dir(follow_symlinks=False):
        return True
    if not entry.is_file(follow_symlinks=False):
        if not is_ignored(path):
            walk.warn("symlink", path, "A link or special file was skipped")
    elif kind := kind_by_name(path) if path == place else kind_of(path):  # the folders above were looked at
        _keep(walk, path, place, kind, entry)
    return False


def _take_digest(walk: _Walk) -> None:
    """The one file that is read from an ignored folder."""
    folder, file = (os.path.join(walk.root, place) for place in (DIGEST_PATH.partition("/")[0], DIGEST_PATH))
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            return
        with os.scandir(folder) as inside:
            found = next((entry for entry in inside if entry.path == file), None)
    except OSError:
        return
    if found and found.is_file(follow_symlinks=False):
        _keep(walk, DIGEST_PATH, DIGEST_PATH, DIGEST, found)
    elif found and not found.is_dir(follow_symlinks=False):
        walk.warn("symlink", DIGEST_PATH, "A link or special file was skipped")


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
