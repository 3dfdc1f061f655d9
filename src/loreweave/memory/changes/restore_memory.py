"""A memory brought back from the trash."""

from loreweave.clock import format_instant
from loreweave.contracts.memory import RestoreAnswer
from loreweave.contracts.memory_requests import RestoreRequest
from loreweave.entities.memory import LIVE, MERGED, Memory, Relation
from loreweave.errors import Conflict, Expired, NotFound
from loreweave.memory.change import Change
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.memory.show_relations import show_relations
from loreweave.memory.states import is_over
from loreweave.seams.storage import memory_merge_shelf, memory_relation_shelf, memory_shelf


def restore_memory(change: Change, request: RestoreRequest) -> RestoreAnswer:
    memory = _restorable(change, request.node_id)
    memory = change.update(memory, state=LIVE, deleted_at=None, recoverable_until=None)
    change.note(memory, "restored")
    lost = show_relations(take_lost_relations(change, memory))
    return RestoreAnswer(node_id=memory.node_id, restored=True, relations_lost=lost)


def take_lost_relations(change: Change, memory: Memory) -> list[Relation]:
    """The relations of a memory, and of what speaks through it, whose other end was erased meanwhile."""
    members = [member.node_id for member in RelationGraph(change.connection).members(memory)]
    rows = memory_relation_shelf.relations_of(change.connection, members)
    ends = {row.source_id for row in rows} | {row.target_id for row in rows}
    present = memory_shelf.find_memories(change.connection, sorted(ends))
    lost = [row for row in rows if row.source_id not in present or row.target_id not in present]
    memory_relation_shelf.delete_relations(change.connection, lost)
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
        merge = memory_merge_shelf.merge_into(change.connection, memory.merged_into or "")
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
