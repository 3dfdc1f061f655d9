"""A file as its header and its body. A description that only lacks quotes is read as it was meant.

Headers are read from the events of a YAML parser, with the line of everything: no tag, alias or type can act.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from loreweave.routing.graph_problems import skill_file_error

MOST_DEPTH = 64
MOST_BYTES = 64 * 1024
_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_BLANK_LINES = re.compile(r"(?:[ \t]*+\n)*+")
_PAIR = re.compile(r"([A-Za-z_][\w.-]*+)(:[ \t]++)(?=\S)")
_INNER_COLON = re.compile(r":(?=\s|$)")
_STRUCTURED = frozenset("|>&*!")  # what no quotes may change the meaning of


class UnreadableHeader(Exception):
    """What is wrong, and in which line of the header, counted from 0."""

    def __init__(self, sentence: str, line: int, *, is_syntax: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.line = line
        self.is_syntax = is_syntax  # not YAML at all, so lines may still be readable


@dataclass(frozen=True, slots=True)
class TextNode:
    """Source text, whatever type YAML would see in it. Lines count from 1 in the file."""

    text: str
    line: int
    literal: bool = False  # each line of the text is a line of the file
    bare: bool = False  # without quotes

    @property
    def is_blank(self) -> bool:
        return not self.text.strip() or (self.bare and self.text in ("~", "null", "Null", "NULL"))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line with its number in the file, as far as that can be told."""
        for offset, text in enumerate(self.text.split("\n")):
            yield self.line + (offset if self.literal else 0), text


@dataclass(frozen=True, slots=True)
class ListNode:
    items: tuple[HeaderNode, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MapNode:
    fields: dict[str, HeaderNode]
    line: int
    key_lines: dict[str, int]


HeaderNode = TextNode | ListNode | MapNode


def read_header_nodes(inner: str, first_line: int) -> MapNode:
    """The mapping of a header whose first line has this number in its file."""
    import yaml  # costs a cold start more than most commands are worth

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Reader(yaml, yaml.parse(inner, Loader=loader), first_line).document()
    except UnreadableHeader:
        raise
    except yaml.MarkedYAMLError as error:
        raise UnreadableHeader(
            str(error.problem or error.context or "not YAML"), _line(error), is_syntax=True
        ) from None
    except Exception as error:  # whatever the parser thinks of it, the caller hears one kind of refusal
        raise UnreadableHeader(f"not YAML ({type(error).__name__})", 0, is_syntax=True) from None


def _line(error: Any) -> int:
    """Where the trouble is; what was opened and never closed is trouble where it was opened."""
    unclosed = error.context_mark and ("quoted" in (error.context or "") or "flow" in (error.context or ""))
    mark = error.context_mark if unclosed else error.problem_mark
    return mark.line if mark else 0


class _Reader:
    def __init__(self, yaml: Any, events: Iterator[Any], first_line: int) -> None:
        self._yaml = yaml
        self._events = events
        self._first = first_line

    def document(self) -> MapNode:
        next(self._events)  # start of the stream
        if isinstance(next(self._events), self._yaml.StreamEndEvent):
            return MapNode({}, self._first, {})
        root = next(self._events)
        found = self._node(root, 0)
        if not isinstance(found, MapNode):
            raise UnreadableHeader("the header must be a mapping of keys to values", root.start_mark.line)
        next(self._events)  # end of the document
        if not isinstance(next(self._events), self._yaml.StreamEndEvent):
            raise UnreadableHeader("the header holds more than one document", 0)
        return found

    def _node(self, event: Any, depth: int) -> HeaderNode:
        yaml, line = self._yaml, event.start_mark.line
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise UnreadableHeader("anchors and aliases are not read", line)
        if event.tag:
            raise UnreadableHeader("tags are not read", line)
        if depth > MOST_DEPTH:
            raise UnreadableHeader(f"it is nested deeper than {MOST_DEPTH}", line)
        if isinstance(event, yaml.ScalarEvent):
            literal = event.style == "|"
            text = event.value.replace("\0", "\ufffd")
            return TextNode(text, self._first + line + literal, literal, not event.style)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(event, depth + 1))
            return ListNode(tuple(items), self._first + line)
        return self._map(line, depth)

    def _map(self, line: int, depth: int) -> MapNode:
        fields: dict[str, HeaderNode] = {}
        key_lines: dict[str, int] = {}
        while not isinstance(event := next(self._events), self._yaml.MappingEndEvent):
            here = event.start_mark.line
            key = self._node(event, depth + 1)
            if not isinstance(key, TextNode):
                raise UnreadableHeader("a key must be text", here)
            if key.text in fields:
                raise UnreadableHeader(f"{key.text[:80]!r} stands there twice", here)
            fields[key.text] = self._node(next(self._events), depth + 1)
            key_lines[key.text] = self._first + here
        return MapNode(fields, self._first + line, key_lines)


