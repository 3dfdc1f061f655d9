"""Puts the text of a memory where it is found again: its reading for search, its pairs for the inbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.entities.memory import Memory, Pair
from loreweave.memory.change import Change
from loreweave.seams.storage import memory_task_shelf

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex
    from loreweave.memory.search.read_memory_text import TextReading


def place_memory(change: Change, index: MemoryIndex, memory: Memory, reading: TextReading) -> None:
    """`index` is of the state before this change."""
    change.tools.library.keep(change.connection, memory.key, reading)
    memory_task_shelf.delete_pairs(change.connection, memory.node_id)
    memory_task_shelf.put_pairs(change.connection, pairs_of(index, memory, reading))


def pairs_of(index: MemoryIndex, memory: Memory, reading: TextReading) -> list[Pair]:
    found = index.twins(memory.content, reading, memory.scope, memory.key)
    own = memory.node_id
    return [Pair(min(own, other), max(own, other), similarity) for other, similarity in found]
