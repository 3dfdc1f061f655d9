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


@dataclass(frozen=True, slots=True)
class KnowledgeRow:
    """The graph that a build reads, as it was when the build began, and what else was known then."""

    session_id: str
    graph_id: str
    revision: int
    content_hash: str
    digest: str  # the hash of what was distilled of the graph; empty where nothing was
    memory_revision: int


@dataclass(frozen=True, slots=True)
class ReadRow:
    """One look of an agent at what the house knows. `found`: ids of nodes with their sections, memories, a skill."""

    key: str
    at: int
    task_id: str
    attempt: int
    tool: str
    asked: str
    found: dict[str, Any]
