"""Events of steps that need nobody are kept together and written at once: a write costs more than such a step."""

from __future__ import annotations

from loreweave.contracts.session_events import SessionEvent
from loreweave.work.skill_plans.plan_hands import PlanHands

TOGETHER = 50


class EventJournal:
    """Writes at points that only the plan and its answers decide, so every run writes the same under the same key."""

    def __init__(self, hands: PlanHands) -> None:
        self._hands = hands
        self._key = ""
        self._events: list[SessionEvent] = []

    def note(self, key: str, *events: SessionEvent) -> None:
        if not self._events:
            self._key = key
        self._events += events

    async def settle(self) -> None:
        """Writes where much has gathered."""
        if len(self._events) >= TOGETHER:
            await self.flush()

    async def flush(self) -> None:
        """Before anyone is waited for: whoever watches must see why nothing moves."""
        if self._events:
            events, self._events = self._events, []
            await self._hands.record(self._key, *events)
