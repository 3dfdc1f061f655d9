"""A task that somebody does not want: it stays away until a text of its memories changes."""

from loreweave.contracts.memory import DismissAnswer
from loreweave.contracts.memory_requests import DismissRequest
from loreweave.entities.memory import Dismissal
from loreweave.errors import NotFound
from loreweave.memory.change import Change
from loreweave.memory.inbox.find_contradictions import find_contradictions
from loreweave.memory.inbox.read_tasks import LEFT, UNREAD
from loreweave.memory.task_ids import CONTRADICTION, EXPIRING, POTENTIAL_MERGE, STALE
from loreweave.seams.storage import memory_inbox_shelf, memory_task_shelf

_OF_TWO = (POTENTIAL_MERGE, CONTRADICTION)


def dismiss_task(change: Change, request: DismissRequest) -> DismissAnswer:
    """Once more is fine."""
    if not memory_task_shelf.is_dismissed(change.connection, request.task_id):
        task_type, node_ids = _parted(request.task_id)
        if not _is_task(change, task_type, node_ids):
            raise _unknown()
        first, second = node_ids if len(node_ids) > 1 else (node_ids[0], None)
        dismissal = Dismissal(request.task_id, first, second, request.reason, change.now)
        memory_task_shelf.put_dismissals(change.connection, [dismissal])
        change.has_changed = True
    return DismissAnswer(task_id=request.task_id, dismissed=True)


def _parted(task_id: str) -> tuple[str, list[str]]:
    task_type, _, rest = task_id.partition(":")
    node_ids = rest.split("+")
    if task_type not in (*_OF_TWO, STALE, EXPIRING) or len(node_ids) != (2 if task_type in _OF_TWO else 1):
        raise _unknown()
    return task_type, node_ids


def _is_task(change: Change, task_type: str, node_ids: list[str]) -> bool:
    connection, now = change.connection, change.now
    if task_type == POTENTIAL_MERGE:
        return memory_inbox_shelf.is_live_pair(connection, *node_ids)
    if task_type == CONTRADICTION:
        found = ([each.first_id, each.second_id] for each in find_contradictions(connection, None))
        return node_ids in found
    if task_type == STALE:
        return memory_inbox_shelf.is_stale(connection, now - UNREAD, node_ids[0])
    return memory_inbox_shelf.is_expiring(connection, now, now + LEFT, node_ids[0])


def _unknown() -> NotFound:
    return NotFound("Unknown task_id", field="task_id")
