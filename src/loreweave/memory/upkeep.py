"""What a server does beside serving: erases what has expired, and stores what the next process opens quickly."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from loreweave.errors import LoreError

if TYPE_CHECKING:
    from loreweave.memory.memory_service import MemoryService

log = logging.getLogger("loreweave.memory")
TEND_SECONDS, SWEEP_SECONDS = 60.0, 3600.0


class Upkeep:
    """A thread while it is entered. What it does can be cut off at any moment and is done again by the next."""

    def __init__(self, memory: MemoryService, tend: float = TEND_SECONDS, sweep: float = SWEEP_SECONDS) -> None:
        self._memory = memory
        self._tend, self._sweep = tend, sweep
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-upkeep", daemon=True)

    def __enter__(self) -> Upkeep:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        waited = 0.0
        while not self._stop.wait(self._tend):
            waited += self._tend
            try:
                if waited >= self._sweep:
                    waited = 0.0
                    self._memory.sweep()
                self._memory.tend()
            except LoreError as refusal:  # the database is away for a while: the next round tries again
                log.warning("the upkeep of memory was put off: %s", refusal.message)
            except Exception as trouble:  # its words may quote a memory
                log.error("the upkeep of memory failed: %s", type(trouble).__name__)
