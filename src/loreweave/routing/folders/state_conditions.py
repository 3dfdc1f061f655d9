"""Conditions, trees and limits of a built graph in the words of a file; what files cannot say is refused."""

from __future__ import annotations

import re
from typing import Any

from loreweave.language.headers.header_tree import MOST_DEPTH
from loreweave.routing.declaring.conditions import Keywords, MessagePattern
from loreweave.routing.declaring.decision_tree import TreeDecision
from loreweave.routing.declaring.declarations import Declarations, DeclaredEntry, DeclaredRoute, EntryChoice
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.folders.bounded_pattern import FLAG_LETTERS, BoundedPattern
from loreweave.routing.folders.entry_line import (
    AnsweredQuestion,
    AnsweredRoute,
    Condition,
    EntryLine,
    json_text,
    write_condition,
)
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.route_line import RouteLine
from loreweave.routing.graph_problems import SkillGraphError, quoted

_LITERAL = re.compile(r"[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff\n]*")
_RULE = "---"  # some readers look for it anywhere, to find the end of a header
_NAME = re.compile(r"[\w.-]+")
_SEARCHED = int(re.IGNORECASE | re.UNICODE)
MOST_QUESTIONS = 10_000  # a decision used in several places is written as often
_WAYS = {"keyword": "keyword", "embedding": "relevance"}


def quoted_text(text: str) -> str:
    """On one line, in double quotes."""
    return json_text(text).replace(_RULE, "--\\x2d")


def block_text(text: str) -> str:
    """Several lines as they are where YAML allows it; else in quotes."""
    body = text.rstrip("\n")
    lines = body.split("\n")
    plain = _LITERAL.fullmatch(body) and _RULE not in body and lines[0].strip() and lines[0][0] != " "
    if not plain or any(line != line.rstrip() for line in lines):
        return quoted_text(text)
    return "|\n" + "\n".join(f"    {line}" if line else "" for line in lines)


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


def render_graph_header(declared: Declarations, stated: StatedConditions) -> dict[str, str]:
    """The file by its path; nothing where every skill says all there is to say."""
    lines = _choice_lines(declared.choice)
    limits = {"max_hops": declared.limits.max_hops, "max_visits": declared.limits.max_visits}
    lines += _mapping("limits", limits)
    if declared.tree is not None:
        lines += _TreeLines(stated).lines(declared.tree)
    return {GRAPH_FILE: "\n".join(["---", *lines, "---", ""])} if lines else {}


def _choice_lines(choice: EntryChoice) -> list[str]:
    if choice.kind != "scorer":
        return ["entry_by: read"] if choice.kind == "read" else []
    way = _WAYS.get(choice.scorer.name)
    if way is None:
        raise SkillGraphError(f"no file can say the scorer {quoted(choice.scorer.name)}")
    policy = choice.policy
    values = {name: getattr(policy, name) for name in ("temperature", "floor", "min_margin")} if policy else {}
    return [f"entry_by: {way}", *_mapping("policy", values)]


def _mapping(key: str, values: dict[str, Any]) -> list[str]:
    lines = [f"  {name}: {value}" for name, value in values.items() if value is not None]
    return [f"{key}:", *lines] if lines else []


class _TreeLines:
    def __init__(self, stated: StatedConditions) -> None:
        self._stated = stated
        self._questions = 0

    def lines(self, root: TreeDecision | Skill | str) -> list[str]:
        return self._branch("tree", root, "", 1)

    def _branch(self, key: str, node: TreeDecision | Skill | str, indent: str, depth: int) -> list[str]:
        if not isinstance(node, TreeDecision):
            return [f"{indent}{key}: {quoted_text(node.id if isinstance(node, Skill) else node)}"]
        self._questions += 1
        if depth >= MOST_DEPTH or self._questions > MOST_QUESTIONS:
            raise SkillGraphError(f"the tree is deeper than {MOST_DEPTH} questions, or larger than {MOST_QUESTIONS}")
        condition = self._stated.message_condition(node.predicate, f"the decision {quoted(node.label)}")
        inner = indent + "  "
        return [
            f"{indent}{key}:",
            f"{inner}if: {quoted_text(write_condition(condition))}",
            f"{inner}label: {quoted_text(node.label)}",
            *self._branch("then", node.when_true, inner, depth + 1),
            *self._branch("else", node.when_false, inner, depth + 1),
        ]
