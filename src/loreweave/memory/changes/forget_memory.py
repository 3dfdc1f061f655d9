"""A memory made more or less important, put into the trash, erased by name, or brought back."""

from loreweave.clock import format_instant
from loreweave.contracts.memory import BoostAnswer, ForgetAnswer, RestoreAnswer
from loreweave.contracts.memory_requests import BoostRequest, ForgetRequest, RestoreRequest
from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, PLACES, Memory, Relation
from loreweave.errors import Conflict, Expired, NotFound
from loreweave.memory.change import Change
from loreweave.memory.changes.erase_memory import erase_memory, remaining_copies
from loreweave.memory.memory_record import find_live, find_present, is_over, refuse_deleted, show_relations
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_shelf, memory_ties_shelf


def boost_memory(change: Change, request: BoostRequest) -> BoostAnswer:
    before = find_live(change.connection, request.node_id, change.now)
    wanted = round(before.importance + request.delta, PLACES)
    importance = min(1.0, max(0.0, wanted)) + 0.0  # never a negative zero
    after = change.update(before, importance=importance)
    change.note(after, "boosted", old=before.importance, delta=request.delta, new=importance)
    return BoostAnswer(
        node_id=after.node_id,
        old_importance=before.importance,
        delta=request.delta,
        new_importance=importance,
        clamped=wanted != importance,
    )


def forget_memory(change: Change, request: ForgetRequest) -> ForgetAnswer:
    memory = find_present(change.connection, request.node_id, change.now)
    if not request.soft_delete:
        copies = remaining_copies(change.connection, memory, change.now)
        erase_memory(change, memory, None)
        change.tools.fail_at("purge.rows")
        return ForgetAnswer(
            forgotten_id=memory.node_id,
            soft_deleted=False,
            deleted_at=format_instant(change.now),
            remaining_copies=copies,
        )
    if memory.state != LIVE:
        refuse_deleted(memory)
    deadline = change.now + change.tools.recovery
    memory = change.update(memory, state=DELETED, deleted_at=change.now, recoverable_until=deadline)
    change.tools.fail_at("forget.mark")
    change.note(memory, "forgotten", **({"reason": request.reason} if request.reason else {}))
    return ForgetAnswer(
        forgotten_id=memory.node_id,
        soft_deleted=True,
        deleted_at=format_instant(change.now),
        recoverable_until=format_instant(deadline),
        remaining_copies=[],
    )


def restore_memory(change: Change, request: RestoreRequest) -> RestoreAnswer:
    memory = _restorable(change, request.node_id)
    memory = change.update(memory, state=LIVE, deleted_at=None, recoverable_until=None)
    change.note(memory, "restored")
    lost = show_relations(take_lost_relations(change, memory))
    return RestoreAnswer(node_id=memory.node_id, restored=True, relations_lost=lost)


def take_lost_relations(change: Change, memory: Memory) -> list[Relation]:
    """The relations of a memory, and of what speaks through it, whose other end was erased meanwhile."""
    members = [member.node_id for member in RelationGraph(change.connection).members(memory)]
    rows = memory_ties_shelf.relations_of(change.connection, members)
    ends = {row.source_id for row in rows} | {row.target_id for row in rows}
    present = memory_shelf.find_memories(change.connection, sorted(ends))
    lost = [row for row in rows if row.source_id not in present or row.target_id not in present]
    memory_ties_shelf.delete_relations(change.connection, lost)
    return lost


def _restorable(change: Change, node_id: str) -> Memory:
    memory = memory_shelf.find_memory(change.connection, node_id)
    if memory is None:
        ended_at = memory_shelf.window_end(change.connection, node_id)
        if ended_at is None:
            raise NotFound(f"Memory {node_id} not found", node_id=node_id)
        raise _window_ended(node_id, ended_at)
    if is_over(memory, change.now):
        raise _window_ended(node_id, memory.recoverable_until or 0)
    if memory.state == LIVE:
        raise Conflict(f"Memory {node_id} is not deleted", node_id=node_id)
    if memory.state == MERGED:
        merge = memory_ties_shelf.merge_into(change.connection, memory.merged_into or "")
        raise Conflict(
            f"Memory {node_id} was merged into {memory.merged_into}; undo that merge instead",
            node_id=node_id,
            merged_into=memory.merged_into,
            reversal_hash=merge.reversal_hash if merge else None,
        )
    return memory


def _window_ended(node_id: str, ended_at: int) -> Expired:
    time = format_instant(ended_at)
    return Expired(f"Recovery window for {node_id} ended at {time}", node_id=node_id, ended_at=time)
