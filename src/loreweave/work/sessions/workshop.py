"""Where sessions are worked on: the engine of this process, and its sign of life beside those of others."""

import logging
import threading
import time
from collections.abc import Callable

from loreweave.clock import SECOND, instant
from loreweave.errors import LoreError, Unavailable
from loreweave.seams.engine.engine import Engine
from loreweave.seams.storage.executor_shelf import all_beats, beat, delete_executor
from loreweave.seams.storage.session_shelf import unfinished_sessions
from loreweave.work.sessions.session_run import SessionTools
from loreweave.work.sessions.signs_of_life import SignsOfLife

BEAT_SECONDS = 2.0
DEAD_SECONDS = 10.0
_LOG = logging.getLogger("loreweave.sessions")


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
            except Exception:
                _LOG.exception("no sign of life could be given")
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
