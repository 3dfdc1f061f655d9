"""The tasks of the inbox as they are shown: each with the tool and the arguments that carry it out."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

from loreweave.clock import format_instant
from loreweave.contracts.memory import CurationTask, TaskEvidence
from loreweave.contracts.memory_requests import CONTENT_LIMIT, MOST_TAGS, RATIONALE_LIMIT, REASON_LIMIT
from loreweave.entities.stored_memory import Memory
from loreweave.errors import LoreError
from loreweave.memory.memory_record import preview
from loreweave.memory.merging.merge_texts import INTERSECTION, UNION, WEIGHTED, merge_texts
from loreweave.memory.search.differing_values import differing_values
from loreweave.memory.search.read_memory_text import content_words

POTENTIAL_MERGE, CONTRADICTION, STALE, EXPIRING = "potential_merge", "contradiction", "stale", "expiring_soon"


def task_id(task_type: str, *node_ids: str) -> str:
    return f"{task_type}:{'+'.join(sorted(node_ids))}"


Priority = Literal["low", "medium", "high"]
TaskType = Literal["potential_merge", "contradiction", "stale", "expiring_soon"]
Suggestion = tuple[str, dict[str, Any]]
SAME = 1.0  # similarity of texts whose words are the same
_MERGE, _FORGET, _RESTORE = "merge_concepts", "forget_concept", "restore_concept"


def merge_task(twins: Sequence[Memory], similarity: float, conflicts: Sequence[str]) -> CurationTask:
    values = [] if similarity >= SAME else _values(twins)
    if similarity >= SAME:
        reason = "The texts differ in case, punctuation or spacing alone"
    elif values:
        reason = f"{' / '.join(values)}: which is true?"
    else:
        reason = f"The texts hardly differ (similarity {similarity:.2f})"
    suggestion = _merge(twins, reason, conflicts)
    told = f"{reason}; {'; '.join(conflicts)}" if conflicts else reason
    priority: Priority = "high" if similarity >= SAME else "medium"
    return _task("potential_merge", twins, told, suggestion, priority, similarity)


def _values(twins: Sequence[Memory]) -> list[str]:
    """What each says where they differ in a value, the oldest first."""
    ordered = sorted(twins, key=lambda memory: (memory.created_at, memory.node_id))
    texts = [content_words(memory.content) for memory in ordered]
    differing = (differing_values(one, other) for one, other in combinations(texts, 2))
    return list(dict.fromkeys(value for values in differing if values for value in values))


def contradiction_task(one: Memory, two: Memory) -> CurationTask:
    weaker, other = sorted((one, two), key=lambda memory: (memory.importance, memory.created_at, memory.node_id))
    reason = f"{weaker.node_id} and {other.node_id} contradict each other; the first is the less important"
    suggestion = _forget(weaker, f"Contradicts {other.node_id}, which is more important")
    return _task("contradiction", [one, two], reason, suggestion, "high")


def expiring_task(memory: Memory) -> CurationTask:
    ends = format_instant(memory.recoverable_until or 0)
    reason = f"Importance {memory.importance:g}, and the window to bring it back ends at {ends}"
    return _task("expiring_soon", [memory], reason, (_RESTORE, {"node_id": memory.node_id}), "high")


def stale_task(memory: Memory) -> CurationTask:
    since = format_instant(memory.created_at if memory.last_accessed_at is None else memory.last_accessed_at)
    reason = f"Importance {memory.importance:g}, and not read since {since}"
    return _task("stale", [memory], reason, _forget(memory, reason), "low")


def _merge(twins: Sequence[Memory], reason: str, conflicts: Sequence[str]) -> Suggestion:
    """Under the name of the most important one; of those that no strategy can make one, the least goes."""
    ordered = sorted(twins, key=lambda memory: (memory.importance, memory.created_at, memory.node_id))
    strategy = _strategy(twins)
    if strategy is None:
        return _forget(ordered[0], f"{reason} (beside {ordered[-1].node_id}); too much for one memory")
    arguments: dict[str, Any] = {
        "source_ids": sorted(memory.node_id for memory in twins),
        "target_name": ordered[-1].name,
        "rationale": _cut(reason, RATIONALE_LIMIT),
    }
    if strategy != UNION:
        arguments["merge_strategy"] = strategy
    if conflicts:
        arguments["force_merge"] = True
    return _MERGE, arguments


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _strategy(twins: Sequence[Memory]) -> str | None:
    """The first by which all fit into one memory."""
    size = sum(len(memory.content) + len("\n\n") for memory in twins)
    if size <= CONTENT_LIMIT and len({tag for memory in twins for tag in memory.tags}) <= MOST_TAGS:
        return UNION
    for strategy in (UNION, WEIGHTED, INTERSECTION):
        try:
            merge_texts(strategy, twins)
        except LoreError:
            continue
        return strategy
    return None


def _forget(memory: Memory, reason: str) -> Suggestion:
    return _FORGET, {"node_id": memory.node_id, "reason": _cut(reason, REASON_LIMIT)}


def _task(
    task_type: TaskType,
    memories: Sequence[Memory],
    reason: str,
    suggestion: Suggestion,
    priority: Priority,
    similarity: float | None = None,
) -> CurationTask:
    ordered = sorted(memories, key=lambda memory: memory.node_id)
    tool, arguments = suggestion
    return CurationTask(
        task_id=task_id(task_type, *(memory.node_id for memory in ordered)),
        task_type=task_type,
        target_nodes=[memory.node_id for memory in ordered],
        scope=ordered[0].scope,
        reason=reason,
        suggested_tool=tool,
        suggested_arguments=arguments,
        priority=priority,
        evidence=TaskEvidence(similarity=similarity, previews=[preview(memory.content) for memory in ordered]),
    )
