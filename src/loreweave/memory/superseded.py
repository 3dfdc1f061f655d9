"""Since when memories are superseded: worked out once for each state of the store."""

import threading

from loreweave.memory.merging.relation_graph import ended_memories
from loreweave.seams.storage import memory_shelf
from loreweave.seams.storage.store import Connection


class Superseded:
    def __init__(self) -> None:
        self._revision = -1
        self._ended: dict[int, int] = {}
        self._lock = threading.Lock()

    def current(self, connection: Connection) -> dict[int, int]:
        """Key → the start of what took its place, in the state that this connection sees."""
        revision = memory_shelf.revision_of(connection)
        with self._lock:
            if self._revision == revision:
                return self._ended
        ended = ended_memories(connection)
        with self._lock:
            if revision > self._revision:
                self._revision, self._ended = revision, ended
        return ended
