"""What the kernel itself holds of a command: limits of each process, calls that are refused, a group of its own.

Done by the supervisor in the process that becomes the command; like it, this imports nothing of the product.
"""

import contextlib
import ctypes
import os
import resource
import stat
import struct

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
_SET_NO_NEW_PRIVILEGES, _SET_FILTER = 38, 22
# Memory that no look from outside finds: memfd_create, memfd_secret, shmget, msgget, io_uring_setup.
_REFUSED = {"x86_64": (0xC000003E, (319, 447, 29, 68, 425)), "aarch64": (0xC00000B7, (279, 447, 194, 186, 425))}
_LOAD, _IS, _IS_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | 38
_NOBODY = 65_534
_GROUP = "lore-"
_OTHER_CALLS = 0x40000000  # the same kernel under other numbers


class ControlGroup:
    """The kernel's own count of all that a command holds, where it keeps one for us (version 2, and we may make a
    group beside or below ours); elsewhere nothing happens."""

    def __init__(self, limits: dict[str, int], mount: str | None = None, own: str | None = None) -> None:
        self._folder = ""
        with contextlib.suppress(OSError, StopIteration):
            mount = _group_mount() if mount is None else mount
            own = _own_group() if own is None else own
            for place in (f"{mount}{os.path.dirname(own)}", f"{mount}{own}"):
                if "memory" in _read(f"{place}/cgroup.subtree_control").split():
                    _remove_left_groups(place)
                    self._make(f"{place}/{_GROUP}{os.getpid()}", limits)
                    return

    def _make(self, folder: str, limits: dict[str, int]) -> None:
        os.mkdir(folder)
        self._folder = folder
        held = limits["memory_bytes"] + limits["temporary_bytes"]
        for name, value in (("memory.max", held), ("memory.swap.max", 0), ("memory.oom.group", 1)):
            self._write(name, value)

    def join(self) -> None:
        """Done by the process that becomes the command: all that come of it are in the group too."""
        self._write("cgroup.procs", os.getpid())

    def was_over(self) -> bool:
        with contextlib.suppress(OSError):
            return bool(self._folder) and "\noom_kill 0" not in f"\n{_read(f'{self._folder}/memory.events')}"
        return False

    def kill(self) -> None:
        self._write("cgroup.kill", 1)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.rmdir(self._folder)

    def _write(self, name: str, value: int) -> None:
        with contextlib.suppress(OSError):
            if self._folder:
                with open(f"{self._folder}/{name}", "w") as stream:
                    stream.write(str(value))


def _group_mount() -> str:
    mounts = [line.split() for line in _read("/proc/self/mountinfo").splitlines()]
    return next(fields[4] for fields in mounts if fields[fields.index("-") + 1] == "cgroup2")


def _own_group() -> str:
    return next(line[3:] for line in _read("/proc/self/cgroup").splitlines() if line.startswith("0::"))


def _remove_left_groups(place: str) -> None:
    """Of supervisors that were killed."""
    for name in os.listdir(place):
        if name.startswith(_GROUP) and not os.path.exists(f"/proc/{name.removeprefix(_GROUP)}"):
            with contextlib.suppress(OSError):
                os.rmdir(f"{place}/{name}")


def _read(file: str) -> str:
    with open(file) as stream:
        return stream.read()


def set_limits(limits: dict[str, int]) -> None:
    """For each process. Address space is not among them: node reserves far too much."""
    kept = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_DATA, 2 * limits["memory_bytes"]),
    ]
    if os.getuid() != 0:  # counts threads of the user everywhere, and never binds root
        kept.append((resource.RLIMIT_NPROC, _threads_of_user() + 4 * limits["processes"]))
    for kind, limit in kept:
        _, hard = resource.getrlimit(kind)
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (least, least))


def _threads_of_user() -> int:
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def refuse_calls(program: str) -> None:
    """From now on the calls do not exist for this process and all that come of it."""
    if os.stat(program).st_mode & stat.S_ISUID:  # a bubblewrap of old systems, which needs its privileges
        return
    if os.uname().machine not in _REFUSED:
        return
    architecture, calls = _REFUSED[os.uname().machine]
    steps = [(_LOAD, 0, 0, 4), (_IS, 0, len(calls) + 2, architecture), (_LOAD, 0, 0, 0)]
    steps.append((_IS_AT_LEAST, len(calls), 0, _OTHER_CALLS))
    steps += [(_IS, len(calls) - place - 1, 0, call) for place, call in enumerate(calls)]
    steps[-1] = (_IS, 0, 1, calls[-1])
    steps += [(_RETURN, 0, 0, _NO_SUCH_CALL), (_RETURN, 0, 0, _ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    filter_ = struct.pack("HP", len(steps), ctypes.addressof(code))
    prctl(_SET_NO_NEW_PRIVILEGES, 1)
    prctl(_SET_FILTER, 2, ctypes.create_string_buffer(filter_))


def come_first(process: int = 0) -> None:
    """Where we may, ahead of all ordinary processes: thousands that fork in a circle must not keep us from ending them,
    nor one another from dying.

    Only as root is that possible, and only for root it is needed: the kernel counts the processes of others.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(process, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def drop_privileges() -> None:
    """Root is not needed to talk to the network."""
    if os.getuid() == 0:
        with contextlib.suppress(OSError):
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)


def prctl(option: int, value: int, more: object = 0) -> None:
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), more, 0, 0)
