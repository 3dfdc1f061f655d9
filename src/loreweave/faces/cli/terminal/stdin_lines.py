"""Standard input, line by line, for somebody who may stop waiting for the next one."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import suppress

STDIN = 0


class StdinLines:
    """A thread reads once the first line is wanted: a read cannot be called off, waiting for what it brings can.

    It reads the descriptor itself. At the end of the program a thread inside Python's own reader would be in the way.
    """

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._has_begun = False
        self._has_ended = False

    async def next(self) -> str | None:
        """The next line without its end; nothing once the input has ended."""
        if self._has_ended:
            return None
        if not self._has_begun:
            self._has_begun = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="loreweave-stdin", daemon=True).start()
        line = await self._lines.get()
        self._has_ended = line is None
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # nobody waits any more
            for line in _lines_of(STDIN):
                loop.call_soon_threadsafe(self._lines.put_nowait, line.decode("utf-8", "replace"))
            loop.call_soon_threadsafe(self._lines.put_nowait, None)


def _lines_of(descriptor: int) -> Iterator[bytes]:
    """Whole lines as soon as they are there; what follows the last line end is a line too."""
    rest = b""
    while piece := _piece_of(descriptor):
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in lines)
    if rest:
        yield rest


def _piece_of(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # closed, or a terminal that went away
        return b""


def forget_typed() -> None:
    """What a person began to type for a question that is gone is no answer to the next one."""
    import termios

    with suppress(termios.error):
        termios.tcflush(STDIN, termios.TCIFLUSH)
