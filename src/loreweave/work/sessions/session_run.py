"""A session while its work runs here: what the work may record, ask and do once."""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from loreweave.clock import SECOND, Clock, format_milliseconds, instant, wait_at_most
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import SessionEvent
from loreweave.entities.stored_session import QuestionRow
from loreweave.errors import NotFound, Unavailable
from loreweave.seams.engine.engine import Durable
from loreweave.seams.storage.session_shelf import event_keys, find_question, find_session, find_standing, page_after
from loreweave.seams.storage.store import Store
from loreweave.work.sessions.apply_event import apply_event
from loreweave.work.sessions.session_bell import SessionBell
from loreweave.work.sessions.session_log import NewQuestion, NotTheRunner, SessionLog

Answer = TypeVar("Answer")

MOST_READ = 1_000_000  # events of one session
AGAIN_SECONDS = 0.5  # between two tries at a database that is away


class SessionOver(BaseException):
    """The session was ended, or another process runs it now: whoever works for it stops, without a word."""


@dataclass(frozen=True, slots=True)
class SessionTools:
    """What every running session shares."""

    store: Store
    clock: Clock
    bell: SessionBell
    log: SessionLog

    def close(self) -> None:
        self.log.close()
        self.bell.close()


@dataclass
class SessionRun:
    """Held by the one process that runs the session; its word counts only as long as that is so."""

    session_id: str
    kind: str
    given: str
    _tools: SessionTools
    _durable: Durable
    _runner: str
    _recorded: set[str]
    view: SessionView  # when it was taken, and what was recorded here since
    listeners: list[Callable[[SessionEvent], None]] = field(default_factory=list)  # told of what was recorded here

    @property
    def runner(self) -> str:
        """Who has it: another whenever it is taken up again."""
        return self._runner

    def has_recorded(self, key: str) -> bool:
        return key in self._recorded

    async def record(self, key: str, *events: SessionEvent) -> None:
        """All of these events, once: a key that was recorded before records nothing."""
        if key in self._recorded:
            return
        await self._written(lambda: self._tools.log.record(self.session_id, key, events, self._runner))
        self._recorded.add(key)
        for event in events:
            self.view = apply_event(self.view, event, "")
            for listen in self.listeners:
                listen(event)

    async def ask(
        self,
        key: str,
        event: Callable[[str], SessionEvent],
        *,
        place: str,
        headers: Sequence[str],
        timeout_s: float | None,
        kind: str = "question",
        on_open: Callable[[], Awaitable[None]] | None = None,
    ) -> dict[str, Any] | None:
        """The answers; nothing where nobody gave any in time. Asks once, ever, and waits, for ever where no time is
        set: a row holds the question and its answer, through any crash. `on_open` is awaited once where there is
        something to wait for."""
        question_id = str(uuid.uuid5(uuid.UUID(self.session_id), key))
        told, deadline = event(question_id), None
        if timeout_s is not None:
            deadline = instant(self._tools.clock.now()) + int(timeout_s * SECOND)
            told = told.model_copy(update={"deadline": format_milliseconds(deadline)})
        new = NewQuestion(question_id, kind, place, tuple(headers), deadline, told)
        question = await self._written(lambda: self._tools.log.ask(self.session_id, key, new, self._runner))
        if on_open is not None and question.status == "open":
            await on_open()
        question = await self._settled(question)
        if question.status == "over":
            raise SessionOver
        return question.answer if question.status == "answered" else None

    async def step(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Runs the work once, ever; after a crash what came of it is given again. Work that a crash broke off is done
        again, and what it recorded on the way stays."""

        async def fenced() -> Any:
            await self._be_the_runner()
            return await work()

        return await self._durable.step(name, fenced)

    async def part(self, number: int, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """A part whose steps are its own, so that several run at once."""
        return await self._durable.part(number, work)

    async def events(self) -> list[dict[str, Any]]:
        """All that was told so far."""

        def read() -> list[dict[str, Any]]:
            with self._tools.store.read() as connection:
                page = page_after(connection, self.session_id, 0, MOST_READ)
            return [json.loads(frame) for _, frame in page[0]] if page else []

        return await patiently(lambda: asyncio.to_thread(read))

    def spent(self) -> int:
        """Tokens recorded so far."""
        return self.view.tokens.total_tokens if self.view.tokens else 0

    def cost(self) -> float:
        """Dollars recorded so far."""
        return self.view.tokens.cost_usd if self.view.tokens else 0.0

    async def ended(self) -> None:
        """Waits until somebody ends the session."""
        with self._tools.bell.attend(self.session_id) as attention:
            while not await self.is_over():
                if not await attention.wait_for_end():
                    raise SessionOver  # nothing more can be heard of it here

    async def break_off(self, event: Callable[[SessionView], SessionEvent]) -> None:
        """Ends the session with this event, unless it is over or another's."""
        await self._written(lambda: self._tools.log.end(self.session_id, event, self._runner))

    async def is_over(self) -> bool:
        standing = await patiently(lambda: asyncio.to_thread(self._standing))
        return standing is None or standing[1] == "done"

    async def _settled(self, question: QuestionRow) -> QuestionRow:
        """Waits for the row to be settled: the answer may come to any process."""
        with self._tools.bell.attend(self.session_id) as attention:
            while question.status == "open":
                question, seq = await patiently(partial(asyncio.to_thread, self._question, question.question_id))
                if question.status != "open":
                    break
                seconds = self._patience(question.deadline)
                if seconds is not None and seconds <= 0:
                    give_up = partial(self._tools.log.give_up, self.session_id, question.question_id, self._runner)
                    return await self._written(give_up)
                if not await attention.wait_past(seq, seconds):
                    raise SessionOver
        return question

    def _patience(self, deadline: int | None) -> float | None:
        if deadline is None:
            return None
        clock = self._tools.clock
        return wait_at_most(clock, (deadline - instant(clock.now())) / SECOND)

    async def _be_the_runner(self) -> None:
        standing = await patiently(lambda: asyncio.to_thread(self._standing))
        if standing is None or standing[1] == "done" or standing[2] != self._runner:
            raise SessionOver

    async def _written(self, write: "Callable[[], Future[Answer]]") -> Answer:
        """Written once however often it is tried: the log knows what it has."""
        try:
            return await patiently(lambda: asyncio.wrap_future(write()))
        except (NotTheRunner, NotFound):
            raise SessionOver from None

    def _standing(self) -> tuple[int, str, str | None] | None:
        with self._tools.store.glance() as connection:
            return find_standing(connection, self.session_id)

    def _question(self, question_id: str) -> tuple[QuestionRow, int]:
        """The question as it stands, and how far the log went by then."""
        with self._tools.store.read() as connection:
            found = find_question(connection, self.session_id, question_id)
            standing = find_standing(connection, self.session_id)
        if found is None or standing is None:
            raise SessionOver
        return found, standing[0]


async def take_session(tools: SessionTools, session_id: str, durable: Durable, executor_id: str) -> SessionRun | None:
    """The session, to be run by us from now on; nothing where it is over."""
    runner = f"{executor_id}/{uuid.uuid4()}"
    if not await patiently(lambda: asyncio.wrap_future(tools.log.take(session_id, runner))):
        return None

    def read() -> SessionRun | None:
        with tools.store.read() as connection:
            row = find_session(connection, session_id)
            recorded = set(event_keys(connection, session_id))
        if row is None:
            return None
        view = SessionView.model_validate_json(row.saved)
        return SessionRun(session_id, row.kind, row.given, tools, durable, runner, recorded, view)

    return await patiently(lambda: asyncio.to_thread(read))


async def patiently(attempt: Callable[[], Awaitable[Answer]]) -> Answer:
    """Tries again for as long as the database is away: a session outlives that, as it outlives its process."""
    while True:
        try:
            return await attempt()
        except Unavailable:
            await asyncio.sleep(AGAIN_SECONDS)
