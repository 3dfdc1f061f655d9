"""The log of every session: written first, and the only truth. Whoever watches reads what stands here."""

import json
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from loreweave.clock import Clock, format_milliseconds, instant
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import (
    BoardState,
    DeployProgress,
    QuestionAnswered,
    SerialData,
    SessionEvent,
    SessionKind,
    SessionStarted,
)
from loreweave.entities.stored_session import QuestionRow, SessionRow
from loreweave.errors import Conflict, NotFound
from loreweave.seams.storage.session_shelf import (
    claim_session,
    close_questions,
    delete_session,
    find_question,
    find_session,
    grow_session,
    insert_events,
    insert_question,
    insert_session,
    leave_folder,
    save_session,
    set_runner,
    settle_question,
    take_folder,
)
from loreweave.seams.storage.store import Connection, Store
from loreweave.work.sessions.apply_event import apply_event, first_view, frame_of, sendable
from loreweave.work.sessions.group_writer import GroupWriter
from loreweave.work.sessions.session_bell import CHANNEL, SessionBell, Standing, gone

Result = TypeVar("Result")
_MAY_FOLLOW = (SerialData, BoardState, DeployProgress)  # the end of a session: a board goes on, and may be flashed
_REQUESTS = uuid.UUID("6f6a3d53-4f0e-4c43-9d0a-6f1b7c0f7a10")  # a request_id is a name in here


