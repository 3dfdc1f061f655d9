"""Opens, replaces and removes by directory descriptors, through no link, whoever changes the way meanwhile."""

import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, Unavailable
from loreweave.language.strange_text import shown as shown_text

Kind = Literal["file", "folder", "other"]
READ_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_OF_THE_PATH = {
    *(errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL),
    *(errno.ENXIO, errno.ENODEV, errno.EEXIST, errno.ENOTEMPTY),
}
_SHOWN = 200  # characters of a path that a refusal repeats
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_LEFT = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
_LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB


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


def existing_folder(path: str | Path) -> str:
    """Its true place, for files are read later, maybe from another working directory; refused where it is none."""
    named = shown(str(path))
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise InvalidInput(f"{named} is not a folder", field="path")
        with os.scandir(path):
            return os.path.realpath(path)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"There is no folder {named}", field="path") from None
    except (OSError, ValueError) as trouble:
        raise InvalidInput(f"The folder {named} cannot be read: {trouble}", field="path") from trouble


def read_below(root: Path, path: str, most: int = -1) -> bytes:
    """A file below a folder, or its beginning."""
    *folders, name = path.split("/")
    with open_below(root, folders, path=path) as folder, open(open_name(folder, name), "rb", buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise InvalidInput(f"{shown(path)} is no regular file", field="path")
        return stream.read(most)


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
    return shown_text(path, _SHOWN) or "the folder"


def replace_file(file: Path, data: bytes, mode: int = 0o666) -> None:
    """As below, by a path. A link stays one: its target is replaced."""
    with _folder_of(file) as (folder, name):
        replace_below(folder, name, data, mode)


def remove_leftovers(file: Path) -> None:
    """What writers of this file left behind that were killed."""
    with suppress(OSError), _folder_of(file) as (folder, name):
        _remove_leftovers(folder, name)


@contextmanager
def _folder_of(file: Path) -> Iterator[tuple[int, str]]:
    place = Path(os.path.realpath(file))
    folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield folder, place.name
    finally:
        os.close(folder)


def replace_below(folder: int, name: str, data: bytes, mode: int = 0o666, *, lasting: bool = True) -> None:
    """Written beside the old one, put in its place; the old one's mode is kept. `lasting`: down to the disk, and what
    killed writers left behind goes."""
    if lasting:
        _remove_leftovers(folder, name)
    temporary, descriptor = _begin(folder, name, mode)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            with suppress(FileNotFoundError):
                os.fchmod(descriptor, stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode) & 0o777)
            if lasting:
                os.fsync(descriptor)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    if lasting:
        os.fsync(folder)


def _begin(folder: int, name: str, mode: int) -> tuple[str, int]:
    """A new file, locked for as long as it is open: so others know that somebody is writing it."""
    while True:
        temporary = f"{_prefix(name)}{secrets.token_hex(6)}.tmp"
        descriptor = os.open(temporary, _NEW, mode, dir_fd=folder)
        is_ours = True
        try:
            fcntl.flock(descriptor, _LOCK)
        except BlockingIOError:
            is_ours = False  # whoever holds it is about to take it away
        except OSError:
            pass  # a file system without locks: nobody gets one there, so nothing is removed
        with suppress(FileNotFoundError):
            if is_ours and os.path.samestat(os.lstat(temporary, dir_fd=folder), os.fstat(descriptor)):
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


def remove_tree(folder: Path) -> None:
    """What is not there is no failure; nor is a link, which is taken away itself."""
    with suppress(FileNotFoundError):
        parent = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            remove_below(parent, folder.name)
        finally:
            os.close(parent)


def remove_below(parent: int, name: str) -> None:
    """The same for a name in an opened folder. Inner folders are pulled up first: depth costs neither stack nor
    descriptors."""
    with suppress(FileNotFoundError):
        if not _is_folder(name, parent):
            os.unlink(name, dir_fd=parent)
            return
        root = _open(name, parent)
        try:
            while inner := _clear(root, root):
                for entry in inner:
                    _empty(entry, root)
        finally:
            os.close(root)
        os.rmdir(name, dir_fd=parent)


def _empty(name: str, root: int) -> None:
    """Clears one folder that lies directly in the root; its own inner folders move up beside it."""
    folder = _open(name, root)
    try:
        _clear(folder, root)
    finally:
        os.close(folder)
    with suppress(FileNotFoundError):
        os.rmdir(name, dir_fd=root)


def _clear(folder: int, root: int) -> list[str]:
    """Unlinks the files of a folder; answers its inner folders, which, below the root, it moves up."""
    inner = []
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):
            if not _is_folder(name, folder):
                os.unlink(name, dir_fd=folder)
            elif folder == root:
                inner.append(name)
            else:
                _allow(name, folder)
                os.rename(name, f".{secrets.token_hex(12)}", src_dir_fd=folder, dst_dir_fd=root)
    return inner


def _open(name: str, parent: int) -> int:
    _allow(name, parent)
    return os.open(name, _FOLDER, dir_fd=parent)


def _allow(name: str, parent: int) -> None:
    """A folder its owner may not enter would stay for ever."""
    if os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode & 0o700 != 0o700:
        os.chmod(name, 0o700, dir_fd=parent)


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
