"""Files below one folder: nothing is read, written or removed through a link, nor outside."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loreweave.errors import Conflict, InvalidInput

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


class TreeFolder:
    """Paths are relative, with "/"; folders are made as they are needed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        """None where there is no such file, or something else than a file."""
        try:
            with self._folder(path) as (folder, name):
                descriptor = os.open(name, os.O_RDONLY | _NO_LINK, dir_fd=folder)
                with open(descriptor, "rb") as stream:
                    if stat.S_ISREG(os.fstat(descriptor).st_mode):
                        return stream.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as trouble:
            raise _trouble(path, trouble) from trouble
        return None

    def holds(self, path: str) -> bool:
        """Whether anything stands there: a file, a folder, a link."""
        try:
            with self._folder(path) as (folder, name):
                os.lstat(name, dir_fd=folder)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as trouble:
            raise _trouble(path, trouble) from trouble
        return True

    def write(self, path: str, data: bytes) -> None:
        """The file is the old one or the new one. An equal file is left alone."""
        if self.read(path) == data:
            return
        try:
            with self._folder(path, makes=True) as (folder, name):
                temporary = f".{secrets.token_hex(8)}.tmp"
                with open(os.open(temporary, _NEW, 0o666, dir_fd=folder), "wb") as stream:
                    stream.write(data)
                try:
                    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                except OSError:
                    os.unlink(temporary, dir_fd=folder)
                    raise
        except OSError as trouble:
            raise _trouble(path, trouble) from trouble

    def remove(self, path: str) -> None:
        """Takes a file away, and the folders that are empty then. What is not there is no failure."""
        parts = _parts(path)
        with suppress(OSError), self._folder(path) as (folder, name):
            if stat.S_ISREG(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
        for end in range(len(parts) - 1, 0, -1):
            with suppress(OSError), self._folder("/".join(parts[:end])) as (folder, name):
                os.rmdir(name, dir_fd=folder)

    @contextmanager
    def _folder(self, path: str, *, makes: bool = False) -> Iterator[tuple[int, str]]:
        """The opened folder that holds the path's last part, and that part."""
        *folders, name = _parts(path)
        here = os.open(self._root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            for folder in folders:
                if makes:
                    with suppress(FileExistsError):
                        os.mkdir(folder, dir_fd=here)
                inner = os.open(folder, _FOLDER, dir_fd=here)
                os.close(here)
                here = inner
            yield here, name
        finally:
            os.close(here)


def is_confined(path: str) -> bool:
    """Whether a path can only lead below the folder."""
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in path.split("/"))


def _parts(path: str) -> list[str]:
    if not is_confined(path):
        raise InvalidInput(f"{path[:200]!r} is no path below the folder", field="tree")
    return path.split("/")


def _trouble(path: str, trouble: OSError) -> Conflict:
    return Conflict(f"{path[:200]} is in the way or cannot be written: {trouble.strerror}", file=path[:200])
