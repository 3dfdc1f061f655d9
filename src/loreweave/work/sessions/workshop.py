"""Where sessions are worked on: the engine of this process, and its sign of life beside those of others."""

import logging
import threading
import time
from collections.abc import Callable, Mapping

from loreweave.clock import SECOND, instant
from loreweave.errors import Conflict, LoreError, Unavailable, trace_of
from loreweave.seams.engine.engine import Engine
from loreweave.seams.storage.session_shelf import (
    all_beats,
    beat,
    delete_executor,
    has_running_session,
    unfinished_sessions,
)
from loreweave.seams.storage.store import Listening
from loreweave.work.sessions.session_bell import CHANNEL
from loreweave.work.sessions.session_run import SessionTools

BEAT_SECONDS = 2.0
DEAD_SECONDS = 10.0
REST_SECONDS = 30.0
AGAIN_SECONDS = 0.05  # between two looks at who has a session
_LOG = logging.getLogger("loreweave.sessions")


class SignsOfLife:
    """Everybody counts up in a row of their own; whose count stays the same for so many seconds, by our own watch, is
    dead: clocks of machines may differ."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._seen: dict[str, tuple[int, float]] = {}
        self._looked = 0.0

    def find_dead(self, counts: Mapping[str, int], now: float) -> list[str]:
        if now - self._looked >= self._seconds:
            self._seen.clear()  # what held us up may have held up everybody: nobody is judged by that time
        self._looked = now
        dead = []
        for name, count in counts.items():
            known = self._seen.get(name)
            if known is None or known[0] != count:
                self._seen[name] = (count, now)
            elif now - known[1] >= self._seconds:
                dead.append(name)
        for name in set(self._seen) - set(counts):
            del self._seen[name]
        return sorted(dead)


class Workshop:
    """Opens the engine when it is first needed and keeps telling the others that it lives.

    With `takes_work` it also goes on with what dead processes left. While no session runs anywhere it rests: the
    engine is closed, nothing beats, and the next session on this store wakes it, whoever started that.
    """

    def __init__(
        self,
        tools: SessionTools,
        open_engine: Callable[[], Engine],
        *,
        takes_work: bool,
        rest_after: float = REST_SECONDS,
    ) -> None:
        self._tools = tools
        self._open_engine = open_engine
        self._takes_work = takes_work
        self._rest_after = rest_after
        self._opening = threading.Lock()
        self._opened: Engine | None = None
        self._used = 0.0  # when the engine was last asked for, or a session ran, by our own watch
        self._closing = threading.Event()
        self._news = threading.Event()
        self._listening: Listening | None = None
        self._beating: threading.Thread | None = None
        self._signs = SignsOfLife(DEAD_SECONDS)
        self._waiting: dict[str, float] = {}  # unfinished sessions, and since when we have seen them
        self._started: set[str] = set()
        self.executor_id = ""  # who we are, once the engine was open

    @property
    def engine(self) -> Engine:
        with self._opening:
            if self._closing.is_set():
                raise Unavailable("The server is being closed.", part="engine")
            self._used = time.monotonic()
            if self._opened is None:
                self._opened = self._open_engine()
                self.executor_id = self._opened.executor_id
            self._wake()
            return self._opened

    def open_soon(self) -> None:
        """Goes on with sessions beside whatever else is going on: what a crash broke off, by itself, and what others
        leave later. Where none runs it rests from the start: the engine takes a second to open."""
        with self._opening:
            if not self._closing.is_set():
                self._wake()

    def _wake(self) -> None:
        self._news.set()
        if self._beating is None:
            self._beating = threading.Thread(target=self._keep_beating, name="loreweave-beat", daemon=True)
            self._beating.start()

    def resume(self, session_id: str) -> None:
        """Goes on here with what a process that died left; a refusal where a living one runs it."""
        engine = self.engine
        if not engine.known(session_id):
            engine.start(session_id)
            return
        signs, first = SignsOfLife(DEAD_SECONDS), dict[str, int]()
        until = time.monotonic() + 3 * DEAD_SECONDS
        while not engine.take_up(session_id):
            holder = engine.holder(session_id)
            if holder is None or time.monotonic() > until:
                raise Conflict("The session has no work left that could go on", session_id=session_id)
            with self._tools.store.read() as connection:
                beats = all_beats(connection).get(holder, 0)
            if engine.has_gone(holder) or signs.find_dead({holder: beats}, time.monotonic()):
                engine.take_over(holder)
            elif holder != engine.executor_id and first.setdefault(holder, beats) != beats:
                raise Conflict("The session runs in another process: answer it there", session_id=session_id)
            self._closing.wait(AGAIN_SECONDS)

    def close(self) -> None:
        self._closing.set()
        self._news.set()
        with self._opening:
            engine, self._opened = self._opened, None
        if self._beating is not None:
            self._beating.join()
        if self._listening is not None:
            self._listening.close()
        if engine is not None:
            engine.close()

    def _open_quietly(self) -> None:
        try:
            if not self._closing.is_set():
                _ = self.engine
        except LoreError as trouble:
            _LOG.warning("sessions cannot run: %s", trouble.message)

    def _keep_beating(self) -> None:
        while not self._closing.is_set():
            try:
                engine = self._opened
                if engine is None:
                    self._sleep()
                    continue
                self._beat(engine)
                if self._is_quiet():
                    self._rest()
                    continue
            except LoreError as trouble:
                _LOG.warning("no sign of life could be given: %s", trouble.message)
            except Exception as trouble:
                _LOG.error("no sign of life could be given\n%s", trace_of(trouble))
            self._closing.wait(BEAT_SECONDS)

    def _is_quiet(self) -> bool:
        """Nobody has needed the engine for a while, here or elsewhere."""
        if not self._takes_work:
            return False
        if self._is_any_running():
            self._used = time.monotonic()
        return time.monotonic() - self._used >= self._rest_after

    def _is_any_running(self) -> bool:
        with self._tools.store.read() as connection:
            return has_running_session(connection)

    def _rest(self) -> None:
        """Closes the engine, unless a session came up meanwhile; listens first, so that none is missed after that."""
        self._listen()
        with self._opening:
            if self._closing.is_set() or self._opened is None or self._is_any_running():
                return
            engine, self._opened = self._opened, None
            engine.close()
            with self._tools.store.write() as connection:
                delete_executor(connection, engine.executor_id)

    def _listen(self) -> None:
        if self._listening is None:
            self._listening = self._tools.store.listen(CHANNEL, lambda _: self._news.set())

    def _sleep(self) -> None:
        self._listen()
        self._news.wait()
        self._news.clear()
        if not self._closing.is_set() and self._opened is None and self._is_any_running():
            self._open_quietly()

    def _beat(self, engine: Engine) -> None:
        with self._tools.store.write() as connection:
            beat(connection, engine.executor_id)
            beats = all_beats(connection)
        if self._takes_work:
            for executor_id in self._dead(engine, beats):
                self._bury(engine, executor_id)
            self._start_forgotten(engine)

    def _dead(self, engine: Engine, beats: dict[str, int]) -> list[str]:
        """Those with work are watched too, though they may have died before their first beat."""
        others = {*beats, *engine.executors_with_work()} - {engine.executor_id}
        return self._signs.find_dead({name: beats.get(name, 0) for name in others}, time.monotonic())

    def _bury(self, engine: Engine, executor_id: str) -> None:
        taken = engine.take_over(executor_id)
        if taken:
            _LOG.warning("%d sessions of a process that died go on", taken)
        with self._tools.store.write() as connection:
            delete_executor(connection, executor_id)

    def _start_forgotten(self, engine: Engine) -> None:
        """Sessions whose process died between writing them down and starting them. The clock by which they were
        written down may have jumped ahead and back: then our own watch tells how long they have waited."""
        now = time.monotonic()
        before = instant(self._tools.clock.now()) - int(DEAD_SECONDS * SECOND)
        with self._tools.store.read() as connection:
            unfinished = unfinished_sessions(connection)
        self._waiting = {session_id: self._waiting.get(session_id, now) for session_id in unfinished}
        long = {
            session_id
            for session_id, created_at in unfinished.items()
            if created_at < before or now - self._waiting[session_id] >= DEAD_SECONDS
        }
        for session_id in sorted(long - self._started):
            if not engine.known(session_id):
                engine.start(session_id)
        self._started = long
