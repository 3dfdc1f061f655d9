"""What an edge waits for, in words, and why it did not get it: for people who look, not for moving."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from loreweave.contracts.route import RouteRule
from loreweave.contracts.route_values import RouteContext, ToolResult
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.declaring.conditions import Keywords, MessagePattern, PredicateFailed, ask_predicate
from loreweave.routing.declaring.declarations import DeclaredEntry, DeclaredRoute
from loreweave.routing.declaring.result_condition import ResultCondition, SearchPattern, WhereClause
from loreweave.routing.explain_move import READ_SKILL
from loreweave.routing.folders.bounded_pattern import BoundedPattern

LONGEST = 80  # of a value or a phrase that is quoted
MOST_PHRASES = 6


def every_rule(graph: SkillGraph) -> Iterator[RouteRule]:
    """In the order of the graph's edges."""
    tree = graph.tables.tree
    if tree is not None:
        asked = {diamond.id: diamond.predicate for diamond in tree.diamonds}
        for number, edge in enumerate(tree.edges):
            predicate = asked.get(edge.from_ or "")
            says = f"{in_words(predicate)}: {edge.label}" if predicate is not None else "the first question"
            yield _rule(number, says, question=_question(predicate))
        return
    declared = graph.declarations
    for number, entry in enumerate(declared.entries):
        yield _rule(number, entry_words(graph, entry), question=_question(entry.when), place=entry.place)
    for number, route in enumerate(declared.routes, len(declared.entries)):
        condition = route.condition
        yield _rule(
            number,
            route_words(route),
            tool=condition.named_tool if condition else None,
            statuses=list(condition.statuses) if condition else [],
            example=_example(condition.clauses) if condition else None,
            question=_question(route.when),
            carry=list(route.carry),
            place=route.place,
        )


def _rule(edge: int, says: str, *, place: Any = None, **parts: Any) -> RouteRule:
    absent: dict[str, Any] = {"tool": None, "statuses": [], "example": None, "question": None, "carry": []}
    file, line = (place.file, place.line) if place else (None, None)
    return RouteRule(edge=edge, says=says, file=file, line=line, **{**absent, **parts})


def _question(predicate: Any) -> str | None:
    """The name that files give a question which they leave to whoever asks."""
    if predicate is None or isinstance(predicate, Keywords | MessagePattern | BoundedPattern):
        return None
    name = getattr(predicate, "__name__", None)
    return name if isinstance(name, str) else None


def _example(clauses: tuple[WhereClause, ...]) -> str | None:
    """A result that all clauses hold for, one by one."""
    found: dict[str, Any] = {}
    for clause in clauses:
        at = found
        for name in clause.path[:-1]:
            inner = at.setdefault(name, {})
            at = inner if isinstance(inner, dict) else {}
        at[clause.path[-1]] = _fitting(clause)
    return json.dumps(found, ensure_ascii=False) if found else None


def _fitting(clause: WhereClause) -> Any:
    value = clause.value
    if clause.compare == "in":
        return value[0] if value else None
    if clause.compare == "!=":
        return "another" if value != "another" else "other"
    step = {"<": -1, ">": 1}.get(clause.compare, 0)
    return value + step if step and isinstance(value, int | float) else value


# What is waited for


def entry_words(graph: SkillGraph, entry: DeclaredEntry) -> str:
    said = in_words(entry.when) if entry.when is not None else ""
    if not graph.declarations.choice.automatic:
        chosen = "the model reads which it wants" if graph.entry_by == "read" else f"scored by {graph.entry_by}"
        return f"{said}; {chosen}" if said else chosen
    return said or ("always active" if entry.always else "no entry before it fits")


def route_words(route: DeclaredRoute) -> str:
    if route.when is not None:
        return in_words(route.when)
    return _condition_words(route.condition) if route.condition is not None else "the model may pick it"


