"""A text as statements: sentences within lines; a fenced block or a table is one.

Statements are kept as they are written, and compared without case, spacing, list mark and final stop.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=[ \t])|[。！？]+[」』”’）]*")
_NO_STOP = re.compile(
    r"(?:\b(?:[A-Za-z]|e\.g|i\.e|etc|cf|vs|approx|ca|resp|Dr|Mr|Mrs|Ms|Prof|St|No|Fig|Inc|Ltd)|^\s*\d+)\.$"
)
_LOOK_BACK = 12  # characters before a full stop that may make it an abbreviation's


class Statement(NamedTuple):
    """`line` numbers the line, or the block of lines, that it stands in; `paragraph` the lines between blank ones."""

    text: str
    line: int
    paragraph: int
    key: str


def statements(text: str) -> list[Statement]:
    """All of them in order; blank ones are none."""
    found = []
    paragraph = 0
    for number, block in enumerate(_blocks(text.splitlines())):
        if not block.strip():
            paragraph += 1
            continue
        sentences = [block] if "\n" in block or _is_fence(block) else _sentences(block)
        for sentence in sentences:
            key = statement_key(sentence)
            if key:
                found.append(Statement(sentence.rstrip(), number, paragraph, key))
    return found


def statement_key(text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    plain = _LIST_MARK.sub("", folded + " ", count=1).strip() if _LIST_MARK.match(folded + " ") else folded
    return unicodedata.normalize("NFC", plain.rstrip(".。").rstrip())


def written(chosen: Iterable[Statement]) -> str:
    """A text of statements: those of one line stand in one line again, paragraphs apart."""
    lines: list[str] = []
    last: Statement | None = None
    for statement in chosen:
        if last is not None and statement.line == last.line:
            lines[-1] += " " + statement.text.lstrip()
        else:
            if last is not None and statement.paragraph != last.paragraph:
                lines.append("")
            lines.append(statement.text)
        last = statement
    return "\n".join(lines)


def _blocks(lines: list[str]) -> Iterator[str]:
    """Lines; the lines of a fenced block or of a table together."""
    place = 0
    while place < len(lines):
        end = _fence_end(lines, place) or _table_end(lines, place) or place + 1
        yield "\n".join(lines[place:end])
        place = end


def _is_fence(block: str) -> bool:
    return _FENCE.match(block) is not None


def _fence_end(lines: list[str], place: int) -> int | None:
    opening = _FENCE.match(lines[place])
    if opening is None:
        return None
    marks = opening["marks"]
    for number in range(place + 1, len(lines)):
        closing = lines[number].strip()
        if closing and not closing.strip(marks[0]) and len(closing) >= len(marks):
            return number + 1
    return len(lines)


def _table_end(lines: list[str], place: int) -> int | None:
    is_table = (
        "|" in lines[place]
        and place + 1 < len(lines)
        and "|" in lines[place + 1]
        and _TABLE_RULE.fullmatch(lines[place + 1])
    )
    if not is_table:
        return None
    end = place + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end


def _sentences(line: str) -> list[str]:
    """Cut behind a stop that ends a sentence: not in code, behind an abbreviation or before a small letter."""
    found = []
    start = 0
    code = _code_spans(line)
    for stop in _STOP.finditer(line):
        end = stop.end()
        following = line[end:].lstrip(" \t")[:1] if end < len(line) else ""
        if not following or following.islower() or _is_inside(code, stop.start()):
            continue
        if _NO_STOP.search(line, max(start, end - _LOOK_BACK), end):
            continue
        found.append(line[start:end])
        start = end + len(line[end:]) - len(line[end:].lstrip(" \t"))
    found.append(line[start:])
    return found


def _code_spans(line: str) -> list[tuple[int, int]]:
    ticks = [place for place, character in enumerate(line) if character == "`"]
    return list(zip(ticks[::2], ticks[1::2], strict=False))


def _is_inside(spans: list[tuple[int, int]], place: int) -> bool:
    return any(first < place < last for first, last in spans)
