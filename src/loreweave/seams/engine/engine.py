"""What durable execution offers: work that is started once and goes on, in this process or another, until it ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

Json = Any  # what json.dumps takes; it comes back as json.loads gives it, also the first time

Answer = TypeVar("Answer")


class TakenOver(BaseException):
    """Another process runs this work now. No `Exception`, so that nothing on the way takes it for a failure."""


class Durable(Protocol):
    """Handed to the work while it runs."""

    async def step(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Runs `work` once, ever: after a crash the recorded value, or the recorded error, is given instead.

        Steps are called in the same order on every run. A step that is cancelled records nothing, so a limit of
        time belongs inside `work`. What `work` raises comes back as the `LoreError` it was; anything else as a
        plain `LoreError` that names its kind. Raises `TakenOver` when another process has the work.
        """

    async def part(self, number: int, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """Runs a part of the work whose steps are counted by themselves, so that parts run beside one another and
        each finds its own steps after a crash. A number stands for the same part on every run; 0 is the work itself.
        """


Work = Callable[[str, Durable], Awaitable[None]]  # (session_id, durable)
LetGo = Callable[[], Coroutine[Any, Any, None]]  # what the work shared on the loop, let go of when all of it has ended


class Engine(Protocol):
    """Runs all work as tasks of one event loop, in one thread of its own.

    Work has ended when it returns, raises or cancels itself; only `close` and a crash leave it to be run again.
    Except for `run_on_loop`, nothing here may be called on that loop: it would wait for itself. The threads of
    `asyncio.to_thread` there are few and record the steps too: short work may be done in them, but no waiting.
    """

    executor_id: str  # this process's, kept in the data folder

    def start(self, session_id: str) -> None:
        """Returns when the start is durable. A second start of one id does nothing."""

    def take_over(self, executor_id: str) -> int:
        """Lets the living run a dead process's unfinished work; answers how much there was. Never this process's."""

    def take_up(self, session_id: str) -> bool:
        """Runs here what waits to be run by anybody; false where it does not wait."""

    def holder(self, session_id: str) -> str | None:
        """Which process, perhaps a dead one, runs it; nothing where none does."""

    def has_gone(self, executor_id: str) -> bool:
        """Did this process use our data folder, and is it dead?"""

    def unfinished(self, executor_id: str) -> list[str]: ...

    def executors_with_work(self) -> list[str]:
        """Every process, this one and the dead included, that was running something when last heard of."""

    def known(self, session_id: str) -> bool:
        """Was it ever started, and not forgotten?"""

    def forget(self, session_id: str) -> None:
        """Deletes what is recorded of it; a refusal while it runs or waits to run."""

    def run_on_loop(self, coroutine: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """For what must live on the loop of the work; from any thread."""

    def close(self) -> None:
        """Breaks running work off without an outcome: whoever opens the engine next goes on with it."""
