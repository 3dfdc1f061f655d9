"""What a process has once: one event loop in one thread for all work, one workflow that DBOS knows, and one log."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from dbos import DBOS

from loreweave.errors import Conflict, Unavailable

LOG = logging.getLogger("loreweave.engine")
THREAD = "loreweave-engine"
WORKFLOW = "session"
CLOSED = "The engine is closed."

Answer = TypeVar("Answer")


class EngineLoop:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a process that never closes its engine still ends.
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """In an empty context: what is started from inside of one work must not count as a part of it."""
        try:
            return contextvars.Context().run(asyncio.run_coroutine_threadsafe, coroutine, self._loop)
        except RuntimeError:  # the loop is closed
            coroutine.close()
            raise Unavailable(CLOSED, part="engine") from None

    def call(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Waits for the answer, from any thread but the loop's own."""
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("the engine's loop would wait for itself")
        return self.submit(coroutine).result()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()


class Runner(Protocol):
    async def run(self, session_id: str) -> None: ...


_lock = threading.Lock()
_runner: Runner | None = None


def claim(runner: Runner) -> None:
    """DBOS is one a process, and so is the engine."""
    global _runner
    with _lock:
        if _runner is not None:
            raise Conflict("This process has an open engine already.", part="engine")
        _runner = runner


def let_go() -> None:
    global _runner
    with _lock:
        _runner = None


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)  # however often its process dies, work is not given up
async def run_session(session_id: str) -> None:
    assert _runner is not None
    await _runner.run(session_id)


# Breaking work off is how the engine closes, and a failed opening is raised: neither is news.
_NO_NEWS = ("Asyncio task cancelled", "DBOS failed to launch")


class _Forwarder(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno >= logging.WARNING and not message.startswith(_NO_NEWS):
            LOG.warning("%s", message)  # without its traceback, which may quote what is recorded


def take_over_log() -> None:
    """Before DBOS starts: it adds a console to a logger without a handler."""
    theirs = logging.getLogger("dbos")
    theirs.propagate = False
    if not any(isinstance(handler, _Forwarder) for handler in theirs.handlers):
        theirs.handlers[:] = [_Forwarder()]
