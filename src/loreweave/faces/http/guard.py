"""The outermost layer: Host, Origin and tokens before anything is read; headers on every answer."""

from collections.abc import Callable
from functools import partial

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loreweave.errors import LoreError, Unauthorized
from loreweave.faces.http.access_policy import AccessPolicy
from loreweave.faces.http.docs_page import HEADERS as PAGE_HEADERS
from loreweave.faces.http.docs_page import locked_page, takes_page
from loreweave.faces.http.error_responses import error_response, unexpected_response

GUARDED = ("/api", "/mcp", "/ws", "/docs")
OPEN_PATHS = frozenset({"/api/health"})  # readiness is asked for by machines that hold no token
CORS_METHODS = "GET, POST, DELETE"
CORS_HEADERS = "Authorization, Content-Type, If-None-Match, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID"
CORS_EXPOSED = "ETag, Retry-After, Mcp-Session-Id"
# Pages cannot set headers on a WebSocket: there the token comes beside this name, and only the name is sent back.
SUBPROTOCOL = "loreweave"
TOKEN_PROTOCOL = "bearer."
STARTS = frozenset({"http.response.start", "websocket.http.response.start", "websocket.accept"})

FindUser = Callable[[str], str | None]


class Guard:
    """Pure ASGI, so that bodies stream through it untouched."""

    def __init__(self, app: ASGIApp, policy: AccessPolicy, user_of: FindUser) -> None:
        self._app = app
        self._policy = policy
        self._user_of = user_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = partial(_send_with_headers, send, _own_headers(scope["path"], self._cors_headers(headers)))
        try:
            await self._check(scope, headers)
        except LoreError as refusal:
            await _refused(refusal, scope, headers)(scope, receive, send)
            return
        if _is_preflight(scope, headers):
            await Response(status_code=204)(scope, receive, send)
            return
        await self._answer(scope, receive, send)

    async def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host")
        self._policy.check_host(host)
        self._policy.check_origin(headers.get("origin"), host)
        scope.setdefault("state", {})["user"] = await self._find_user(scope, headers)

    async def _find_user(self, scope: Scope, headers: Headers) -> str:
        """The bearer token's user, else the socket's peer; forwarding headers are never read."""
        secret = _given_secret(scope, headers)
        user = None
        if secret:
            user = await anyio.to_thread.run_sync(self._user_of, secret)
            if user is None and is_guarded(scope["path"]):
                raise Unauthorized("This access token is not known or was revoked")
        if user is None and self._demands_token(scope, headers):
            raise Unauthorized("An access token is needed: send it as `Authorization: Bearer …`")
        client = scope.get("client")
        return user or f"address {client[0] if client else 'unknown'}"

    def _demands_token(self, scope: Scope, headers: Headers) -> bool:
        path = scope["path"]
        return (
            self._policy.tokens_required
            and is_guarded(path)
            and path not in OPEN_PATHS
            and not _is_preflight(scope, headers)
        )

    def _cors_headers(self, headers: Headers) -> dict[str, str]:
        origin = headers.get("origin")
        if not self._policy.origins:
            return {}
        if origin is None or not self._policy.allows_origin(origin):
            return {"Vary": "Origin"}
        return {
            "Vary": "Origin",
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": CORS_METHODS,
            "Access-Control-Allow-Headers": CORS_HEADERS,
            "Access-Control-Expose-Headers": CORS_EXPOSED,
        }

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] in STARTS
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as trouble:
            response = unexpected_response(trouble)
            if started:
                raise  # half an answer is out: only cutting the connection tells the truth
            await response(scope, receive, send)


def _given_secret(scope: Scope, headers: Headers) -> str:
    kind, _, secret = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and secret.strip():
        return secret.strip()
    offered = [name for name in scope.get("subprotocols", ()) if name.startswith(TOKEN_PROTOCOL)]
    return offered[0].removeprefix(TOKEN_PROTOCOL) if offered else ""


def _refused(refusal: LoreError, scope: Scope, headers: Headers) -> Response:
    """The usual shape, or a page for whoever opens a document in a browser without a token."""
    response = error_response(refusal)
    if isinstance(refusal, Unauthorized) and _opens_document(scope, headers):
        kept = {"WWW-Authenticate": response.headers["www-authenticate"], **PAGE_HEADERS}
        came_without = "authorization" not in headers
        sentence = "These documents are shown to those who have one" if came_without else refusal.message
        return HTMLResponse(locked_page(sentence), status_code=response.status_code, headers=kept)
    return response


def _opens_document(scope: Scope, headers: Headers) -> bool:
    is_document = scope["path"] == "/docs" or scope["path"].startswith("/docs/")
    return is_document and scope.get("method") in ("GET", "HEAD") and takes_page(headers.get("accept", ""))


def is_guarded(path: str) -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in GUARDED)


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    return scope.get("method") == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


def _own_headers(path: str, cors: dict[str, str]) -> dict[str, str]:
    own = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    if is_guarded(path):
        own["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    return own | cors


async def _send_with_headers(send: Send, own: dict[str, str], message: Message) -> None:
    """Adds what the answer did not say itself."""
    if message["type"] in ("http.response.start", "websocket.http.response.start"):
        headers = MutableHeaders(scope=message)
        for name, value in own.items():
            if name == "Vary":
                headers.add_vary_header(value)
            else:
                headers.setdefault(name, value)
    await send(message)
