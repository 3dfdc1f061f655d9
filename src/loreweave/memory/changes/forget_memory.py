"""A memory forgotten: into the trash, or for good."""

from loreweave.clock import format_instant
from loreweave.contracts.memory import ForgetAnswer
from loreweave.contracts.memory_requests import ForgetRequest
from loreweave.entities.memory import DELETED, LIVE
from loreweave.memory.change import Change
from loreweave.memory.changes.erase_memory import erase_memory, remaining_copies
from loreweave.memory.states import find_present, refuse_deleted


def forget_memory(change: Change, request: ForgetRequest) -> ForgetAnswer:
    memory = find_present(change.connection, request.node_id, change.now)
    if not request.soft_delete:
        copies = remaining_copies(change, memory)
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
