"""Where sessions are worked on: what is done with each, the engine of this process, and its sign of life beside those
of others."""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from loreweave.clock import SECOND, instant
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import SessionError, SessionEvent, SkillError
from loreweave.errors import LoreError, Unavailable, trace_of
from loreweave.seams.engine.engine import Durable, Engine, TakenOver
from loreweave.seams.storage.executor_shelf import all_beats, beat, delete_executor
from loreweave.seams.storage.session_shelf import unfinished_sessions
from loreweave.work.sessions.session_run import SessionOver, SessionRun, SessionTools, take_session

BEAT_SECONDS = 2.0
DEAD_SECONDS = 10.0
Body = Callable[[SessionRun], Awaitable[None]]
_LOG = logging.getLogger("loreweave.sessions")


class SessionRunner:
    """`bodies`: what a session of each kind does; `executor_id`: who we are; `clear`: removes what it left behind."""

    def __init__(
        self,
        tools: SessionTools,
        bodies: Mapping[str, Body],
        executor_id: Callable[[], str],
        clear: Callable[[str], None],
    ) -> None:
        self._tools = tools
        self._bodies = bodies
        self._executor_id = executor_id
        self._clear = clear

    async def __call__(self, session_id: str, durable: Durable) -> None:
        run = await take_session(self._tools, session_id, durable, self._executor_id())
        if run is not None:
            await self._work(run)
        # Only now: what a crash or a closing server broke off goes on later, with the files it had.
        await asyncio.to_thread(self._clear, session_id)

    async def _work(self, run: SessionRun) -> None:
        try:
            await self._finish(run, self._bodies[run.kind])
        except SessionOver:
            if not await run.is_over():
                raise TakenOver from None  # our word counts no more, and whether this work has ended is not ours to say

    async def _finish(self, run: SessionRun, body: Body) -> None:
        """However the work ends, its session is over then."""
        try:
            await self._until_over(run, body)
        except Exception as trouble:
            _LOG.error("session %s broke off\n%s", run.session_id, trace_of(trouble))
        if not await run.is_over():
            await run.break_off(_broken)

    async def _until_over(self, run: SessionRun, body: Body) -> None:
        work = asyncio.ensure_future(body(run))
        end = asyncio.ensure_future(run.ended())
        try:
            await asyncio.wait((work, end), return_when=asyncio.FIRST_COMPLETED)
            (work if work.done() else end).result()
        finally:
            for task in (work, end):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception, SessionOver, TakenOver):
                    await task


def _broken(view: SessionView) -> SessionEvent:
    """What went wrong is in the log of the process, where no stranger reads it."""
    sentence = "The run broke off by a fault of the program."
    if view.kind == "skill":
        skill_id = view.skill.skill_id if view.skill else view.id
        return SkillError(skill_id=skill_id, message=sentence, outcome="failed")
    return SessionError(message=sentence, recoverable=False, outcome="failed")


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

    With `takes_work` it also goes on with what dead processes left.
    """

    def __init__(self, tools: SessionTools, open_engine: Callable[[], Engine], *, takes_work: bool) -> None:
        self._tools = tools
        self._open_engine = open_engine
        self._takes_work = takes_work
        self._opening = threading.Lock()
        self._opened: Engine | None = None
        self._closing = threading.Event()
        self._beating: threading.Thread | None = None
        self._signs = SignsOfLife(DEAD_SECONDS)
        self._started: set[str] = set()

    @property
    def engine(self) -> Engine:
        with self._opening:
            if self._closing.is_set():
                raise Unavailable("The server is being closed.", part="engine")
            if self._opened is None:
                self._opened = self._open_engine()
                self._beating = threading.Thread(target=self._keep_beating, name="loreweave-beat", daemon=True)
                self._beating.start()
            return self._opened

    def open_soon(self) -> None:
        """Opens the engine beside whatever else is going on: what a crash broke off then goes on by itself."""
        threading.Thread(target=self._open_quietly, name="loreweave-opening", daemon=True).start()

    def close(self) -> None:
        self._closing.set()
        with self._opening:
            engine, self._opened = self._opened, None
        if self._beating is not None:
            self._beating.join()
        if engine is not None:
            engine.close()

    def _open_quietly(self) -> None:
        try:
            if not self._closing.is_set():
                _ = self.engine
        except LoreError as trouble:
            _LOG.warning("sessions cannot run: %s", trouble.message)

    def _keep_beating(self) -> None:
        engine = self._opened
        while engine is not None:
            try:
                self._beat(engine)
            except LoreError as trouble:
                _LOG.warning("no sign of life could be given: %s", trouble.message)
            except Exception as trouble:
                _LOG.error("no sign of life could be given\n%s", trace_of(trouble))
            if self._closing.wait(BEAT_SECONDS):
                return

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
        """Sessions whose process died between writing them down and starting them."""
        before = instant(self._tools.clock.now()) - int(DEAD_SECONDS * SECOND)
        with self._tools.store.read() as connection:
            waiting = unfinished_sessions(connection, "skill", before)
        for session_id in waiting:
            if session_id not in self._started and not engine.known(session_id):
                engine.start(session_id)
        self._started = set(waiting)
