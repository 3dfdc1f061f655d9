"""A merge taken back: the sources are what they were, whatever happened to their neighbours meanwhile."""

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from loreweave.clock import format_instant
from loreweave.contracts.memory import UndoAnswer
from loreweave.contracts.memory_requests import UndoRequest
from loreweave.entities.stored_memory import DELETED, LIVE, MERGED, OPEN, UNDONE, Dismissal, Memory, MergeRow
from loreweave.errors import Conflict, Expired, NotFound
from loreweave.memory.change import Change
from loreweave.memory.changes.forget_memory import take_lost_relations
from loreweave.memory.changes.relate_memories import settle_relations
from loreweave.memory.changes.store_memory import pairs_of
from loreweave.memory.inbox.curation_tasks import POTENTIAL_MERGE, task_id
from loreweave.memory.memory_record import fingerprint, is_over
from loreweave.memory.search.read_memory_text import read_text
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an undo finds, before anything is changed."""

    merge: MergeRow
    merged: Memory | None  # none where it was erased
    sources: list[Memory]
    missing_ids: list[str]
    changes: list[str]  # what was done to the merged memory since
    refusals: list[Conflict]

    def leaves_merged(self, request: UndoRequest) -> bool:
        """Whether the merged memory stays live beside its sources."""
        return bool(self.changes) and request.on_conflict == "keep_merged"


def undo_merge(change: Change, request: UndoRequest) -> UndoAnswer:
    plan = _plan(change, request)
    if request.preview:
        return _answer(plan, request, preview=True, conflicts=[refusal.message for refusal in plan.refusals])
    if plan.refusals:
        raise plan.refusals[0]
    index = change.tools.library.current(change.connection)
    if plan.merged is not None:
        _leave_merged(change, plan, request)
    for place, source in enumerate(plan.sources):
        restored = change.update(source, state=LIVE, deleted_at=None, recoverable_until=None, merged_into=None)
        change.note(restored, "merge_undone", merged_id=plan.merge.merged_id)
        if place == 0:
            change.tools.fail_at("undo.sources")
        take_lost_relations(change, restored)
        reading = read_text(restored.name, restored.tags, restored.content, None)  # twins are found by words alone
        memory_inbox_shelf.put_pairs(change.connection, pairs_of(index, restored, reading))
    _keep_apart(change, plan)
    memory_ties_shelf.close_merge(change.connection, plan.merge.reversal_hash, UNDONE)
    return _answer(plan, request)


def _plan(change: Change, request: UndoRequest) -> _Plan:
    merge = _undoable(change, request.reversal_hash)
    merged = memory_shelf.find_memory(change.connection, merge.merged_id)
    if merged is not None and is_over(merged, change.now):
        merged = None
    held = memory_shelf.find_memories(change.connection, merge.source_ids)
    sources = [
        memory
        for memory in map(held.get, merge.source_ids)
        if memory is not None and memory.state == MERGED and memory.merged_into == merge.merged_id
    ]
    present = {memory.node_id for memory in sources}
    missing = [node_id for node_id in merge.source_ids if node_id not in present]
    changes = _changes(change, merge, merged) if merged is not None and merged.state == LIVE else []
    refusals = _refusals(change, request, merge, merged, missing, changes)
    return _Plan(merge, merged, sources, missing, changes, refusals)


def _undoable(change: Change, reversal_hash: str) -> MergeRow:
    merge = memory_ties_shelf.find_merge(change.connection, reversal_hash)
    if merge is None:
        raise NotFound("Unknown reversal_hash", reversal_hash=reversal_hash)
    if merge.state == UNDONE:
        raise Conflict("Merge already undone", reversal_hash=reversal_hash, merged_id=merge.merged_id)
    if merge.state != OPEN or change.now >= merge.reversible_until:
        time = format_instant(merge.reversible_until)
        raise Expired(f"Reversal window ended at {time}", reversal_hash=reversal_hash, ended_at=time)
    return merge


def _changes(change: Change, merge: MergeRow, merged: Memory) -> list[str]:
    """Edited, boosted to another value, or itself given relations."""
    found = []
    if fingerprint(merged) != merge.fingerprint:
        found.append("edited")
    if merged.importance != merge.importance:
        found.append("boosted")
    rows = memory_ties_shelf.relations_of(change.connection, [merged.node_id])
    edits = memory_ties_shelf.lines_of_action(change.connection, merged.node_id, "edited")
    if any(not row.settled for row in rows) or any("relations" in line.detail for line in edits):
        found.append("relations given")
    return found


def _refusals(
    change: Change, request: UndoRequest, merge: MergeRow, merged: Memory | None, missing: list[str], changes: list[str]
) -> list[Conflict]:
    found = []
    if merged is not None and merged.state == MERGED:
        later = memory_ties_shelf.merge_into(change.connection, merged.merged_into or "")
        found.append(
            Conflict(
                f"Merged memory {merged.node_id} was merged into {merged.merged_into}; undo that merge first",
                merged_into=merged.merged_into,
                blocking_reversal_hash=later.reversal_hash if later else None,
            )
        )
    if missing and (not request.allow_partial or len(missing) == len(merge.source_ids)):
        found.append(Conflict(f"Sources were erased: {', '.join(missing)}", missing_ids=missing))
    if changes and request.on_conflict == "fail":
        told = ", ".join(changes)
        found.append(Conflict(f"Merged memory {merge.merged_id} changed since the merge: {told}", changes=changes))
    return found


def _leave_merged(change: Change, plan: _Plan, request: UndoRequest) -> None:
    """What it had through its sources it keeps, in the trash or beside them."""
    assert plan.merged is not None
    merged = settle_relations(change, plan.merged)
    if merged.state != LIVE or plan.leaves_merged(request):
        return
    deadline = change.now + change.tools.recovery
    gone = change.update(merged, state=DELETED, deleted_at=change.now, recoverable_until=deadline)
    change.note(gone, "merge_undone", source_ids=list(plan.merge.source_ids))


def _keep_apart(change: Change, plan: _Plan) -> None:
    """Who has undone a merge is not asked to make it again."""
    ids = sorted([memory.node_id for memory in plan.sources] + ([plan.merge.merged_id] if plan.merged else []))
    memory_inbox_shelf.put_dismissals(
        change.connection,
        [
            Dismissal(task_id(POTENTIAL_MERGE, one, two), one, two, None, change.now)
            for one, two in combinations(ids, 2)
        ],
    )


def _answer(
    plan: _Plan, request: UndoRequest, *, preview: bool | None = None, conflicts: list[str] | None = None
) -> UndoAnswer:
    merged_state: Literal["live", "deleted", "erased"] = "erased" if plan.merged is None else "deleted"
    if plan.merged is not None and plan.merged.state == LIVE and (plan.leaves_merged(request) or plan.refusals):
        merged_state = "live"
    return UndoAnswer(
        merged_id=plan.merge.merged_id,
        restored_ids=[] if plan.refusals else [memory.node_id for memory in plan.sources],
        missing_ids=plan.missing_ids,
        merged_state=merged_state,
        partial=bool(plan.missing_ids) and not plan.refusals,
        preview=preview,
        conflicts=conflicts,
    )
