"""The one resolver: where the graph is next, and why. Everything else that moves asks here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loreweave.contracts.route_values import (
    EMPTY,
    Fired,
    Limit,
    Move,
    PredicateError,
    ReadOnlyDict,
    RouteConflict,
    RouteContext,
    ToolResult,
)
from loreweave.routing.declaring.conditions import PredicateFailed, ask_predicate, one_question
from loreweave.routing.declaring.decision_tree import find_leaf
from loreweave.routing.graph_problems import SkillGraphError
from loreweave.routing.route_tables import LiveRoute, RouteTables

READ_SKILL = "read_skill"
_UNREAD: Any = object()


class _ReadResult:
    """A result whose JSON is read once, and only if somebody looks at it."""

    __slots__ = ("_data", "result")

    def __init__(self, result: ToolResult) -> None:
        self.result = result
        self._data = _UNREAD

    def data(self) -> Any:
        if self._data is _UNREAD:
            self._data = self.result.data
        return self._data


class _FiredEdge:
    """A result and the edge it fires."""

    __slots__ = ("reading", "route")

    def __init__(self, reading: _ReadResult, route: LiveRoute) -> None:
        self.reading, self.route = reading, route


def explain_move(tables: RouteTables, ctx: RouteContext) -> Move:
    """At most one hop, by the first rule that applies."""
    cursor = check_cursor(ctx.current_skill_id)
    if tables.asks_patterns:
        with one_question():
            return _move(tables, ctx, cursor)
    return _move(tables, ctx, cursor)


def _move(tables: RouteTables, ctx: RouteContext, cursor: str | None) -> Move:
    if tables.tree is not None:
        return _move_in_tree(tables, ctx)
    if cursor is None:
        return _move_from_outside(tables, ctx, None)
    if cursor not in tables.positions:
        return _move_from_outside(tables, ctx, cursor)
    return _move_from_cursor(tables, ctx, cursor)


def check_cursor(cursor: str | None) -> str | None:
    if cursor == "":
        raise SkillGraphError("the current skill is an empty text; leave it out when the graph is nowhere yet")
    return cursor


def active_after(tables: RouteTables, ctx: RouteContext) -> tuple[str, ...]:
    """The skills that are active once the graph has moved."""
    return active_in(tables, explain_move(tables, ctx))


def active_in(tables: RouteTables, move: Move) -> tuple[str, ...]:
    if tables.tree is not None:
        return () if move.leaf is None else (move.leaf,)
    return tables.active_at(move.to)


def _move_in_tree(tables: RouteTables, ctx: RouteContext) -> Move:
    assert tables.tree is not None
    cursor, pinned = ctx.current_skill_id, ctx.pinned_leaf
    if pinned is not None and pinned in tables.leaf_set:
        return Move(from_=cursor, to=cursor, by="model-pick", leaf=pinned, ended=pinned in tables.ends)
    leaf, errors = find_leaf(tables.tree, ctx)
    if leaf not in tables.positions:
        leaf = None
    return Move(
        from_=cursor,
        to=cursor,
        by="tree",
        leaf=leaf,
        rejected_pick=pinned,
        predicate_errors=errors,
        ended=leaf in tables.ends,
    )


def _move_from_outside(tables: RouteTables, ctx: RouteContext, dropped: str | None) -> Move:
    """Entries in order, then the model's pick among them."""
    errors: list[PredicateError] = []
    pick = ctx.pending_pick
    allowed = pick in tables.entry_set
    rejected = None if allowed else pick
    if not (tables.by_read or ctx.entry_menu):
        for entry in tables.entries:
            declared = entry.declared
            if declared.when is None or _holds(declared.when, ctx, declared.to, errors):
                return Move(
                    to=declared.to,
                    by="entry",
                    edge=entry.edge,
                    dropped_cursor=dropped,
                    rejected_pick=rejected,
                    superseded_pick=pick if allowed and pick != declared.to else None,
                    predicate_errors=tuple(errors),
                    ended=declared.to in tables.ends,
                )
    limit = _limit(tables, ctx.path, pick) if allowed and pick is not None else None
    to = pick if allowed and limit is None else None
    return Move(
        to=to,
        by="limit" if limit else "model-pick" if allowed else "none",
        dropped_cursor=dropped,
        rejected_pick=rejected,
        predicate_errors=tuple(errors),
        limit=limit,
        ended=to in tables.ends,
    )


