"""What can be saved of a header that is no YAML: `key: value` lines, lists, folded text."""

import re
from dataclasses import dataclass, field

from loreweave.knowledge.reading.header_values import NULLS, HeaderRefused, NotAHeader, Pairs, Value, YamlFailed
from loreweave.knowledge.reading.plain_header import read_plain_header
from loreweave.knowledge.reading.yaml_header import read_yaml_header

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