@dataclass(frozen=True, slots=True)
class FileHeader:
    """`body` is stripped of blank lines around it; lines count from 1 in the file."""

    path: str
    root: MapNode
    body: str
    body_line: int

    def node(self, key: str) -> HeaderNode | None:
        return self.root.fields.get(key)

    def text(self, key: str) -> str | None:
        """On one line; None where it is missing or blank. A list or a map is refused."""
        node = self.node(key)
        if node is None:
            return None
        if not isinstance(node, TextNode):
            raise skill_file_error(f"{key} must be text", self.path, self.root.key_lines[key])
        return None if node.is_blank else node.text.strip()

    def line(self, key: str) -> int | None:
        return self.root.key_lines.get(key)


def plain_source(text: str) -> str:
    """One kind of line end, no byte order mark, no NUL."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def read_file_header(path: str, text: str, most_bytes: int = MOST_BYTES, *, lenient: bool = False) -> FileHeader:
    """What cannot be read is a SkillFileError with its line; `lenient` takes any value for text that is no YAML."""
    source = plain_source(text)
    opening = _OPENING.match(source)
    if opening is None:
        return _with_body(path, MapNode({}, 1, {}), source, 0)
    closing = _CLOSING.search(source, opening.end())
    if closing is None:
        raise skill_file_error("the header is not closed: a line with --- is missing", path, 1)
    inner = source[opening.end() : closing.start()]
    if len(inner.encode("utf-8", "replace")) > most_bytes:
        raise skill_file_error(f"the header is larger than {most_bytes} bytes", path, 1)
    try:
        root = _read_inner(inner, lenient)
    except UnreadableHeader as trouble:
        raise skill_file_error(f"the header cannot be read: {trouble.sentence}", path, trouble.line + 2) from None
    return _with_body(path, root, source, min(closing.end() + 1, len(source)))


def without_header(path: str, text: str) -> FileHeader:
    """The body alone, where a header stands that nobody can read."""
    source = plain_source(text)
    opening = _OPENING.match(source)
    closing = _CLOSING.search(source, opening.end()) if opening and _PAIR.match(source, opening.end()) else None
    return _with_body(path, MapNode({}, 1, {}), source, min(closing.end() + 1, len(source)) if closing else 0)


def _with_body(path: str, root: MapNode, source: str, start: int) -> FileHeader:
    start = _BLANK_LINES.match(source, start).end()  # type: ignore[union-attr]
    return FileHeader(path, root, source[start:].rstrip(), source.count("\n", 0, start) + 1)


def _read_inner(inner: str, lenient: bool) -> MapNode:
    try:
        return read_header_nodes(inner, 2)
    except UnreadableHeader as trouble:
        quoted = _with_quotes(inner, lenient) if trouble.is_syntax else inner
        if quoted == inner:
            raise
        try:
            return read_header_nodes(quoted, 2)
        except UnreadableHeader:
            raise trouble from None


def _with_quotes(inner: str, lenient: bool) -> str:
    """Quotes round a description that has none: a colon in it needs them. Leniently, round every value."""
    lines = inner.split("\n")
    made: list[str] = []
    number = 0
    while number < len(lines):
        pair = _PAIR.match(lines[number])
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
            end += 1
        block = "\n".join(lines[number:end])
        value = block[pair.end() :].rstrip() if pair else ""
        if pair and _lacks_quotes(pair[1], value, lenient):
            rest = block[pair.end() + len(value) :]
            block = pair[0] + "'" + value.replace("'", "''") + "'" + rest
        made.append(block)
        number = end
    return "\n".join(made)


def _lacks_quotes(key: str, value: str, lenient: bool) -> bool:
    if value[0] in _STRUCTURED:
        return False
    if lenient:
        return value[0] not in "\"'" or len(value) < 2 or value[-1] != value[0]
    return key == "description" and value[0] not in "\"'[{" and _INNER_COLON.search(value) is not None
