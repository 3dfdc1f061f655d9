"""Conditions of a built graph in the words of a file; what files cannot say is refused."""

from __future__ import annotations

import re
from typing import Any

from loreweave.routing.conditions import Keywords, MessagePattern
from loreweave.routing.declarations import DeclaredEntry, DeclaredRoute
from loreweave.routing.folders.bounded_pattern import FLAG_LETTERS, BoundedPattern
from loreweave.routing.folders.entry_line import Condition, EntryLine
from loreweave.routing.folders.named_predicates import AnsweredQuestion, AnsweredRoute
from loreweave.routing.folders.route_line import RouteLine
from loreweave.routing.quote_name import quote_name as quoted
from loreweave.routing.route_errors import SkillGraphError

_NAME = re.compile(r"[\w.-]+")
_SEARCHED = int(re.IGNORECASE | re.UNICODE)


class StatedConditions:
    """Remembers which function a name stands for: one name, one function."""

    def __init__(self) -> None:
        self._functions: dict[str, Any] = {}

    def name_of(self, predicate: Any, where: str) -> str:
        name = getattr(predicate, "__name__", None)
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise SkillGraphError(f"{where} asks a function without a name: a file can only name one; define it")
        key: Any = name if isinstance(predicate, AnsweredQuestion | AnsweredRoute) else predicate
        if self._functions.setdefault(name, key) is not key and self._functions[name] != key:
            raise SkillGraphError(f"{where} asks another function called {name}: give each its own name")
        return name

    def message_condition(self, predicate: Any, where: str) -> Condition:
        if isinstance(predicate, Keywords):
            return Keywords(predicate.phrases)
        if isinstance(predicate, MessagePattern | BoundedPattern):
            source = predicate.regex if isinstance(predicate, MessagePattern) else predicate.pattern
            return BoundedPattern(_with_flags(source, predicate.flags, where), _SEARCHED)
        return self.name_of(predicate, where)

    def entry(self, declared: DeclaredEntry, order: int | None) -> EntryLine:
        where = f"the entry {quoted(declared.to)}"
        if declared.when is None:
            return EntryLine("always" if declared.always else "default", None, order, declared.label)
        return EntryLine("when", self.message_condition(declared.when, where), order, declared.label)

    def route(self, declared: DeclaredRoute) -> RouteLine:
        where = f"the route from {quoted(declared.from_)} to {quoted(declared.to)}"
        condition = declared.condition
        if isinstance(declared.when, Keywords | MessagePattern):
            raise SkillGraphError(f"{where} asks for words in a result, which no file can say: use a named function")
        return RouteLine(
            to=declared.to,
            when=None if declared.when is None else self.name_of(declared.when, where),
            tool=None if condition is None else _tool(condition.tool, where),
            statuses=condition.statuses if condition else (),
            where=condition.where if condition else None,
            priority=declared.priority,
            label=declared.label,
            carry=declared.carry,
            reason=declared.reason,
        )


def _tool(tool: Any, where: str) -> str | BoundedPattern | None:
    if tool is None or isinstance(tool, str):
        return tool
    allowed = int(re.UNICODE)
    for flag in FLAG_LETTERS.values():
        allowed |= flag
    if tool.flags & ~allowed:
        raise SkillGraphError(f"{where} has a pattern with a flag that no file can say")
    return BoundedPattern(tool.pattern, int(tool.flags) | int(re.UNICODE))


def _with_flags(source: str, flags: int, where: str) -> str:
    """Flags besides the two that always hold stand in front, inside the expression."""
    letters = "".join(letter for letter, flag in FLAG_LETTERS.items() if letter != "i" and flags & flag)
    if source != source.strip() or len(source.splitlines()) != 1:
        raise SkillGraphError(f"{where} has a pattern that is not one line without blanks around it")
    if "label=" in source or "order=" in source:  # at the end of a line these would be options of the entry
        source = f"(?:{source})"
    return f"(?{letters}){source}" if letters else source
