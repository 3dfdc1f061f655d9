"""The one resolver: where the graph is next, and why. Everything else that moves asks here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from loreweave.routing.predicates import PredicateFailed, ask_predicate
from loreweave.routing.read_only_dict import EMPTY, ReadOnlyDict
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.route_tables import LiveRoute, RouteTables
from loreweave.routing.route_values import Conflict, Fired, Limit, Move, PredicateError, RouteContext, ToolResult
from loreweave.routing.tree_walk import find_leaf

READ_SKILL = "read_skill"
_UNREAD: Any = object()


@dataclass(frozen=True, slots=True)
class _Match:
    """A result, the edge it fires, and its JSON where somebody looked at it."""

    result: ToolResult
    route: LiveRoute
    data: Any


def explain_move(tables: RouteTables, ctx: RouteContext) -> Move:
    """At most one hop, by the first rule that applies."""
    cursor = check_cursor(ctx.current_skill_id)
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
    move = explain_move(tables, ctx)
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


def _matches(routes: tuple[LiveRoute, ...], ctx: RouteContext, errors: list[PredicateError]) -> list[_Match]:
    """The best edge of each result, in the order of the calls."""
    results = ctx.tool_results
    if results is None:
        results = () if ctx.last_tool_result is None else (ctx.last_tool_result,)
    if not routes or not results:
        return []
    found = (_best_match(routes, result, ctx, errors) for result in results)
    return [match for match in found if match is not None]


def _best_match(
    routes: tuple[LiveRoute, ...], result: ToolResult, ctx: RouteContext, errors: list[PredicateError]
) -> _Match | None:
    data = _UNREAD

    def read_data() -> Any:
        nonlocal data
        if data is _UNREAD:
            data = result.data
        return data

    reading_skill = result.tool_name == READ_SKILL
    for route in routes:
        declared, condition = route.declared, route.declared.condition
        if reading_skill and (condition is None or condition.named_tool != READ_SKILL):
            continue
        try:
            if condition is not None:
                held = ask_predicate(condition.holds, result, read_data)  # a guarded pattern may give up
            elif declared.asks_context:
                held = ask_predicate(declared.when, result, ctx)  # type: ignore[arg-type]
            else:
                held = ask_predicate(declared.when, result)  # type: ignore[arg-type]
        except PredicateFailed as failed:
            errors.append(PredicateError(declared.from_, declared.to, failed.error))
            continue
        if held:
            return _Match(result, route, data)
    return None


def _conflict(won: _Match, matches: list[_Match]) -> Conflict | None:
    winner = won.route.declared.to
    losers = tuple(_fired(match) for match in matches if match.route.declared.to != winner)
    return Conflict(_fired(won), losers) if losers else None


def _fired(match: _Match) -> Fired:
    return Fired(match.route.declared.to, match.result.tool_name, match.result.call_id)


def _payload(won: _Match) -> ReadOnlyDict:
    """The carried fields that the result has."""
    carry = won.route.declared.carry
    if not carry:
        return EMPTY
    data = won.result.data if won.data is _UNREAD else won.data
    if not isinstance(data, dict):
        return EMPTY
    return ReadOnlyDict({name: data[name] for name in carry if name in data})


def _limit(tables: RouteTables, path: tuple[str, ...], target: str) -> Limit | None:
    limits = tables.limits
    if limits.max_hops is not None and len(path) - 1 >= limits.max_hops:
        return Limit("max_hops", target)
    if limits.max_visits is not None and path.count(target) >= limits.max_visits:
        return Limit("max_visits", target)
    return None
