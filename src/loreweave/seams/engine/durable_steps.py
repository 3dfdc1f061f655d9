"""Steps that DBOS records: it counts those of the task that calls it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from dbos import DBOS
from dbos._error import DBOSStepNondeterminismError, DBOSUnexpectedStepError, DBOSWorkflowConflictIDError

from loreweave.errors import Conflict
from loreweave.seams.engine.engine import Json, TakenOver
from loreweave.seams.engine.engine_database import told_plainly
from loreweave.seams.engine.json_serializer import REFUSED
from loreweave.seams.engine.step_outcome import outcome_of, value_of


class DurableSteps:
    async def step(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        async def once() -> Json:
            return await outcome_of(name, work)

        spelled = name.encode("unicode_escape").decode("ascii")  # PostgreSQL refuses some of the rest
        try:
            with told_plainly(REFUSED):
                outcome = await DBOS.run_step_async({"name": spelled}, once)
        except DBOSWorkflowConflictIDError:
            raise TakenOver from None
        except (DBOSUnexpectedStepError, DBOSStepNondeterminismError) as trouble:
            raise Conflict("The work's steps are not those that were recorded.", part="engine") from trouble
        return value_of(outcome)
