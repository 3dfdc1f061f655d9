"""The tasks of the inbox as they are shown: each with the tool and the arguments that carry it out."""

from collections.abc import Sequence
from typing import Any, Literal

from loreweave.clock import format_instant
from loreweave.contracts.memory import CurationTask, TaskEvidence
from loreweave.contracts.memory_requests import CONTENT_LIMIT, MOST_TAGS
from loreweave.entities.memory import Memory
from loreweave.errors import LoreError
from loreweave.memory.memory_record import preview
from loreweave.memory.merging.merge_texts import INTERSECTION, UNION, WEIGHTED, merge_texts

POTENTIAL_MERGE, CONTRADICTION, STALE, EXPIRING = "potential_merge", "contradiction", "stale", "expiring_soon"


def task_id(task_type: str, *node_ids: str) -> str:
    return f"{task_type}:{'+'.join(sorted(node_ids))}"


Priority = Literal["low", "medium", "high"]
TaskType = Literal["potential_merge", "contradiction", "stale", "expiring_soon"]
Suggestion = tuple[str, dict[str, Any]]
SAME = 1.0  # similarity of texts whose words are the same
_MERGE, _FORGET, _RESTORE = "merge_concepts", "forget_concept", "restore_concept"


def merge_task(one: Memory, two: Memory, similarity: float, conflicts: Sequence[str]) -> CurationTask:
    if similarity >= SAME:
        reason = "The texts differ in case, punctuation or spacing alone"
    else:
        reason = f"The texts hardly differ (similarity {similarity:.2f})"
    suggestion = _merge(one, two, reason, conflicts)
    told = f"{reason}; {'; '.join(conflicts)}" if conflicts else reason
    priority: Priority = "high" if similarity >= SAME else "medium"
    return _task("potential_merge", [one, two], told, suggestion, priority, similarity)


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


def _merge(one: Memory, two: Memory, reason: str, conflicts: Sequence[str]) -> Suggestion:
    """Under the name of the more important one; of two that no strategy can make one, the lesser goes."""
    weaker, other = sorted((one, two), key=lambda memory: (memory.importance, memory.created_at, memory.node_id))
    strategy = _strategy(one, two)
    if strategy is None:
        return _forget(weaker, f"{reason} from {other.node_id}, and both are too much for one memory")
    arguments: dict[str, Any] = {
        "source_ids": sorted((one.node_id, two.node_id)),
        "target_name": other.name,
        "rationale": reason,
    }
    if strategy != UNION:
        arguments["merge_strategy"] = strategy
    if conflicts:
        arguments["force_merge"] = True
    return _MERGE, arguments


def _strategy(one: Memory, two: Memory) -> str | None:
    """The first by which both fit into one memory."""
    is_long = len(one.content) + len(two.content) + len("\n\n") > CONTENT_LIMIT
    if not is_long and len({*one.tags, *two.tags}) <= MOST_TAGS:
        return UNION
    for strategy in (UNION, WEIGHTED, INTERSECTION):
        try:
            merge_texts(strategy, [one, two])
        except LoreError:
            continue
        return strategy
    return None


def _forget(memory: Memory, reason: str) -> Suggestion:
    return _FORGET, {"node_id": memory.node_id, "reason": reason}


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
