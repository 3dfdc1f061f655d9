"""Wakes whoever waits for a session to go on, wherever it runs.

In this process a write rings at once. What other processes write is heard through the store, and looked up there for
the sessions that somebody attends to.
"""

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

from loreweave.seams.storage.session_shelf import find_standings
from loreweave.seams.storage.store import Listening, Store

CHANNEL = "lore_sessions"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a session's log goes, and whether that is its end."""

    session_id: str
    last_seq: int
    is_over: bool

    def told(self) -> str:
        return f"{self.session_id} {self.last_seq} {int(self.is_over)}"


def gone(session_id: str) -> Standing:
    """A session that was deleted: whoever waits for anything of it looks, and finds nothing."""
    return Standing(session_id, 2**62, True)


def heard_standing(text: str) -> Standing:
    session_id, last_seq, is_over = text.rsplit(" ", 2)
    return Standing(session_id, int(last_seq), is_over == "1")


@dataclass(eq=False, slots=True)
class _Waiter:
    after: int | None  # None: only the end wakes it
    loop: asyncio.AbstractEventLoop
    rung: "asyncio.Future[None]"

    def is_meant(self, standing: Standing) -> bool:
        return standing.is_over if self.after is None else standing.last_seq > self.after

    def wake(self) -> None:
        with suppress(RuntimeError):  # its loop is closed: nobody is left to wake
            self.loop.call_soon_threadsafe(_ring, self.rung)


def _ring(rung: "asyncio.Future[None]") -> None:
    if not rung.done():
        rung.set_result(None)


@dataclass(eq=False, slots=True)
class _Attended:
    """A session that somebody attends to: what was last heard of it is kept as long as that is so."""

    attentions: int = 0
    latest: Standing | None = None
    waiters: set[_Waiter] = field(default_factory=set)


class Attention:
    """Held before the first look at a session: what happens between a look and the wait after it is not missed."""

    def __init__(self, bell: "SessionBell", session_id: str) -> None:
        self._bell = bell
        self._session_id = session_id

    def __enter__(self) -> "Attention":
        self._bell._attend(self._session_id)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, trouble: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bell._turn_away(self._session_id)

    async def wait_past(self, seq: int, seconds: float | None = None) -> bool:
        """Until the log goes past this number, or so many seconds are over; false where the bell is closed."""
        return await self._bell._wait(self._session_id, seq, seconds)

    async def wait_for_end(self) -> bool:
        """Until the session is over; false where the bell is closed."""
        return await self._bell._wait(self._session_id, None, None)


class SessionBell:
    """Rung from any thread, waited for on any event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._attended: dict[str, _Attended] = {}
        self._listening: Listening | None = None
        self._closed = False

    def attend(self, session_id: str) -> Attention:
        return Attention(self, session_id)

    def ring(self, standing: Standing) -> None:
        with self._lock:
            attended = self._attended.get(standing.session_id)
            if attended is None:
                return
            if attended.latest is None or attended.latest.last_seq <= standing.last_seq:
                attended.latest = standing
            woken = [waiter for waiter in attended.waiters if waiter.is_meant(standing)]
        for waiter in woken:
            waiter.wake()

    def close(self) -> None:
        """Wakes everybody: there is nothing left to wait for."""
        with self._lock:
            self._closed = True
            waiters = [waiter for attended in self._attended.values() for waiter in attended.waiters]
            listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()
        for waiter in waiters:
            waiter.wake()

    def _attend(self, session_id: str) -> None:
        with self._lock:
            self._attended.setdefault(session_id, _Attended()).attentions += 1
            if self._listening is None and not self._closed:
                self._listening = self._store.listen(CHANNEL, self._heard)

    def _turn_away(self, session_id: str) -> None:
        with self._lock:
            attended = self._attended[session_id]
            attended.attentions -= 1
            if not attended.attentions:
                del self._attended[session_id]

    async def _wait(self, session_id: str, after: int | None, seconds: float | None) -> bool:
        loop = asyncio.get_running_loop()
        waiter = _Waiter(after, loop, loop.create_future())
        timer = None if seconds is None else loop.call_later(max(seconds, 0.0), _ring, waiter.rung)
        try:
            if self._enter(session_id, waiter):
                await waiter.rung
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                self._attended[session_id].waiters.discard(waiter)
        return not self._closed

    def _enter(self, session_id: str, waiter: _Waiter) -> bool:
        """False where there is nothing to wait for."""
        with self._lock:
            attended = self._attended[session_id]
            if self._closed or (attended.latest is not None and waiter.is_meant(attended.latest)):
                return False
            attended.waiters.add(waiter)
        return True

    def _heard(self, text: str | None) -> None:
        if text is not None:
            self.ring(heard_standing(text))
            return
        with self._lock:
            attended = sorted(self._attended)
        if attended:
            with self._store.read() as connection:
                standings = find_standings(connection, attended)
            heard = {each[0]: Standing(each[0], each[1], each[2] == "done") for each in standings}
            for session_id in attended:
                self.ring(heard.get(session_id) or gone(session_id))
