"""What works in this process did, told to the thread of the test."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

from tests.pace import PATIENCE
from tests.waits import eventually

from loreweave.seams.engine.engine import Engine, Json


class Notes:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._bell = threading.Condition()

    def add(self, line: str) -> None:
        with self._bell:
            self.lines.append(line)
            self._bell.notify_all()

    def wait_for(self, line: str) -> None:
        with self._bell:
            assert self._bell.wait_for(lambda: line in self.lines, PATIENCE), self.lines

    def step(self, line: str, value: Json = None) -> Callable[[], Awaitable[Json]]:
        async def work() -> Json:
            self.add(line)
            return value

        return work

    def forever(self, line: str) -> Callable[[], Awaitable[Json]]:
        async def work() -> Json:
            self.add(line)
            await asyncio.Event().wait()

        return work


def ended(engine: Engine, session_id: str) -> None:
    eventually(lambda: engine.unfinished(engine.executor_id) == [], "the end of all work")
    assert engine.known(session_id)
