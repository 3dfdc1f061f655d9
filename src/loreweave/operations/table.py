"""The table of operations: HTTP's routes and their description, and the tools of MCP, are made of these rows."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from loreweave import __version__
from loreweave.contracts.session import HealthAnswer, ReadinessAnswer
from loreweave.errors import LoreError, NotFound, Unavailable
from loreweave.operations.ask_operations import ASK_OPERATIONS
from loreweave.operations.graph_operations import GRAPH_OPERATIONS
from loreweave.operations.memory_operations import MEMORY_OPERATIONS
from loreweave.operations.operation import Address, Caller, Operation
from loreweave.operations.route_operations import ROUTE_OPERATIONS
from loreweave.operations.session_operations import SESSION_OPERATIONS

if TYPE_CHECKING:
    from loreweave.application import Application


def _health(application: "Application", _: Any, caller: Caller) -> ReadinessAnswer:
    """What the house is made of; strangers learn the status alone."""
    answer = _health_of(application)
    try:
        application.graph_library.latest()
    except NotFound:
        pass  # an empty library is a healthy one
    except LoreError as trouble:
        message = "The library cannot be read just now" if caller.is_stranger else trouble.message
        facts = {} if caller.is_stranger else answer.model_dump()
        raise Unavailable(message, **{**facts, "status": "degraded"}) from trouble
    if refused := application.store.why_unwritable():
        answer = answer.model_copy(update={"status": "degraded", "storage": refused})
    return ReadinessAnswer(status=answer.status) if caller.is_stranger else answer


def _health_of(application: "Application") -> HealthAnswer:
    """What is known just now: the provider is asked in the background, this computer once."""
    settings = application.settings
    key = application.key_check.state()
    sandbox = _sandbox(application)
    could_run = key.usable and sandbox != "unavailable" and _agent_sdk() == "available"
    return HealthAnswer(
        status="ready" if could_run else "degraded",
        apiKey=key.status,
        apiKeyError=key.message if key.status == "invalid" else None,
        agentSdk=_agent_sdk(),
        version=__version__,
        database="postgresql" if settings.database_url.startswith("postgres") else "sqlite",
        embedder=settings.embedder,
        model=settings.model,
        sandbox=sandbox,
        git=application.git_version,
    )


def _sandbox(application: "Application") -> Any:
    try:
        return application.sandbox.kind
    except LoreError:
        return "unavailable"  # a sandbox is demanded, and there is none


def _agent_sdk() -> Literal["available", "not_found"]:
    return "available" if find_spec("pydantic_ai") else "not_found"


HOUSE_OPERATIONS = (
    Operation(
        name="health",
        summary="Whether the server is ready",
        answer=HealthAnswer,
        call=_health,
        http=Address(method="GET", path="/api/health", tag="house", loose=True),
    ),
)
OPERATIONS: tuple[Operation, ...] = (
    *HOUSE_OPERATIONS,
    *GRAPH_OPERATIONS,
    *MEMORY_OPERATIONS,
    *ASK_OPERATIONS,
    *ROUTE_OPERATIONS,
    *SESSION_OPERATIONS,
)
