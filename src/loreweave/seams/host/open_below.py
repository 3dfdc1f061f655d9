"""Walks from a trusted folder down to another one by directory descriptors, through no link, whoever changes the way
meanwhile."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, Unavailable

Kind = Literal["file", "folder", "other"]
READ_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_OF_THE_PATH = {
    *(errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL),
    *(errno.ENXIO, errno.ENODEV, errno.EEXIST, errno.ENOTEMPTY),
}
_SHOWN = 200  # characters of a path that a refusal repeats


@contextmanager
def open_below(
    root: Path, parts: Sequence[str], *, path: str = "", field: str = "path", makes: bool = False, mode: int = 0o777
) -> Iterator[int]:
    """The opened folder. Also what goes wrong while it is held becomes a refusal of the path, blaming the field."""
    try:
        here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts:
                inner = _enter(here, part, mode if makes else None)
                os.close(here)
                here = inner
            yield here
        finally:
            os.close(here)
    except OSError as trouble:
        raise refusal(path or "/".join(parts), trouble, field) from trouble


def _enter(folder: int, part: str, made_with: int | None) -> int:
    if made_with is not None:
        with suppress(FileExistsError):
            os.mkdir(part, made_with, dir_fd=folder)
    return open_name(folder, part, _FOLDER)


def open_name(folder: int, name: str, flags: int = READ_FILE) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as trouble:
        if trouble.errno in (errno.ELOOP, errno.ENOTDIR):
            kind_at(folder, name)  # a link is refused as such
        raise


def kind_at(folder: int, name: str) -> Kind | None:
    """What stands there; nothing where nothing does. A link is refused."""
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        raise Forbidden(f"{shown(name)} is a link, and links are not followed")
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "other"


def refusal(path: str, trouble: OSError, field: str) -> LoreError:
    """What the system said, as something the caller can act on."""
    if trouble.errno == errno.ENOENT:
        return NotFound(f"{shown(path)} does not exist")
    if trouble.errno in _OF_THE_PATH:
        return InvalidInput(f"{shown(path)} cannot be used: {trouble.strerror}", field=field)
    return Unavailable(f"{shown(path)} cannot be used now: {trouble.strerror}")


def shown(path: str) -> str:
    """A path that came from outside, safe to repeat in a sentence."""
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in path)
    return (plain if len(plain) <= _SHOWN else plain[:_SHOWN] + "…") or "the folder"
