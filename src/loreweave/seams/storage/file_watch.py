"""Notices that another process has changed an SQLite file: woken by the system, and looking only then.

What is written goes to the write-ahead log first, of which the system tells, and can be read a moment later, of which
nobody does. So a change wakes a watch that looks many times a second for a while; without any it rests.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from loreweave.errors import LoreError
from loreweave.seams.storage.store import Heard, Listening

LOOK_SECONDS = 0.05
AWAKE_SECONDS = 2.0  # of looking after a change was told: longer than a disk takes to keep it
REST_SECONDS = 5.0  # the longest without a look, should the system have told nothing
AGAIN_SECONDS = 1.0
_MODIFIED = 0x2  # IN_MODIFY of inotify


class FileWatch(Listening):
    """What changed before the first look is told as a change too."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection], heard: Heard) -> None:
        self._log = Path(f"{path}-wal")
        self._connect = connect
        super().__init__(heard)

    def _listen(self) -> None:
        while not self._closing:
            try:
                raw = self._connect()
                try:
                    self._look(raw)
                finally:
                    raw.close()
            except (sqlite3.Error, LoreError):
                self._wait(AGAIN_SECONDS)

    def _look(self, raw: sqlite3.Connection) -> None:
        seen: int | None = None
        version = _data_version(raw)  # the first look opens the log
        told = _told_of_changes(self._log)
        awake = 0.0
        try:
            while not self._closing:
                if version != seen:
                    self._heard(None)
                    seen = version
                if awake > 0.0 or told is None:
                    self._wait(LOOK_SECONDS)
                else:
                    self._wait(REST_SECONDS, told)
                awake = AWAKE_SECONDS if told is not None and _was_told(told) else awake - LOOK_SECONDS
                version = _data_version(raw)
        finally:
            if told is not None:
                os.close(told)


def _was_told(told: int) -> bool:
    try:
        return bool(os.read(told, 65536))
    except BlockingIOError:
        return False


def _data_version(raw: sqlite3.Connection) -> int | None:
    try:
        return int(raw.execute("PRAGMA data_version").fetchone()[0])
    except sqlite3.OperationalError:  # busy: look again
        return None


def _told_of_changes(file: Path) -> int | None:
    """A descriptor that can be read when the file was written to; nothing where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return None
    system = ctypes.CDLL(None, use_errno=True)
    told = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if told < 0:
        return None
    if system.inotify_add_watch(told, os.fsencode(file), _MODIFIED) < 0:
        os.close(told)
        return None
    return int(told)
