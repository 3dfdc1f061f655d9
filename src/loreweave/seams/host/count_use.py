"""How much of the computer a command takes: processes, memory in every form, disk. Its supervisor looks again and
again; like it, this imports nothing of the product."""

import contextlib
import os
import re
import stat
import sys
import time
from collections import defaultdict
from collections.abc import Iterable

_LOOK_SECONDS = 2.0  # of computing; a command that makes a look at it take longer cannot be watched
_THREADS = 8  # for each process that it may have, on average
DEEPEST = 100  # folders in folders
_SMALLEST_PAUSE = 0.5  # seconds between two looks at a folder
_FAST_GROWTH = (256 * 1024 * 1024, 10_000)  # bytes and files after which it is looked at before its time
# What the kernel keeps for one of these at most, unless it is asked to keep more.
_BUFFERS = {stat.S_IFSOCK: 208 * 1024, stat.S_IFIFO: 64 * 1024}
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_MAPPED = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) ([0-9a-f]+:[0-9a-f]+) ([1-9]\d*)", re.MULTILINE)


class _Unwatchable(Exception):
    """Looking takes so long that a limit would be noticed too late."""


class UseCounter:
    """What one command and all that came of it use, against its limits."""

    def __init__(self, limits: dict[str, int], folders: list[str]) -> None:
        """`folders` are where it writes: the first one above all."""
        self._limits = limits
        self._folders = folders
        self._disk = _device(folders[0])
        self._memory = _memory_device()
        self._at_first = self._use()
        self._free = self._free_at_first = _free(folders[0])
        self._next_look = 0.0
        self._deleted = 0  # bytes of files that are in no folder any more
        self._threads = 0

    def over_limit(self, processes: set[int]) -> str:
        """The limit that is passed; nothing where none is."""
        free = _free(self._folders[0])
        if free[0] < self._limits["free_disk_bytes"]:
            return "disk"
        try:
            if self._memory_of(processes) > self._limits["memory_bytes"]:
                return "memory"
        except _Unwatchable:
            return "watch"
        if self._threads > _THREADS * self._limits["processes"]:
            return "processes"
        fills_more = self.was_full and self._free_at_first[1] - free[1] > _FAST_GROWTH[1]
        if fills_more or self._deleted > self._limits["workspace_bytes"]:
            return "workspace"
        grown = any(before - now > growth for before, now, growth in zip(self._free, free, _FAST_GROWTH, strict=True))
        if time.monotonic() < self._next_look and not grown:
            return ""
        began, self._free = time.monotonic(), free
        over = self.folder_over_limit()
        self._next_look = time.monotonic() + max(_SMALLEST_PAUSE, 20 * (time.monotonic() - began))
        return over

    def folder_over_limit(self) -> str:
        """A folder that was too full before is no fault of this command, unless it made it worse."""
        found = zip(self._use(), self._most, self._at_first, strict=True)
        return "workspace" if any(use > max(limit, first) for use, limit, first in found) else ""

    @property
    def was_full(self) -> bool:
        """Whether it began so: then files may be taken away, but none may grow."""
        return any(use > limit for use, limit in zip(self._at_first, self._most, strict=True))

    @property
    def _most(self) -> tuple[int, int]:
        return self._limits["workspace_bytes"], self._limits["workspace_files"]

    def _use(self) -> tuple[int, int]:
        found = [use_of_folder(folder, self._limits["workspace_files"]) for folder in self._folders]
        return sum(size for size, _ in found), sum(count for _, count in found)

    def _memory_of(self, processes: Iterable[int]) -> int:
        """All they hold together. Shares are counted where the cheap sum, which has pages twice, is too much."""
        deadline = time.thread_time() + _LOOK_SECONDS
        objects: dict[tuple[int, int], int] = {}
        deleted: dict[tuple[int, int], int] = {}
        resident = self._threads = 0
        for process in processes:
            self._look_at_files(process, objects, deleted)
            resident += _sum_of(process, "status", b"VmRSS:", b"VmSwap:", b"VmPTE:")
            self._threads += _sum_of(process, "status", b"Threads:") // 1024
            if time.thread_time() > deadline:
                raise _Unwatchable
        self._deleted = sum(deleted.values())
        held = sum(objects.values())
        is_within = held + resident <= self._limits["memory_bytes"]
        return held + (resident if is_within else sum(map(_own_memory, processes)))

    def _look_at_files(
        self, process: int, objects: dict[tuple[int, int], int], deleted: dict[tuple[int, int], int]
    ) -> None:
        """Memory that has the form of a file, mapped or not, buffers of sockets and pipes, and files that are in no
        folder any more, each once."""
        with contextlib.suppress(OSError), open(f"/proc/{process}/maps", "rb") as stream:
            for start, end, offset, device, number in _MAPPED.findall(stream.read()):
                if device == self._memory[1]:
                    size = int(offset, 16) + int(end, 16) - int(start, 16)
                    with contextlib.suppress(OSError):  # as root we are told what is really there
                        size = os.stat(f"/proc/{process}/map_files/{start.decode()}-{end.decode()}").st_blocks * 512
                    key = (self._memory[0], int(number))
                    objects[key] = max(objects.get(key, 0), size)
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    about = os.stat(f"/proc/{process}/fd/{name}")
                    key = (about.st_dev, about.st_ino)
                    if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                        found = objects if about.st_dev == self._memory[0] else deleted
                        if found is objects or about.st_dev == self._disk:
                            found[key] = max(found.get(key, 0), about.st_blocks * 512)
                    elif stat.S_IFMT(about.st_mode) in _BUFFERS:
                        objects[key] = _BUFFERS[stat.S_IFMT(about.st_mode)]


