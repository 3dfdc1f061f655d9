"""The folders of workspaces in a backup: read while others write in them, and put back whole, through no link."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loreweave.errors import Damaged, InvalidInput, TooLarge
from loreweave.private_folder import cannot_write, private_folder
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.count_use import DEEPEST
from loreweave.seams.host.walk_below import READ_FILE, remove_tree, shown
from loreweave.seams.storage.store import Row

MOST_BYTES = 16 * 1024 * 1024 * 1024
MOST_PARTS = 1_000_000  # files, folders, and more of a file than fits into one
_PART = 1024 * 1024
_OWN, _BUILDS = ".lore", "builds"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class WorkspaceArchive:
    """`whole`: the root is the product's own. In a person's folder only what builds keep is of the library."""

    def __init__(self, root: Path, *, whole: bool) -> None:
        self._root = root
        self._whole = whole

    def read(self) -> Iterator[Row]:
        """Path, mode, content and its hash; a folder has no content. Links, pipes and sockets are left out."""
        size = count = 0
        for row in self._parts():
            size, count = size + len(row[2] or b""), count + 1
            if size > MOST_BYTES or count > MOST_PARTS:
                message = f"The workspaces hold more than {MOST_BYTES:,} bytes in {MOST_PARTS:,} files: leave them out"
                raise TooLarge(f"{message} with --without-workspaces", what="workspaces", limit=MOST_BYTES)
            yield row

    def _parts(self) -> Iterator[Row]:
        if not self._root.is_dir():
            return
        for place, folders, files, here in os.fwalk(self._root):
            parts = Path(place).relative_to(self._root).parts
            folders[:] = [name for name in sorted(folders) if self._belongs((*parts, name))]
            if len(parts) > DEEPEST:
                message = f"{shown('/'.join(parts))} is deeper than {DEEPEST} folders: leave workspaces out"
                raise TooLarge(f"{message} with --without-workspaces", what="workspaces", limit=DEEPEST)
            if parts:
                yield _path(parts), stat.S_IMODE(os.fstat(here).st_mode), None, ""
            for name in sorted(files) if self._whole or parts else ():
                yield from _file(here, name, _path((*parts, name)))

    def _belongs(self, parts: tuple[str, ...]) -> bool:
        """What a step or an attempt needs for a while, and who uses a port, belongs to a moment."""
        if parts[0] != _OWN:
            return self._whole
        return (len(parts) == 1 or parts[1] == _BUILDS) and (len(parts) != 4 or parts[3] != "trees")

    @contextmanager
    def laid_out(self, rows: Iterable[Row]) -> Iterator["LaidOut"]:
        """All of a backup beside the workspaces, ready to be moved there; nothing of it is left if it is not."""
        private_folder(self._root, "LORE_WORKSPACE_ROOT")
        ConfinedFolder(self._root, (_OWN, _BUILDS)).make_folder(0o700)
        place = self._root / _OWN / "restored"
        remove_tree(place)  # of one that was killed
        try:
            (place / "old").mkdir(parents=True, mode=0o700)
            _lay_out(rows, private_folder(place / "new"))
            yield LaidOut(place, self._root)
        finally:
            remove_tree(place)


class LaidOut:
    """Folders of a backup, each of which takes the place of one of the same name."""

    def __init__(self, place: Path, root: Path) -> None:
        self._place = place
        self._root = root
        own = place / "new" / _OWN / _BUILDS
        builds = os.listdir(own) if own.is_dir() else []
        self.workspaces = sorted(name for name in os.listdir(place / "new") if name != _OWN)
        self._all = [*self.workspaces, *sorted(f"{_OWN}/{_BUILDS}/{name}" for name in builds)]

    def taken(self) -> list[str]:
        return [name for name in self._all if os.path.lexists(self._root / name)]

    def move(self) -> None:
        try:
            for number, name in enumerate(self._all):
                with suppress(FileNotFoundError):
                    os.rename(self._root / name, self._place / "old" / str(number))
                os.rename(self._place / "new" / name, self._root / name)
        except OSError as trouble:
            raise cannot_write(self._root, trouble.strerror or "", "LORE_WORKSPACE_ROOT") from None


def _file(folder: int, name: str, path: bytes) -> Iterator[Row]:
    with suppress(OSError):  # a link, gone meanwhile, or not ours to read
        descriptor = os.open(name, READ_FILE, dir_fd=folder)
        with open(descriptor, "rb") as stream:
            about = os.fstat(descriptor)
            part = stream.read(_PART) if stat.S_ISREG(about.st_mode) else None
            is_first = True
            while part or (is_first and part is not None):
                yield path, stat.S_IMODE(about.st_mode), part, hashlib.sha256(part).hexdigest()
                part, is_first = stream.read(_PART), False


def _path(parts: Iterable[str]) -> bytes:
    return os.fsencode("/".join(parts))


def _lay_out(rows: Iterable[Row], place: Path) -> None:
    """Into a folder in which nobody else is, and in which nothing but files and folders is ever made."""
    size, before = 0, None
    for number, (path, mode, content, digest) in enumerate(rows, 1):
        parts = _inner(path)
        if not (isinstance(mode, int) and isinstance(content, bytes | None)):
            raise _refusal(path, "which is neither a file nor a folder")
        size += len(content or b"")
        if size > MOST_BYTES or number > MOST_PARTS:
            raise TooLarge(f"The workspaces of the backup hold more than {MOST_BYTES:,} bytes", what="workspaces")
        if content is not None and hashlib.sha256(content).hexdigest() != digest:
            raise Damaged(f"the file {shown('/'.join(parts))} of the backup's workspaces is spoilt")
        target = place.joinpath(*parts)
        try:
            if content is None:
                target.mkdir(mode=mode & 0o777 | 0o700)
            else:
                flags = os.O_WRONLY | os.O_APPEND if path == before else _NEW
                with open(os.open(target, flags, mode & 0o777 | 0o600), "wb") as stream:
                    stream.write(content)
        except (FileExistsError, FileNotFoundError, NotADirectoryError):
            raise _refusal(path, "whose place is taken or missing") from None
        except OSError as trouble:
            raise cannot_write(place, trouble.strerror or "", "LORE_WORKSPACE_ROOT") from None
        before = path if content is not None else None


def _inner(path: object) -> list[str]:
    parts = os.fsdecode(path).split("/") if isinstance(path, bytes) else [""]
    if any(part in ("", ".", "..") or "\0" in part or len(os.fsencode(part)) > 255 for part in parts):
        raise _refusal(path, "which leads out of its folder or is no path")
    if len(parts) > DEEPEST + 1 or (parts[0].casefold() == _OWN and parts[:2] not in ([_OWN], [_OWN, _BUILDS])):
        raise _refusal(path, "which is no place of a workspace")
    return parts


def _refusal(path: object, fault: str) -> InvalidInput:
    named = os.fsdecode(path) if isinstance(path, bytes) else repr(path)
    return InvalidInput(f"The backup holds {shown(named)}, {fault}", field="file")
