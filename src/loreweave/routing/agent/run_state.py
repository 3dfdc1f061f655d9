"""Everything a run remembers, the same as a snapshot of plain JSON, and what it tells those who watch it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.route_values import EntryScoring, Fired, Move, RouteContext, ToolResult
from loreweave.routing.graph_problems import SkillGraphError

VERSION = 1
_MISSING = object()
ENTERING = frozenset(("entry", "route", "model-pick"))


@dataclass(slots=True)
class RunState:
    """Where a run is. `carried` is what hops handed over; `results` are not evaluated yet."""

    message: str = ""
    iteration: int = 0
    cursor: str | None = None
    leaf: str | None = None
    path: tuple[str, ...] = ()
    carried: dict[str, Any] = field(default_factory=dict)
    pick: str | None = None
    pin: str | None = None
    entry_menu: bool = False
    results: list[ToolResult] = field(default_factory=list)

    def context(self, iteration: int) -> RouteContext:
        """What the graph is asked."""
        return RouteContext(
            user_message=self.message,
            iteration=iteration,
            current_skill_id=self.cursor,
            last_tool_result=self.results[-1] if self.results else None,
            tool_results=tuple(self.results),
            pending_pick=self.pick,
            pinned_leaf=self.pin,
            entry_menu=self.entry_menu,
            path=self.path,
            state=self.carried,
        )

    def arrive(self, move: Move) -> None:
        """Where a move leads; what was picked counts for one move."""
        self.cursor, self.leaf, self.pick = move.to, move.leaf, None
        if move.by in ENTERING and move.to is not None:
            self.path = (*self.path, move.to)
        if move.payload:
            self.carried = {**self.carried, **plain_json(dict(move.payload))}


def write_snapshot(state: RunState) -> dict[str, Any]:
    return {
        "version": VERSION,
        "message": state.message,
        "iteration": state.iteration,
        "cursor": state.cursor,
        "leaf": state.leaf,
        "path": list(state.path),
        "state": plain_json(state.carried),
        "pick": state.pick,
        "pin": state.pin,
        "entryMenu": state.entry_menu,
        "results": [_write_result(result) for result in state.results],
    }


def read_snapshot(snapshot: object) -> RunState:
    """Refuses what no run has written, and says which field."""
    if not isinstance(snapshot, Mapping):
        raise SkillGraphError("a snapshot is the dict that snapshot() gave")
    if snapshot.get("version") != VERSION:
        raise SkillGraphError(f"this snapshot has version {snapshot.get('version')!r}; {VERSION} can be read")
    return RunState(
        message=_take(snapshot, "message", "text"),
        iteration=_take(snapshot, "iteration", "count"),
        cursor=_take(snapshot, "cursor", "name"),
        leaf=_take(snapshot, "leaf", "name"),
        path=tuple(_take(snapshot, "path", "texts")),
        carried=plain_json(_take(snapshot, "state", "object")),
        pick=_take(snapshot, "pick", "name"),
        pin=_take(snapshot, "pin", "name"),
        entry_menu=_take(snapshot, "entryMenu", "boolean"),
        results=[_read_result(result) for result in _take(snapshot, "results", "list")],
    )


def _write_result(result: ToolResult) -> dict[str, Any]:
    return {
        "toolName": result.tool_name,
        "result": plain_json(result.result),
        "status": result.status,
        "callId": result.call_id,
    }


def _read_result(found: Any) -> ToolResult:
    if not isinstance(found, Mapping) or "result" not in found:
        raise SkillGraphError('"results" of the snapshot holds something else than results')
    return ToolResult(
        _take(found, "toolName", "text"),
        plain_json(found["result"]),
        _take(found, "status", "text or null"),
        _take(found, "callId", "text or null"),
    )


def _take(found: Mapping[str, Any], name: str, kind: str) -> Any:
    value = found.get(name, _MISSING)
    if not _FITS[kind](value):
        raise SkillGraphError(f'"{name}" of the snapshot is missing or of another type than it was written with')
    return value


_FITS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "text or null": lambda value: value is None or isinstance(value, str),
    "name": lambda value: value is None or (isinstance(value, str) and value != ""),
    "count": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "texts": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "object": lambda value: isinstance(value, dict),
}


def plain_json(value: Any) -> Any:
    """A copy made of JSON alone. What JSON cannot say is told as text, and as None where it has none."""
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=str))
    except Exception:  # the value's own code runs here, and it may be too deep
        pass
    try:
        return str(value)
    except Exception:
        return None


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
    return {"type": "skill.rejected", "requestedId": requested, "currentSkillId": cursor, "allowed": list(allowed)}


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
