"""Contract 002 over HTTP: reads without a key, keyword search, feedback and gaps."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts import ask
from loreweave.contracts.wire import to_json
from loreweave.errors import NotFound
from loreweave.faces.http.answer_route import AnswerRoute
from loreweave.faces.http.cached_answers import cached_answer
from loreweave.faces.http.described_routes import described, described_answer, described_body, described_reads
from loreweave.faces.http.query_values import asked_once, graph_asked
from loreweave.faces.http.request_bodies import json_request
from loreweave.faces.http.service_calls import ServiceCalls, json_answer

PREFIX = "/api/ask"


def ask_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    service = application.asking
    router = APIRouter(tags=["ask"], redirect_slashes=False)

    def add(path: str, endpoint: Callable[[Request], Any], method: str, **description: Any) -> None:
        """A slash at the end asks for the same thing."""
        router.add_api_route(PREFIX + path, endpoint, methods=[method], **description)
        router.add_api_route(PREFIX + path + "/", endpoint, methods=[method], include_in_schema=False)

    def read(path: str, name: str, answer: type[BaseModel], call: Callable[[Request, str | None], Any]) -> None:
        async def endpoint(request: Request) -> Response:
            return cached_answer(request, to_json(await calls.read(call, request, graph_asked(request))))

        endpoint.__name__ = name
        add(path, endpoint, "GET", **described_reads(name, answer, path))

    answer = AnswerRoute(application, calls).endpoint

    async def suggest_or_answer(request: Request) -> Response:
        if request.method == "POST":
            return await answer(request)
        return cached_answer(request, to_json(await calls.read(service.suggestions, graph_asked(request))))

    # One route for both methods, so that a third is told of both; the two below only describe it.
    for path in (PREFIX, PREFIX + "/"):
        router.add_api_route(path, suggest_or_answer, methods=["GET", "POST"], include_in_schema=False)
    read("", "suggestions", ask.SuggestionsResponse, lambda _, graph: service.suggestions(graph))
    read("/glossary", "glossary", ask.GlossaryList, lambda _, graph: service.glossary(graph))
    read(
        "/sections",
        "sections",
        ask.SectionList,
        lambda request, graph: service.sections(asked_once(request, "group"), graph),
    )
    read("/overview", "overview", ask.OverviewAnswer, lambda _, graph: service.overview(graph))
    read("/gaps", "gaps", ask.GapList, lambda _, graph: service.gaps(graph))
    read("/glossary/{term:path}", "term", ask.GlossaryEntry, _named("term", service.glossary_term))
    read("/sections/{id:path}", "section", ask.KnowledgeNode, _named("id", service.section))

    async def digest(request: Request) -> Response:
        return cached_answer(request, await calls.read(service.digest, graph_asked(request)))

    async def feedback(request: Request) -> Response:
        return json_answer(await calls.read(service.feedback, await json_request(request, ask.FeedbackRequest)))

    add("/digest", digest, "GET", **described("digest"))
    add("/feedback", feedback, "POST", **described_body("feedback", ask.FeedbackRequest, ask.FeedbackAnswer))
    add("", answer, "POST", **described_answer())
    return router


def _named(parameter: str, call: Callable[[str, str | None], BaseModel]) -> Callable[[Request, str | None], BaseModel]:
    """What is called so; else what is called so without the slash at the end of the address."""

    def read(request: Request, graph: str | None) -> BaseModel:
        wanted = request.path_params[parameter]
        try:
            return call(wanted, graph)
        except NotFound:
            if not wanted.endswith("/"):
                raise
            return call(wanted.removesuffix("/"), graph)

    return read