def use_of_folder(folder: str, most_files: int) -> tuple[int, int]:
    """Bytes on the disk and names below it. What is too deep, closed to us or too much to be counted is endless."""
    size = count = 0
    endless = (sys.maxsize, sys.maxsize)
    deadline = time.thread_time() + _LOOK_SECONDS
    waiting: list[tuple[int, list[str]]] = []
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        while True:
            waiting.append((here, []))
            with os.scandir(here) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
                        count += 1
                        if entry.is_dir(follow_symlinks=False):
                            waiting[-1][1].append(entry.name)
            if len(waiting) > DEEPEST or count > 4 * most_files or time.thread_time() > deadline:
                return endless
            while (inner := _enter_next(waiting)) is None:
                if not waiting:
                    return size, count
            here = inner
    except FileNotFoundError:  # the command took its own folder away
        return size, count
    except OSError:
        return endless
    finally:
        for opened, _ in waiting:
            os.close(opened)


def _enter_next(waiting: list[tuple[int, list[str]]]) -> int | None:
    """The next inner folder of the innermost one; where there is none, that one is left."""
    opened, names = waiting[-1]
    while names:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return os.open(names.pop(), _FOLDER, dir_fd=opened)
    os.close(waiting.pop()[0])
    return None


def descendants(of: int = 0) -> set[int]:
    """Every process below this one, or another, however it left its parent: orphans are ours."""
    found: set[int] = set()
    waiting = [of or os.getpid()]
    below = _children if os.path.exists("/proc/thread-self/children") else _all_children().__getitem__
    while waiting:
        new = set(below(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def _children(process: int) -> list[int]:
    """As the kernel tells them: whatever else runs on this computer is not looked at."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as told:
                found += map(int, told.read().split())
    return found


def _all_children() -> defaultdict[int, list[int]]:
    """By their parents, where the kernel does not tell. A program's name may hold anything but its end."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc/self") else ()):
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat", "rb") as stream:
            children[int(stream.read().rpartition(b")")[2].split()[1])].append(int(name))
    return children


def _own_memory(process: int) -> int:
    """Its share of what it holds, pages of files on the disk left out."""
    shared = _sum_of(process, "smaps_rollup", b"Pss_Anon:", b"SwapPss:")
    return shared or _sum_of(process, "status", b"RssAnon:", b"RssShmem:", b"VmSwap:")  # of one that is closed to us


def _sum_of(process: int, file: str, *fields: bytes) -> int:
    with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{process}/{file}", "rb") as stream:
        return sum(int(line.split()[1]) * 1024 for line in stream if line.startswith(fields))
    return 0


def _device(folder: str) -> int:
    with contextlib.suppress(OSError):
        return os.stat(folder).st_dev
    return -1


def _memory_device() -> tuple[int, bytes]:
    """The disk that is none, on which the kernel keeps shared memory: as `stat` and as `maps` call it."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.memfd_create("")
        device = os.fstat(descriptor).st_dev
        os.close(descriptor)
        return device, f"{os.major(device):02x}:{os.minor(device):02x}".encode()
    return -1, b""


def _free(folder: str) -> tuple[int, int]:
    """Bytes and files that its disk has room for."""
    with contextlib.suppress(OSError):
        space = os.statvfs(folder)
        return space.f_bavail * space.f_frsize, space.f_favail
    return sys.maxsize, sys.maxsize  # the command took its own folder away
