"""A command on a real terminal: what it shows, and keys that are pressed."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests import forked
from tests.pace import PATIENCE

CTRL_C = b"\x03"


class Terminal:
    """`seen` is everything shown so far."""

    def __init__(self, screen: int, process: subprocess.Popen[bytes]) -> None:
        self._screen = screen
        self._process = process
        self._shown = b""  # read whole: a character may come in pieces

    @property
    def seen(self) -> str:
        return self._shown.decode("utf-8", "replace").replace("\r\n", "\n")

    def read_until(self, text: str) -> None:
        while text not in self.seen:
            assert self._read(), self.seen

    def press(self, keys: bytes) -> None:
        os.write(self._screen, keys)

    def finish(self) -> int:
        """Reads what is left and gives the exit code."""
        while self._read():
            pass
        return self._process.wait(timeout=PATIENCE)

    def _read(self) -> bool:
        piece = b""
        ready, _, _ = select.select([self._screen], [], [], PATIENCE)
        assert ready, f"waited {PATIENCE:g} seconds for more than: {self.seen}"
        with suppress(OSError):  # how Linux says that the other side is closed
            piece = os.read(self._screen, 65536)
        self._shown += piece
        return bool(piece)


@contextmanager
def on_terminal(module: str, *arguments: str, columns: int = 100, **environment: str) -> Iterator[Terminal]:
    """Runs a module as a command whose terminal this is."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = forked.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color", "NO_PROXY": "127.0.0.1", **environment},
        takes_terminal=True,
    )
    os.close(terminal)
    try:
        yield Terminal(screen, process)
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(screen)
