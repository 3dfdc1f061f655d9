"""How many answers may run at once."""

from __future__ import annotations

from threading import Lock

from loreweave.errors import RateLimited


class AnswerSlots:
    """One more than the limit is refused at once rather than kept waiting."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._taken = 0
        self._lock = Lock()

    def take(self) -> None:
        with self._lock:
            if self._taken >= self._limit:
                raise RateLimited("Too many answers are being written just now; try again soon.", retryAfter=5)
            self._taken += 1

    def give_back(self) -> None:
        with self._lock:
            self._taken -= 1
