"""Contract 004: what people ask of sessions, and what they tell a running build."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from loreweave.contracts.wire import WireValue

LONGEST_FEEDBACK = 5_000
MOST_EVENTS = 1_000

SessionId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class SessionRequest(WireValue):
    session_id: SessionId


class SessionEventsRequest(SessionRequest):
    since: int = Field(default=0, ge=0)
    limit: int = Field(default=MOST_EVENTS, ge=1, le=MOST_EVENTS)


class GateRequest(SessionRequest):
    """The gate named, else the oldest open one; what is left out approves without a word."""

    approved: bool = True
    feedback: str = Field(default="", max_length=LONGEST_FEEDBACK)
    gate_id: str | None = None
    task_id: str | None = None


class QuestionRequest(SessionRequest):
    """Answers by header."""

    task_id: str
    answers: dict[str, Any]
    question_id: str | None = None
