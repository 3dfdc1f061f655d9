"""Wakes whoever waits for a session to go on, wherever it runs, and reads on for those who follow its log.

In this process a write rings at once. What other processes write is heard through the store, and looked up there for
the sessions that somebody attends to. A reader of a log holds nothing but a number.
"""

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType

from loreweave.errors import NotFound
from loreweave.seams.storage.session_shelf import find_standings, page_after
from loreweave.seams.storage.store import Listening, Store

CHANNEL = "lore_sessions"
MOST = 64  # so much is held for a watcher that does not read
READERS = 4
_ID = re.compile(r"[0-9a-f-]{36}")


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


class LogReader:
    """Reads logs for everybody who follows one; a slow follower keeps nobody waiting."""

    def __init__(self, store: Store, bell: SessionBell) -> None:
        self._store = store
        self._bell = bell
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="loreweave-log")
        self._closed = False

    def page(self, session_id: str, after: int, limit: int = MOST) -> tuple[list[tuple[int, str]], int, bool]:
        """Frames after a number, the number of the last one there is, and whether the session is over."""
        refuse_strange(session_id)
        with self._store.glance() as connection:
            page = page_after(connection, session_id, after, limit)
        if page is None:
            raise NotFound(f"There is no session {session_id!r}", session_id=session_id)
        frames, last_seq, state = page
        return frames, last_seq, state == "done"

    async def follow(self, session_id: str, after: int, *, until_end: bool = False) -> AsyncIterator[list[str]]:
        """Frames as they come, several at a time where there are several; it ends only when told so by `until_end`,
        when the session is deleted, or with the reader."""
        loop = asyncio.get_running_loop()
        with self._bell.attend(session_id) as attention:
            while not self._closed:
                try:
                    read = partial(self.page, session_id, after)
                    frames, _, is_over = await loop.run_in_executor(self._threads, read)
                except NotFound:
                    return
                if frames:
                    after = frames[-1][0]
                    yield [frame for _, frame in frames]
                    continue
                if (is_over and until_end) or not await attention.wait_past(after):
                    return

    async def await_news(self, session_id: str, after: int, seconds: float) -> None:
        """Until the log goes past a number, the session is over or so many seconds are; no thread is held meanwhile."""
        loop = asyncio.get_running_loop()
        with self._bell.attend(session_id) as attention:
            _, last_seq, is_over = await loop.run_in_executor(self._threads, self.page, session_id, after, 1)
            if last_seq <= after and not is_over:
                await attention.wait_past(after, seconds)

    def close(self) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)


def refuse_strange(session_id: str) -> None:
    """What no session was ever called, before a database that may not be able to read it is asked."""
    if not _ID.fullmatch(session_id):
        named = "".join(letter if letter.isprintable() else "?" for letter in session_id[:80])
        raise NotFound(f"There is no session {named!r}", session_id=named)
