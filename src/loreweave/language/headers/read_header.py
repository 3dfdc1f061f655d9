"""Where a note's header lies and what stands in it. Nothing in a header is ever executed."""

import re
from dataclasses import dataclass, field

from loreweave.language.headers.header_tree import (
    CLOSING,
    MOST_BYTES,
    NULLS,
    OPENING,
    TOML_CLOSING,
    TOML_OPENING,
    HeaderNode,
    ListNode,
    Pairs,
    TextNode,
    UnreadableHeader,
    Value,
    read_header_tree,
    read_plain_header,
)

MAX_DEPTH = 20


def read_yaml_header(inner: str) -> tuple[Pairs, list[tuple[str, int]]]:
    """As a tree, without the lines inside of values; and the keys that stand there twice."""
    tree = read_header_tree(inner, most_depth=MAX_DEPTH, loosely=True)
    pairs = [(key, _value(node), tree.key_lines[key] - 2) for key, node in tree.fields.items()]
    return pairs, [_doubled(key.strip().casefold(), line) for key, line in tree.doubles]


def _value(node: HeaderNode) -> Value:
    if isinstance(node, TextNode):
        return None if node.is_null else node.text
    if isinstance(node, ListNode):
        return [_value(item) for item in node.items]
    return {key: _value(inner) for key, inner in node.fields.items()}


def _doubled(key: str, line: int) -> tuple[str, int]:
    return f"header names {key!r} twice; the last one counts", line


_MAX_PARSED = 500  # values given to the parser, which costs too much for each of twenty thousand lines

_PAIR = re.compile(r"(?:\"([^\"\\\n]{1,64}+)\"|'([^'\n]{1,64}+)'|([^\W\d][\w .-]{0,63}?))[ \t]*+:(?:[ \t]++(.*))?$")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*))?$")
_BLOCK_TEXT = re.compile(r"[|>][+-]?\d?[ \t]*$")
_MARGIN = re.compile(r"(?:[ \t]*+\n)*+([ \t]*+)")


@dataclass(slots=True)
class _Entry:
    key: str
    text: str  # behind the colon
    line: int
    more: list[str] = field(default_factory=list)  # further lines, blank ones and comments included


def read_simple_header(inner: str) -> Pairs | None:
    """Key, value and line (from 0) of each pair; None when the text is rather prose than a header."""
    entries: list[_Entry] = []
    strange = 0
    margin = _MARGIN.match(inner)[1]  # type: ignore[index]
    for number, line in enumerate(inner.split("\n")):
        line = line.removeprefix(margin)
        if not _says_something(line):
            if entries:
                entries[-1].more.append(line)
        elif pair := _PAIR.match(line):
            entries.append(_Entry(pair[1] or pair[2] or pair[3], (pair[4] or "").strip(), number))
        elif entries and (line[0] in " \t" or _ITEM.match(line)):
            entries[-1].more.append(line)
        else:
            strange += 1
    if strange > len(entries) or not entries:
        return None
    values = _Values()
    return [(entry.key, values.read(entry), entry.line) for entry in entries]


