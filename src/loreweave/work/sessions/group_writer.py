"""Many small writes of one process, several to a transaction.

Each write on its own would wait for the disk by itself; those that come while one transaction is under way share the
next. A write is still all or nothing, and nobody hears that it is done before it is on the disk.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from loreweave.errors import Unavailable
from loreweave.seams.storage.store import Connection, Store

Result = TypeVar("Result")
MOST = 256


class GroupWriter:
    """One thread writes; everybody may ask it to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, row: str, job: Callable[[Connection], Result]) -> "Future[Result]":
        """`row` names what the job locks: jobs of one row keep their order, and no two processes lock crosswise.

        A job may be run twice: what the first run did is then taken back before the second.
        """
        future: Future[Result] = Future()
        with self._starting:
            if self._closed:
                raise Unavailable("The store is being closed.", part="database")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="loreweave-writer", daemon=True)
                self._thread.start()
            self._waiting.put(_Write(row, job, future))
        return future

    def close(self) -> None:
        """Finishes what was submitted."""
        with self._starting:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join()

    def _work(self) -> None:
        while True:
            writes, is_last = self._gathered()
            if writes:
                self._write(sorted(writes, key=lambda write: write.row))
            if is_last:
                return

    def _gathered(self) -> tuple[list["_Write"], bool]:
        writes: list[_Write] = []
        next_one = self._waiting.get()
        while next_one is not None:
            writes.append(next_one)
            if len(writes) == MOST:
                return writes, False
            try:
                next_one = self._waiting.get_nowait()
            except queue.Empty:
                return writes, False
        return writes, True

    def _write(self, writes: list["_Write"]) -> None:
        try:
            self._run(writes)
        except BaseException as trouble:  # the transaction as a whole failed: nothing of it happened
            for write in writes:
                write.fail(trouble)
            return
        for write in writes:
            write.tell()

    def _run(self, writes: list["_Write"]) -> None:
        """In one go where nothing goes wrong, as nearly always; else again, each so that it can fail by itself."""
        try:
            with self._store.write() as connection:
                for write in writes:
                    write.run(connection)
        except _JobFailed:
            with self._store.write() as connection:
                for write in writes:
                    write.run_apart(connection)


class _JobFailed(Exception):
    pass


class _Write:
    def __init__(self, row: str, job: Callable[[Connection], Any], future: "Future[Any]") -> None:
        self.row = row
        self.future = future
        self._job = job
        self._result: Any = None
        self._trouble: Exception | None = None

    def run(self, connection: Connection) -> None:
        try:
            self._result = self._job(connection)
        except Exception as trouble:
            raise _JobFailed from trouble

    def run_apart(self, connection: Connection) -> None:
        """What goes wrong with one is taken back without the others noticing."""
        connection.execute("SAVEPOINT one_write")
        try:
            self._result = self._job(connection)
        except Exception as trouble:
            self._trouble = trouble
            _take_back(connection, trouble)
        connection.execute("RELEASE SAVEPOINT one_write")

    def tell(self) -> None:
        if self._trouble is not None:
            self.fail(self._trouble)
            return
        with suppress(InvalidStateError):  # nobody waits any more
            self.future.set_result(self._result)

    def fail(self, trouble: BaseException) -> None:
        with suppress(InvalidStateError):
            self.future.set_exception(trouble)


def _take_back(connection: Connection, trouble: Exception) -> None:
    try:
        connection.execute("ROLLBACK TO SAVEPOINT one_write")
    except Exception:  # the database has taken back everything, or is gone: that is what went wrong
        raise trouble from None
