"""Names of DBOS that it promises nobody to keep: looked for before the engine relies on them.

An attribute that is gone could be set without a word, and work would be lost or stand still instead of failing.
"""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from importlib.metadata import version

from loreweave.errors import Unavailable

RANGE = "dbos>=3.3,<3.4"
_NAMES = {
    "dbos._context": ("get_local_dbos_context", "_set_local_dbos_context", "DBOSContext.snapshot_step_ctx"),
    "dbos._core": ("execute_dequeued_workflow",),
    "dbos._dbos": ("DBOS._sys_db", "DBOS._executor", "DBOSRegistry.get_internal_queue"),
    "dbos._error": ("DBOSStepNondeterminismError", "DBOSUnexpectedStepError", "DBOSWorkflowConflictIDError"),
    "dbos._schemas.system_database": (
        *(f"SystemSchema.workflow_status.c.{name}" for name in ("workflow_uuid", "status", "executor_id", "owner_xid")),
        *("SystemSchema.workflow_status.c.recovery_attempts", "SystemSchema.operation_outputs.c.workflow_uuid"),
    ),
    "dbos._sys_db": tuple(
        f"SystemDatabase.{name}"
        for name in (
            *("reenqueue_for_recovery", "get_pending_workflows", "list_workflows", "get_workflow_status"),
            *("delete_workflows", "get_workflow_children"),
        )
    ),
    "dbos._utils": ("INTERNAL_QUEUE_NAME", "GlobalParams.dbos_cloud"),
}


def refuse_unknown_dbos() -> None:
    for module, names in _NAMES.items():
        for name in names:
            try:
                reduce(getattr, name.split("."), import_module(module))
            except (ImportError, AttributeError):
                raise _refusal(f"{module}.{name}") from None


def be_there(owner: object, *names: str) -> None:
    """Of an object that DBOS made."""
    for name in names:
        if not hasattr(owner, name):
            raise _refusal(f"{type(owner).__name__}.{name}")


def _refusal(name: str) -> Unavailable:
    message = f"Sessions cannot run with dbos {version('dbos')}: it has no {name}. Install {RANGE}"
    return Unavailable(message, part="engine")
