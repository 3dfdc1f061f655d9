"""What became of all memories, newest first, each change with the call that takes it back; and memories looked at
beside one another, which is no access: whoever sorts an inbox has not used what lies in it."""

from itertools import groupby
from typing import Any

from loreweave.clock import format_instant
from loreweave.contracts.memory import KeptTask, MemoryChange, MemoryChanges, ShownMemories, WayBack
from loreweave.contracts.memory_requests import MemoryChangesRequest, ShowMemoriesRequest
from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, OPEN, PLACES, Dismissal, HistoryLine, Memory
from loreweave.memory.change import MemoryTools
from loreweave.memory.changes.erase_memory import remaining_copies
from loreweave.memory.inbox.curation_tasks import task_id
from loreweave.memory.memory_record import as_told, is_over, show_record
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

_MOST_KEPT = 200


def show_memories(tools: MemoryTools, request: ShowMemoriesRequest) -> ShownMemories:
    now = tools.now()
    with tools.store.read() as connection:
        held = memory_shelf.find_memories(connection, request.node_ids)
        present = [
            held[each] for each in dict.fromkeys(request.node_ids) if each in held and not is_over(held[each], now)
        ]
        items = [show_record(connection, memory, 0) for memory in present]
        asked = present if request.copies else []
        copies = {each for memory in asked for each in remaining_copies(connection, memory, now)}
    return ShownMemories(items=items, remaining_copies=sorted(copies) if request.copies else None)


def list_changes(tools: MemoryTools, request: MemoryChangesRequest) -> MemoryChanges:
    now = tools.now()
    with tools.store.read() as connection:
        lines = memory_ties_shelf.all_lines(connection, request.before, request.limit + 1)
        more = len(lines) > request.limit
        lines = lines[: request.limit]
        kept = memory_inbox_shelf.newest_dismissals(connection, _MOST_KEPT) if request.before is None else []
        named = [line.node_id for _, line in lines] + [node_id for each in kept for node_id in _ids(each)]
        memories = {
            node_id: memory
            for node_id, memory in memory_shelf.find_memories(connection, named).items()
            if not is_over(memory, now)
        }
        changes = [_change(connection, tools, memories.get(line.node_id), number, line) for number, line in lines]
        revision = memory_shelf.revision_of(connection)
    return MemoryChanges(
        changes=changes,
        next=lines[-1][0] if more else None,
        kept=_kept(kept, memories),
        revision=revision,
        now=format_instant(now),
    )


def _kept(dismissals: list[Dismissal], memories: dict[str, Memory]) -> list[KeptTask]:
    """Of twins every pair was dismissed at one moment: they are one task again."""
    found = []
    for (at, task_type), group in groupby(dismissals, key=lambda each: (each.at, each.task_id.partition(":")[0])):
        together = list(group)
        node_ids = sorted({node_id for each in together for node_id in _ids(each)})
        found.append(
            KeptTask(
                task_id=task_id(task_type, *node_ids),
                node_ids=node_ids,
                names=[memories[each].name for each in node_ids if each in memories],
                reason=together[0].reason,
                at=format_instant(at),
            )
        )
    return found


def _ids(dismissal: Dismissal) -> list[str]:
    return [each for each in (dismissal.first_id, dismissal.second_id) if each is not None]


def _change(
    connection: Connection, tools: MemoryTools, memory: Memory | None, number: int, line: HistoryLine
) -> MemoryChange:
    undo = _way_back(connection, tools, memory, number, line) if memory else None
    return as_told(MemoryChange, line, number=number, name=memory.name if memory else None, undo=undo)


def _way_back(
    connection: Connection, tools: MemoryTools, memory: Memory, number: int, line: HistoryLine
) -> WayBack | None:
    """None where something else has become of it since, or its window is over."""
    if line.action in ("merged_from", "merged_into"):
        return _unmerged(connection, tools, memory, line)
    if line.action == "forgotten" and memory.state == DELETED and memory.deleted_at == line.at:
        return _call("restore_concept", memory.recoverable_until or 0, node_id=memory.node_id)
    until = line.at + tools.recovery
    if memory.state != LIVE or tools.now() >= until:
        return None
    if line.action in ("stored", "restored"):
        return _call("forget_concept", until, node_id=memory.node_id)
    if line.action == "boosted":
        delta = round(_number(line.detail["old"]) - _number(line.detail["new"]), PLACES)
        return _call("boost_importance", until, node_id=memory.node_id, delta=delta) if delta else None
    if line.action == "edited" and line.detail and not _changed_again(connection, number, line):
        edited = {"node_id": memory.node_id, "expected_version": memory.version, **line.detail}
        return _call("store_memory", until, **edited)
    return None


def _unmerged(connection: Connection, tools: MemoryTools, memory: Memory, line: HistoryLine) -> WayBack | None:
    made = memory.node_id if line.action == "merged_from" else str(line.detail["merged_id"])
    if line.action == "merged_into" and (memory.state, memory.merged_into) != (MERGED, made):
        return None
    merge = memory_ties_shelf.merge_into(connection, made)
    if merge is None or merge.state != OPEN or tools.now() >= merge.reversible_until:
        return None
    return _call("undo_merge", merge.reversible_until, reversal_hash=merge.reversal_hash)


def _changed_again(connection: Connection, number: int, line: HistoryLine) -> bool:
    """Whether a field that this edit replaced was changed once more: then that change goes back first."""
    later = memory_ties_shelf.later_lines(connection, line.node_id, number)
    changed = {name for each in later if each.action == "edited" for name in each.detail}
    if any(each.action == "boosted" for each in later):
        changed.add("importance")
    return not changed.isdisjoint(line.detail)


def _call(tool: str, until: int, **arguments: Any) -> WayBack:
    return WayBack(tool=tool, arguments=arguments, until=format_instant(until))


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)
