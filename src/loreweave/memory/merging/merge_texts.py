"""What a merge makes of its sources: pure, and the same whatever order they are named in.

A text is read as statements: sentences within lines; a fenced block or a table is one. They are kept as they are
written, and compared without case, spacing, list mark and final stop.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from loreweave.contracts.memory import MergedStatement
from loreweave.contracts.memory_requests import CONTENT_LIMIT, MOST_TAGS, SOURCE_LIMIT
from loreweave.entities.stored_memory import PLACES, Memory
from loreweave.errors import Conflict, InvalidInput
from loreweave.language.markdown.contexts import sentence_starts

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


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
        sentences = [block] if "\n" in block or _FENCE.match(block) else _sentences(block)
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
    """Cut where a sentence begins: not in code, nor behind the mark of a list."""
    code, mark = _code_spans(line), _LIST_MARK.match(line.lstrip())
    text_begins = len(line) - len(line.lstrip()) + mark.end() if mark else 0
    starts = [start for start in sentence_starts(line) if start > text_begins and not _is_inside(code, start)]
    return [line[start:end] for start, end in pairwise((0, *starts, len(line)))]


def _code_spans(line: str) -> list[tuple[int, int]]:
    ticks = [place for place, character in enumerate(line) if character == "`"]
    return list(zip(ticks[::2], ticks[1::2], strict=False))


def _is_inside(spans: list[tuple[int, int]], place: int) -> bool:
    return any(first < place < last for first, last in spans)


UNION, INTERSECTION, WEIGHTED = "union", "intersection", "weighted_average"


@dataclass(frozen=True, slots=True)
class MergedText:
    content: str
    tags: tuple[str, ...]
    importance: float
    source: str | None


def merge_texts(strategy: str, sources: Sequence[Memory]) -> MergedText:
    ordered = sorted(sources, key=lambda memory: (memory.created_at, memory.node_id))
    if strategy == WEIGHTED:
        ordered.sort(key=lambda memory: -memory.importance)
    content = _content(strategy, ordered)
    if len(content) > CONTENT_LIMIT:
        raise _too_much("content", CONTENT_LIMIT, "characters")
    tags = _tags(strategy, ordered)
    if len(tags) > MOST_TAGS:
        raise _too_much("tags", MOST_TAGS, "entries")
    return MergedText(content, tags, _importance(strategy, ordered), _source(strategy, ordered))


def statement_origins(content: str, sources: Sequence[Memory]) -> list[MergedStatement]:
    """Each statement of a merged text with the memories that make it."""
    said = {memory.node_id: {statement.key for statement in statements(memory.content)} for memory in sources}
    return [
        MergedStatement(
            text=statement.text,
            paragraph=statement.paragraph,
            source_ids=[node_id for node_id, keys in said.items() if statement.key in keys],
        )
        for statement in statements(content)
    ]


def _content(strategy: str, ordered: Sequence[Memory]) -> str:
    read = [statements(memory.content) for memory in ordered]
    if strategy == INTERSECTION:
        common = set.intersection(*({statement.key for statement in found} for found in read))
        if not common:
            raise Conflict("Sources have no common content")
        return written(_distinct(read[0], set(), common))
    seen: set[str] = set()
    blocks = [written(_distinct(found, seen)) for found in read]
    return "\n\n".join(block for block in blocks if block)


def _distinct(found: Sequence[Statement], seen: set[str], wanted: set[str] | None = None) -> list[Statement]:
    chosen = []
    for statement in found:
        if statement.key in seen or (wanted is not None and statement.key not in wanted):
            continue
        seen.add(statement.key)
        chosen.append(statement)
    return chosen


def _tags(strategy: str, ordered: Sequence[Memory]) -> tuple[str, ...]:
    every = set().union(*(memory.tags for memory in ordered))
    if strategy == INTERSECTION:
        every = {tag for tag in every if all(tag in memory.tags for memory in ordered)}
    elif strategy == WEIGHTED:
        every = {tag for tag in every if _holds_half(tag, ordered)}
    return tuple(sorted(every))


def _holds_half(tag: str, ordered: Sequence[Memory]) -> bool:
    total = sum(memory.importance for memory in ordered)
    if total <= 0:
        return 2 * sum(tag in memory.tags for memory in ordered) >= len(ordered)
    held = sum(memory.importance for memory in ordered if tag in memory.tags)
    return round(2 * held, PLACES) >= round(total, PLACES)


def _importance(strategy: str, ordered: Sequence[Memory]) -> float:
    found = [memory.importance for memory in ordered]
    if strategy == WEIGHTED:
        return round(sum(each * each for each in found) / sum(found), PLACES) if sum(found) > 0 else 0.0
    return max(found) if strategy == UNION else min(found)


def _source(strategy: str, ordered: Sequence[Memory]) -> str | None:
    """Where all of it came from, as far as there is room to say."""
    named = list(dict.fromkeys(memory.source for memory in ordered if memory.source))
    if strategy == INTERSECTION and not all(memory.source == ordered[0].source for memory in ordered):
        return None
    joined = "; ".join(named)
    return joined if joined and len(joined) <= SOURCE_LIMIT else None


def _too_much(field: str, limit: int, of: str) -> InvalidInput:
    return InvalidInput(f"{field} must be at most {limit} {of}", code="invalid_argument", field=field)
