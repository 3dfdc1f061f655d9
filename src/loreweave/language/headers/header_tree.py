"""The header of a file as a tree, everything in it with its line: graphs, routes and memories read this one.

It is made of the events of a YAML parser: no tag, alias or type can act, and nothing in a header is ever executed. The
headers most notes have are read without one, exactly as it would read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

MOST_BYTES = 64 * 1024
MOST_DEPTH = 64
OPENING = re.compile(r"---[ \t]*\r?\n")
CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
TOML_OPENING, TOML_CLOSING = re.compile(r"\+\+\+[ \t]*\r?\n"), re.compile(r"^\+\+\+[ \t]*\r?$", re.MULTILINE)
NULLS = frozenset(("", "~", "null", "Null", "NULL"))  # without quotes


Kind = Literal["syntax", "shape", "refused"]


class UnreadableHeader(Exception):
    """What is wrong, and in which line of the header, counted from 0."""

    def __init__(self, sentence: str, line: int, kind: Kind = "refused") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.line = line
        self.kind = kind  # syntax: not YAML at all, so lines may still be readable; shape: no mapping


@dataclass(frozen=True, slots=True)
class TextNode:
    """Source text, whatever type YAML would see in it. Lines count from 1 in the file."""

    text: str
    line: int
    literal: bool = False  # each line of the text is a line of the file
    bare: bool = False  # without quotes

    @property
    def is_null(self) -> bool:
        return self.bare and self.text in NULLS

    @property
    def is_blank(self) -> bool:
        return not self.text.strip() or self.is_null

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
    doubles: tuple[tuple[str, int], ...] = ()  # keys that stood there before, and the lines of the later ones


HeaderNode = TextNode | ListNode | MapNode


def read_header_tree(inner: str, *, most_depth: int = MOST_DEPTH, loosely: bool = False) -> MapNode:
    """The mapping between the two rules, the first of which is the first line of the file.

    `loosely`: tags are passed over, the last of equal keys counts, and a key that is no text is "".
    """
    import yaml  # costs a cold start more than most headers are worth

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _TreeReader(yaml, yaml.parse(inner, Loader=loader), most_depth, loosely).document()
    except UnreadableHeader:
        raise
    except yaml.MarkedYAMLError as error:
        raise UnreadableHeader(str(error.problem or error.context or "not YAML"), _line(error), "syntax") from None
    except Exception as error:  # whatever the parser thinks of it, the caller hears one kind of refusal
        raise UnreadableHeader(f"not YAML ({type(error).__name__})", 0, "syntax") from None


def _line(error: Any) -> int:
    """Where the trouble is; what was opened and never closed is trouble where it was opened."""
    unclosed = error.context_mark and ("quoted" in (error.context or "") or "flow" in (error.context or ""))
    mark = error.context_mark if unclosed else error.problem_mark
    return mark.line if mark else 0


class _TreeReader:
    def __init__(self, yaml: Any, events: Iterator[Any], most_depth: int, loosely: bool) -> None:
        self._yaml = yaml
        self._events = events
        self._most_depth = most_depth
        self._loosely = loosely

    def document(self) -> MapNode:
        next(self._events)  # start of the stream
        if isinstance(next(self._events), self._yaml.StreamEndEvent):
            return MapNode({}, 2, {})
        root = next(self._events)
        found = self._node(root, 0)
        next(self._events)  # end of the document: fails where the text goes on in a way that is no YAML
        is_last = isinstance(next(self._events), self._yaml.StreamEndEvent)
        if not isinstance(found, MapNode):
            raise UnreadableHeader("the header must be a mapping of keys to values", root.start_mark.line, "shape")
        if not is_last:
            raise UnreadableHeader(
                "the header holds more than one document", 0, "syntax" if self._loosely else "refused"
            )
        return found

    def _node(self, event: Any, depth: int) -> HeaderNode:
        yaml, line = self._yaml, event.start_mark.line
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise UnreadableHeader("anchors and aliases are not read", line)
        if event.tag and not self._loosely:
            raise UnreadableHeader("tags are not read", line)
        if isinstance(event, yaml.ScalarEvent):
            literal = event.style == "|"
            return TextNode(event.value.replace("\0", "\ufffd"), 2 + line + literal, literal, not event.style)
        if depth >= self._most_depth:
            raise UnreadableHeader(f"it is nested deeper than {self._most_depth}", line)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(event, depth + 1))
            return ListNode(tuple(items), 2 + line)
        return self._map(line, depth)

    def _map(self, line: int, depth: int) -> MapNode:
        fields: dict[str, HeaderNode] = {}
        key_lines: dict[str, int] = {}
        doubles: list[tuple[str, int]] = []
        while not isinstance(event := next(self._events), self._yaml.MappingEndEvent):
            here = event.start_mark.line
            node = self._node(event, depth + 1)
            if not isinstance(node, TextNode) and not self._loosely:
                raise UnreadableHeader("a key must be text", here)
            key = node.text if isinstance(node, TextNode) else ""
            if key in fields:
                if not self._loosely:
                    raise UnreadableHeader(f"{key[:80]!r} stands there twice", here)
                doubles.append((key, 2 + here))
            fields[key] = self._node(next(self._events), depth + 1)
            key_lines[key] = 2 + here
        return MapNode(fields, 2 + line, key_lines, tuple(doubles))


Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"
Pairs = list[tuple[str, Value, int]]  # key as written, value, line counted from 0 inside the header

# Anything else (tabs, control characters, line ends that only YAML knows) goes to the parser.
_ORDINARY = re.compile(r"[\n -~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff\uf900-\ufaff]*+")

# A plain scalar: no indicator in front, no ": " or final ":" inside, no " #" (that starts a comment).
_PLAIN = r"(?P<plain>[^\s\-?:,\[\]{}#&*!|>'\"%@`=<](?:[^\s:#]|:(?=\S)|(?<=\S)#|[ ]++(?=[^\s#]))*+)"
_QUOTED = r"\"(?P<double>[^\"\\]*+)\"|'(?P<single>[^']*+)'"
_FLOW_ITEM = r"[ ]*+(?:[^\W_][\w./+()-]*+(?:[ ]++[\w./+()-]++)*+|\"[^\"\\]*+\")[ ]*+"
_FLOW = rf"\[(?P<flow>[ ]*+|{_FLOW_ITEM}(?:,{_FLOW_ITEM})*+)\]"
_WIKILINK = r"\[\[(?P<wikilink>[^\W_][\w./+()-]*+(?:[ ]++[\w./+()-]++)*+)\]\]"  # to YAML a list in a list
_VALUE = rf"(?:{_PLAIN}|{_QUOTED}|{_FLOW}|{_WIKILINK})"
_TAIL = r"(?:[ ]*+|[ ]++#.*)$"
_PAIR = re.compile(rf"(?P<key>[A-Za-z_][\w.]*+(?:-[\w.]++)*+):(?:[ ]++{_VALUE})?{_TAIL}")
_ITEM = re.compile(rf"(?P<indent>[ ]*+)-[ ]++{_VALUE}{_TAIL}")
_IGNORED = re.compile(r"[ ]*+(?:#.*)?$")
_FLOW_ITEMS = re.compile(r"[ ]*+(?:\"([^\"]*+)\"|([^,\"]++))[^,]*+(?:,|$)")


def read_plain_header(inner: str) -> Pairs | None:
    """Key, value and line (from 0) of each pair; None when a line needs the real parser."""
    if not _ORDINARY.fullmatch(inner):
        return None
    pairs: Pairs = []
    items: list[Value] | None = None  # of a key that was followed by nothing so far
    indent: str | None = None
    for number, line in enumerate(inner.split("\n")):
        if _IGNORED.match(line):
            continue
        if pair := _PAIR.match(line):
            value = _value(pair)
            pairs.append((pair["key"], value, number))
            items, indent = ([] if value is None and pair["plain"] is None else None), None
            continue
        item = _ITEM.match(line)
        if item is None or items is None or indent not in (None, item["indent"]):
            return None
        indent = item["indent"]
        items.append(_value(item))
        pairs[-1] = (pairs[-1][0], items, pairs[-1][2])
    return pairs


def _value(match: re.Match[str]) -> Value:
    plain, double, single, flow = match["plain"], match["double"], match["single"], match["flow"]
    if plain is not None:
        return None if plain in NULLS else plain
    if double is not None:
        return double
    if single is not None:
        return single
    if (wikilink := match["wikilink"]) is not None:
        return [[None if wikilink in NULLS else wikilink]]
    if flow is None:
        return None
    return [_flow_item(*item) for item in _FLOW_ITEMS.findall(flow)] if flow.strip() else []


def _flow_item(quoted: str, plain: str) -> str | None:
    plain = plain.strip()
    return quoted if not plain else None if plain in NULLS else plain
