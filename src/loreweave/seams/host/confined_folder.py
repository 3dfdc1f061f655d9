"""Files below one folder: nothing is read, written, listed or removed outside it or through a link."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, TooLarge
from loreweave.language.strange_text import is_unicode, walked
from loreweave.seams.host.count_use import DEEPEST, use_of_folder
from loreweave.seams.host.sandbox import MEBIBYTE, SEEN_AS, CommandLimits
from loreweave.seams.host.walk_below import Kind, kind_at, open_below, open_name, remove_below, replace_below, shown

_LONGEST_PATH = 1000
_LONGEST_NAME = 255  # bytes
_LISTED_DEPTH = 40
_UNLISTED = {".git", ".lore", "node_modules", "__pycache__"}
_SEARCHED_BYTES = 32 * MEBIBYTE
_SHOWN_LINE = 500


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line of a file, counted from 1."""

    path: str
    line: int
    text: str


class ConfinedFolder:
    """Paths are relative to the folder, or absolute as a command sees them: `/workspace/…`."""

    def __init__(self, root: Path, parts: Sequence[str] = (), field: str = "path", *, lasting: bool = True) -> None:
        self._root = root  # this one is trusted
        self._parts = tuple(parts)  # these are walked, each time
        self._field = field  # the argument that refusals blame
        self._lasting = lasting  # whether what is written outlives the machine: a thousand files are not worth it

    @property
    def path(self) -> Path:
        return self._root.joinpath(*self._parts)

    def below(self, path: str) -> "ConfinedFolder":
        return ConfinedFolder(self._root, (*self._parts, *self._split(path)), self._field)

    def read_text(self, path: str, limit: int = MEBIBYTE) -> str:
        try:
            return self.read_bytes(path, limit).decode()
        except UnicodeDecodeError:
            raise self._refusal(path, "is not a text file") from None

    def read_bytes(self, path: str, limit: int = MEBIBYTE) -> bytes:
        with self.open_file(path) as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            raise TooLarge(f"{shown(path)} is larger than {limit:,} bytes", what="file_bytes", limit=limit)
        return data

    def open_file(self, path: str) -> BinaryIO:
        """To be read piece by piece, and closed."""
        with self._parent(path) as (folder, name):
            descriptor = open_name(folder, name)
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.close(descriptor)
                raise self._refusal(path, "is not a file")
            return open(descriptor, "rb")

    def write_text(self, path: str, content: str) -> None:
        if not is_unicode(content):
            raise self._refusal(path, "cannot hold text that is not valid Unicode")
        self.write_bytes(path, content.encode())

    def write_bytes(self, path: str, data: bytes) -> None:
        """Folders on the way are made; the file is the old one or the new one."""
        with self._parent(path, makes=True) as (folder, name):
            if kind_at(folder, name) not in ("file", None):
                raise self._refusal(path, "is not a file")
            replace_below(folder, name, data, lasting=self._lasting)

    def make_runnable(self, path: str) -> None:
        with self._parent(path) as (folder, name):
            descriptor = open_name(folder, name)
            try:
                os.fchmod(descriptor, os.fstat(descriptor).st_mode | 0o111)
            finally:
                os.close(descriptor)

    def refuse_overfull(self, more_bytes: int, limits: CommandLimits) -> None:
        """Before something is written: all files together, and how many there are, stay within their limits."""
        size, count = use_of_folder(str(self.path), limits.workspace_files)
        if size + more_bytes > limits.workspace_bytes or count >= limits.workspace_files:
            room = f"{limits.workspace_bytes:,} bytes in {limits.workspace_files:,} files, {DEEPEST} folders deep"
            raise TooLarge(f"The workspace is full: it may hold {room}", what="workspace", limit=limits.workspace_bytes)

    def kind_of(self, path: str) -> Kind | None:
        """What stands there; nothing where nothing does. A link is refused."""
        if not self._split(path):
            return "folder"
        try:
            with self._parent(path) as (folder, name):
                return kind_at(folder, name)
        except NotFound:
            return None

    def make_folder(self, mode: int = 0o777) -> None:
        """This folder and those on the way to it, where they are missing."""
        with open_below(self._root, self._parts, field=self._field, makes=True, mode=mode):
            pass

    def refuse_absent(self) -> None:
        with self._folder(()):
            pass

    def remove(self, path: str) -> None:
        """A file, or a folder with all that is in it. What is not there is no failure."""
        with suppress(NotFound), self._parent(path) as (folder, name):
            remove_below(folder, name)

    def remove_file(self, path: str) -> None:
        """A file alone, and the folders that are empty then. What is not there, or is none, is no failure."""
        parts = self._split(path)
        with suppress(LoreError), self._parent(path) as (folder, name):
            if kind_at(folder, name) == "file":
                os.unlink(name, dir_fd=folder)
        for end in range(len(parts) - 1, 0, -1):
            with suppress(LoreError), self._parent("/".join(parts[:end])) as (folder, name):
                os.rmdir(name, dir_fd=folder)

    def list_files(self, path: str = "", limit: int = 2000) -> list[str]:
        """The files below, sorted, as paths of this folder; not those of version control and of package stores."""
        start = self._split(path)
        if start and self.kind_of(path) == "file":
            return ["/".join(start)]
        found: list[str] = []
        waiting = [start]
        while waiting and len(found) < limit:
            parts = waiting.pop()
            with suppress(*([NotFound] if parts != start else [])):  # one that vanished meanwhile
                files, folders = self._entries(parts)
                found += ["/".join((*parts, name)) for name in files]
                if len(parts) < _LISTED_DEPTH:
                    waiting += [(*parts, name) for name in reversed(folders) if name not in _UNLISTED]
        return sorted(found[:limit])

    def list_folders(self) -> list[str]:
        """The names of the folders in this one, sorted; a link is none."""
        return self._entries(())[1]

    def changed_at(self, path: str) -> int:
        """The instant at which a file was last written."""
        with self._parent(path) as (folder, name):
            if kind_at(folder, name) != "file":
                raise self._refusal(path, "is not a file")
            return os.lstat(name, dir_fd=folder).st_mtime_ns // 1_000

    def search(self, pattern: str, path: str = "", limit: int = 200) -> list[FoundLine]:
        """Lines that hold the pattern, which is plain text; files that are no text are left out."""
        if not pattern:
            raise InvalidInput("The pattern must not be empty", field="pattern")
        found: list[FoundLine] = []
        left = _SEARCHED_BYTES
        for file in self.list_files(path):
            text = self._searched(file, left)
            left -= len(text)
            lines = enumerate(text.splitlines(), 1)
            found += [FoundLine(file, number, line[:_SHOWN_LINE]) for number, line in lines if pattern in line]
            if len(found) >= limit:
                break
        return found[:limit]

    def _searched(self, path: str, left: int) -> str:
        with suppress(LoreError):
            if left > 0:
                return self.read_text(path)
        return ""

    def _entries(self, parts: Sequence[str]) -> tuple[list[str], list[str]]:
        """The names of files and of folders in one folder, sorted. Links and names that are no text are neither."""
        files, folders = [], []
        with self._folder(parts) as folder, os.scandir(folder) as entries:
            for entry in entries:
                if not is_unicode(entry.name):
                    continue
                if entry.is_file(follow_symlinks=False):
                    files.append(entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
        return sorted(files), sorted(folders)

    @contextmanager
    def _parent(self, path: str, *, makes: bool = False) -> Iterator[tuple[int, str]]:
        """The opened folder that holds the path's last part, and that part."""
        parts = self._split(path)
        if not parts:
            raise self._refusal(path, "is the folder itself")
        with self._folder(parts[:-1], makes=makes, path="/".join(parts)) as folder:
            yield folder, parts[-1]

    def _folder(self, parts: Sequence[str], *, makes: bool = False, path: str = "") -> AbstractContextManager[int]:
        walked = (*self._parts, *parts)
        return open_below(self._root, walked, path=path or "/".join(parts), field=self._field, makes=makes)

    def _split(self, path: str) -> tuple[str, ...]:
        """The parts of a path; what leads outside by its words alone is refused here, links where they are met."""
        if "\0" in path or not is_unicode(path) or len(path) > _LONGEST_PATH:
            raise self._refusal(path, f"is no path of at most {_LONGEST_PATH:,} characters")
        inside = path[len(SEEN_AS) :] if path == SEEN_AS or path.startswith(f"{SEEN_AS}/") else path
        parts = walked(inside)
        if parts is None or (inside.startswith("/") and inside == path):
            raise Forbidden(f"{shown(path)} is outside the workspace")
        if any(len(part.encode()) > _LONGEST_NAME for part in parts):
            raise self._refusal(path, f"holds a name of over {_LONGEST_NAME} bytes")
        return tuple(parts)

    def _refusal(self, path: str, fault: str) -> InvalidInput:
        return InvalidInput(f"{shown(path)} {fault}", field=self._field)