class NotTheRunner(Exception):
    """The session is over, or another runner has taken it: this one has nothing more to say."""


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question about to be asked; `event` is made with the id it gets."""

    question_id: str
    kind: Any
    place: str
    headers: tuple[str, ...]
    deadline: int | None
    event: SessionEvent


class SessionLog:
    """Adds to logs. Every method answers at once with a future that is done when it is on the disk."""

    def __init__(self, store: Store, clock: Clock, bell: SessionBell) -> None:
        self._store = store
        self._clock = clock
        self._bell = bell
        self._writer = GroupWriter(store)

    def close(self) -> None:
        self._writer.close()

    def create(
        self,
        kind: SessionKind,
        goal: str,
        given: Any,
        max_budget: int,
        warnings: Sequence[str] = (),
        request_id: str | None = None,
    ) -> "Future[str]":
        """A new session whose log begins with `session_started`; under a `request_id`, whose session has its id by it,
        the one that was made with it before, if it was given the same."""
        session_id = str(uuid.uuid4() if request_id is None else uuid.uuid5(_REQUESTS, request_id))
        started = SessionStarted(session_id=session_id, kind=kind, warnings=list(warnings) or None)
        text = json.dumps(given)

        def job(connection: Connection) -> tuple[str, Standing | None]:
            now = instant(self._clock.now())
            view = first_view(session_id, kind, max_budget, format_milliseconds(now))
            saved = view.model_dump_json()
            row = SessionRow(session_id, kind, view.state, None, goal, now, 0, None, text, saved)
            if insert_session(connection, row):
                return session_id, self._append(connection, self._hold(connection, session_id, 1), [started])
            known = find_session(connection, session_id)
            if known is None or json.loads(known.given) != given:
                raise Conflict("The request_id was used for a different run", request_id=request_id)
            return session_id, None

        return self._submit(session_id, job)

    def claim(
        self, session_id: str, goal: str, given: Any, folder: str | None, started: SessionEvent
    ) -> "Future[Literal['claimed', 'begun', 'folder']]":
        """Starts a build that waits for it: of several starts one wins, and of several builds of one folder too."""
        text = json.dumps(given)

        def job(connection: Connection) -> tuple[Literal["claimed", "begun", "folder"], Standing | None]:
            held = self._hold(connection, session_id, 1)
            if held.view.state != "idle" or not claim_session(connection, session_id, goal, text):
                return self._let_go(connection, held, "begun")
            if folder is not None and not take_folder(connection, session_id, folder):
                claim_session(connection, session_id, "", "{}")
                return self._let_go(connection, held, "folder")
            return "claimed", self._append(connection, held, [started])

        return self._submit(session_id, job)

    def take(self, session_id: str, runner: str) -> "Future[bool]":
        """From now on only this runner records for the session's work; false where there is nothing left to do."""
        return self._writer.submit(session_id, lambda connection: set_runner(connection, session_id, runner))

    def record(self, session_id: str, key: str, events: Sequence[SessionEvent], runner: str) -> "Future[None]":
        """All of the events or none; nothing where they were recorded before."""

        def job(connection: Connection) -> tuple[None, Standing | None]:
            held = self._hold(connection, session_id, len(events), runner)
            standing = self._append(connection, held, events, key)
            return (None, standing) if standing else self._let_go(connection, held, None)

        return self._submit(session_id, job)

    def ask(self, session_id: str, key: str, question: NewQuestion, runner: str) -> "Future[QuestionRow]":
        """The question as it stands: open when it was asked just now, perhaps answered when it was asked before."""

        def job(connection: Connection) -> tuple[QuestionRow, Standing | None]:
            held = self._hold(connection, session_id, 1, runner)
            known = find_question(connection, session_id, question.question_id)
            if known is not None:
                return self._let_go(connection, held, known)
            standing = self._append(connection, held, [question.event], key)
            if standing is None:
                raise NotTheRunner  # asked under this key before, and deleted since
            row = QuestionRow(
                *(session_id, question.question_id, question.kind, question.place, question.headers),
                *(standing.last_seq, question.deadline, "open"),
            )
            insert_question(connection, row)
            return row, standing

        return self._submit(session_id, job)

    def answer(
        self, session_id: str, question_id: str, answer: Any, event: SessionEvent | None = None
    ) -> "Future[QuestionRow | None]":
        """Of several answers one wins: nothing for it, for the others the question as it was settled."""

        def job(connection: Connection) -> tuple[QuestionRow | None, Standing | None]:
            held = self._hold(connection, session_id, 1)
            if not settle_question(connection, session_id, question_id, "answered", answer):
                settled = find_question(connection, session_id, question_id)
                if settled is None:
                    raise NotFound(f"There is no question {question_id!r}", question_id=question_id)
                return self._let_go(connection, held, settled)
            told = event or QuestionAnswered(question_id=question_id, answers=answer)
            return None, self._append(connection, held, [told])

        return self._submit(session_id, job)

    def give_up(self, session_id: str, question_id: str, runner: str) -> "Future[QuestionRow]":
        """Nobody answered in time, unless somebody just did: the question as it is settled."""

        def job(connection: Connection) -> tuple[QuestionRow, Standing | None]:
            held = self._hold(connection, session_id, 1, runner)
            is_late = settle_question(connection, session_id, question_id, "late", None)
            settled = find_question(connection, session_id, question_id)
            if settled is None:
                raise NotTheRunner
            if not is_late:
                return self._let_go(connection, held, settled)
            told = QuestionAnswered(question_id=question_id, timed_out=True)
            return settled, self._append(connection, held, [told])

        return self._submit(session_id, job)

    def end(
        self, session_id: str, event: Callable[[SessionView], SessionEvent], runner: str | None = None
    ) -> "Future[bool]":
        """Ends the session with this event; false where it had ended before. Given a runner, only if it has it."""

        def job(connection: Connection) -> tuple[bool, Standing | None]:
            held = self._hold(connection, session_id, 1, runner)
            if held.view.state == "done":
                return self._let_go(connection, held, False)
            return True, self._append(connection, held, [event(held.view)])

        return self._submit(session_id, job)

    def follow_up(self, session_id: str, events: Sequence[SessionEvent]) -> "Future[None]":
        """What a board says and what is done to it by hand, while the session runs and after its end."""

        def job(connection: Connection) -> tuple[None, Standing | None]:
            return None, self._append(connection, self._hold(connection, session_id, len(events)), events)

        return self._submit(session_id, job)

    def delete(self, session_id: str) -> "Future[None]":
        """The session and all that is kept of it."""

        def job(connection: Connection) -> tuple[None, Standing]:
            self._hold(connection, session_id, 0)
            delete_session(connection, session_id)
            return None, gone(session_id)

        return self._submit(session_id, job)

    def _submit(self, session_id: str, job: Callable[[Connection], tuple[Result, Standing | None]]) -> "Future[Result]":
        """Rings once what the job wrote can be read."""

        def announced(connection: Connection) -> tuple[Result, Standing | None]:
            result, standing = job(connection)
            if standing is not None:
                self._store.announce(connection, CHANNEL, standing.told())
            return result, standing

        written = self._writer.submit(session_id, announced)
        answer: Future[Result] = Future()
        written.add_done_callback(lambda done: self._settle(done, answer))
        return answer

    def _settle(self, done: "Future[tuple[Result, Standing | None]]", answer: "Future[Result]") -> None:
        trouble = done.exception()
        if trouble is not None:
            _tell(answer.set_exception, trouble)
            return
        result, standing = done.result()
        if standing is not None:
            self._bell.ring(standing)
        _tell(answer.set_result, result)

    def _hold(self, connection: Connection, session_id: str, count: int, runner: str | None = None) -> "_Held":
        """Takes the next numbers, and with them the session's row until the transaction ends.

        Everybody takes it before looking anything up: two who take rows crosswise wait for one another, and a look
        before another's commit sees too little.
        """
        grown = grow_session(connection, session_id, count)
        if grown is None:
            raise NotFound(f"There is no session {session_id!r}", session_id=session_id)
        last_seq, owner, state, saved = grown
        if runner is not None and (state == "done" or runner != owner):
            raise NotTheRunner
        return _Held(session_id, last_seq - count, count, SessionView.model_validate_json(saved))

    def _let_go(self, connection: Connection, held: "_Held", result: Result) -> tuple[Result, None]:
        """Nothing is to be added after all: the numbers are given back."""
        grow_session(connection, held.session_id, -held.count)
        return result, None

    def _append(
        self, connection: Connection, held: "_Held", events: Sequence[SessionEvent], key: str | None = None
    ) -> Standing | None:
        """The one place where a log grows: numbers, events and what they come to, in one transaction.

        Nothing is added, and nothing answered, where the key was recorded before.
        """
        view = held.view
        was_over = view.state == "done"
        if was_over and not all(isinstance(event, _MAY_FOLLOW) for event in events):
            raise NotTheRunner
        ts = format_milliseconds(instant(self._clock.now()))
        rows: list[tuple[int, str | None, str]] = []
        for seq, event in enumerate(events, held.before + 1):
            kept, text = sendable(event)
            view = apply_event(view, kept, ts)
            rows.append((seq, None if rows else key, frame_of(text, seq, ts)))
        if not insert_events(connection, held.session_id, rows):
            return None
        if view is not held.view:
            save_session(connection, held.session_id, view.state, view.outcome, view.model_dump_json())
        if view.state == "done" and not was_over:
            close_questions(connection, held.session_id)
            leave_folder(connection, held.session_id)
        return Standing(held.session_id, held.before + held.count, view.state == "done")


@dataclass(frozen=True, slots=True)
class _Held:
    """A session whose row is ours: the last number before those taken, how many they are, and what it comes to."""

    session_id: str
    before: int
    count: int
    view: SessionView


def _tell(say: Callable[[Any], None], what: Any) -> None:
    with suppress(InvalidStateError):  # whoever asked has left
        say(what)
