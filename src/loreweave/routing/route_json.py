"""The values of routing as plain JSON: camelCase, `from_` as `from`, absent facts null and never missing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from loreweave.routing.checkup_values import GraphCheckup, GraphProblem
from loreweave.routing.entry_values import EntryPolicy, EntryScore, EntryScoring
from loreweave.routing.route_values import (
    Conflict,
    Fired,
    Limit,
    Message,
    Move,
    PredicateError,
    RouteContext,
    SkillEdge,
    SkillNode,
    ToolResult,
)
from loreweave.routing.skill import Skill

Value = (
    Conflict
    | EntryPolicy
    | EntryScore
    | EntryScoring
    | Fired
    | GraphCheckup
    | GraphProblem
    | Limit
    | Message
    | Move
    | PredicateError
    | RouteContext
    | SkillEdge
    | SkillNode
    | ToolResult
)


def to_json(value: Value) -> dict[str, Any]:
    """A fresh dict that `json.dumps` takes as it is. What JSON cannot say, such as NaN, is null."""
    return {wire_name(field.name): plain_json(getattr(value, field.name)) for field in fields(value)}


def skill_json(skill: Skill) -> dict[str, Any]:
    """What a list of skills tells of each; the body is read on its own."""
    return {
        "id": skill.id,
        "description": skill.description,
        "tools": list(skill.tool_names),
        "trigger": skill.trigger.kind if skill.trigger else None,
        "end": skill.end,
        "resources": list(skill.resources),
    }


def values_json(values: Iterable[Value]) -> list[dict[str, Any]]:
    return [to_json(value) for value in values]


def wire_name(name: str) -> str:
    """`dropped_cursor` is `droppedCursor`, and `from_` is `from`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def plain_json(value: Any) -> Any:
    """What the caller put in keeps its own names; only the fields of our values are renamed."""
    if is_dataclass(value) and not isinstance(value, type):
        return to_json(value)  # type: ignore[arg-type]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        return [plain_json(item) for item in items]
    return str(value)
