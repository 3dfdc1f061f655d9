"""The engine over DBOS: its loop, its database and its name, opened and closed together."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy
from dbos import DBOS, DBOSConfig, SetWorkflowID
from dbos._core import execute_dequeued_workflow
from dbos._schemas.system_database import SystemSchema
from dbos._utils import INTERNAL_QUEUE_NAME, GlobalParams

from loreweave.end_tasks import break_off_tasks
from loreweave.errors import Conflict, Unavailable
from loreweave.seams.engine import engine_loop
from loreweave.seams.engine.dbos_names import be_there
from loreweave.seams.engine.durable_steps import DurableSteps, place_of
from loreweave.seams.engine.engine import LetGo, TakenOver, Work
from loreweave.seams.engine.engine_database import REFUSED, JsonSerializer, open_database, told_plainly
from loreweave.seams.engine.engine_loop import CLOSED, LOG, EngineLoop, take_over_log
from loreweave.seams.engine.executor_slot import ExecutorSlot

SHAPE = "sessions-1"  # DBOS goes on only with work of its own version; by default a new release would strand it
THREADS = 16  # for the database, whatever the number of sessions
POLL_SECONDS = 0.25  # how soon work is picked up that somebody left
QUIET_SECONDS = 0.1  # how long a thread that has nothing to do may hold up a close
GRACE_SECONDS = 10.0  # for work to end when it is broken off
ENDING_SECONDS = 1.0  # between the last word of work and the record of its end

_FINISHED = ("SUCCESS", "ERROR")
_UNFINISHED = ("PENDING", "ENQUEUED", "DELAYED")

Answer = TypeVar("Answer")


class DurableEngine:
    def __init__(
        self, data_dir: Path, database_url: str, work: Work, *, takes_work: bool, let_go: LetGo | None = None
    ) -> None:
        engine_loop.claim(self)
        self._work = work
        self._let_go = let_go
        self._is_closing = False
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._broken_off: set[asyncio.Task[Any]] = set()  # they lost their work to another runner
        self._closed = threading.Lock()
        self._database: sqlalchemy.Engine | None = None
        self._slot: ExecutorSlot | None = None
        self._loop = EngineLoop()
        try:
            self._database = open_database(data_dir, database_url)
            self._slot = ExecutorSlot(data_dir)
            self.executor_id = self._slot.executor_id
            with told_plainly("The engine's database cannot be opened."):
                # Inside the loop, so that DBOS takes it for the one on which all work runs.
                self._loop.call(self._launch(takes_work))
        except BaseException:
            self.close()
            raise

    # what callers ask for

    def start(self, session_id: str) -> None:
        with told_plainly(REFUSED):
            self._loop.call(self._start(session_id))

    def take_over(self, executor_id: str) -> int:
        if executor_id == self.executor_id:
            return 0
        left = self.unfinished(executor_id)
        with told_plainly(REFUSED):
            return sum(self._records.reenqueue_for_recovery(one, [executor_id], INTERNAL_QUEUE_NAME) for one in left)

    def unfinished(self, executor_id: str) -> list[str]:
        with told_plainly(REFUSED):
            return [found.workflow_id for found in self._records.get_pending_workflows(executor_id, SHAPE)]

    def executors_with_work(self) -> list[str]:
        with told_plainly(REFUSED):
            pending = self._records.list_workflows(status="PENDING", load_input=False, load_output=False)
        return sorted({found.executor_id for found in pending if found.executor_id})

    def take_up(self, session_id: str) -> bool:
        """As the queue's own thread does it, for one alone."""
        work, owner = SystemSchema.workflow_status, str(uuid.uuid4())
        claim = sqlalchemy.update(work).where(work.c.workflow_uuid == session_id, work.c.status == "ENQUEUED")
        mine = {"status": "PENDING", "owner_xid": owner, "executor_id": self.executor_id}
        with told_plainly(REFUSED):
            with self._records.engine.begin() as connection:
                taken = connection.execute(claim.values(**mine, recovery_attempts=work.c.recovery_attempts + 1))
            if taken.rowcount:
                execute_dequeued_workflow(self._dbos, self._records.get_workflow_status(session_id), owner)
        return bool(taken.rowcount)

    def holder(self, session_id: str) -> str | None:
        with told_plainly(REFUSED):
            found = self._records.get_workflow_status(session_id)
        return found["executor_id"] if found is not None and found["status"] == "PENDING" else None

    def has_gone(self, executor_id: str) -> bool:
        assert self._slot is not None
        return self._slot.is_free(executor_id)

    def known(self, session_id: str) -> bool:
        with told_plainly(REFUSED):
            return self._records.get_workflow_status(session_id) is not None

    def forget(self, session_id: str) -> None:
        if (ending := self._running.get(session_id)) is not None:
            self._loop.call(_ended_soon(ending))
        with told_plainly(REFUSED):
            found = self._records.get_workflow_status(session_id)
            if found is not None and found["status"] in _UNFINISHED:
                raise Conflict("The session is still running.", part="engine")
            self._records.delete_workflows([session_id, *self._records.get_workflow_children(session_id)])

    def run_on_loop(self, coroutine: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        return self._loop.submit(coroutine)

    def close(self) -> None:
        """Work is broken off while DBOS still stands, and DBOS ends while the loop still runs: both wait for it."""
        if not self._closed.acquire(blocking=False):
            return
        self._is_closing = True
        if left := self._loop.call(break_off_tasks(GRACE_SECONDS)):
            LOG.warning("%d tasks did not end when the engine closed", left)
        if self._let_go is not None:
            self._loop.call(_quietly(self._let_go()))
        self._end_dbos()
        self._loop.call(break_off_tasks(GRACE_SECONDS))
        self._loop.stop()
        if self._database is not None:
            self._database.dispose()
        if self._slot is not None:
            self._slot.release()
        engine_loop.let_go()

    # what DBOS calls

    async def run(self, session_id: str) -> None:
        """Whatever way work ends is its end, except when it was broken off: then nothing may be recorded."""
        task = asyncio.current_task()
        assert task is not None
        if self._is_closing:
            raise asyncio.CancelledError
        await self._replace_runner(session_id, task)
        try:
            await self._work(session_id, DurableSteps())
        except TakenOver:
            self._broken_off.add(task)
        except asyncio.CancelledError:
            task.uncancel()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as trouble:
            LOG.warning("The work of %s failed with %s at %s", session_id, type(trouble).__name__, place_of(trouble))
        if self._is_closing or task in self._broken_off:
            raise asyncio.CancelledError
        task.add_done_callback(lambda _: self._tidy_later(session_id))

    # inside

    @property
    def _records(self) -> Any:
        if self._is_closing:
            raise Unavailable(CLOSED, part="engine")
        return self._dbos._sys_db

    async def _replace_runner(self, session_id: str, task: asyncio.Task[Any]) -> None:
        """Taken for dead, a process may get its own work again while it still runs: one runner at any time."""
        before = self._running.get(session_id)
        self._running[session_id] = task
        task.add_done_callback(lambda _: self._drop_runner(session_id, task))
        if before is not None:
            self._broken_off.add(before)
            before.cancel()
            await asyncio.wait([before])

    def _drop_runner(self, session_id: str, task: asyncio.Task[Any]) -> None:
        self._broken_off.discard(task)
        if self._running.get(session_id) is task:
            del self._running[session_id]

    async def _launch(self, takes_work: bool) -> None:
        take_over_log()
        GlobalParams.dbos_cloud = False  # whatever the environment says
        self._dbos = DBOS(config=self._config())
        queue = self._dbos._registry.get_internal_queue()  # the one that takes up what was left
        be_there(queue, "_polling_interval_sec", "_worker_concurrency")
        be_there(self._dbos, "_executor_field", "_sys_db_field")
        queue._polling_interval_sec = POLL_SECONDS
        queue._worker_concurrency = None if takes_work else 0
        DBOS.launch()
        self._tidy()

    def _config(self) -> DBOSConfig:
        return {
            "name": "loreweave",
            "system_database_engine": self._database,
            "application_version": SHAPE,
            "executor_id": self.executor_id,
            "serializer": JsonSerializer(),
            "max_executor_threads": THREADS,
            "log_level": "WARNING",
            "use_listen_notify": False,  # nobody here waits for DBOS's notices
            "notification_listener_polling_interval_sec": QUIET_SECONDS,
        }

    async def _start(self, session_id: str) -> None:
        with SetWorkflowID(session_id):
            await DBOS.start_workflow_async(engine_loop.run_session, session_id)

    def _tidy_later(self, session_id: str) -> None:
        """After a work's end its steps are of no use; those of a crash before this are left to the next opening."""
        if not self._is_closing:
            self._dbos._executor.submit(self._tidy, session_id)

    def _tidy(self, session_id: str | None = None) -> None:
        """Deletes the steps of what has ended: of this session, or of all."""
        steps, work = SystemSchema.operation_outputs, SystemSchema.workflow_status
        ended = sqlalchemy.select(work.c.workflow_uuid).where(work.c.status.in_(_FINISHED))
        if session_id is not None:
            ended = ended.where(work.c.workflow_uuid == session_id)
        with self._records.engine.begin() as connection:
            connection.execute(sqlalchemy.delete(steps).where(steps.c.workflow_uuid.in_(ended)))

    def _end_dbos(self) -> None:
        dbos = getattr(self, "_dbos", None)
        if dbos is None:
            return
        threads = dbos._executor_field
        if dbos._sys_db_field is not None:
            dbos._sys_db_field._retry_connection_errors = False  # a database that is away must not hold up the end
        DBOS.destroy()
        if threads is not None:
            threads.shutdown(wait=True)


async def _ended_soon(task: asyncio.Task[Any]) -> None:
    await asyncio.wait([task], timeout=ENDING_SECONDS)


async def _quietly(ending: Coroutine[Any, Any, None]) -> None:
    """What fails to end well must not keep the engine open."""
    try:
        await ending
    except Exception as trouble:
        LOG.warning("Something failed to end with the engine: %s at %s", type(trouble).__name__, place_of(trouble))
