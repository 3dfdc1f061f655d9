"""/mcp behind our own door: what is no MCP message is refused in our shape before the protocol sees it."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from loreweave.errors import LoreError
from loreweave.faces.http.error_responses import MethodNotAllowed, UnsupportedMediaType, error_response
from loreweave.faces.http.request_bodies import body_too_large

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
        await self._app(scope, receive, send)


def _check(method: str, headers: Headers) -> None:
    if method not in METHODS:
        raise MethodNotAllowed("This address does not know that method", allow=METHODS)
    if method != "POST":
        return
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > MAX_MESSAGE_BYTES:
        raise body_too_large(MAX_MESSAGE_BYTES)
