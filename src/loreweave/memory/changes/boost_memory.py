"""Importance raised or lowered."""

from loreweave.contracts.memory import BoostAnswer
from loreweave.contracts.memory_requests import BoostRequest
from loreweave.memory.change import Change
from loreweave.memory.states import find_live

PLACES = 6


def boost_memory(change: Change, request: BoostRequest) -> BoostAnswer:
    before = find_live(change.connection, request.node_id, change.now)
    wanted = round(before.importance + request.delta, PLACES)
    importance = min(1.0, max(0.0, wanted)) + 0.0  # never a negative zero
    after = change.update(before, importance=importance)
    change.note(after, "boosted", old=before.importance, delta=request.delta, new=importance)
    return BoostAnswer(
        node_id=after.node_id,
        old_importance=before.importance,
        delta=request.delta,
        new_importance=importance,
        clamped=wanted != importance,
    )
