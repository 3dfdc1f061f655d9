"""How the memories stand, and what is to be done about them."""

from loreweave.contracts.memory import StatusAnswer
from loreweave.contracts.memory_requests import StatusRequest
from loreweave.memory.change import MemoryTools
from loreweave.memory.changes.sweep_memories import waits_until
from loreweave.memory.find_memories import ALL_SCOPES
from loreweave.memory.inbox.read_tasks import read_tasks
from loreweave.memory.inbox.read_topics import count_states, present_rows, read_topics
from loreweave.memory.states import shown
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf


def show_status(tools: MemoryTools, request: StatusRequest) -> StatusAnswer:
    tools.accesses.flush()  # a memory that was just read is not stale
    now = tools.now()
    scope = None if request.scope == ALL_SCOPES else request.scope
    with tools.store.read() as connection:
        columns = tools.library.current(connection).columns()
        present = present_rows(columns, scope, memory_inbox_shelf.expired_keys(connection, now))
        merges = memory_inbox_shelf.count_open_merges(connection, now, scope)
        next_purge = memory_shelf.next_deadline(connection, now, scope)
        tasks, total = read_tasks(connection, now, scope, request.limit)
        doubted_since = memory_shelf.clock_seen(connection)[1]
    return StatusAnswer(
        counts=count_states(columns, present, merges),
        next_purge_at=shown(next_purge),
        sweep_waits_until=shown(waits_until(doubted_since, now)),
        suggested_action="curate" if total else "ready",
        curation_tasks=tasks,
        total_tasks=total,
        topics=read_topics(columns, present, now),
    )
