"""What a merge makes of its sources: pure, and the same whatever order they are named in."""

from collections.abc import Sequence
from dataclasses import dataclass

from loreweave.contracts.memory_requests import CONTENT_LIMIT, MOST_TAGS, SOURCE_LIMIT
from loreweave.entities.memory import Memory
from loreweave.errors import Conflict, InvalidInput
from loreweave.memory.merging.statements import Statement, statements, written

PLACES = 6
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
