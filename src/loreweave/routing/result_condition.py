"""A route's condition as data: on which tool, with which status, where the result says what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from loreweave.routing.route_errors import BadCondition
from loreweave.routing.route_values import STATUSES, ToolResult
from loreweave.routing.where_clause import WhereClause, parse_where

_FLAG_LETTERS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"), (re.VERBOSE, "x"))


@runtime_checkable
class SearchPattern(Protocol):
    """A compiled pattern, or what searches like one."""

    @property
    def pattern(self) -> str: ...
    @property
    def flags(self) -> int: ...
    def search(self, string: str, /) -> object | None: ...


@dataclass(frozen=True, slots=True)
class ResultCondition:
    """All that is given must hold. Compared by what it says."""

    tool: str | SearchPattern | None
    statuses: tuple[str, ...]
    where: str | None
    clauses: tuple[WhereClause, ...]

    @property
    def named_tool(self) -> str | None:
        """The tool that is named by equality."""
        return self.tool if isinstance(self.tool, str) else None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for conditions that say the same."""
        tool: object = self.tool
        if tool is not None and not isinstance(tool, str):
            tool = (self.tool.pattern, self.tool.flags)  # type: ignore[union-attr]
        return tool, tuple(sorted(self.statuses)), " ".join((self.where or "").split())

    def holds(self, result: ToolResult, read_data: Callable[[], Any]) -> bool:
        """`read_data` is asked for the result's JSON only where a clause needs it."""
        tool = self.tool
        if isinstance(tool, str):
            if result.tool_name != tool:
                return False
        elif tool is not None and tool.search(result.tool_name) is None:
            return False
        if self.statuses and result.status not in self.statuses:
            return False
        if not self.clauses:
            return True
        data = read_data()
        return isinstance(data, dict) and all(clause.holds(data) for clause in self.clauses)

    def label(self, priority: int) -> str:
        """What is drawn where no label was given."""
        parts = []
        if isinstance(self.tool, str):
            parts.append(f"on {self.tool}")
        elif self.tool is not None:
            letters = "".join(letter for flag, letter in _FLAG_LETTERS if self.tool.flags & flag)
            parts.append(f"on /{self.tool.pattern}/{letters}")
        if self.statuses:
            parts.append(f"status={','.join(self.statuses)}")
        if self.where is not None:
            parts.append(f"where {self.where}")
        if priority:
            parts.append(f"!{priority}")
        return " ".join(parts)


def read_result_condition(
    on_tool_return: str | SearchPattern | None, on_status: str | Iterable[str] | None, where: str | None
) -> ResultCondition | None:
    """None where nothing is asked for."""
    if on_tool_return is None and on_status is None and where is None:
        return None
    return ResultCondition(
        _read_tool(on_tool_return),
        _read_statuses(on_status),
        where.strip() if isinstance(where, str) else None,
        () if where is None else parse_where(where),
    )


def _read_tool(tool: str | SearchPattern | None) -> str | SearchPattern | None:
    if tool is None:
        return None
    if isinstance(tool, str):
        if not tool.strip():
            raise BadCondition("on_tool_return needs the name of a tool, and this one is blank")
        return tool
    if not isinstance(tool, SearchPattern) or not isinstance(tool.pattern, str):
        raise BadCondition("on_tool_return is the name of a tool or a compiled pattern over text")
    return tool


def _read_statuses(statuses: str | Iterable[str] | None) -> tuple[str, ...]:
    if statuses is None:
        return ()
    if not isinstance(statuses, str | Iterable):
        raise BadCondition("on_status is a status or a list of them")
    given = dict.fromkeys((statuses,) if isinstance(statuses, str) else statuses)
    unknown = [status for status in given if status not in STATUSES]
    if unknown or not given:
        said = f"{unknown[0]!r} is none" if unknown else "none was given"
        raise BadCondition(f"on_status takes one of {', '.join(STATUSES)}; {said}")
    return tuple(given)
