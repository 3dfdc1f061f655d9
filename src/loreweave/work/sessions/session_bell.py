"""Wakes whoever waits for a session to go on, wherever it runs.

In this process a write rings at once. What other processes write is heard through the store, and looked up there for
the sessions that somebody waits for.
"""

import asyncio
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass

from loreweave.seams.storage.session_shelf import find_standings
from loreweave.seams.storage.store import Listening, Store

CHANNEL = "lore_sessions"
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a session's log goes, and whether that is its end."""

    session_id: str
    last_seq: int
    is_over: bool

    def told(self) -> str:
        return f"{self.session_id} {self.last_seq} {int(self.is_over)}"


def heard_standing(text: str) -> Standing:
    session_id, last_seq, is_over = text.rsplit(" ", 2)
    return Standing(session_id, int(last_seq), is_over == "1")


@dataclass(eq=False, slots=True)
class _Waiter:
    after: int | None  # None: only the end wakes it
    loop: asyncio.AbstractEventLoop
    rung: "asyncio.Future[None]"

    def is_meant(self, standing: Standing) -> bool:
        return standing.is_over or (self.after is not None and standing.last_seq > self.after)

    def wake(self) -> None:
        with suppress(RuntimeError):  # its loop is closed: nobody is left to wake
            self.loop.call_soon_threadsafe(_ring, self.rung)


def _ring(rung: "asyncio.Future[None]") -> None:
    if not rung.done():
        rung.set_result(None)


class SessionBell:
    """Rung from any thread, waited for on any event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiters: dict[str, set[_Waiter]] = {}
        self._latest: OrderedDict[str, Standing] = OrderedDict()
        self._listening: Listening | None = None
        self._closed = False

    def ring(self, standing: Standing) -> None:
        with self._lock:
            known = self._latest.get(standing.session_id)
            if known is None or known.last_seq <= standing.last_seq:
                self._latest[standing.session_id] = standing
            self._latest.move_to_end(standing.session_id)
            while len(self._latest) > REMEMBERED:
                self._latest.popitem(last=False)
            woken = [each for each in self._waiters.get(standing.session_id, ()) if each.is_meant(standing)]
        for waiter in woken:
            waiter.wake()

    async def wait(self, session_id: str, after: int | None, seconds: float | None = None) -> None:
        """Until the log goes past `after`, or, without it, ends; or until so many seconds are over."""
        loop = asyncio.get_running_loop()
        waiter = _Waiter(after, loop, loop.create_future())
        timer = None if seconds is None else loop.call_later(max(seconds, 0.0), _ring, waiter.rung)
        try:
            if not self._enter(session_id, waiter):
                await waiter.rung
        finally:
            if timer is not None:
                timer.cancel()
            self._leave(session_id, waiter)

    def close(self) -> None:
        """Wakes everybody: they look, and find what there is."""
        with self._lock:
            self._closed = True
            waiters = [waiter for group in self._waiters.values() for waiter in group]
            listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()
        for waiter in waiters:
            waiter.wake()

    def _enter(self, session_id: str, waiter: _Waiter) -> bool:
        """True where there is nothing to wait for."""
        with self._lock:
            known = self._latest.get(session_id)
            if self._closed or (known is not None and waiter.is_meant(known)):
                return True
            self._waiters.setdefault(session_id, set()).add(waiter)
            if self._listening is None:
                self._listening = self._store.listen(CHANNEL, self._heard)
        return False

    def _leave(self, session_id: str, waiter: _Waiter) -> None:
        with self._lock:
            group = self._waiters.get(session_id)
            if group is not None:
                group.discard(waiter)
                if not group:
                    del self._waiters[session_id]

    def _heard(self, text: str | None) -> None:
        if text is not None:
            self.ring(heard_standing(text))
            return
        with self._lock:
            awaited = sorted(self._waiters)
        if awaited:
            with self._store.read() as connection:
                standings = find_standings(connection, awaited)
            for session_id, last_seq, state in standings:
                self.ring(Standing(session_id, last_seq, state == "done"))
