"""In which state a memory is at a moment, and what a caller is told who wanted another."""

from typing import Any, NoReturn

from loreweave.clock import format_instant
from loreweave.entities.memory import LIVE, Memory
from loreweave.errors import AlreadyDeleted, NotFound
from loreweave.seams.storage import memory_shelf
from loreweave.seams.storage.store import Connection


def is_over(memory: Memory, now: int) -> bool:
    """Past its deadline a memory counts as erased, swept or not."""
    return memory.recoverable_until is not None and now >= memory.recoverable_until


def find_present(connection: Connection, node_id: str, now: int) -> Memory:
    """A memory in any state from which it can come back."""
    memory = memory_shelf.find_memory(connection, node_id)
    if memory is None or is_over(memory, now):
        raise NotFound(f"Memory {node_id} not found", node_id=node_id)
    return memory


def find_live(connection: Connection, node_id: str, now: int) -> Memory:
    memory = find_present(connection, node_id, now)
    if memory.state != LIVE:
        refuse_deleted(memory)
    return memory


def refuse_deleted(memory: Memory) -> NoReturn:
    facts: dict[str, Any] = {
        "node_id": memory.node_id,
        "state": memory.state,
        "deleted_at": shown(memory.deleted_at),
        "recoverable_until": shown(memory.recoverable_until),
        "merged_into": memory.merged_into,
    }
    raise AlreadyDeleted("Memory already deleted", **facts)


def shown(at: int | None) -> str | None:
    return None if at is None else format_instant(at)
