"""Headers read from the events of a YAML parser, with the line of everything: no tag, alias or type can act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_DEPTH = 64


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
