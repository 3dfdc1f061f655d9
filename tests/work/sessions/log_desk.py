"""A session log as a process has it: store, bell, log, reader and service, and nobody who works."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.pace import PATIENCE

from loreweave.clock import SystemClock
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import (
    SESSION_EVENTS,
    QuestionOption,
    QuestionPayload,
    SessionEvent,
    SkillOutput,
    SkillQuestion,
)
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.session_shelf import find_session
from loreweave.settings import Settings
from loreweave.work.sessions.apply_event import apply_event, first_view
from loreweave.work.sessions.session_bell import LogReader, SessionBell
from loreweave.work.sessions.session_log import NewQuestion, SessionLog
from loreweave.work.sessions.session_run import SessionRun, SessionTools, take_session
from loreweave.work.sessions.session_service import SessionService

Json = dict[str, Any]
Answer = TypeVar("Answer")
BUDGET = 1_000


class EveryStep:
    """Runs each step when it is asked to: what comes of a crash is for others to test."""

    async def step(self, name: str, work: Any) -> Any:
        return await work()


class Desk:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = open_store(settings.data_dir, settings.database_url)
        self.bell = SessionBell(self.store)
        self.log = SessionLog(self.store, SystemClock(), self.bell)
        self.tools = SessionTools(self.store, SystemClock(), self.bell, self.log)
        self.reader = LogReader(self.store, self.bell)
        self.service = SessionService(self.tools, self.reader, BUDGET, lambda _: None, lambda _: None)

    def close(self) -> None:
        self.reader.close()
        self.tools.close()
        self.store.close()

    def begun(self, runner: str = "runner", kind: Any = "skill") -> str:
        """A session that this runner has taken."""
        session_id = self.log.create(kind, "goal", {}, BUDGET).result(PATIENCE)
        assert self.log.take(session_id, runner).result(PATIENCE)
        return session_id

    def record(self, session_id: str, key: str, *events: SessionEvent, runner: str = "runner") -> None:
        self.log.record(session_id, key, events, runner).result(PATIENCE)

    def ask(self, session_id: str, question_id: str = "q", *, place: str = "step", runner: str = "runner") -> str:
        question = NewQuestion(question_id, "question", place, ("Header",), None, asked(question_id, place))
        self.log.ask(session_id, f"ask {question_id}", question, runner).result(PATIENCE)
        return question_id

    async def run_of(self, session_id: str, executor: str = "here") -> SessionRun:
        run = await take_session(self.tools, session_id, EveryStep(), executor)
        assert run is not None
        return run

    def events(self, session_id: str) -> list[Json]:
        """All that was ever told."""
        told: list[Json] = []
        while page := self.service.events(session_id, len(told)).events:
            told += page
        return told

    def told(self, session_id: str) -> list[str]:
        """In short: the contents of outputs, the types of all else."""
        return [event.get("content", event["type"]) for event in self.events(session_id)]

    def saved(self, session_id: str) -> SessionView:
        with self.store.read() as connection:
            row = find_session(connection, session_id)
        assert row is not None
        view = SessionView.model_validate_json(row.saved)
        assert (row.state, row.outcome) == (view.state, view.outcome)
        return view

    def folded(self, session_id: str) -> SessionView:
        """What the stored frames come to, one by one."""
        saved = self.saved(session_id)
        view = first_view(session_id, saved.kind, BUDGET, saved.created_at)
        for frame in self.frames(session_id):
            event, ts = read_frame(frame)
            view = apply_event(view, event, ts)
        return view

    def frames(self, session_id: str) -> list[str]:
        found: list[str] = []
        while page := self.reader.page(session_id, len(found))[0]:
            found += [frame for _, frame in page]
        return found


def read_frame(frame: str) -> tuple[SessionEvent, str]:
    """The event of a frame and its time."""
    value = json.loads(frame)
    value.pop("seq")
    ts = value.pop("ts")
    return SESSION_EVENTS.validate_python(value), ts


def output(content: str) -> SkillOutput:
    return SkillOutput(skill_id="skill", step_id="step", content=content)


def asked(question_id: str, place: str = "step") -> SkillQuestion:
    option = QuestionOption(label="yes", description="")
    question = QuestionPayload(question="Which?", header="Header", options=[option], multiSelect=False)
    return SkillQuestion(skill_id="skill", step_id=place, question_id=question_id, questions=[question])


def settings_of(given: Json) -> Settings:
    return Settings(data_dir=Path(given["data_dir"]), database_url=given["database_url"])


def numbers(frames: Sequence[str]) -> list[int]:
    return [json.loads(frame)["seq"] for frame in frames]


def on_a_loop(work: Coroutine[Any, Any, Answer]) -> Answer:
    async def patient() -> Answer:
        return await asyncio.wait_for(work, PATIENCE)

    return asyncio.run(patient())


@asynccontextmanager
async def following(desk: Desk, session_id: str, since: int = 0) -> AsyncIterator[AsyncIterator[list[str]]]:
    """A follower that is let go of at the end."""
    follower = desk.reader.follow(session_id, since)
    try:
        yield follower
    finally:
        await follower.aclose()  # type: ignore[attr-defined]


async def take_frames(follower: AsyncIterator[list[str]], count: int) -> list[str]:
    """Frames until there are so many."""
    frames: list[str] = []
    while len(frames) < count:
        frames += await asyncio.wait_for(anext(follower), PATIENCE)
    return frames
