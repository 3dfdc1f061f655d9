"""/mcp behind our own door: what is no MCP message is refused in our shape before the protocol sees it."""

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loreweave.errors import LoreError
from loreweave.faces.http.error_responses import (
    MethodNotAllowed,
    UnsupportedMediaType,
    error_response,
    shape_response,
)
from loreweave.faces.http.request_bodies import bounded_body
from loreweave.faces.mcp.unreadable_messages import refusal_of

METHODS = ["GET", "POST", "DELETE"]
MAX_MESSAGE_BYTES = 4 * 1024 * 1024


class McpMount:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _check(scope["method"], Headers(scope=scope))
        except LoreError as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        await self._post(scope, receive, send)

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await bounded_body(Request(scope, receive), MAX_MESSAGE_BYTES)
        except LoreError as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        refused = refusal_of(body)
        if refused is not None:
            shape = refused.model_dump(by_alias=True, mode="json", exclude_unset=True)
            await shape_response(400, shape)(scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body that was read, once; then whatever else comes, above all that the caller has gone."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _check(method: str, headers: Headers) -> None:
    if method not in METHODS:
        raise MethodNotAllowed("This address does not know that method", allow=METHODS)
    if method != "POST":
        return
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])
