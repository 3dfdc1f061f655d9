"""Contract 004: sessions as they are asked for, and the answers people give them."""

from typing import Any, Literal

from pydantic import Field

from loreweave.contracts.session_events import (
    Agent,
    Outcome,
    QuestionPayload,
    SessionKind,
    Task,
)
from loreweave.contracts.wire import WireValue, absent_when_none

SessionState = Literal["idle", "planning", "executing", "testing", "deploying", "reviewing", "done"]


class SpentTokens(WireValue):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    max_budget: int
    cost_usd: float


class SkillProgress(WireValue):
    skill_id: str
    status: Literal["running", "completed", "failed"]
    result: str | None
    error: str | None


class OpenGate(WireValue):
    gate_id: str
    task_id: str
    question: str
    context: str


class OpenQuestion(WireValue):
    """Asked by a task of a build, or by a step of a skill run. Without a `deadline` it waits for ever."""

    question_id: str
    task_id: str | None = Field(default=None, exclude_if=absent_when_none)
    step_id: str | None = Field(default=None, exclude_if=absent_when_none)
    questions: list[QuestionPayload]
    deadline: str | None = Field(default=None, exclude_if=absent_when_none)


class SessionView(WireValue):
    """What the events of a session come to."""

    id: str
    kind: SessionKind
    state: SessionState
    outcome: Outcome | None
    error: str | None
    tasks: list[Task]
    agents: list[Agent]
    explanation: str | None
    deployment_target: str | None
    nugget_dir: str | None
    url: str | None
    gates: list[OpenGate]
    questions: list[OpenQuestion]
    tokens: SpentTokens | None
    skill: SkillProgress | None
    warnings: list[str]
    created_at: str
    ended_at: str | None


class SessionAnswer(SessionView):
    """The whole of a session: what it was started with, and how far its log goes."""

    spec: dict[str, Any] | None
    last_seq: int


class SessionSummary(WireValue):
    """`waits`: a question or a gate is open, and a person is needed."""

    id: str
    kind: SessionKind
    state: SessionState
    outcome: Outcome | None
    waits: bool
    goal: str
    created_at: str


class CreatedSession(WireValue):
    session_id: str


class StoppedSession(WireValue):
    status: Literal["stopped"] = "stopped"


class DeletedSession(WireValue):
    status: Literal["deleted"] = "deleted"


class AnswerTaken(WireValue):
    status: Literal["ok"] = "ok"


class EventPage(WireValue):
    """Events as they were sent, with the number of the last one there is."""

    events: list[dict[str, Any]]
    last_seq: int


class TestOutcome(WireValue):
    __test__ = False  # no test of ours, whatever its name

    test_name: str
    passed: bool
    details: str


class TestReport(WireValue):
    __test__ = False

    tests: list[TestOutcome]
    passed: int
    failed: int
    total: int
    coverage_pct: float | None
    coverage_details: dict[str, Any] | None
