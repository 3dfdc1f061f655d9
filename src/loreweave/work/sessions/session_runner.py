"""Runs a session's work until it ends, or until somebody ends the session."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import Outcome, SessionError, SessionEvent, SkillError
from loreweave.errors import trace_of
from loreweave.seams.engine.engine import Durable, TakenOver
from loreweave.work.sessions.session_run import SessionOver, SessionRun, SessionTools, take_session

Body = Callable[[SessionRun], Awaitable[None]]
_LOG = logging.getLogger("loreweave.sessions")


@dataclass(frozen=True, eq=False, repr=False)
class SessionRunner:
    """`bodies`: what a session of each kind does; `executor_id`: who we are; `clear`: removes what it left behind."""

    tools: SessionTools
    bodies: Mapping[str, Body]
    executor_id: Callable[[], str]
    clear: Callable[[str], None]

    async def __call__(self, session_id: str, durable: Durable) -> None:
        run = await take_session(self.tools, session_id, durable, self.executor_id())
        if run is not None:
            await self._work(run)
        # Only now: what a crash or a closing server broke off goes on later, with the files it had.
        await asyncio.to_thread(self.clear, session_id)

    async def _work(self, run: SessionRun) -> None:
        try:
            await self._finish(run, self.bodies[run.kind])
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
            await run.break_off(broken)

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


def broken(view: SessionView) -> SessionEvent:
    """What went wrong is in the log of the process, where no stranger reads it."""
    return _last(view, "broke off by a fault of the program", "failed")


def stopped(view: SessionView) -> SessionEvent:
    """The last event of a session that somebody stopped."""
    return _last(view, "was stopped", "stopped")


def _last(view: SessionView, what: str, outcome: Outcome) -> SessionEvent:
    if view.kind == "skill":
        skill_id = view.skill.skill_id if view.skill else view.id
        return SkillError(skill_id=skill_id, message=f"The run {what}.", outcome=outcome)
    return SessionError(message=f"The build {what}.", recoverable=False, outcome=outcome)
