"""Sessions for the faces: made, shown, followed, answered, stopped and deleted."""

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from loreweave.clock import format_milliseconds
from loreweave.contracts.session import (
    AnswerTaken,
    CreatedSession,
    DeletedSession,
    EventPage,
    SessionAnswer,
    SessionSummary,
    SessionView,
    StoppedSession,
    TestOutcome,
    TestReport,
)
from loreweave.contracts.session_events import CommitInfo, GateAnswered, SessionEvent, Task
from loreweave.entities.stored_session import QuestionRow, SessionRow
from loreweave.errors import FEWEST, MOST_NAMED, Conflict, InvalidInput, NotFound, Unavailable, only_one
from loreweave.seams.engine.engine import Engine
from loreweave.seams.storage.session_shelf import (
    find_session,
    frames_of,
    has_running_session,
    is_folder_taken,
    newest_sessions,
    questions_of,
    session_names,
)
from loreweave.seams.storage.store import Row
from loreweave.work.sessions.session_bell import LogReader, refuse_strange
from loreweave.work.sessions.session_log import NotTheRunner
from loreweave.work.sessions.session_run import SessionTools
from loreweave.work.sessions.session_runner import stopped

_LOG = logging.getLogger("loreweave.sessions")
LISTED = 1_000
PAGE = 1_000