def _holds(when: Any, ctx: RouteContext, to: str, errors: list[PredicateError]) -> bool:
    try:
        return ask_predicate(when, ctx)
    except PredicateFailed as failed:
        errors.append(PredicateError(None, to, failed.error))
        return False


def _move_from_cursor(tables: RouteTables, ctx: RouteContext, cursor: str) -> Move:
    """A conditioned edge, then the model's pick, then stay."""
    errors: list[PredicateError] = []
    matches = _matches(tables.out.get(cursor, ()), ctx, errors)
    if ctx.pending_pick is None and not errors:
        if not matches:
            return tables.stay(cursor)
        if len(matches) == 1 and not tables.limited and not matches[0].route.declared.carry:
            return tables.hop(matches[0].route)
    won = max(matches, key=lambda match: match.route.declared.priority) if matches else None  # the first of equals
    pick = ctx.pending_pick
    allowed = pick is not None and (pick == cursor or tables.may_jump(cursor, pick))
    target = won.route.declared.to if won else pick if allowed else None
    if target == cursor and won is None:
        target = None  # picking where it is means staying
    limit = _limit(tables, ctx.path, target) if target is not None else None
    to = cursor if target is None or limit else target
    return Move(
        from_=cursor,
        to=to,
        by="limit" if limit else "route" if won else "model-pick" if target else "stay",
        edge=won.route.edge if won and not limit else None,
        conflict=_conflict(won, matches) if won else None,
        rejected_pick=None if allowed else pick,
        superseded_pick=pick if allowed and won and pick != target else None,
        predicate_errors=tuple(errors) if errors else (),
        limit=limit,
        payload=_payload(won) if won and not limit else EMPTY,
        ended=to in tables.ends,
    )


def _matches(routes: tuple[LiveRoute, ...], ctx: RouteContext, errors: list[PredicateError]) -> list[_FiredEdge]:
    """The best edge of each result, in the order of the calls."""
    results = ctx.tool_results
    if results is None:
        results = () if ctx.last_tool_result is None else (ctx.last_tool_result,)
    if not routes or not results:
        return []
    found = []
    for result in results:
        match = _best_match(routes, result, ctx, errors)
        if match is not None:
            found.append(match)
    return found


def _best_match(
    routes: tuple[LiveRoute, ...], result: ToolResult, ctx: RouteContext, errors: list[PredicateError]
) -> _FiredEdge | None:
    tool = result.tool_name
    reading = None
    for route in routes:
        named = route.named_tool
        if named != tool and (named is not None or tool == READ_SKILL):
            continue
        reading = reading or _ReadResult(result)
        if _holds_for(route, reading, ctx, errors):
            return _FiredEdge(reading, route)
    return None


def _holds_for(route: LiveRoute, reading: _ReadResult, ctx: RouteContext, errors: list[PredicateError]) -> bool:
    declared = route.declared
    try:
        if declared.condition is not None:
            return ask_predicate(declared.condition.holds, reading.result, reading.data)  # a pattern may give up
        if declared.asks_context:
            return ask_predicate(declared.when, reading.result, ctx)  # type: ignore[arg-type]
        return ask_predicate(declared.when, reading.result)  # type: ignore[arg-type]
    except PredicateFailed as failed:
        errors.append(PredicateError(declared.from_, declared.to, failed.error))
        return False


def _conflict(won: _FiredEdge, matches: list[_FiredEdge]) -> RouteConflict | None:
    winner = won.route.declared.to
    losers = tuple(_fired(match) for match in matches if match.route.declared.to != winner)
    return RouteConflict(_fired(won), losers) if losers else None


def _fired(match: _FiredEdge) -> Fired:
    return Fired(match.route.declared.to, match.reading.result.tool_name, match.reading.result.call_id)


def _payload(won: _FiredEdge) -> ReadOnlyDict:
    """The carried fields that the result has."""
    carry = won.route.declared.carry
    if not carry:
        return EMPTY
    data = won.reading.data()
    if not isinstance(data, dict):
        return EMPTY
    return ReadOnlyDict({name: data[name] for name in carry if name in data})


def _limit(tables: RouteTables, path: Sequence[str], target: str) -> Limit | None:
    limits = tables.limits
    if limits.max_hops is not None and len(path) - 1 >= limits.max_hops:
        return Limit("max_hops", target)
    if limits.max_visits is not None and path.count(target) >= limits.max_visits:
        return Limit("max_visits", target)
    return None
