"""A route's condition as data: on which tool, with which status, where the result says what."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from loreweave.contracts.route_values import STATUSES, ToolResult
from loreweave.routing.graph_problems import BadCondition

_FLAG_LETTERS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"), (re.VERBOSE, "x"))
_FIELD = re.compile(r"\s*+([\w$@-]++(?:\.[\w$@-]++)*+)")
_OPERATOR = re.compile(r"\s*+(==|!=|<=|>=|<|>|in(?=[\s\[]))")
_AND = re.compile(r"\s++and\s++")
_SPACE = re.compile(r"\s*+")
_WORD = re.compile(r"""[^\s,\[\]{}"'=<>!]++""")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
_DECODER = json.JSONDecoder()
_ORDERS: dict[str, Callable[..., bool]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_MISSING = object()


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


@dataclass(frozen=True, slots=True)
class WhereClause:
    """One comparison; false wherever its field is missing."""

    path: tuple[str, ...]
    compare: str
    value: Any

    def holds(self, data: Any) -> bool:
        found = data
        for name in self.path:
            found = found.get(name, _MISSING) if isinstance(found, dict) else _MISSING
        if found is _MISSING:
            return False
        if self.compare == "==":
            return same_json(found, self.value)
        if self.compare == "!=":
            return not same_json(found, self.value)
        if self.compare == "in":
            return any(same_json(found, one) for one in self.value)
        return _is_number(found) and _is_number(self.value) and _ORDERS[self.compare](found, self.value)


def parse_where(text: str) -> tuple[WhereClause, ...]:
    """The clauses, all of which must hold. What cannot be read is a BadCondition that says where."""
    if not isinstance(text, str) or not text.strip():
        raise BadCondition("where needs a text like `amount > 100`")
    found: list[WhereClause] = []
    end = 0
    while True:
        clause, end = _read_clause(text, end)
        found.append(clause)
        joined = _AND.match(text, end)
        if joined is None:
            break
        end = joined.end()
    if text[end:].strip():
        raise _unreadable(text, end, "nothing or `and`")
    return tuple(found)


def _read_clause(text: str, start: int) -> tuple[WhereClause, int]:
    field = _FIELD.match(text, start)
    if field is None:
        raise _unreadable(text, start, "a field")
    compare = _OPERATOR.match(text, field.end())
    if compare is None:
        raise _unreadable(text, field.end(), "one of == != < <= > >= in")
    at = _skip(text, compare.end())
    value, end = _read_list(text, at) if compare[1] == "in" else _read_value(text, at)
    return WhereClause(tuple(field[1].split(".")), compare[1], value), end


def _read_list(text: str, start: int) -> tuple[tuple[Any, ...], int]:
    if text[start : start + 1] != "[":
        raise _unreadable(text, start, "a list like `[a, b]`")
    values: list[Any] = []
    at = _skip(text, start + 1)
    if text[at : at + 1] == "]":
        return (), at + 1
    while True:
        value, at = _read_value(text, at)
        values.append(value)
        at = _skip(text, at)
        mark = text[at : at + 1]
        if mark == "]":
            return tuple(values), at + 1
        if mark != ",":
            raise _unreadable(text, at, "`,` or `]`")
        at = _skip(text, at + 1)


def _read_value(text: str, start: int) -> tuple[Any, int]:
    if text[start : start + 1] in ('"', "[", "{"):
        try:
            return _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            raise _unreadable(text, start, "a JSON value") from None
    word = _WORD.match(text, start)
    if word is None or word[0] == "and":
        raise _unreadable(text, start, "a value")
    said = word[0]
    if said in _CONSTANTS:
        return _CONSTANTS[said], word.end()
    if len(said) < 400 and _NUMBER.fullmatch(said):
        return json.loads(said), word.end()
    return said, word.end()


def same_json(left: Any, right: Any) -> bool:
    """Equal as JSON: numbers by value, but `true` is not 1 and `5` is not `"5"`. Descends without recursion."""
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if _is_number(one) and _is_number(other):
            if one != other:
                return False
        elif isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            pairs.extend((one[name], other[name]) for name in one)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif type(one) is not type(other) or one != other:
            return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _skip(text: str, start: int) -> int:
    return _SPACE.match(text, start).end()  # type: ignore[union-attr]


def _unreadable(text: str, at: int, wanted: str) -> BadCondition:
    return BadCondition(f"the where clause {text[:200]!r} cannot be read at character {at + 1}: {wanted} was expected")
