"""The rows of the table as routes: a request read from address, query and body, the call, and its answer."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from loreweave.application import Application
from loreweave.contracts.argument_values import refuse_unknown
from loreweave.contracts.wire import to_json
from loreweave.errors import NotFound
from loreweave.faces.http.asked_values import (
    MAX_JSON_BYTES,
    asked_once,
    json_object,
    lenient_object,
    only_asked,
    optional_object,
)
from loreweave.faces.http.sent_answers import ServiceCalls, cached_answer
from loreweave.faces.request_values import read_request, read_texts, unknown_field
from loreweave.operations.operation import Address, Caller, Document, Operation

Endpoint = Callable[[Request], Awaitable[Response]]
ACTOR = "http"


def operation_routes(
    application: Application,
    operations: Sequence[Operation],
    pools: Mapping[str, ServiceCalls],
    by_hand: Mapping[str, Endpoint],
) -> list[Route]:
    """One route an address, whatever its methods, so that another method is told of each."""
    addresses: dict[str, dict[str, Endpoint]] = {}
    for row in operations:
        if row.http is None:
            continue
        endpoint = by_hand.get(row.name) or OperationRoute(application, row, row.http, pools[row.http.tag]).answer
        for path in (row.http.path, row.http.path + "/") if row.http.slash else (row.http.path,):
            addresses.setdefault(path, {})[row.http.method] = endpoint
    return [_route(path, endpoints) for path, endpoints in addresses.items()]


def _route(path: str, endpoints: Mapping[str, Endpoint]) -> Route:
    async def answer(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return Route(path, answer, methods=list(endpoints))


def caller_of(request: Request) -> Caller:
    """The guard has said who is asking."""
    is_open = request.state.token is None and request.state.may_read  # on loopback, to whoever sits here
    return Caller(request.state.user, ACTOR, reads_folders=is_open, is_stranger=not request.state.may_read)


class OperationRoute:
    def __init__(self, application: Application, row: Operation, address: Address, calls: ServiceCalls) -> None:
        self._application = application
        self._row = row
        self._address = address
        self._calls = calls
        self._fields = row.request.model_fields if row.request else {}

    async def answer(self, request: Request) -> Response:
        asked = await self._read(request)
        run = self._calls.ingest if self._address.slow else self._calls.read
        return self._answered(request, await run(self._call, asked, caller_of(request)))

    def _call(self, asked: Any, caller: Caller) -> Any:
        assert self._row.call is not None, f"{self._row.name} needs a route written by hand"
        try:
            return self._row.call(self._application, asked, caller)
        except NotFound:
            bare = self._without_slash(asked)
            if bare is None:
                raise
            return self._row.call(self._application, bare, caller)

    def _without_slash(self, asked: Any) -> Any:
        """What is called so may be meant without the slash at the end of the address."""
        _, named, last = self._address.path.rpartition("{")
        name = last.partition(":")[0]
        if not (self._address.slash and named and getattr(asked, name).endswith("/")):
            return None
        return asked.model_copy(update={name: getattr(asked, name).removesuffix("/")})

    async def _read(self, request: Request) -> Any:
        row, address, named = self._row, self._address, request.path_params
        if address.before is not None:
            await self._calls.read(address.before, self._application, named, caller_of(request))
        if address.method == "POST":
            given = await self._body(request)
        elif address.loose or row.request is None:
            return self._looked_up(request)
        elif row.read is None:
            return read_texts(row.request, [*request.query_params.multi_items(), *named.items()])
        else:
            given = {name: asked_once(request, name) for name in request.query_params}
        if row.unread:
            return {**given, **named}
        for name in named:
            if name in given:
                raise unknown_field(name)
        if row.read is not None:
            return row.read({**given, **named})
        if row.request is None:
            return None
        return read_request(row.request, {**given, **named}, takes_nul=address.takes_nul, placed=named)

    def _looked_up(self, request: Request) -> Any:
        """Names as they stand: what is not there is not found."""
        if not self._address.loose:
            only_asked(request)
        if self._row.request is None:
            return None
        given = {name: asked_once(request, name) or None for name in self._fields}
        return self._row.request.model_construct(**{**given, **request.path_params})

    async def _body(self, request: Request) -> dict[str, Any]:
        if self._row.read is not None:
            refuse_unknown(request.query_params, ())
            return await lenient_object(request)
        if not self._address.loose:
            only_asked(request)
        limit = self._application.settings.max_zip_bytes if self._address.large else MAX_JSON_BYTES
        if not self._address.optional:
            return await json_object(request, limit)
        told = await optional_object(request)
        return told if self._fields.keys() - request.path_params.keys() else {}

    def _answered(self, request: Request, answer: Any) -> Response:
        document = answer if isinstance(answer, Document) else Document(_json(answer))
        headers = {}
        if document.filename is not None:
            headers["Content-Disposition"] = f'attachment; filename="{document.filename}"'
        if self._address.cached:
            return cached_answer(request, document.body, document.media_type, **headers)
        return Response(document.body, media_type=document.media_type, headers=headers)


def _json(answer: BaseModel | Sequence[BaseModel]) -> bytes:
    """One value, or a bare list of them, each serialised as everywhere."""
    if isinstance(answer, BaseModel):
        return to_json(answer)
    return f"[{','.join(value.model_dump_json() for value in answer)}]\n".encode()
