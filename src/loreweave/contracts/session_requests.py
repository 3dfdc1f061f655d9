"""Contract 004: what people tell a running build."""

from typing import Any

from pydantic import Field

from loreweave.contracts.wire import WireValue

LONGEST_FEEDBACK = 5_000


class GateRequest(WireValue):
    """The gate named, else the oldest open one; what is left out approves without a word."""

    approved: bool = True
    feedback: str = Field(default="", max_length=LONGEST_FEEDBACK)
    gate_id: str | None = None
    task_id: str | None = None


class QuestionRequest(WireValue):
    """Answers by header."""

    task_id: str
    answers: dict[str, Any]
    question_id: str | None = None
