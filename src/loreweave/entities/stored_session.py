"""What is kept of a session besides its events."""

from dataclasses import dataclass
from typing import Any, Literal

QuestionStatus = Literal["open", "answered", "late", "over"]


@dataclass(frozen=True, slots=True)
class SessionRow:
    session_id: str
    kind: str
    state: str
    outcome: str | None
    goal: str
    created_at: int
    last_seq: int
    runner: str | None
    given: str  # JSON
    saved: str  # JSON of what the events come to


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question to people. Its answer is this row: whoever waits for it reads it here."""

    session_id: str
    question_id: str
    kind: Literal["question", "gate"]
    place: str  # the step or task that asks
    headers: tuple[str, ...]
    asked_seq: int
    deadline: int | None
    status: QuestionStatus
    answer: Any = None
