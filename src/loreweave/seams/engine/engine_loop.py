"""One event loop in one thread, for all work of a process."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from loreweave.errors import Unavailable

NAME = "loreweave-engine"
CLOSED = "The engine is closed."

Answer = TypeVar("Answer")


class EngineLoop:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a process that never closes its engine still ends.
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
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


async def break_off_tasks(seconds: float) -> int:
    """Cancels every other task of this loop and waits; answers how many did not end in time."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if not others:
        return 0
    _, pending = await asyncio.wait(others, timeout=seconds)
    return len(pending)