@dataclass(frozen=True, eq=False, repr=False)
class SessionService:
    """`forget`: lets go of what the engine keeps of a session; `fail_at`: where a test may end the process; `address`:
    where what a build made is shown now; `moved`: where its folder is now; `on_stop`: ends what may go on after it."""

    tools: SessionTools
    reader: LogReader
    max_budget: int
    forget: Callable[[str], None]
    fail_at: Callable[[str], None]
    address: Callable[[SessionView], str | None] = lambda view: view.url
    moved: Callable[[str, str], str] = lambda session_id, path: path
    on_stop: Callable[[str], None] = lambda session_id: None

    def create(self, goal: str = "") -> CreatedSession:
        """A build that waits for its start."""
        return CreatedSession(session_id=self.tools.log.create("build", goal, {}, self.max_budget).result())

    def set_going(self, engine: Engine, session_id: str) -> None:
        """It is written down, and will be started some time: to refuse it now would be untrue."""
        try:
            engine.start(session_id)
        except Unavailable as trouble:
            _LOG.warning("session %s is started later: %s", session_id, trouble.message)

    def get(self, session_id: str) -> SessionAnswer:
        row = self.row(session_id)
        view = SessionView.model_validate_json(row.saved)
        spec = json.loads(row.given).get("spec")
        if view.nugget_dir is not None:
            view = view.model_copy(update={"nugget_dir": self.moved(session_id, view.nugget_dir)})
        # Who is asked at a gate how it looks must be able to look, before anything is deployed.
        shown = {**dict(view), "url": self.address(view)} if view.url or view.gates else dict(view)
        return SessionAnswer(**shown, spec=spec, last_seq=row.last_seq)

    def list(self) -> list[SessionSummary]:
        """The newest first."""
        with self.tools.store.read() as connection:
            rows = newest_sessions(connection, LISTED)
        return [_summary(row) for row in rows]

    def whole_id(self, given: str) -> str:
        """The id of which this is a unique beginning."""
        with self.tools.store.read() as connection:
            names: dict[str, str] = dict(session_names(connection))
        begun = given.strip().lower()
        if begun in names:
            return begun
        found = [(each, " ".join(names[each].split())[:40]) for each in names if each.startswith(begun)]
        if found and len(begun) >= FEWEST:
            return only_one("id", begun, found, "sessions")
        from loreweave.knowledge.graph.graph_library import not_found

        listed = "; `lore sessions` lists them" if len(names) > MOST_NAMED else ""
        raise not_found(f"There is no session {given[:80]!r}{listed}", given[:80], names, session_id=given[:80])

    def is_any_running(self) -> bool:
        with self.tools.store.read() as connection:
            return has_running_session(connection)

    def is_at_work_in(self, folder: str) -> bool:
        with self.tools.store.glance() as connection:
            return is_folder_taken(connection, folder)

    def tasks(self, session_id: str) -> Sequence[Task]:
        return self.get(session_id).tasks

    def commits(self, session_id: str) -> Sequence[CommitInfo]:
        return [CommitInfo(**_fields(event, CommitInfo)) for event in self._told(session_id, "commit_created")]

    def tests(self, session_id: str) -> TestReport:
        """Those of the last time they were run, each by its last result."""
        results: dict[str, TestOutcome] = {}
        coverage: dict[str, Any] = {}
        for event in self._told(session_id, "test_result", "coverage_update", "plan_ready"):
            if event["type"] == "plan_ready":
                results.clear()  # tests are run again only after a plan was changed
            elif event["type"] == "coverage_update":
                coverage = event
            else:
                results[event["test_name"]] = TestOutcome(**_fields(event, TestOutcome))
        passed = sum(result.passed for result in results.values())
        return TestReport(
            tests=list(results.values()),
            passed=passed,
            failed=len(results) - passed,
            total=len(results),
            coverage_pct=coverage.get("percentage"),
            coverage_details=coverage.get("details"),
        )

    def _told(self, session_id: str, *kinds: str) -> Iterator[dict[str, Any]]:
        """The events of these types, in order; the session must be known."""
        self.row(session_id)
        with self.tools.store.read() as connection:
            frames = frames_of(connection, session_id, kinds)
        return (event for event in map(json.loads, frames) if event["type"] in kinds)

    def events(self, session_id: str, since: int = 0, limit: int = PAGE) -> EventPage:
        frames, last_seq, _ = self.reader.page(session_id, since, min(limit, PAGE))
        return EventPage(events=[json.loads(frame) for _, frame in frames], last_seq=last_seq)

    def follow(self, session_id: str, since: int = 0, *, until_end: bool = False) -> AsyncIterator[Sequence[str]]:
        """Frames after `since`, then those that come."""
        return self.reader.follow(session_id, since, until_end=until_end)

    async def await_news(self, session_id: str, since: int, seconds: float) -> None:
        """Until there is an event after `since`, the session is over or so many seconds have passed."""
        await self.reader.await_news(session_id, since, seconds)

    def stop(self, session_id: str) -> StoppedSession:
        """Answers once the end is stored; a session that is over stays as it ended."""
        self.row(session_id)
        self.tools.log.end(session_id, stopped).result()
        self.on_stop(session_id)
        self.fail_at("session.stopped")
        return StoppedSession()

    def delete(self, session_id: str) -> DeletedSession:
        row = self.row(session_id)
        if row.state not in ("idle", "done"):
            raise Conflict("The session is running: stop it first", session_id=session_id, state=row.state)
        if row.state == "idle":
            self.stop(session_id)
        self.tools.log.delete(session_id).result()
        with suppress(Conflict):  # stopped just now, its work is still ending: it finds nothing left to do
            self.forget(session_id)
        return DeletedSession()

    def answer_gate(
        self, session_id: str, approved: bool, feedback: str, gate_id: str | None, task_id: str | None
    ) -> AnswerTaken:
        """Answers the gate named, else the oldest one that is open."""
        self._be_running(self.row(session_id), "build")
        self._know_task(session_id, task_id)
        gate = self._asked(session_id, "gate", task_id, gate_id)
        if gate is None and gate_id is not None:
            raise NotFound(f"The session has no gate {gate_id[:80]!r}", gate_id=gate_id[:80])
        if gate is None:
            raise Conflict("No gate is open in this session", session_id=session_id)
        answer = {"approved": approved, "feedback": feedback}
        told = GateAnswered(gate_id=gate.question_id, approved=approved, feedback=feedback)
        self._settle(gate, answer, told)
        return AnswerTaken()

    def answer_question(
        self, session_id: str, task_id: str, answers: dict[str, Any], question_id: str | None
    ) -> AnswerTaken:
        self._be_running(self.row(session_id), "build")
        self._know_task(session_id, task_id)
        question = self._asked(session_id, "question", task_id, question_id)
        if question is None and question_id is not None:
            raise NotFound(f"The task asked no question {question_id[:80]!r}", question_id=question_id[:80])
        if question is None:
            raise Conflict(f"The task {task_id!r} asks nothing", task_id=task_id)
        for header in question.headers:
            if question.status == "open" and header not in answers:
                raise InvalidInput(f"answers must name {header!r}", field=f"answers.{header}")
        self._settle(question, answers)
        return AnswerTaken()

    def _know_task(self, session_id: str, task_id: str | None) -> None:
        if task_id is not None and task_id not in {task.id for task in self.tasks(session_id)}:
            raise NotFound(f"The session has no task {task_id[:80]!r}", task_id=task_id[:80])

    def _asked(self, session_id: str, kind: str, place: str | None, question_id: str | None) -> QuestionRow | None:
        """The open one of what was asked there, else the last; nothing where nothing was."""
        with self.tools.store.read() as connection:
            rows = [row for row in questions_of(connection, session_id) if row.kind == kind]
        asked = [row for row in rows if place in (None, row.place) and question_id in (None, row.question_id)]
        return next((each for each in asked if each.status == "open"), asked[-1] if asked else None)

    def answer_step(
        self, session_id: str, step_id: str, answers: dict[str, Any], question_id: str | None = None
    ) -> AnswerTaken:
        """Answers what a step of a skill run asks: the question named, else the last one it asked."""
        self._be_running(self.row(session_id), "skill")
        if not answers:
            raise InvalidInput("answers must hold an answer", field="answers")
        question = self._asked(session_id, "question", step_id, question_id)
        if question is None and question_id is not None:
            raise NotFound(f"The step asked no question {question_id!r}", question_id=question_id)
        if question is None:
            raise Conflict(f"The step {step_id!r} has not asked yet", step_id=step_id)
        if len(answers) > 1 and not set(question.headers) & set(answers):
            raise InvalidInput(f"answers must name {question.headers[0]!r}", field="answers")
        self._settle(question, answers)
        return AnswerTaken()

    def running(self, session_id: str) -> SessionAnswer:
        """The session, if it is under way."""
        row = self.row(session_id)
        self._be_running(row, row.kind)
        return self.get(session_id)

    def row(self, session_id: str) -> SessionRow:
        refuse_strange(session_id)
        with self.tools.store.glance() as connection:
            row = find_session(connection, session_id)
        if row is None:
            raise NotFound(f"There is no session {session_id!r}", session_id=session_id)
        return row

    def _settle(self, question: QuestionRow, answers: dict[str, Any], told: SessionEvent | None = None) -> None:
        """Of several answers at once one wins; the others hear which."""
        if question.status == "open":
            try:
                settled = self.tools.log.answer(question.session_id, question.question_id, answers, told).result()
            except NotTheRunner:
                raise Conflict("The session is over", session_id=question.session_id) from None
            if settled is None:
                self.fail_at("session.answered")
                return
            question = settled
        facts: dict[str, Any] = {"question_id": question.question_id}
        if question.status == "answered":
            raise Conflict(f"The {question.kind} is answered already", **facts, answer=question.answer)
        said = "Nobody answered the question in time" if question.status == "late" else "The session is over"
        raise Conflict(said, **facts)

    def _be_running(self, row: SessionRow, kind: str) -> None:
        if row.kind != kind:
            name = {"build": "a build", "skill": "a skill run"}
            raise Conflict(f"This session is {name[row.kind]}, not {name[kind]}", session_id=row.session_id)
        if row.state in ("idle", "done"):
            word = "has not been started" if row.state == "idle" else "is over"
            raise Conflict(f"The session {word}", session_id=row.session_id, state=row.state)


def _fields(event: dict[str, Any], model: type[CommitInfo] | type[TestOutcome]) -> dict[str, Any]:
    return {name: event[name] for name in model.model_fields}


def _summary(row: Row) -> SessionSummary:
    session_id, kind, state, outcome, goal, created_at, waits = row
    created, ended = format_milliseconds(created_at), {"state": state, "outcome": outcome}
    return SessionSummary(id=session_id, kind=kind, **ended, waits=bool(waits), goal=goal, created_at=created)
