"""Who may read what is kept: its owner. Folders are made 0700 and files 0600, and older ones are tightened."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from loreweave.errors import Unavailable

FOLDER_MODE, FILE_MODE = 0o700, 0o600
# Whatever else lies in the data folder is somebody else's, and the files of workspaces are their agents'.
_OURS = ("lore.db", "engine.db", "lore.toml", "locks", "executors", "digests", "indexes", "workspaces")
_DEEP = ("locks", "executors", "digests", "indexes")


def private_folder(folder: Path, setting: str = "LORE_DATA_DIR") -> Path:
    """Makes it, and what is missing above it, for its owner alone; `setting` is named where that cannot be done."""
    missing = []
    place = folder
    while not place.exists() and place != place.parent:
        missing.append(place)
        place = place.parent
    try:
        for each in reversed(missing):
            each.mkdir(mode=FOLDER_MODE, exist_ok=True)
        if not folder.is_dir():
            raise NotADirectoryError(0, "a file is in its way")
    except OSError as trouble:
        raise cannot_write(folder, trouble.strerror or type(trouble).__name__, setting) from None
    return folder


def private_file(file: Path) -> Path:
    """Makes an empty one before anybody else does, with wider rights; what SQLite puts beside it gets the same."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, FILE_MODE))
    except FileExistsError:
        pass
    except OSError as trouble:
        raise cannot_write(file.parent, trouble.strerror or type(trouble).__name__) from None
    return file


def cannot_write(folder: Path, why: str, setting: str = "LORE_DATA_DIR") -> Unavailable:
    flag = " or --data" if setting == "LORE_DATA_DIR" else ""
    message = f"The folder {folder} cannot be written: {why.lower()}. {setting}{flag} names another."
    return Unavailable(message, part="data folder", folder=str(folder), setting=setting)


def tighten(data_dir: Path) -> None:
    """Takes everybody else's rights away from what older versions, or a copy, left open."""
    for place, wanted in _too_open(data_dir):
        try:
            place.chmod(wanted)
        except OSError:
            continue  # of another owner: `lore doctor` tells


def open_to_others(data_dir: Path) -> list[Path]:
    """What others on this computer could reach, in order."""
    return sorted(place for place, _ in _too_open(data_dir))


def _too_open(data_dir: Path) -> Iterator[tuple[Path, int]]:
    """A folder that many share, as /tmp is, stays as it is; what is ours in it does not."""
    try:
        found = [data_dir / name for name in os.listdir(data_dir) if name.startswith(_OURS)]
    except OSError:
        return  # not there, or not ours to look into
    for place in (data_dir, *found):
        wider = list(_wider(place))
        yield from wider
        if wider and place.name in _DEEP:  # nobody else gets into one that is closed
            for folder, folders, files in os.walk(place):
                for name in (*folders, *files):
                    yield from _wider(Path(folder, name))


def _wider(place: Path) -> Iterator[tuple[Path, int]]:
    try:
        mode = place.lstat().st_mode
    except OSError:
        return
    if stat.S_ISLNK(mode) or mode & stat.S_ISVTX or not mode & 0o077:
        return
    yield place, stat.S_IMODE(mode) & ~0o077
