"""Contract 001 over HTTP: every tool of memory by its name, and the whole memory as a ZIP."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts.argument_values import INVALID_ARGUMENT
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.errors import InvalidInput
from loreweave.faces.http.described_memory import described_export, described_import, described_tool
from loreweave.faces.http.error_responses import UnsupportedMediaType
from loreweave.faces.http.query_values import asked_once
from loreweave.faces.http.request_bodies import MAX_JSON_BYTES, bounded_body, content_type
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.faces.lenient_json import Pairs, lenient_json, name_given_twice
from loreweave.faces.memory_calls import MEMORY_CALLS, call_memory, confidentially
from loreweave.faces.request_values import shown_name

PREFIX = "/api/memory"
ACTOR = "http"
ZIP_TYPES = ["application/zip", "application/x-zip-compressed", "application/octet-stream"]


def memory_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    router = APIRouter(prefix=PREFIX, tags=["memory"], redirect_slashes=False)
    application.memory  # noqa: B018  opened before anything is served: what has expired goes first
    for tool in MEMORY_CALLS:
        router.add_api_route(f"/{tool}", _tool(application, calls, tool), methods=["POST"], **described_tool(tool))
    transfer = MemoryTransfer(application, calls)
    router.add_api_route("/export", transfer.export, methods=["GET"], **described_export())
    router.add_api_route("/import", transfer.take_in, methods=["POST"], **described_import())
    return router


def _tool(application: Application, calls: ServiceCalls, tool: str) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        for name in request.query_params:
            raise _wrong(f"Unknown argument '{shown_name(name)}'", shown_name(name))
        arguments = await _arguments(request)
        return json_answer(await calls.read(call_memory, application, tool, arguments, ACTOR))

    endpoint.__name__ = tool
    return endpoint


async def _arguments(request: Request) -> dict[str, Any]:
    body = await bounded_body(request, MAX_JSON_BYTES)
    if not body.strip():
        return {}
    if content_type(request) != "application/json":
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])
    return parse_arguments(body)


def parse_arguments(body: bytes) -> dict[str, Any]:
    """One JSON object. NaN, infinity and half surrogate pairs get through: their field is named by whoever reads it."""
    try:
        value = lenient_json(body.decode(), _distinct)
    except ValueError as trouble:
        raise _wrong(f"The body is not valid JSON: {trouble}", "body") from None
    if not isinstance(value, dict):
        raise _wrong("The body must be a JSON object", "body")
    return value


def _distinct(pairs: Pairs) -> dict[str, Any]:
    twice = name_given_twice(pairs)
    if twice is not None:
        raise _wrong(f"{shown_name(twice)} is given twice", shown_name(twice))
    return dict(pairs)


def _wrong(sentence: str, field: str) -> InvalidInput:
    return InvalidInput(sentence, code=INVALID_ARGUMENT, field=field)


class MemoryTransfer:
    """All memories at once, in and out."""

    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._application = application
        self._calls = calls

    async def export(self, request: Request) -> Response:
        _only(request, "scope")
        scope = asked_once(request, "scope")
        if scope is not None:  # the same rule as everywhere
            read_memory_request("get_memetic_status", {"scope": scope})
        export = self._application.memory.export_zip
        body = await self._calls.ingest(confidentially, export, None if scope == "*" else scope)
        disposition = {"Content-Disposition": 'attachment; filename="memories.zip"'}
        return Response(body, media_type=ZIP_TYPES[0], headers=disposition)

    async def take_in(self, request: Request) -> Response:
        _only(request, "dry_run")
        trial = asked_once(request, "dry_run")
        if trial not in (None, "true", "false"):
            raise _wrong("dry_run must be true or false", "dry_run")
        if content_type(request) not in ZIP_TYPES:
            raise UnsupportedMediaType("The body must be a ZIP: application/zip", allowed=ZIP_TYPES)
        archive = await bounded_body(request, self._application.settings.max_zip_bytes)
        take_in = self._application.memory.import_zip
        return json_answer(await self._calls.ingest(confidentially, take_in, archive, trial == "true", ACTOR))


def _only(request: Request, known: str) -> None:
    for name in request.query_params:
        if name != known:
            raise _wrong(f"Unknown argument '{shown_name(name)}'", shown_name(name))
