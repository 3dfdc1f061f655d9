"""A file as its header and its body. A description that only lacks quotes is read as it was meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loreweave.language.headers.header_tree import (
    CLOSING,
    MOST_BYTES,
    OPENING,
    HeaderNode,
    MapNode,
    TextNode,
    UnreadableHeader,
    read_header_tree,
)
from loreweave.routing.graph_problems import skill_file_error

_BLANK_LINES = re.compile(r"(?:[ \t]*+\n)*+")
_PAIR = re.compile(r"([A-Za-z_][\w.-]*+)(:[ \t]++)(?=\S)")
_INNER_COLON = re.compile(r":(?=\s|$)")
_STRUCTURED = frozenset("|>&*!")  # what no quotes may change the meaning of


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
    opening = OPENING.match(source)
    if opening is None:
        return _with_body(path, MapNode({}, 1, {}), source, 0)
    closing = CLOSING.search(source, opening.end())
    if closing is None:
        raise skill_file_error("the header is not closed: a line with --- is missing", path, 1)
    inner = source[opening.end() : closing.start()]
    if len(inner.encode("utf-8", "replace")) > most_bytes:
        raise skill_file_error(f"the header is larger than {most_bytes:,} bytes", path, 1)
    try:
        root = _read_inner(inner, lenient)
    except UnreadableHeader as trouble:
        raise skill_file_error(f"the header cannot be read: {trouble.sentence}", path, trouble.line + 2) from None
    return _with_body(path, root, source, min(closing.end() + 1, len(source)))


def without_header(path: str, text: str) -> FileHeader:
    """The body alone, where a header stands that nobody can read."""
    source = plain_source(text)
    opening = OPENING.match(source)
    closing = CLOSING.search(source, opening.end()) if opening and _PAIR.match(source, opening.end()) else None
    return _with_body(path, MapNode({}, 1, {}), source, min(closing.end() + 1, len(source)) if closing else 0)


def _with_body(path: str, root: MapNode, source: str, start: int) -> FileHeader:
    start = _BLANK_LINES.match(source, start).end()  # type: ignore[union-attr]
    return FileHeader(path, root, source[start:].rstrip(), source.count("\n", 0, start) + 1)


def _read_inner(inner: str, lenient: bool) -> MapNode:
    try:
        return read_header_tree(inner)
    except UnreadableHeader as trouble:
        quoted = _with_quotes(inner, lenient) if trouble.kind == "syntax" else inner
        if quoted == inner:
            raise
        try:
            return read_header_tree(quoted)
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
