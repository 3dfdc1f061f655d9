"""Where a note's header lies and what stands in it. Nothing in a header is ever executed."""

import re
from dataclasses import dataclass

from loreweave.knowledge.reading.header_values import HeaderRefused, NotAHeader, Pairs, Value, YamlFailed
from loreweave.knowledge.reading.plain_header import read_plain_header
from loreweave.knowledge.reading.simple_header import read_simple_header
from loreweave.knowledge.reading.yaml_header import read_yaml_header

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
