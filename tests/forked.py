"""Programs in processes of their own, forked from one that has loaded everything: a start costs a hundredth.

As in `subprocess`, which a deep run uses, and which everything is handed to that cannot be had by forking.
"""

import atexit
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT, CompletedProcess, TimeoutExpired
from typing import IO, Any

from tests import fork_server
from tests.examples import DEEP

ROOT = Path(__file__).parents[1]
CAN_FORK = sys.platform.startswith("linux") and not DEEP
LOAD_SECONDS = 600.0  # its end is noticed at once; how long it loads among others nobody knows
END_SECONDS = 10.0
SERVER = {"socket": ""}
ENDED = {"seconds": 0.0}  # of processors, which forked programs took that have ended


def Popen(command: Sequence[Any], *, takes_terminal: bool = False, **options: Any) -> Any:
    """A process of this Python with `-m MODULE` or `-c CODE`; where it takes its terminal, its input is one."""
    argv = [os.fspath(word) for word in command]
    warnings = argv[2] if argv[1] == "-W" else ""
    kind, *program = argv[3:] if warnings else argv[1:]
    known = options.keys() <= {"stdin", "stdout", "stderr", "text", "env", "cwd"}
    environment = options.get("env") or os.environ
    if CAN_FORK and known and argv[0] == sys.executable and kind in ("-m", "-c") and not _is_special(environment):
        return Forked(kind, program, warnings, takes_terminal, **options)
    if takes_terminal:
        options |= {"start_new_session": True, "preexec_fn": lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)}
    return subprocess.Popen(argv, **options)


def run(
    command: Sequence[Any],
    *,
    input: Any = None,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **options: Any,
) -> "CompletedProcess[Any]":
    if capture_output:
        options |= {"stdout": PIPE, "stderr": PIPE}
    if input is not None:
        options["stdin"] = PIPE
    with Popen(command, **options) as process:
        try:
            out, error = process.communicate(input, timeout=timeout)
        except BaseException:
            _end_with_all_it_started(process)
            raise
    done = CompletedProcess(command, process.returncode, out, error)
    if check:
        done.check_returncode()
    return done


def _end_with_all_it_started(process: Any) -> None:
    """Asked first, as by Ctrl-C: what a killed program had started would live on."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _is_special(environment: Mapping[str, str]) -> bool:
    """Whether it tells the interpreter itself something that it reads when it starts."""
    return any(
        name.startswith("PYTHON") and environment.get(name) != os.environ.get(name)
        for name in {*environment, *os.environ}
    )


def _program(kind: str, program: Sequence[str]) -> dict[str, Any]:
    return {"kind": kind, "program": program[0], "arguments": program[1:]}


# A small program in the place of a large one: it lends its streams, its folder and its environment, and ends likewise.
STANDING_IN = """
import json, os, signal, socket, sys
line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
line.connect(sys.argv[1])
order = {**json.loads(sys.argv[2]), "warnings": "", "takes_terminal": False}
order["arguments"] += sys.argv[3:]
order |= {"cwd": os.getcwd(), "environment": dict(os.environ)}
socket.send_fds(line, [json.dumps(order).encode()], [0, 1, 2])
child = int(line.recv(64))
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, lambda number, _: os.kill(child, number))
for stream in (0, 1, 2):
    os.close(stream)
