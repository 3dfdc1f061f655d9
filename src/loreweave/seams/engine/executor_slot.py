"""Under which name a process runs work: the lowest one in the data folder that no living process holds.

So a process that starts again after a crash finds its own name, and with it the work it left; one beside it gets
another.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from itertools import count
from pathlib import Path

from loreweave.private_folder import cannot_write, private_folder

DIGITS = 32


class ExecutorSlot:
    """A name, held until it is released or the process dies."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = folder = private_folder(data_dir / "executors")
        self._file = -1
        try:
            self._file = next(file for number in count() if (file := _taken(folder / str(number))) is not None)
            self.executor_id = _name_in(self._file)
        except OSError as trouble:  # a full disk, say: the slot is free for the next try
            self.release()
            raise cannot_write(folder, trouble.strerror or type(trouble).__name__) from None

    def is_free(self, executor_id: str) -> bool:
        """Whether this name stands in the folder and no living process holds it."""
        for path in self._folder.iterdir():
            file = _taken(path)
            if file is not None:
                name = os.pread(file, DIGITS, 0)
                os.close(file)
                if name == executor_id.encode():
                    return True
        return False

    def release(self) -> None:
        """Lets go even where a process begun meanwhile has the file open too."""
        if self._file >= 0:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
            self._file = -1


def _taken(path: Path) -> int | None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _name_in(file: int) -> str:
    """A name cut short by a crash was never used: a new one takes its place."""
    found = os.pread(file, DIGITS, 0).decode("ascii", "replace")
    if len(found) == DIGITS and set(found) <= set("0123456789abcdef"):
        return found
    name = secrets.token_hex(DIGITS // 2)
    os.ftruncate(file, 0)
    os.pwrite(file, name.encode(), 0)
    os.fsync(file)
    return name
