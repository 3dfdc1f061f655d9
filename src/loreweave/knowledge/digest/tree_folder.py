"""Files below one folder: nothing is read, written or removed through a link, nor outside."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loreweave.errors import Conflict, Forbidden, InvalidInput, NotFound, Unavailable
from loreweave.seams.host.walk_below import kind_at, open_below, open_name

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class TreeFolder:
    """Paths are relative, with "/"; folders are made as they are needed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        """None where there is no such file, or something else than a file."""
        with suppress(NotFound), self._parent(path) as (folder, name):
            if kind_at(folder, name) == "file":
                with open(open_name(folder, name), "rb") as stream:
                    return stream.read()
        return None

    def holds(self, path: str) -> bool:
        """Whether anything stands there: a file, a folder, a link."""
        with suppress(NotFound), self._parent(path) as (folder, name):
            return os.lstat(name, dir_fd=folder) is not None
        return False

    def write(self, path: str, data: bytes) -> None:
        """The file is the old one or the new one. An equal file is left alone."""
        if self.read(path) == data:
            return
        with self._parent(path, makes=True) as (folder, name):
            temporary = f".{secrets.token_hex(8)}.tmp"
            with open(os.open(temporary, _NEW, 0o666, dir_fd=folder), "wb") as stream:
                stream.write(data)
            try:
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                os.unlink(temporary, dir_fd=folder)
                raise

    def remove(self, path: str) -> None:
        """Takes a file away, and the folders that are empty then. What is not there is no failure."""
        parts = _parts(path)
        with suppress(NotFound, Conflict), self._parent(path) as (folder, name):
            if stat.S_ISREG(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
        for end in range(len(parts) - 1, 0, -1):
            with suppress(NotFound, Conflict), self._parent("/".join(parts[:end])) as (folder, name):
                os.rmdir(name, dir_fd=folder)

    @contextmanager
    def _parent(self, path: str, *, makes: bool = False) -> Iterator[tuple[int, str]]:
        """The opened folder that holds the path's last part, and that part. What is not there is not found."""
        *folders, name = _parts(path)
        try:
            with open_below(self._root, folders, path=path, field="tree", makes=makes) as folder:
                yield folder, name
        except (Forbidden, InvalidInput, Unavailable) as trouble:
            message = f"{path[:200]} is in the way or cannot be written: {trouble.message}"
            raise Conflict(message, file=path[:200]) from trouble


def is_confined(path: str) -> bool:
    """Whether a path can only lead below the folder."""
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in path.split("/"))


def _parts(path: str) -> list[str]:
    if not is_confined(path):
        raise InvalidInput(f"{path[:200]!r} is no path below the folder", field="tree")
    return path.split("/")
