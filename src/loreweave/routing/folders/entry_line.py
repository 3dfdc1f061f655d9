"""One line of `skillgraph.entry`, the question of a tree, which is written alike, and what `@name` means in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from loreweave.contracts.route_values import RouteContext, ToolResult
from loreweave.routing.declaring.conditions import Keywords, Predicate
from loreweave.routing.folders.bounded_pattern import BoundedPattern
from loreweave.routing.graph_problems import BadCondition, SkillGraphError

_OPTION = re.compile(r'(?<!\s)\s++(?:order=(-?[0-9]{1,9})|label=("(?:[^"\\]|\\.)*+"))$')
_PHRASE = re.compile(r'\s*+(?:("(?:[^"\\]|\\.)*+")|([^,"]*+))\s*+(,|$)')
_NAME = re.compile(r"@([\w.-]+)")
_BARE_PHRASE = re.compile(r'[^\s,"](?:[^,"]*[^\s,"])?')
MOST_CHARACTERS = 8_000

BindMode = Literal["strict", "open"]
Condition = Keywords | BoundedPattern | str  # a text is the name of a predicate


_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """How a skill is entered; `order` where it is not the skill's own."""

    kind: Literal["always", "default", "when"]
    condition: Condition | None = None
    order: int | None = None
    label: str | None = None


def read_entry_line(text: str) -> EntryLine:
    """BadCondition says what cannot be read."""
    rest, order, label = text.strip(), None, None
    if len(rest) > MOST_CHARACTERS:
        raise BadCondition(f"an entry has at most {MOST_CHARACTERS:,} characters")
    while option := _OPTION.search(rest):
        rest = rest[: option.start()]
        if option[1] is not None:
            order = int(option[1])
        else:
            label = str(json.loads(option[2], strict=False))
    if rest == "always" or rest == "default":
        return EntryLine("always" if rest == "always" else "default", None, order, label)
    if rest.startswith("when"):
        name = _NAME.fullmatch(rest[4:].strip())
        if name is not None:
            return EntryLine("when", name[1], order, label)
    condition = read_message_condition(rest)
    if condition is None:
        raise BadCondition(
            f"an entry is always, default, keywords: …, regex: … or when @name, and this is none: {rest[:80]!r}"
        )
    return EntryLine("when", condition, order, label)


def read_message_condition(text: str) -> Keywords | BoundedPattern | None:
    """`keywords: …` or `regex: …`; None for anything else."""
    kind, colon, rest = text.partition(":")
    if colon and kind.strip() == "keywords":
        return Keywords(_phrases(rest))
    if colon and kind.strip() == "regex":
        return BoundedPattern(rest.strip(), int(re.IGNORECASE | re.UNICODE))
    return None


def read_question(text: str) -> Condition | None:
    """The `if` of a tree: `@name`, `keywords: …` or `regex: …`."""
    name = _NAME.fullmatch(text.strip())
    return name[1] if name else read_message_condition(text.strip())


def _phrases(text: str) -> tuple[str, ...]:
    found: list[str] = []
    position = 0
    while phrase := _PHRASE.match(text, position):
        found.append(str(json.loads(phrase[1], strict=False)) if phrase[1] else phrase[2].strip())
        position = phrase.end()
        if not phrase[3]:
            return tuple(found)
    raise BadCondition(f"keywords are phrases with commas between them, not {text[:80]!r}")


def write_condition(condition: Condition) -> str:
    """As `read_question` reads it."""
    if isinstance(condition, str):
        return f"@{condition}"
    if isinstance(condition, Keywords):
        return "keywords: " + ", ".join(_shown(phrase) for phrase in condition.phrases)
    return f"regex: {condition.pattern}"


def json_text(text: str) -> str:
    """As JSON writes it, with nothing in it that anybody takes for the end of a line."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _shown(phrase: str) -> str:
    plain = _BARE_PHRASE.fullmatch(phrase) and "label=" not in phrase and "order=" not in phrase
    return phrase if plain else json_text(phrase)


def write_entry_line(entry: EntryLine) -> str:
    """ValueError where no line would be read as this entry."""
    line: str = entry.kind
    if entry.condition is not None:
        line = ("when " if isinstance(entry.condition, str) else "") + write_condition(entry.condition)
    if entry.order is not None:
        line += f" order={entry.order}"
    if entry.label is not None:
        line += f" label={json_text(entry.label)}"
    try:
        same = len(line.splitlines()) == 1 and read_entry_line(line) == entry
    except ValueError:
        same = False
    if not same:
        raise ValueError(f"no line says {line!r:.200}")
    return line


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """On an entry or in a tree: the answer of this name, false while nobody gave one."""

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, ctx: RouteContext) -> bool:
        return bool(ctx.answers.get(self.name))


@dataclass(frozen=True, slots=True)
class AnsweredRoute:
    """The same on a route, which is asked about a result."""

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, result: ToolResult, ctx: RouteContext) -> bool:
        return bool(ctx.answers.get(self.name))


class NamedPredicates:
    """A file selects, it never defines: every name must be known, or be open to answers."""

    def __init__(self, predicates: Mapping[str, Predicate], bind: BindMode) -> None:
        if bind not in ("strict", "open"):
            raise SkillGraphError(f"bind must be strict or open, not {bind!r}")
        self._predicates = predicates
        self._open = bind == "open"

    def is_bound(self, name: str) -> bool:
        return name in self._predicates

    def find(self, name: str, *, on_route: bool = False) -> Any:
        """The predicate; None where the name means nothing."""
        if name in self._predicates:
            return self._predicates[name]
        if not self._open:
            return None
        return AnsweredRoute(name) if on_route else AnsweredQuestion(name)
