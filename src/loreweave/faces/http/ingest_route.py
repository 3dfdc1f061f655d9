"""Archives that are sent: graphs ingested from a ZIP or a GitHub repository, and memories taken in from a ZIP."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts.graph_reports import IngestAnswer
from loreweave.contracts.skill_graph import GithubIngestRequest, ZipIngestFields
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.http.asked_values import asked_once, bounded_body, content_type, json_object
from loreweave.faces.http.error_responses import UnsupportedMediaType
from loreweave.faces.http.operation_routes import ACTOR
from loreweave.faces.http.sent_answers import ServiceCalls, json_answer
from loreweave.faces.http.upload import UploadForm, receive_upload
from loreweave.faces.request_values import read_request
from loreweave.operations.memory_operations import confidentially, read_import

READ_TYPES = ["multipart/form-data", "application/json"]
ZIP_TYPES = ["application/zip", "application/x-zip-compressed", "application/octet-stream"]


class IngestRoute:
    """The rate is asked before a byte of the upload is read, and counted once the fields are sound."""

    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._application = application
        self._calls = calls

    async def endpoint(self, request: Request) -> Response:
        kind = content_type(request)
        if kind and kind not in READ_TYPES:
            raise UnsupportedMediaType("An ingest is multipart/form-data or application/json", allowed=READ_TYPES)
        await self._calls.read(self._application.access.check_ingest, request.state.user)
        return await (self._zip(request) if kind == READ_TYPES[0] else self._github(request))

    async def _zip(self, request: Request) -> Response:
        settings, graphs = self._application.settings, self._application.graphs
        with UploadForm(settings.max_zip_bytes, settings.data_dir) as form:
            try:
                await receive_upload(request, form)
            except Exception:
                if form.file_begun and self._is_sound(form):  # one that breaks off was a sound request all the same
                    await self._count(request)
                raise
            fields = self._checked(form)
            await self._count(request)
            return await self._ingest(lambda: graphs.ingest_zip(form.archive(), fields, form.filename))

    def _checked(self, form: UploadForm) -> ZipIngestFields:
        fields = form.checked_fields()
        self._application.graphs.check_source(fields)
        return fields

    def _is_sound(self, form: UploadForm) -> bool:
        try:
            self._checked(form)
        except LoreError:
            return False
        return not form.field_under_way()

    async def _github(self, request: Request) -> Response:
        values = await json_object(request)
        if values.get("sourceType") == "zip":
            raise InvalidInput("A ZIP is sent as multipart/form-data with the field file", field="sourceType")
        asked = read_request(GithubIngestRequest, values)
        self._application.graphs.check_source(asked)
        await self._count(request)
        return await self._ingest(self._application.graphs.ingest_github, asked)

    async def _count(self, request: Request) -> None:
        await self._calls.read(self._application.access.count_ingest, request.state.user)

    async def _ingest(self, call: Callable[..., IngestAnswer], *arguments: Any) -> Response:
        return json_answer(await self._calls.ingest(call, *arguments))


class MemoryImport:
    """The archive is the body; whether it is only tried stands in the query."""

    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._application = application
        self._calls = calls

    async def endpoint(self, request: Request) -> Response:
        asked = read_import({name: asked_once(request, name) for name in request.query_params})
        if content_type(request) not in ZIP_TYPES:
            raise UnsupportedMediaType("The body must be a ZIP: application/zip", allowed=ZIP_TYPES)
        archive = await bounded_body(request, self._application.settings.max_zip_bytes)
        take_in = self._application.memory.import_zip
        return json_answer(await self._calls.ingest(confidentially, take_in, archive, asked.dry_run, ACTOR))
