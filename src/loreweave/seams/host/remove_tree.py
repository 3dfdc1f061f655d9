"""Takes a folder away with all that is in it, however deep, following no link."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


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
