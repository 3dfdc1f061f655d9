"""What a board says, as lines for the log: a stranger's text, cleaned, cut into lines and held to a pace; and those who
listen to one."""

from __future__ import annotations

import asyncio
import codecs
import re
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from loreweave.contracts.session_events import SerialData, SessionEvent
from loreweave.errors import Conflict, NotFound
from loreweave.seams.host.serial_board import BoardPort, BoardTrouble

LONGEST = 500  # characters of a line
MOST_A_SECOND = 50
_OWN = 2  # of them: what was left out at the end, and why it ended
SECONDS = 600.0  # after which nobody listens any more
TICK = 0.05  # seconds between two looks
RETURN_SECONDS = 5.0  # after a flash, in which a board that went away may come back
# Sequences that move cursors and colour text, then whatever else shows nothing or turns the text round.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


class LineCutter:
    """Bytes in, whole lines out; what is longer than a line may be goes on in the next."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def cut(self, data: bytes, *, is_last: bool = False) -> list[str]:
        text = self._rest + self._decoder.decode(data, is_last).replace("\r\n", "\n").replace("\r", "\n")
        *whole, self._rest = text.split("\n")
        if len(self._rest) > LONGEST or (is_last and self._rest):
            whole.append(self._rest)
            self._rest = ""
        return [text[at : at + LONGEST] for text in map(cleaned, whole) for at in range(0, len(text), LONGEST)]


def cleaned(text: str) -> str:
    return _UNSEEN.sub("", _ESCAPES.sub("", text)).replace("\t", "    ").rstrip()


class Pace:
    """At most so many lines in any second; how many were left out is told by the next line there is room for."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: deque[float] = deque()
        self._left_out = 0

    def admit(self, lines: Sequence[str]) -> list[str]:
        now = self._clock()
        while self._told and self._told[0] <= now - 1.0:
            self._told.popleft()
        room = MOST_A_SECOND - _OWN - len(self._told)
        admitted = self.left_out() if room else []
        kept = lines[: room - len(admitted)]
        self._left_out += len(lines) - len(kept)
        admitted += kept
        self._told.extend([now] * len(admitted))
        return admitted

    def left_out(self) -> list[str]:
        """The line that tells how many; none where none were."""
        count, self._left_out = self._left_out, 0
        return [f"[{count} lines left out]"] if count else []


async def listen(
    read: Callable[[], bytes | None],
    tell: Callable[[Sequence[str]], Awaitable[None]],
    is_over: Callable[[], bool],
    seconds: float = SECONDS,
) -> None:
    """Tells the lines as they come, none too: until the source is gone, somebody ends it, or the time is over."""
    cutter, pace, until = LineCutter(), Pace(), time.monotonic() + seconds
    while True:
        is_last = is_over() or time.monotonic() >= until
        data = read()
        is_last = is_last or data is None
        lines = pace.admit(cutter.cut(data or b"", is_last=is_last))
        await tell([*lines, *pace.left_out()] if is_last else lines)
        if is_last:
            return
        await asyncio.sleep(TICK)


class Listeners:
    """Those who listen to boards in this process, each for a session."""

    def __init__(self, tell: Callable[[str, Sequence[SessionEvent]], Awaitable[None]], now: Callable[[], str]) -> None:
        self._tell = tell
        self._now = now
        self._count: Counter[str] = Counter()

    def are_on(self, session_id: str) -> bool:
        return self._count[session_id] > 0

    def begin(
        self, session_id: str, port: BoardPort, is_over: Callable[[], bool], seconds: float = SECONDS
    ) -> Coroutine[Any, Any, None]:
        """From now on somebody listens, once this runs."""
        self._count[session_id] += 1
        return self._listen(session_id, port, is_over, seconds)

    async def _listen(self, session_id: str, port: BoardPort, is_over: Callable[[], bool], seconds: float) -> None:
        async def tell(lines: Sequence[str]) -> None:
            if lines:
                now = self._now()
                await self._tell(session_id, [SerialData(line=line, timestamp=now) for line in lines])

        until, listened = time.monotonic() + RETURN_SECONDS, port
        try:
            while True:
                with suppress(NotFound):  # the session was deleted
                    await listen(listened.read, tell, is_over, seconds)
                listened.close()
                again = None if is_over() else await _returned(port.port, until)
                if again is None:
                    return
                listened = again
        finally:
            listened.close()
            self._count[session_id] -= 1


async def _returned(port: str, until: float) -> BoardPort | None:
    """The port, once it is there again: a board whose USB is its own goes with its reset, and comes back."""
    while time.monotonic() < until:
        with suppress(BoardTrouble, Conflict):
            opened = BoardPort(port)
            if opened.take():
                return opened
            opened.close()
            return None  # somebody else was quicker
        await asyncio.sleep(TICK)
    return None
