"""Puts a file into an opened folder: whoever looks, or whatever happens meanwhile, it is the old one or the new one."""

import fcntl
import os
import re
import secrets
import stat
from contextlib import suppress

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_LEFT = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
_LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB


def replace_below(folder: int, name: str, data: bytes) -> None:
    """Written beside the old one, down to the disk, then put in its place; the old one's mode is kept."""
    _remove_leftovers(folder, name)
    temporary, descriptor = _begin(folder, name)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            with suppress(FileNotFoundError):
                os.fchmod(descriptor, stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode) & 0o777)
            os.fsync(descriptor)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def _begin(folder: int, name: str) -> tuple[str, int]:
    """A new file, locked for as long as it is open: so others know that somebody is writing it."""
    while True:
        temporary = f"{_prefix(name)}{secrets.token_hex(6)}.tmp"
        descriptor = os.open(temporary, _NEW, 0o666, dir_fd=folder)
        with suppress(OSError):  # a file system without locks: nobody gets one there, so nothing is removed
            fcntl.flock(descriptor, _LOCK)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.lstat(temporary, dir_fd=folder), os.fstat(descriptor)):
                return temporary, descriptor
        os.close(descriptor)  # taken for left behind in the moment before it was locked


def _remove_leftovers(folder: int, name: str) -> None:
    """Takes away what writers of this file left behind that were killed: nobody holds their lock any more."""
    left_behind = re.compile(re.escape(_prefix(name)) + r"[0-9a-f]{12}\.tmp")
    for left in filter(left_behind.fullmatch, os.listdir(folder)):
        with suppress(OSError):
            descriptor = os.open(left, _LEFT, dir_fd=folder)
            try:
                fcntl.flock(descriptor, _LOCK)
                os.unlink(left, dir_fd=folder)
            finally:
                os.close(descriptor)


def _prefix(name: str) -> str:
    return f".{name[:50]}."
