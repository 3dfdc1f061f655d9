"""What a run tells those who watch it: plain dicts, named as on every wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loreweave.routing.entry_values import EntryScoring
from loreweave.routing.route_values import Fired, Move

ENTERING = frozenset(("entry", "route", "model-pick"))


def describe_move(move: Move, allowed: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The events of one move, in the order in which it was decided. `allowed` is what could be picked before it."""
    if move.dropped_cursor is not None:
        yield {"type": "skill.cursor_dropped", "id": move.dropped_cursor}
    if move.conflict is not None:
        losers = [_fired(loser) for loser in move.conflict.losers]
        yield {"type": "skill.conflict", "winner": _fired(move.conflict.winner), "losers": losers}
    if move.rejected_pick is not None:
        yield describe_rejection(move.rejected_pick, move.from_, allowed)
    if move.superseded_pick is not None:
        yield {"type": "skill.superseded", "picked": move.superseded_pick, "won": move.to}
    if move.limit is not None:
        yield {"type": "skill.limit", "code": move.limit.code, "blocked": move.limit.blocked}
    if move.by in ENTERING and move.to is not None:
        yield {"type": "skill.moved", "from": move.from_, "to": move.to, "by": move.by}


def describe_rejection(requested: str, cursor: str | None, allowed: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "skill.rejected",
        "requestedId": requested,
        "currentSkillId": cursor,
        "allowed": list(allowed),
    }


def describe_scoring(scoring: EntryScoring) -> dict[str, Any]:
    return {
        "type": "skill.entry_scored",
        "scorer": scoring.scorer,
        "chosen": scoring.chosen,
        "ranked": [{"id": one.id, "score": one.score, "relevance": one.relevance} for one in scoring.ranked],
        "margin": scoring.margin,
        "tie": scoring.tie,
        "abstained": scoring.abstained,
    }


def _fired(fired: Fired) -> dict[str, Any]:
    return {"to": fired.to, "toolName": fired.tool_name, "callId": fired.call_id}