def in_words(predicate: Any) -> str:
    if isinstance(predicate, Keywords):
        phrases = [_short(phrase) for phrase in predicate.phrases[:MOST_PHRASES]]
        more = " …" if len(predicate.phrases) > MOST_PHRASES else ""
        return f"the message has {' or '.join(phrases)}{more}"
    if isinstance(predicate, MessagePattern | BoundedPattern):
        source = predicate.regex if isinstance(predicate, MessagePattern) else predicate.pattern
        return f"the message matches /{source[:LONGEST]}/"
    return f"@{_question(predicate) or 'condition'} is answered yes"


def _condition_words(condition: ResultCondition) -> str:
    tool = condition.tool
    name = tool if isinstance(tool, str) else f"a tool like /{tool.pattern[:LONGEST]}/" if tool else "any tool"
    said = f"{name} returns {' or '.join(condition.statuses)}" if condition.statuses else f"{name} returns"
    return f"{said}, where {condition.where}" if condition.where else said


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f"“{cut}”" if isinstance(value, str) else cut


# Why it was not met


def why_not_message(predicate: Any, ctx: RouteContext) -> str | None:
    """None where it holds."""
    try:
        if ask_predicate(predicate, ctx):
            return None
    except PredicateFailed as failed:
        return f"its condition failed: {failed.error}"
    if isinstance(predicate, Keywords):
        return f"the message has none of {', '.join(map(_short, predicate.phrases[:MOST_PHRASES]))}"
    if isinstance(predicate, MessagePattern | BoundedPattern):
        return f"the message has nothing that {in_words(predicate).removeprefix('the message matches ')} finds"
    return f"@{_question(predicate) or 'condition'} is answered no"


def why_not_result(route: DeclaredRoute, result: ToolResult, ctx: RouteContext) -> str | None:
    """None where the edge fires for this result."""
    condition = route.condition
    named = condition.named_tool if condition else None
    if result.tool_name == READ_SKILL and named != READ_SKILL:
        return "opening a skill moves only rules that name read_skill"
    try:
        if condition is None:
            subjects = (result, ctx) if route.asks_context else (result,)
            return None if ask_predicate(route.when, *subjects) else why_not_answered(route)  # type: ignore[arg-type]
        return _unmet(condition, result)
    except PredicateFailed as failed:
        return f"its condition failed: {failed.error}"


def why_not_answered(route: DeclaredRoute) -> str:
    return f"@{_question(route.when) or 'condition'} is answered no"


def _unmet(condition: ResultCondition, result: ToolResult) -> str | None:
    tool = condition.tool
    if isinstance(tool, str):
        if result.tool_name != tool:
            return f"it waits for {tool}, and {result.tool_name} returned"
    elif tool is not None and not ask_predicate(_search, tool, result.tool_name):
        return f"{result.tool_name} is no tool like /{tool.pattern[:LONGEST]}/"
    if condition.statuses and result.status not in condition.statuses:
        came = f"came back {result.status}" if result.status else "came back without a status"
        return f"{result.tool_name} {came}, not {' or '.join(condition.statuses)}"
    data = result.data if condition.clauses else None
    if condition.clauses and not isinstance(data, dict):
        return f"what {result.tool_name} returned is no JSON object, so it has no {'.'.join(condition.clauses[0].path)}"
    return next((_unmet_clause(clause, data) for clause in condition.clauses if not clause.holds(data)), None)


def _search(tool: SearchPattern, name: str) -> bool:
    return tool.search(name) is not None


def _unmet_clause(clause: WhereClause, data: Any) -> str:
    found, name = data, ".".join(clause.path)
    for part in clause.path:
        if not isinstance(found, dict) or part not in found:
            return f"the result has no field {name}"
        found = found[part]
    wanted = list(clause.value) if isinstance(clause.value, tuple) else clause.value
    return f"{name} is {_short(found)}, and must be {clause.compare} {_short(wanted)}"