def _says_something(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#")


class _Values:
    """Reads each value as YAML where it is some, since mostly one line alone spoils a header; else as text."""

    def __init__(self) -> None:
        self._parsed = 0

    def read(self, entry: _Entry) -> Value:
        """The value of an entry."""
        text, more = entry.text, entry.more
        if parsed := self._parse("\n".join([text, *more]).rstrip()):
            return parsed[0]
        more = [line for line in more if _says_something(line)]
        if _BLOCK_TEXT.match(text):
            return ("\n" if text[0] == "|" else " ").join(line.strip() for line in more)
        if more and not text and all(_ITEM.match(line) for line in more):
            return [self._one(match[1] or "") for line in more if (match := _ITEM.match(line))]
        if more:
            text = " ".join([text, *(line.strip() for line in more)]).strip()
        if len(text) >= 2 and text[0] == "[" and text[-1] == "]" and text[1] != "[":
            return [_scalar(item) for item in text[1:-1].split(",") if item.strip()]
        return _scalar(text)

    def _one(self, text: str) -> Value:
        parsed = self._parse(text)
        return parsed[0] if parsed else _scalar(text)

    def _parse(self, written: str) -> tuple[Value] | None:
        """The value in a tuple of its own, None when it is no YAML or not worth its cost."""
        inner = f"key: {written}"
        pairs = read_plain_header(inner)
        if pairs is None:
            self._parsed += 1
            if self._parsed > _MAX_PARSED:
                return None
            try:
                pairs, _ = read_yaml_header(inner)
            except UnreadableHeader:
                return None
        return (pairs[0][1],) if len(pairs) == 1 else None


def _scalar(text: str) -> str | None:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return None if text in NULLS else text


# A key of many parts, whose cost grows with their square.
_DOTTED = re.compile(r"(?:\.[ \t]*+(?:[\w-]++|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')[ \t]*+){20}")
_TOML_KEY = re.compile(r"[ \t]*+(?:\[{1,2}[ \t]*+)?[\"']?([\w-]++)")
_TOML_PAIR = re.compile(r"^([\w-]++)[ \t]*+=", re.MULTILINE)


def _read_toml(inner: str) -> tuple[Pairs, list[tuple[str, int]]]:
    """What stands between `+++` and `+++`, as Hugo and Zola keep it; a line that is no TOML spoils no other one."""
    import tomllib

    try:
        if _DOTTED.search(inner):
            raise RecursionError
        fields = tomllib.loads(inner, parse_float=str)
        values = {key: _toml_value(value) for key, value in fields.items()}
    except RecursionError:
        return [], [(f"header refused: it is nested deeper than {MAX_DEPTH}", 2)]
    except ValueError as error:
        pairs = read_simple_header(_TOML_PAIR.sub(r"\1: ", inner))
        if pairs is None:
            raise UnreadableHeader("not TOML", 0, "syntax") from None
        return pairs, [(f"header is no valid TOML, read line by line: {error}", 2)]
    if isinstance(kinds := values.get("taxonomies"), dict):  # where Zola keeps tags
        values = {**kinds, **values}
    lines: dict[str, int] = {}
    for number, line in enumerate(inner.split("\n")):
        if key := _TOML_KEY.match(line):
            lines.setdefault(key[1], number)
    return [(name, value, lines.get(name, 0)) for name, value in values.items()], []


def _toml_value(value: object, depth: int = 1) -> Value:
    """As text, like the values of YAML."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _toml_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_toml_value(item, depth + 1) for item in value]
    return str(value).lower() if isinstance(value, bool) else str(value).replace("\0", "\ufffd")


_LOOKS_LIKE_MAPPING = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*+[^\s:#\[{&*!|>'\"%@`-][^\n:]{0,200}:(?:\s|$)")
_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Header:
    """A note's header. Keys are casefolded; `lines` are counted from 1 in the file."""

    fields: dict[str, Value]
    lines: dict[str, int]
    end: int  # offset of what follows the closing line
    troubles: tuple[tuple[str, int], ...]  # message and line


NO_HEADER = Header({}, {}, 0, ())


def read_header(source: str) -> Header:
    """The header of a decoded file; `NO_HEADER` when the whole file is body."""
    is_toml = source.startswith("+++")
    opening = (TOML_OPENING if is_toml else OPENING).match(source)
    if opening is None:
        return NO_HEADER
    start = opening.end()
    closing = (TOML_CLOSING if is_toml else CLOSING).search(source, start)
    if closing is None:
        return NO_HEADER
    inner = source[start : closing.start()]
    end = min(closing.end() + 1, len(source))
    if not _CONTENT.search(inner):
        return Header({}, {}, end, ())
    try:
        return _assemble(*_read_inner(inner, is_toml), end)
    except UnreadableHeader:
        return NO_HEADER


def _read_inner(inner: str, is_toml: bool) -> tuple[Pairs, list[tuple[str, int]]]:
    """Raises UnreadableHeader for what is no header at all."""
    if len(inner) > MOST_BYTES or len(inner.encode("utf-8")) > MOST_BYTES:
        if not (_TOML_PAIR.search(inner, 0, 1000) if is_toml else _LOOKS_LIKE_MAPPING.match(inner)):
            raise UnreadableHeader("prose between two rules", 0, "shape")
        return [], [(f"header larger than {MOST_BYTES:,} bytes was not read", 1)]
    if is_toml:
        return _read_toml(inner)
    plain = read_plain_header(inner)
    if plain is not None:
        return plain, []
    try:
        return read_yaml_header(inner)
    except UnreadableHeader as trouble:
        if trouble.kind == "refused":
            return [], [(f"header refused: {trouble.sentence}", trouble.line + 2)]
        pairs = read_simple_header(inner) if trouble.kind == "syntax" else None
        if pairs is None:
            raise
        return pairs, [(f"header is no valid YAML, read line by line: {trouble.sentence}", trouble.line + 2)]


def _assemble(pairs: Pairs, troubles: list[tuple[str, int]], end: int) -> Header:
    fields: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for written, value, line in pairs:
        key = written.strip().casefold()
        if key in fields:
            troubles.append(_doubled(key, line + 2))
        fields[key] = value
        lines[key] = line + 2
    return Header(fields, lines, end, tuple(troubles))
