"""Contract 003 over HTTP: every question to a graph of skills, each with its source."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts import route as answers
from loreweave.contracts import route_requests as asked
from loreweave.errors import InvalidInput
from loreweave.faces.http.described_routes import described_body
from loreweave.faces.http.request_bodies import json_request
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.faces.request_values import shown_name

PREFIX = "/api/route"
QUESTIONS: dict[str, tuple[type[BaseModel], tuple[type[BaseModel], ...]]] = {
    "graph": (asked.RouteGraphRequest, (answers.RouteGraphAnswer,)),
    "check": (asked.RouteCheckRequest, (answers.RouteCheckup,)),
    "next": (asked.RouteNextRequest, (answers.RouteNextAnswer,)),
    "reachable": (asked.RouteReachableRequest, (answers.RouteReachableAnswer,)),
    "mermaid": (asked.RouteMermaidRequest, (answers.RouteMermaidAnswer,)),
    "score": (asked.RouteScoreRequest, (answers.RouteScoring,)),
    "read": (asked.RouteReadRequest, (answers.RouteSkillText, answers.RouteFileText)),
}


def route_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    router = APIRouter(prefix=PREFIX, tags=["route"], redirect_slashes=False)
    for name, (model, answered) in QUESTIONS.items():
        described = described_body(f"route_{name}", model, *answered)
        router.add_api_route(f"/{name}", _question(application, calls, name, model), methods=["POST"], **described)
    return router


def _question(
    application: Application, calls: ServiceCalls, name: str, model: type[BaseModel]
) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        for unknown in request.query_params:
            raise InvalidInput(f"Unknown field {shown_name(unknown)}", field=shown_name(unknown))
        # Files come along with the question, so it may be as large as an upload.
        asked_for = await json_request(request, model, application.settings.max_zip_bytes)
        return json_answer(await calls.read(getattr(application.routes, name), asked_for))

    endpoint.__name__ = f"route_{name}"
    return endpoint
