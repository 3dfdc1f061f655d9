"""Where a note's header lies and what stands in it. Nothing in a header is ever executed."""

import re
from dataclasses import dataclass, field
from typing import Any

from loreweave.language.markdown.plain_header import (
    NULLS,
    HeaderRefused,
    NotAHeader,
    Pairs,
    Value,
    YamlFailed,
    read_plain_header,
)

MAX_DEPTH = 20


def read_yaml_header(inner: str) -> Pairs:
    """Key, value and line (from 0) of each pair of the mapping, in order, duplicates included."""
    import yaml  # costs a cold start more than most headers are worth

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _read_events(yaml, yaml.parse(inner, Loader=loader))
    except (NotAHeader, HeaderRefused, YamlFailed):
        raise
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise YamlFailed(str(error.problem or error.context or "unreadable"), line) from None
    except Exception as error:  # a header must never stop a reading, whatever the parser thinks of it
        raise YamlFailed(type(error).__name__, 0) from None


def _read_events(yaml: Any, events: Any) -> Pairs:
    next(events)  # start of the stream
    document = next(events)
    if isinstance(document, yaml.StreamEndEvent):
        return []
    root = next(events)
    if not isinstance(root, yaml.MappingStartEvent):
        if isinstance(root, yaml.ScalarEvent):
            next(events)  # fails when the text goes on in a way that is no YAML: then lines may be readable
            next(events)
        raise NotAHeader
    if root.anchor:
        raise HeaderRefused("anchors and aliases", root.start_mark.line)
    pairs = _read_pairs(yaml, events)
    next(events)  # end of the document
    if not isinstance(next(events), yaml.StreamEndEvent):
        raise YamlFailed("more than one document", 0)
    return pairs


def _read_pairs(yaml: Any, events: Any) -> Pairs:
    pairs: Pairs = []
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        line = event.start_mark.line
        key = _read_key(yaml, event, events, 1)
        pairs.append((key, _read_value(yaml, next(events), events, 1), line))
    return pairs


def _read_value(yaml: Any, event: Any, events: Any, depth: int) -> Value:
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise HeaderRefused("anchors and aliases", event.start_mark.line)
    if isinstance(event, yaml.ScalarEvent):
        if not event.style and event.value in NULLS:
            return None
        return event.value.replace("\0", "\ufffd")
    if depth >= MAX_DEPTH:
        raise HeaderRefused(f"nested deeper than {MAX_DEPTH}", event.start_mark.line)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_read_value(yaml, event, events, depth + 1))
        return items
    fields: dict[str, Value] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _read_key(yaml, event, events, depth + 1)
        fields[key] = _read_value(yaml, next(events), events, depth + 1)
    return fields


def _read_key(yaml: Any, event: Any, events: Any, depth: int) -> str:
    """A key is its text, `null` included; a list or map as key names nothing we know."""
    key = _read_value(yaml, event, events, depth)
    if isinstance(key, str):
        return key
    return event.value if isinstance(event, yaml.ScalarEvent) else ""


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
                pairs = read_yaml_header(inner)
            except (HeaderRefused, NotAHeader, YamlFailed):
                return None
        return (pairs[0][1],) if len(pairs) == 1 else None


def _scalar(text: str) -> str | None:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return None if text in NULLS else text


MAX_HEADER_BYTES = 64 * 1024

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
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
    opening = _OPENING.match(source)
    if opening is None:
        return NO_HEADER
    start = opening.end()
    closing = _CLOSING.search(source, start)
    if closing is None:
        return NO_HEADER
    inner = source[start : closing.start()]
    end = min(closing.end() + 1, len(source))
    if not _CONTENT.search(inner):
        return Header({}, {}, end, ())
    try:
        pairs, troubles = _read_inner(inner)
    except NotAHeader:
        return NO_HEADER
    return _assemble(pairs, troubles, end)


def _read_inner(inner: str) -> tuple[Pairs, list[tuple[str, int]]]:
    if len(inner) > MAX_HEADER_BYTES or len(inner.encode("utf-8")) > MAX_HEADER_BYTES:
        if not _LOOKS_LIKE_MAPPING.match(inner):
            raise NotAHeader  # prose between two rules
        return [], [(f"header larger than {MAX_HEADER_BYTES} bytes was not read", 1)]
    plain = read_plain_header(inner)
    if plain is not None:
        return plain, []
    try:
        return read_yaml_header(inner), []
    except HeaderRefused as refusal:
        return [], [(f"header refused: {refusal.reason}", refusal.line + 2)]
    except YamlFailed as failure:
        pairs = read_simple_header(inner)
        if pairs is None:
            raise NotAHeader from None
        return pairs, [(f"header is no valid YAML, read line by line: {failure.reason}", failure.line + 2)]


def _assemble(pairs: Pairs, troubles: list[tuple[str, int]], end: int) -> Header:
    fields: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for written, value, line in pairs:
        key = written.strip().casefold()
        if key in fields:
            troubles.append((f"header names {key!r} twice; the last one counts", line + 2))
        fields[key] = value
        lines[key] = line + 2
    return Header(fields, lines, end, tuple(troubles))
