"""`FIELD OP VALUE [and …]` over a result's JSON object: read once, asked often."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from loreweave.routing.route_errors import BadCondition

_FIELD = re.compile(r"\s*+([\w$@-]++(?:\.[\w$@-]++)*+)")
_OPERATOR = re.compile(r"\s*+(==|!=|<=|>=|<|>|in(?=[\s\[]))")
_AND = re.compile(r"\s++and\s++")
_SPACE = re.compile(r"\s*+")
_WORD = re.compile(r"""[^\s,\[\]{}"'=<>!]++""")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
_DECODER = json.JSONDecoder()
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MISSING = object()


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
    found = _SPACE.match(text, start)
    return found.end() if found else start


def _unreadable(text: str, at: int, wanted: str) -> BadCondition:
    return BadCondition(f"the where clause {text[:200]!r} cannot be read at character {at + 1}: {wanted} was expected")
