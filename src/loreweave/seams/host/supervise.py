"""Runs one command and sees all its processes end. A program of its own, started by run_process.

It imports nothing of the product but its own parts, so that it starts quickly. It reads its order as one line of
JSON on standard input and answers with one on standard output. When its input ends (the caller wants no more, or is
dead), so does the command.
"""

import contextlib
import json
import os
import select
import signal
import sys
import threading
import time
from typing import Any

from loreweave.seams.host.count_use import UseCounter, descendants
from loreweave.seams.host.hold_command import (
    SET_CHILD_SUBREAPER,
    SET_PARENT_DEATH_SIGNAL,
    ControlGroup,
    come_first,
    drop_privileges,
    prctl,
    refuse_calls,
    set_limits,
)

TICK = 100  # milliseconds between two looks at the processes
_CHUNK = 65_536


class Output:
    """The beginning and the end of what was printed; memory is bounded, however much that is."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        self._total += len(data)
        self._head += data[: max(0, self._kept - len(self._head))]
        self._tail += data
        if len(self._tail) > 2 * self._kept + _CHUNK:
            del self._tail[: len(self._tail) - self._kept]

    def is_full(self) -> bool:
        return self._total > self._kept

    def text(self) -> str:
        if self._total <= self._kept:
            return _readable(bytes(self._head))
        half = max(0, (self._kept - 64) // 2)
        note = f"\n[{self._total - 2 * half} bytes left out]\n"
        tail = self._tail[len(self._tail) - half :]
        return (_readable(bytes(self._head[:half])) + note + _readable(bytes(tail)))[: self._kept]


class Supervisor:
    """The parent of the command and of every orphan it leaves."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._output = Output(order["kept_bytes"])
        self._main = 0
        self._status: int | None = None  # of the command itself, once it ended
        self._group = ControlGroup(order["limits"])
        self._is_told_to_end = False
        self._processes: set[int] = set()
        self._over = ""  # the limit that was found to be passed
        self._reading, self._writing = os.pipe()
        self._bell, self._bell_rope = os.pipe()

    def run(self) -> dict[str, Any]:
        self._hear_signals()
        prctl(SET_CHILD_SUBREAPER, 1)
        counter = UseCounter(self._order["limits"], self._order["disk"])
        if counter.was_full:
            self._order["limits"]["file_bytes"] = 0
        self._main = self._start()
        os.close(self._writing)
        os.set_blocking(self._reading, False)
        cause = self._watch(counter)
        self._end_all()
        cause = cause or ("memory" if self._group.was_over() else counter.folder_over_limit())
        self._group.close()
        while self._take_output():
            pass
        code = None if cause or self._status is None else os.waitstatus_to_exitcode(self._status)
        return {
            "exit_code": 128 - code if code is not None and code < 0 else code,
            "cause": cause,
            "output": self._output.text(),
        }

    def _hear_signals(self) -> None:
        """A child that ends wakes the watch; so does the death of whoever started us."""
        for end in (self._bell, self._bell_rope):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._bell_rope, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "_is_told_to_end", True))
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)

    def _start(self) -> int:
        line = self._open_proxy() if self._order["network"] else 0
        child = os.fork()
        if child:
            return child
        try:
            self._become_command(line)
        except OSError as trouble:
            os.write(2, f"{os.path.basename(self._order['argv'][0])}: {trouble.strerror}\n".encode())
        finally:
            os._exit(127)

    def _open_proxy(self) -> int:
        """Forked like the command, and ended with it; what it answers with is the other end of the line."""
        import socket  # only few commands need these two

        from loreweave.seams.host.guard_network import serve_proxy

        ours, its = socket.socketpair()
        if os.fork():
            its.close()
            return ours.detach()
        try:
            drop_privileges()
            prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            ours.close()
            for number in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), number)
            serve_proxy(its)
        finally:
            os._exit(0)

    def _become_command(self, line: int) -> None:
        os.setsid()
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python; a command would inherit that
            signal.signal(ignored, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(self._writing, 1)
        os.dup2(self._writing, 2)
        os.chdir(self._order["folder"])
        if line:
            os.dup2(line, self._order["network"])
            os.set_inheritable(self._order["network"], True)
        self._group.join()
        set_limits(self._order["limits"])
        refuse_calls(self._order["argv"][0])
        os.execve(self._order["argv"][0], self._order["argv"], self._order["environment"])

    def _watch(self, counter: UseCounter) -> str:
        """Why the command must end; nothing where it ended by itself.

        Nothing here may wait for the command: what must, to count all it holds, has a thread of its own.
        """
        poll = select.poll()
        for descriptor in (0, self._reading, self._bell):
            poll.register(descriptor, select.POLLIN)
        look_at, end_at = 0.0, time.monotonic() + self._order["seconds"]
        threading.Thread(target=self._count, args=(counter,), daemon=True).start()
        while True:
            for descriptor, event in poll.poll(TICK):
                if descriptor == 0 and _is_closed(event):
                    return "stopped"
                if descriptor == self._reading and not self._take_output():
                    poll.unregister(self._reading)
                if descriptor == self._bell:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._bell, _CHUNK)
            self._reap()
            if self._is_told_to_end:
                return "stopped"
            if self._status is not None:
                return ""
            if self._over or time.monotonic() >= end_at:
                return self._over or "time"
            if time.monotonic() >= look_at:
                began = time.monotonic()
                self._processes = descendants()
                if len(self._processes) > self._order["limits"]["processes"]:
                    return "processes"
                look_at = time.monotonic() + max(TICK / 1000, time.monotonic() - began)

    def _count(self, counter: UseCounter) -> None:
        """A look into a process waits for it while it forks, and one of many that fork in a circle has it wait long."""
        come_first()
        while self._status is None and not self._over:
            began = time.monotonic()
            self._over = counter.over_limit(self._processes)
            time.sleep(max(TICK / 1000, time.monotonic() - began))

    def _take_output(self) -> bool:
        """Takes what there is, once; false at the end, or where nothing is left."""
        try:
            data = os.read(self._reading, _CHUNK)
        except BlockingIOError:
            return False
        self._output.add(data)
        if self._output.is_full():
            time.sleep(0.001)  # what is thrown away anyway need not come at full speed
        return bool(data)

    def _reap(self) -> bool:
        """Lets go of children that ended; false when there are none at all."""
        with contextlib.suppress(ChildProcessError):
            while True:
                child, status = os.waitpid(-1, os.WNOHANG)
                if child == 0:
                    return True
                if child == self._main:
                    self._status = status
        return False

    def _end_all(self) -> None:
        """Stopped first, killed then: what is stopped cannot fork away from those who hunt it."""
        self._group.kill()
        if self._status is None:
            _send(-self._main, signal.SIGKILL)
            _send(self._main, signal.SIGKILL)  # of a sandbox with its own pid space this is the end of all
        while True:
            began = time.monotonic()
            stopped: set[int] = set()
            while found := descendants() - stopped:
                for process in found:
                    _send(process, signal.SIGSTOP)
                stopped |= found
            for process in stopped:
                _send(process, signal.SIGKILL)
                come_first(process)
            if not self._reap():
                return
            time.sleep(max(0.002, time.monotonic() - began))  # they are to die meanwhile


def _readable(data: bytes) -> str:
    """Text that is never longer in bytes than what was printed, and that every store can keep."""
    return data.decode("utf-8", "replace").replace("\N{REPLACEMENT CHARACTER}", "?").replace("\0", "?")


def _is_closed(event: int) -> bool:
    return bool(event & (select.POLLHUP | select.POLLERR)) or os.read(0, _CHUNK) == b""


def _send(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def main() -> None:
    come_first()
    line = sys.stdin.buffer.readline()
    if line.endswith(b"\n"):
        sys.stdout.write(json.dumps(Supervisor(json.loads(line)).run()))


if __name__ == "__main__":
    main()
