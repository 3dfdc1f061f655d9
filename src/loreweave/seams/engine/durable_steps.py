"""Steps that DBOS records, and the outcome of each as JSON: a value, or the error that stands in its place on every
later run."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Awaitable, Callable, Iterator

from dbos import DBOS
from dbos._context import _set_local_dbos_context, get_local_dbos_context
from dbos._error import DBOSStepNondeterminismError, DBOSUnexpectedStepError, DBOSWorkflowConflictIDError

from loreweave.errors import Conflict, LoreError
from loreweave.seams.engine.engine import Answer, Json, TakenOver
from loreweave.seams.engine.engine_database import REFUSED, told_plainly
from loreweave.seams.engine.engine_loop import LOG

PART_STEPS = 100_000  # how many steps a part may have: each part counts on from its own multiple


class DurableSteps:
    """DBOS counts the steps of the task that calls it."""

    async def part(self, number: int, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """In a task of its own with a count of its own. One workflow holds all parts of a session: they have one
        runner, end together, and are waited for here instead of being looked for in the database."""

        async def begun() -> Answer:
            context = copy.copy(get_local_dbos_context())
            assert context is not None
            context.function_id = number * PART_STEPS
            _set_local_dbos_context(context)  # for this task alone
            return await work()

        return await asyncio.create_task(begun())

    async def step(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        async def once() -> Json:
            return await _outcome_of(name, work)

        spelled = name.encode("unicode_escape").decode("ascii")  # PostgreSQL refuses some of the rest
        try:
            with told_plainly(REFUSED):
                outcome = await DBOS.run_step_async({"name": spelled}, once)
        except DBOSWorkflowConflictIDError:
            raise TakenOver from None
        except (DBOSUnexpectedStepError, DBOSStepNondeterminismError) as trouble:
            raise Conflict("The work's steps are not those that were recorded.", part="engine") from trouble
        return _value_of(outcome)


async def _outcome_of(name: str, work: Callable[[], Awaitable[Json]]) -> Json:
    """Runs the work. A value is read back from its JSON, so that the first run sees what every other sees."""
    try:
        return {"value": json.loads(json.dumps(await work()))}
    except LoreError as error:
        return {"error": _written(error)}
    except Exception as trouble:
        LOG.warning("The step %s failed with %s at %s", name, type(trouble).__name__, place_of(trouble))
        return {"error": _written(LoreError(f"A step failed unexpectedly: {type(trouble).__name__}."))}


def _value_of(outcome: Json) -> Json:
    """The value, or the error, raised."""
    if "error" in outcome:
        raise _restored(outcome["error"])
    return outcome["value"]


def place_of(trouble: BaseException) -> str:
    """Where it was raised, for a log that must not repeat what it says."""
    trace = trouble.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace is not None else "an unknown place"


def _written(error: LoreError) -> Json:
    kinds = [kind.__name__ for kind in type(error).__mro__ if issubclass(kind, LoreError)]
    facts = json.loads(json.dumps(error.facts, default=str))
    return {"kinds": kinds, "message": error.message, "code": error.code, "facts": facts}


def _restored(written: Json) -> LoreError:
    """Of the class it had, or of the nearest one that this version still has. Nothing is imported by a row's word."""
    known = {kind.__name__: kind for kind in _kinds(LoreError)}
    kind = next((known[name] for name in written["kinds"] if name in known), LoreError)
    error = kind.__new__(kind, written["message"])
    LoreError.__init__(error, written["message"], code=written["code"], **written["facts"])
    return error


def _kinds(kind: type[LoreError]) -> Iterator[type[LoreError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)
