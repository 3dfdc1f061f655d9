"""A file is the old one or the new one, whatever happens while it is written."""

import fcntl
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

_LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB


def replace_file(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Written beside the old one, down to the disk, then put in its place. A link stays one: its target is replaced."""
    place = Path(os.path.realpath(file))
    temporary, descriptor = _begin(place, mode)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            with suppress(OSError):
                os.chmod(temporary, os.stat(place).st_mode & 0o777)
            os.replace(temporary, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _settle_folder(place.parent)


def remove_leftovers(file: Path) -> None:
    """Takes away what writers of this file left behind that were killed: nobody holds its lock any more."""
    place = Path(os.path.realpath(file))
    left_behind = re.compile(re.escape(_prefix(place)) + r"[0-9a-f]{12}\.tmp")
    with suppress(OSError):
        for name in filter(left_behind.fullmatch, os.listdir(place.parent)):
            _remove_unheld(place.with_name(name))


def _begin(place: Path, mode: int) -> tuple[Path, int]:
    """A new file, held by a lock for as long as it is open: so others know that somebody is writing it."""
    while True:
        temporary = place.with_name(f"{_prefix(place)}{secrets.token_hex(6)}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        is_ours = True
        try:
            fcntl.flock(descriptor, _LOCK)
        except BlockingIOError:
            is_ours = False  # whoever holds it is about to take it away
        except OSError:
            pass  # a file system without locks: nobody gets one there, so nothing is removed
        with suppress(FileNotFoundError):
            if is_ours and os.path.samestat(os.stat(temporary), os.fstat(descriptor)):
                return temporary, descriptor
        os.close(descriptor)  # taken for left behind in the moment before it was locked


def _remove_unheld(left: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, _LOCK)
            os.unlink(left)
        finally:
            os.close(descriptor)


def _prefix(place: Path) -> str:
    return f".{place.name[:100]}."


def _settle_folder(folder: Path) -> None:
    """The new name reaches the disk, too, where a folder can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
