"""GET /api/health: contract 004's shape, with what the house is made of beside it; strangers learn the status alone."""

from importlib.util import find_spec
from typing import Any, Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave import __version__
from loreweave.application import Application
from loreweave.contracts.health import HealthAnswer, ReadinessAnswer
from loreweave.errors import LoreError, NotFound, Unavailable
from loreweave.faces.http.described_routes import described
from loreweave.faces.http.service_calls import ServiceCalls, json_answer


def health_router(application: Application) -> APIRouter:
    calls = ServiceCalls(reads=2)
    router = APIRouter(prefix="/api", tags=["house"], redirect_slashes=False)

    async def health(request: Request) -> Response:
        answer: ReadinessAnswer = await calls.read(health_of, application)
        may_read = request.state.may_read
        try:
            await calls.read(application.latest_graph)
        except NotFound:
            pass  # an empty library is a healthy one
        except LoreError as trouble:
            message = trouble.message if may_read else "The library cannot be read just now"
            facts = answer.model_dump() if may_read else {}
            raise Unavailable(message, **{**facts, "status": "degraded"}) from trouble
        return json_answer(answer if may_read else ReadinessAnswer(status=answer.status))

    router.add_api_route("/health", health, methods=["GET"], **described("health", HealthAnswer))
    return router


def health_of(application: Application) -> HealthAnswer:
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
        database=_database(settings.database_url),
        embedder=settings.embedder,
        model=settings.model,
        sandbox=sandbox,
        git=application.git_version,
    )


def _sandbox(application: Application) -> Any:
    try:
        return application.sandbox.kind
    except LoreError:
        return "unavailable"  # a sandbox is demanded, and there is none


def _database(url: str) -> Literal["sqlite", "postgresql"]:
    return "postgresql" if url.startswith("postgres") else "sqlite"


def _agent_sdk() -> Literal["available", "not_found"]:
    return "available" if find_spec("pydantic_ai") else "not_found"
