"""Contract 004 as tools: what they are asked, and the status they answer."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from loreweave.contracts.session import SessionAnswer
from loreweave.contracts.session_requests import SessionId
from loreweave.contracts.wire import WireValue

SHOWN_EVENTS = 200
LONGEST_WAIT = 60  # seconds; clients and proxies give up on calls that take longer
SHOWN_CHARACTERS = 400_000  # of events; one that is longer is still told
GREATEST_SEQ = 2**53 - 1

StepId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class RunSkillTool(WireValue):
    """All are looked at by the reader of plans, which names the place of whatever is wrong."""

    plan: Any
    allSkills: Any = None
    request_id: Any = None


class SessionStatusTool(WireValue):
    session_id: SessionId
    since: int = Field(default=0, ge=0, le=GREATEST_SEQ, description="events after this number")
    wait_s: float = Field(default=0.0, ge=0, le=LONGEST_WAIT, description="seconds to wait for news, if there is none")


class AnswerQuestionTool(WireValue):
    session_id: SessionId
    step_id: StepId
    answers: dict[str, Any] = Field(description="by header: {header: answer}")
    question_id: str | None = Field(default=None, description="which question, where a step asked several")


class SessionStatus(WireValue):
    """The session, and what it told after `since`; with `more`, ask again from `next_since` on."""

    session: SessionAnswer
    events: list[dict[str, Any]]
    next_since: int
    more: bool