os._exit(int(line.recv(64).split()[0]) & 255)
"""


def standing_in(command: Sequence[str]) -> list[str]:
    """What a library that starts processes itself is told to start instead of `python -m MODULE …`."""
    python, kind, *program = command
    if not CAN_FORK:
        return list(command)
    return [python, "-I", "-S", "-c", STANDING_IN, start_fork_server(), json.dumps(_program(kind, program))]


class Forked:
    """What the tests use of `subprocess.Popen`."""

    def __init__(
        self,
        kind: str,
        program: Sequence[str],
        warnings: str,
        takes_terminal: bool,
        *,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        text: bool = False,
        env: Mapping[str, str] | None = None,
        cwd: Any = None,
    ) -> None:
        self.args = program
        self.returncode: int | None = None
        self._text = text
        self._lock = threading.Lock()
        lent: list[int] = []
        ours: list[int] = []
        theirs = []
        for place, wanted in enumerate((stdin, stdout, stderr)):
            if wanted == PIPE:
                reading, writing = os.pipe()
                lent.append(reading if place == 0 else writing)
                ours.append(writing if place == 0 else reading)
                theirs.append(lent[-1])
                continue
            ours.append(-1)
            if wanted == DEVNULL:
                lent.append(os.open(os.devnull, os.O_RDWR))
                theirs.append(lent[-1])
            elif wanted == STDOUT:
                theirs.append(theirs[1])
            else:
                theirs.append(place if wanted is None else wanted if isinstance(wanted, int) else wanted.fileno())
        order = {
            **_program(kind, program),
            "warnings": warnings,
            "takes_terminal": takes_terminal,
            "cwd": os.fspath(cwd or os.getcwd()),
            "environment": dict(env or os.environ),
        }
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(LOAD_SECONDS)
        self._line.connect(start_fork_server())
        socket.send_fds(self._line, [json.dumps(order).encode()], theirs)
        child = self._line.recv(64)
        assert child, "the fork server ended"
        self.pid = int(child)
        self._line.settimeout(None)
        for stream in lent:
            os.close(stream)
        self._read: dict[int, threading.Thread] = {}
        self.stdin: IO[Any] | None = self._opened(ours[0], "w")
        self.stdout: IO[Any] | None = self._opened(ours[1], "r")
        self.stderr: IO[Any] | None = self._opened(ours[2], "r")

    def _opened(self, descriptor: int, mode: str) -> IO[Any] | None:
        if descriptor < 0:
            return None
        return open(descriptor, mode, encoding="utf-8") if self._text else open(descriptor, f"{mode}b")

    def __enter__(self) -> "Forked":
        return self

    def __exit__(self, *_: object) -> None:
        """A stream that is being read stays open: to close it waits for whoever else may write to it, for ever."""
        reading = [place for place, thread in self._read.items() if thread.is_alive()]
        for place, stream in enumerate((self.stdout, self.stderr, self.stdin)):
            if stream is not None and place not in reading:
                stream.close()
        self.wait()

    def poll(self) -> int | None:
        with self._lock:
            if self.returncode is None and select.select([self._line], [], [], 0)[0]:
                self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        with self._lock:
            if self.returncode is None:
                if not select.select([self._line], [], [], timeout)[0]:
                    raise TimeoutExpired(list(self.args), timeout or 0.0)
                self._end()
        assert self.returncode is not None
        return self.returncode

    def _end(self) -> None:
        code, seconds = self._line.recv(64).split()
        ENDED["seconds"] += float(seconds)
        self.returncode = int(code)
        self._line.close()

    def communicate(self, input: Any = None, timeout: float | None = None) -> tuple[Any, Any]:
        said: list[Any] = [None, None]

        def read(place: int, stream: IO[Any]) -> None:
            with stream:
                said[place] = stream.read()

        self._read = {
            place: threading.Thread(target=read, args=(place, stream), daemon=True)
            for place, stream in enumerate((self.stdout, self.stderr))
            if stream is not None and not stream.closed
        }
        for thread in self._read.values():
            thread.start()
        if self.stdin is not None and not self.stdin.closed:
            try:
                if input:
                    self.stdin.write(input)
                self.stdin.close()
            except BrokenPipeError:
                pass
        for thread in self._read.values():
            thread.join(timeout)
            if thread.is_alive():
                raise TimeoutExpired(list(self.args), timeout or 0.0)
        self.wait(timeout)
        return said[0], said[1]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start_fork_server() -> str:
    """The socket on which it takes orders, at once: what is asked before it has loaded everything waits."""
    if not SERVER["socket"]:
        listening = _listen()
        command = [sys.executable, "-m", "tests.fork_server", str(listening.fileno())]
        server = subprocess.Popen(command, stdin=PIPE, cwd=ROOT, pass_fds=[listening.fileno()])
        listening.close()
        atexit.register(_end_server, server.communicate)
    return SERVER["socket"]


def fork_fork_server() -> None:
    """From a process that has loaded everything and nothing besides: it need not be loaded once more."""
    listening = _listen()
    reading, writing = os.pipe()
    server = os.fork()
    if server == 0:
        os.dup2(reading, 0)
        for end in (reading, writing):
            os.close(end)
        fork_server.be_fork_server(listening.detach())
    os.close(reading)
    listening.close()
    atexit.register(_end_server, lambda: (os.close(writing), os.waitpid(server, 0)))


def _listen() -> socket.socket:
    SERVER["socket"] = f"{tempfile.mkdtemp(prefix='lore-fork-')}/socket"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(SERVER["socket"])
    listening.listen(64)
    return listening


def _end_server(end: Callable[[], object]) -> None:
    """Registered when there is a server: what is forked has not to do it."""
    end()
    shutil.rmtree(Path(SERVER["socket"]).parent, ignore_errors=True)
