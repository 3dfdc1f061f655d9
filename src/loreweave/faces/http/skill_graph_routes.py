"""Contract 000 over HTTP: which address takes which request and gives which answer."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts import skill_graph as asked
from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.disclosed_nodes import ScanAnswer, SearchAnswer
from loreweave.contracts.graph_reports import (
    ChangesAnswer,
    DeleteAnswer,
    GraphList,
    IngestAnswer,
    StatsAnswer,
    ValidateAnswer,
)
from loreweave.contracts.wire import to_json
from loreweave.errors import InvalidInput
from loreweave.faces.http.cached_answers import cached_answer
from loreweave.faces.http.described_routes import (
    EXPORT_TYPES,
    NODE_ANSWERS,
    described_body,
    described_export,
    described_ingest,
    described_path,
    described_query,
)
from loreweave.faces.http.ingest_route import IngestRoute
from loreweave.faces.http.request_bodies import json_request
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.faces.request_values import read_request, read_texts


def skill_graph_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    graphs, retrieval = application.graphs, application.retrieval
    router = APIRouter(prefix="/api/skillgraph", tags=["skill graph"], redirect_slashes=False)

    def post(name: str, model: type[BaseModel], answer: Any, call: Callable[[Any], BaseModel]) -> None:
        run = calls.ingest if name == "fuse" else calls.read
        router.add_api_route(
            f"/{name}", _post(model, call, run), methods=["POST"], **described_body(name, model, answer)
        )

    def get(name: str, model: type[BaseModel] | None, call: Callable[..., Any], *answers: Any) -> None:
        router.add_api_route(
            f"/{name}", _get(model, call, calls), methods=["GET"], **described_query(name, model, *answers)
        )

    ingest = IngestRoute(application, calls)

    async def demo(request: Request) -> Response:
        _refuse_query(request)
        return await ingest.demo(request)

    router.add_api_route("/ingest", _route(ingest), methods=["POST"], **described_ingest())
    router.add_api_route("/demo", demo, methods=["POST"], **described_body("demo", asked.DemoRequest, IngestAnswer))
    post("scan", asked.ScanRequest, ScanAnswer, retrieval.scan)
    post("traverse", asked.DrawnTraverseRequest, TraverseAnswer, retrieval.traverse)
    post("context", asked.DrawnContextRequest, ContextAnswer, retrieval.context)
    post("validate", asked.GraphRequest, ValidateAnswer, graphs.validate)
    post("search", asked.SearchRequest, SearchAnswer, retrieval.search)
    post("fuse", asked.FuseRequest, IngestAnswer, graphs.fuse)
    get("stats", asked.GraphRequest, graphs.stats, StatsAnswer)
    get("changes", asked.GraphRequest, graphs.changes, ChangesAnswer)
    get("node", asked.NodeRequest, retrieval.read_node, *NODE_ANSWERS)
    get("graphs", None, graphs.graphs, GraphList)
    router.add_api_route(
        "/export", _get(asked.ExportRequest, graphs.export, calls), methods=["GET"], **described_export()
    )

    async def delete(request: Request) -> Response:
        _refuse_query(request)
        graph = read_request(asked.GraphRequest, request.path_params)
        return json_answer(await calls.ingest(graphs.delete, graph.graphId))

    router.add_api_route(
        "/graphs/{graphId}",
        delete,
        methods=["DELETE"],
        **described_path("delete", asked.GraphRequest, DeleteAnswer),
    )
    return router


def _route(endpoint: IngestRoute) -> Callable[[Request], Any]:
    async def ingest(request: Request) -> Response:
        return await endpoint(request)

    return ingest


def _post(
    model: type[BaseModel], call: Callable[[Any], BaseModel], run: Callable[..., Any]
) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        _refuse_query(request)
        return json_answer(await run(call, await json_request(request, model)))

    return endpoint


def _get(model: type[BaseModel] | None, call: Callable[..., Any], calls: ServiceCalls) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if model is None:
            _refuse_query(request)
            return cached_answer(request, to_json(await calls.read(call)))
        values = read_texts(model, request.query_params.multi_items())
        answer = await calls.read(call, values)
        return (
            _text_answer(request, values, answer)
            if isinstance(answer, str)
            else cached_answer(request, to_json(answer))
        )

    return endpoint


def _text_answer(request: Request, values: Any, text: str) -> Response:
    """An export that is no JSON: a file to keep, never a page to show."""
    media_type, suffix = EXPORT_TYPES[values.format]
    disposition = {"Content-Disposition": f'attachment; filename="graph.{suffix}"'}
    return cached_answer(request, text.encode(), media_type, **disposition)


def _refuse_query(request: Request) -> None:
    for name in request.query_params:
        raise InvalidInput(f"Unknown field {name[:80]}", field=name[:80])
