"""Retells a build in words for children. It reads what is recorded and keeps nobody waiting: each task has at most one
line in a while, the most important of what happened meanwhile."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, get_args

from loreweave.clock import wait_at_most
from loreweave.contracts.session_events import (
    AgentOutput,
    Mood,
    NarratorMessage,
    SessionComplete,
    SessionError,
    SessionEvent,
    TaskCompleted,
    TaskFailed,
    TaskStarted,
)
from loreweave.errors import trace_of
from loreweave.language.strange_text import BOX_RULE, boxed
from loreweave.seams.models.language_model import LanguageModel, ModelCall, ModelFault, UserSaid
from loreweave.work.agents.model_round import prompt_file, record_usage
from loreweave.work.builds.build import Build
from loreweave.work.sessions.session_run import SessionOver

NAME = "Lore"
_LOG = logging.getLogger("loreweave.sessions")
NARRATOR = "narrator"
SECONDS = 4.0  # for one line
LAST_SECONDS = 2.0  # for the last one
HEARD_SECONDS = 0.5  # until it is told to stop again
HEARD = 1_000  # characters of what an agent said
LONGEST = 200
SHOWN_LINES = 5
_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "mood": {"type": "string", "enum": list(get_args(Mood))}},
    "required": ["text", "mood"],
}
_RANKS = {"failed": 4, "completed": 3, "started": 2, "said": 1}
_MOODS: dict[str, Mood] = {
    "started": "excited",
    "completed": "celebrating",
    "failed": "concerned",
    "end": "celebrating",
    "trouble": "concerned",
}
_LINES = {
    "started": (
        "{who} rolls up the sleeves and starts: {what}!",
        "Here we go! {who} begins with {what}.",
        "{who} is on it: {what}.",
    ),
    "completed": (
        "Hooray, {who} finished {what}!",
        "{who} did it: {what} is ready!",
        "Done! {who} can be proud of {what}.",
    ),
    "failed": (
        "Oh no, {who} got stuck on {what}.",
        "{what} did not work out for {who} yet.",
        "{who} needs help with {what}.",
    ),
    "said": (
        "{who} is busy with {what}.",
        "{who} is thinking hard about {what}.",
        "Step by step, {who} works on {what}.",
    ),
    "end": ("The build is finished. Have a look at what the team made!", "All done! Time to try it out."),
    "trouble": ("Something went wrong, but we keep our heads up.", "A little trouble came up on the way."),
}


@dataclass
class _Moment:
    """Something that could be told of a task; none for what belongs to the whole build."""

    kind: str
    task_id: str | None
    said: str


@dataclass
class Narrator:
    build: Build
    moments: dict[str | None, _Moment] = field(default_factory=dict)
    heard: dict[str, str] = field(default_factory=dict)  # what agents said since it was last retold
    quiet_at: dict[str, Any] = field(default_factory=dict)  # when an agent will have been silent for long enough
    open_at: dict[str | None, Any] = field(default_factory=dict)  # when the next line of a task may come
    lines: list[str] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def listen(self, event: SessionEvent) -> None:
        """Called by whoever records: it notes and never waits. An `AgentMessage` is the summary of what follows."""
        match event:
            case TaskStarted():
                self._note(_Moment("started", event.task_id, ""))
            case TaskCompleted():
                self._note(_Moment("completed", event.task_id, event.summary))
            case TaskFailed():
                self._note(_Moment("failed", event.task_id, event.error))
            case SessionError(recoverable=True):
                self._note(_Moment("failed", None, event.message))
            case AgentOutput():
                self.heard[event.task_id] = (self.heard.get(event.task_id, "") + event.content)[-HEARD:]
                self.quiet_at[event.task_id] = self._later(self.build.tools.narrator_pause)
                self.news.set()

    def _note(self, moment: _Moment) -> None:
        if moment.kind in ("completed", "failed") and moment.task_id is not None:
            self.heard.pop(moment.task_id, None)
            self.quiet_at.pop(moment.task_id, None)
        known = self.moments.get(moment.task_id)
        if known is None or _RANKS[moment.kind] >= _RANKS[known.kind]:
            self.moments[moment.task_id] = moment
        self.news.set()

    async def run(self) -> None:
        while True:
            self._retell_silent()
            due = self._due()
            if due is not None:
                del self.moments[due.task_id]
                await self._tell(due, SECONDS)
                self.open_at[due.task_id] = self._later(self.build.tools.narrator_interval)
                continue
            self.news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience()):
                    await self.news.wait()

    def _retell_silent(self) -> None:
        now = self.build.tools.clock.now()
        for task_id in [each for each, at in self.quiet_at.items() if at <= now]:
            del self.quiet_at[task_id]
            said = self.heard.pop(task_id, "")
            if said.strip() and task_id not in self.moments:
                self.moments[task_id] = _Moment("said", task_id, said)

    def _due(self) -> _Moment | None:
        now = self.build.tools.clock.now()
        return next((each for key, each in self.moments.items() if self.open_at.get(key, now) <= now), None)

    def _patience(self) -> float | None:
        """Until the next thing could be due."""
        times = [*self.quiet_at.values(), *(self.open_at[key] for key in self.moments if key in self.open_at)]
        if not times:
            return None
        clock = self.build.tools.clock
        return wait_at_most(clock, max(0.0, (min(times) - clock.now()).total_seconds()))

    def _later(self, seconds: float) -> Any:
        return self.build.tools.clock.now() + timedelta(seconds=seconds)

    async def farewell(self, event: SessionEvent) -> None:
        """The line that stands before the last event."""
        kind = "end" if isinstance(event, SessionComplete) else "trouble"
        said = event.summary if isinstance(event, SessionComplete) else getattr(event, "message", "")
        await self._tell(_Moment(kind, None, said), LAST_SECONDS)

    async def _tell(self, moment: _Moment, seconds: float) -> None:
        text, mood = await self._line(moment, seconds)
        if text in self.lines[-SHOWN_LINES:]:
            return
        self.lines.append(text)
        told = {"from": NAME, "text": text, "mood": mood, "related_task_id": moment.task_id}
        await self.build.run.record(f"narrator/{uuid.uuid4()}", NarratorMessage.model_validate(told))

    async def _line(self, moment: _Moment, seconds: float) -> tuple[str, Mood]:
        model = await asyncio.to_thread(self.build.tools.open_narrator)
        if model is not None and self.build.run.spent() < self.build.tools.limits.token_budget:
            with suppress(ModelFault, TimeoutError):
                return await asyncio.wait_for(self._asked(model, moment), seconds)
        return self._built_in(moment)

    async def _asked(self, model: LanguageModel, moment: _Moment) -> tuple[str, Mood]:
        who, what = self._names(moment)
        told = "\n".join((f"{moment.kind}: {what} ({who})", moment.said[-HEARD:]))
        last = "\n".join(self.lines[-SHOWN_LINES:]) or "(nothing yet)"
        async with model.opened() as line:
            reply = await line.ask(
                ModelCall(
                    purpose="narrate",
                    system=f"{prompt_file('narrator')}\n\n{BOX_RULE}",
                    messages=(UserSaid(f"{boxed('event', told)}\n\n{boxed('last lines', last)}"),),
                    schema=_SCHEMA,
                    max_tokens=300,
                    timeout_seconds=SECONDS,
                    session=self.build.run.session_id,
                    task=moment.task_id,
                    brief={"kind": moment.kind},
                )
            )
        budget = self.build.tools.limits.token_budget
        await record_usage(self.build.run, f"narrator/{uuid.uuid4()}", NARRATOR, reply, budget)
        written = reply.structured or {}
        text = " ".join(str(written.get("text") or "").split())[:LONGEST]
        mood: Mood = written["mood"] if written.get("mood") in get_args(Mood) else "encouraging"
        return (text, mood) if text else self._built_in(moment)

    def _built_in(self, moment: _Moment) -> tuple[str, Mood]:
        who, what = self._names(moment)
        kind = moment.kind if moment.task_id is not None or moment.kind == "end" else "trouble"
        turn = self.turns[kind] = self.turns.get(kind, -1) + 1
        text = _LINES[kind][turn % len(_LINES[kind])].format(who=who, what=what)
        return text[:LONGEST], _MOODS.get(kind, "encouraging")

    def _names(self, moment: _Moment) -> tuple[str, str]:
        task = next((each for each in self.build.tasks if each.id == moment.task_id), None)
        return (task.agent_name, task.name) if task else ("the team", "the build")


@asynccontextmanager
async def narrating(build: Build) -> AsyncIterator[None]:
    """While it is entered, lines come beside the work."""
    narrator = Narrator(build)
    for ts, task_id, text in build.lines:  # what was said before a crash counts
        narrator.lines.append(text)
        said_at = datetime.fromisoformat(ts)
        narrator.open_at[task_id] = said_at + timedelta(seconds=build.tools.narrator_interval)
    build.run.listeners.append(narrator.listen)
    work = asyncio.create_task(narrator.run())

    async def farewell(event: SessionEvent) -> None:
        await _ended(work)
        await narrator.farewell(event)

    build.before_end = farewell
    try:
        yield
    finally:
        await _ended(work)


async def _ended(work: asyncio.Task[None]) -> None:
    """A narrator that failed must not break what it tells of."""
    while not work.done():  # a cancellation that meets the end of a wait may be lost
        work.cancel()
        await asyncio.wait({work}, timeout=HEARD_SECONDS)
    try:
        await work
    except (asyncio.CancelledError, SessionOver):
        pass
    except Exception as trouble:
        _LOG.error("the narrator failed\n%s", trace_of(trouble))
