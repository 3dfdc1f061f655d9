"""Conversations that are kept: an answer has an address, and whoever comes back finds what was said."""

from collections.abc import Callable

from loreweave.contracts.ask import KeepTurnRequest, Thread, ThreadLine, ThreadList, ThreadTurn
from loreweave.errors import Conflict, NotFound
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Store

MOST_LISTED = 200
TITLE_LENGTH = 120


class ThreadService:
    """A turn is kept by whoever asked, once it is over; the oldest threads are forgotten."""

    def __init__(self, store: Store, now: Callable[[], str]) -> None:
        self._store = store
        self._now = now

    def keep(self, request: KeepTurnRequest) -> Thread:
        title = " ".join(request.turn.query.split())[:TITLE_LENGTH]
        turn = request.turn.model_dump_json()
        values = (request.thread_id, request.number, request.graphId, title, turn, self._now())
        with self._store.write() as connection:
            if not ask_shelf.keep_turn(connection, *values):
                raise Conflict("The turns before this one are not kept", field="number", number=request.number)
        return self.read(request.thread_id)

    def list(self) -> ThreadList:
        with self._store.read() as connection:
            rows = ask_shelf.threads(connection, MOST_LISTED)
        return ThreadList(threads=[ThreadLine(**_line(row)) for row in rows])

    def read(self, thread_id: str) -> Thread:
        with self._store.read() as connection:
            found = ask_shelf.thread(connection, thread_id)
        if found is None:
            raise _unknown(thread_id)
        row, turns = found
        return Thread(**_line(row), asked=[ThreadTurn.model_validate_json(turn) for turn in turns])

    def delete(self, thread_id: str) -> None:
        with self._store.write() as connection:
            if not ask_shelf.delete_thread(connection, thread_id):
                raise _unknown(thread_id)


def _line(row: tuple) -> dict:
    return dict(zip(("id", "title", "graphId", "turns", "updatedAt"), row, strict=True))


def _unknown(thread_id: str) -> NotFound:
    return NotFound(f"There is no conversation {thread_id!r}", thread_id=thread_id)
