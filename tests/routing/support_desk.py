"""A small support desk that the tests of routing share."""

from collections.abc import Iterable
from typing import Any

from loreweave import RouteContext, Skill, ToolResult, define_skill


def skill(name: str, **more: Any) -> Skill:
    return define_skill(name, f"About {name}", f"Do {name}.", **more)


def skills(names: str | Iterable[str]) -> list[Skill]:
    return [skill(name) for name in (names.split() if isinstance(names, str) else names)]


def at(cursor: str | None = None, *results: ToolResult, **more: Any) -> RouteContext:
    return RouteContext(current_skill_id=cursor, tool_results=results or None, **more)


def returned(tool: str, result: Any = "", status: str | None = None, call: str | None = None) -> ToolResult:
    return ToolResult(tool, result, status, call)
