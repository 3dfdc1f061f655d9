"""What a turn is given and how it may fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from loreweave.contracts.session_events import QuestionPayload, SessionEvent
from loreweave.errors import LoreError
from loreweave.work.agents.agent_tools import AgentTools

QuestionEvent = Callable[[str, list[QuestionPayload]], SessionEvent]


class TurnFailed(LoreError):
    """The agent's work came to nothing; the code `budget` says that no tokens are left."""

    code = "turn_failed"


@dataclass(frozen=True, slots=True)
class TurnLimits:
    rounds: int = 25
    seconds: float = 300.0  # of work; waiting for people is not counted
    token_budget: int = 500_000  # of the whole session


@dataclass(frozen=True)
class TurnOrder:
    """One agent's work. `key` is its path in the session: unique there, and the same on every replay.

    `question_event` makes the event of a question from its id and what is asked: it differs by kind of session.
    """

    purpose: Literal["skill", "agent"]
    session_id: str
    task: str | None
    agent_name: str
    system: str
    prompt: str
    tools: AgentTools
    key: str
    question_event: QuestionEvent
    brief: Mapping[str, Any] = field(default_factory=dict)


class TurnHands(Protocol):
    """What a turn may do to its session; keys and names are those of the whole session."""

    async def record(self, key: str, *events: SessionEvent) -> None: ...

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        """What was answered; None where nobody did in time."""

    async def step(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any: ...

    def spent(self) -> int:
        """Tokens recorded so far in the session."""

    def cost(self) -> float:
        """Dollars recorded so far in the session."""
