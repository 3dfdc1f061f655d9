"""What a plan may do to the world: tell what happens, ask a person, and let an agent work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from loreweave.contracts.session_events import SessionEvent


@dataclass(frozen=True, slots=True)
class SkillTurn:
    """One agent's work for a step. The prompt is filled in already."""

    skill_id: str
    skill_name: str
    step_id: str
    prompt: str


class PlanHands(Protocol):
    """Every key is the same on every run of the same plan with the same answers, and stands for one call."""

    async def record(self, key: str, *events: SessionEvent) -> None: ...

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        """What was answered; None where nobody did in time. `headers` are the names an answer may have, best first."""

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        """The agent's last text; `PlanFailure` says why there is none."""
