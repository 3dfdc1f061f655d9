"""GET /api/health: contract 004's shape, with version, database and embedder beside it."""

from importlib.util import find_spec
from typing import Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave import __version__
from loreweave.application import Application
from loreweave.contracts.health import HealthAnswer
from loreweave.errors import LoreError, NotFound, Unavailable
from loreweave.faces.http.described_routes import described
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.settings import Settings


def health_router(application: Application) -> APIRouter:
    calls = ServiceCalls(reads=2)
    router = APIRouter(prefix="/api", tags=["house"], redirect_slashes=False)

    async def health(request: Request) -> Response:
        answer = health_of(application)
        try:
            await calls.read(application.latest_graph)
        except NotFound:
            pass  # an empty library is a healthy one
        except LoreError as trouble:
            raise Unavailable(trouble.message, **{**answer.model_dump(), "status": "degraded"}) from trouble
        return json_answer(answer)

    router.add_api_route("/health", health, methods=["GET"], **described("health", HealthAnswer))
    return router


def health_of(application: Application) -> HealthAnswer:
    """What is known without asking anybody: nothing here waits for another part."""
    return HealthAnswer(
        status="ready",
        apiKey=_api_key(application.settings),
        agentSdk=_agent_sdk(),
        version=__version__,
        database=_database(application.settings.database_url),
        embedder=application.settings.embedder,
    )


def _database(url: str) -> Literal["sqlite", "postgresql"]:
    return "postgresql" if url.startswith("postgres") else "sqlite"


def _api_key(settings: Settings) -> Literal["missing", "unchecked"]:
    """Whether the chosen provider has a key; nobody is asked whether it is right."""
    keys = {"anthropic": settings.anthropic_api_key, "openai": settings.openai_api_key}
    key = keys.get(settings.model.partition(":")[0], settings.anthropic_api_key)
    return "unchecked" if key.strip() else "missing"


def _agent_sdk() -> Literal["available", "not_found"]:
    return "available" if find_spec("pydantic_ai") else "not_found"
