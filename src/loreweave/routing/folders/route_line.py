"""One line of `skillgraph.routes`: read, and written so that it is read as the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from loreweave.routing.folders.bounded_pattern import FLAG_LETTERS, BoundedPattern
from loreweave.routing.folders.entry_line import json_text
from loreweave.routing.graph_problems import BadCondition

_BLANKS = re.compile(r"[ \t]*+")
_TARGET = re.compile(r'("(?:[^"\\]|\\.)++"|[^\s:"#][^\s:"]*+)[ \t]*+(:|$|(?=#))')
_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*+"|[^\s"])++')
_PATTERN_END = re.compile(r"\\.|/([imsx]*)(?=\s|$)", re.DOTALL)
_PRIORITY = re.compile(r"!(-?[0-9]{1,9})")
_OPTION = re.compile(r"(status|carry|label|reason)=(?!=)(.*)", re.DOTALL)
_ITEM = re.compile(r'("(?:[^"\\]|\\.)*+"|[^,"]++)(,|$)')
_NAME = re.compile(r"@([\w.-]+)")
_BARE_TARGET = re.compile(r'[^\s:"#/][^\s:"]*')
_BARE_TOOL = re.compile(r'[^\s"/#][^\s"]*')
_BARE_ITEM = re.compile(r'[^\s,"]+')


@dataclass(frozen=True, slots=True)
class RouteLine:
    """A route as a file states it; `tool` is a name or a pattern."""

    to: str
    when: str | None = None
    tool: str | BoundedPattern | None = None
    statuses: tuple[str, ...] = ()
    where: str | None = None
    priority: int = 0
    label: str | None = None
    carry: tuple[str, ...] = ()
    reason: str | None = None


def read_route_line(text: str) -> RouteLine | None:
    """None for a blank line or a comment; BadCondition says what cannot be read."""
    start = _BLANKS.match(text).end()  # type: ignore[union-attr]
    if start == len(text) or text[start] == "#":
        return None
    target = _TARGET.match(text, start)
    if target is None:
        raise BadCondition(f"a route is written `skill: on tool …`, and this is none: {text.strip()[:100]!r}")
    rest = _Rest(text, target.end())
    if target[2] != ":" and not rest.at_end():
        raise BadCondition(f"a colon must follow the skill: {text.strip()[:100]!r}")
    found: dict[str, object] = {"to": _unquoted(target[1])}
    for name, value in rest.parts():
        if name in found:
            raise BadCondition(f"a route has one {name}, and this one has two")
        found[name] = value
    return RouteLine(**found)  # type: ignore[arg-type]


class _Rest:
    """Walks over what stands behind the colon."""

    def __init__(self, text: str, position: int) -> None:
        self._text = text
        self._position = position

    def at_end(self) -> bool:
        """Blanks are passed over; a number sign at the start of a word begins a comment."""
        self._position = _BLANKS.match(self._text, self._position).end()  # type: ignore[union-attr]
        return self._position >= len(self._text) or self._text[self._position] == "#"

    def parts(self) -> Iterator[tuple[str, object]]:
        while not self.at_end():
            if self._text.startswith("where", self._position) and self._word_ends(5):
                self._position += 5
                yield "where", self._where()
                continue
            yield self._part(self._token())

    def _part(self, token: str) -> tuple[str, object]:
        if token == "on":
            return "tool", self._tool()
        if token == "when":
            name = _NAME.fullmatch("" if self.at_end() else self._token())
            if name is None:
                raise BadCondition("behind `when` stands the name of a predicate, like @needs_audit")
            return "when", name[1]
        if priority := _PRIORITY.fullmatch(token):
            return "priority", int(priority[1])
        option = _OPTION.fullmatch(token)
        if option is None:
            raise BadCondition(
                f"{token[:80]!r} is none of: on TOOL, status=…, where …, when @name, !10, carry=…, label=…"
            )
        if option[1] in ("label", "reason"):
            return option[1], _unquoted(option[2])
        return "statuses" if option[1] == "status" else "carry", _items(option[1], option[2])

    def _word_ends(self, length: int) -> bool:
        behind = self._text[self._position + length : self._position + length + 1]
        return not behind or behind.isspace()

    def _token(self) -> str:
        token = _TOKEN.match(self._text, self._position)
        if token is None or self._text.startswith('"', token.end()):
            raise BadCondition(f"a quotation mark is not closed: {self._text[self._position :][:80]!r}")
        self._position = token.end()
        return token[0]

    def _tool(self) -> str | BoundedPattern:
        if self.at_end():
            raise BadCondition("behind `on` stands the name of a tool, or a pattern like /refund/i")
        if self._text[self._position] != "/":
            return _unquoted(self._token())
        start = position = self._position + 1
        while found := _PATTERN_END.search(self._text, position):
            position = found.end()
            if found[1] is None:
                continue
            self._position = found.end()
            flags = re.UNICODE
            for letter in found[1]:
                flags |= FLAG_LETTERS[letter]
            return BoundedPattern(self._text[start : found.start()], int(flags))
        raise BadCondition("a pattern is not closed: it stands between two slashes, with i, m, s or x behind")

    def _where(self) -> str:
        start = end = self._position
        while not self.at_end():
            before = self._position
            token = self._token()
            if _PRIORITY.fullmatch(token) or _OPTION.fullmatch(token):
                self._position = before
                break
            end = self._position
        return self._text[start:end].strip()


def _items(name: str, text: str) -> tuple[str, ...]:
    found: list[str] = []
    position = 0
    while item := _ITEM.match(text, position):
        found.append(_unquoted(item[1].strip()))
        position = item.end()
        if not item[2]:
            return tuple(found)
    raise BadCondition(f"{name}= takes names with commas between them, not {text[:80]!r}")


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        if not text or '"' in text:
            raise BadCondition(f"a value is missing or wrongly quoted: {text[:80]!r}")
        return text
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        raise BadCondition(f"quotes hold a text as JSON writes it, and this is none: {text[:80]}") from None
    return str(value)


def write_route_line(route: RouteLine) -> str:
    """ValueError where no line would be read as this route."""
    parts = [_shown(route.to, _BARE_TARGET) + ":"]
    if route.when is not None:
        parts.append(f"when @{route.when}")
    if isinstance(route.tool, BoundedPattern):
        letters = "".join(letter for letter, flag in FLAG_LETTERS.items() if route.tool.flags & flag)
        parts.append(f"on /{route.tool.pattern}/{letters}")
    elif route.tool is not None:
        parts.append(f"on {_shown(route.tool, _BARE_TOOL)}")
    if route.statuses:
        parts.append("status=" + ",".join(route.statuses))
    if route.where is not None:
        parts.append(f"where {route.where}")
    if route.priority:
        parts.append(f"!{route.priority}")
    if route.carry:
        parts.append("carry=" + ",".join(_shown(name, _BARE_ITEM) for name in route.carry))
    for name, value in (("label", route.label), ("reason", route.reason)):
        if value is not None:
            parts.append(f"{name}={json_text(value)}")
    line = parts[0][:-1] if len(parts) == 1 else " ".join(parts)
    if len(line.splitlines()) != 1 or read_route_line(line) != route:
        raise ValueError(f"no line says {line!r:.200}")
    return line


def _shown(text: str, bare: re.Pattern[str]) -> str:
    return text if bare.fullmatch(text) else json_text(text)
