"""Counts reads without holding them up: written at once where nobody else writes, else with the next change."""

import threading

from loreweave.errors import Unavailable
from loreweave.seams.storage import memory_shelf
from loreweave.seams.storage.store import Connection, Store

_MOST_WAITING = 10_000


class AccessLog:
    def __init__(self, store: Store, writes: str) -> None:
        self._store = store
        self._writes = writes
        self._waiting: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def note(self, node_ids: list[str], at: int) -> None:
        with self._lock:
            for node_id in node_ids:
                count, last = self._waiting.get(node_id, (0, at))
                self._waiting[node_id] = count + 1, max(last, at)
            while len(self._waiting) > _MOST_WAITING:  # a database that cannot be written must not fill the memory
                self._waiting.pop(next(iter(self._waiting)))
        self.flush()

    def flush(self) -> None:
        """Writes what waits, unless somebody else is writing."""
        if not self._waiting:
            return
        try:
            with self._store.write_if_free(self._writes) as connection:
                if connection is not None:
                    self.flush_into(connection)
        except Unavailable:  # a read must not fail because it could not be counted
            return

    def flush_into(self, connection: Connection) -> None:
        """With a change that is being written. Should it fail, a few reads stay uncounted."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        if waiting:
            counted = [(node_id, count, at) for node_id, (count, at) in sorted(waiting.items())]
            memory_shelf.count_accesses(connection, counted)
