"""The outermost layer: Host, Origin and tokens before anything is read; headers on every answer.

Everything is guarded but what is named here and the files of the page, so that a new address is guarded by itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loreweave.access.access_policy import AccessPolicy
from loreweave.access.access_service import AccessService
from loreweave.entities.access_token import AccessToken
from loreweave.errors import LoreError, Unauthorized
from loreweave.faces.http.docs_pages import HEADERS as PAGE_HEADERS
from loreweave.faces.http.docs_pages import locked_page, takes_page
from loreweave.faces.http.error_responses import error_response, unexpected_response
from loreweave.faces.http.sent_answers import ServiceCalls
from loreweave.faces.http.static_pages import Page

HEALTH = "/api/health"  # readiness is asked for by machines that hold no token
CORS = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, Mcp-Session-Id, Mcp-Protocol-Version, "
    "Last-Event-ID",
    "Access-Control-Expose-Headers": "ETag, Retry-After, Mcp-Session-Id",
}
# Pages cannot set headers on a WebSocket: there the token comes beside this name, and only the name is sent back.
SUBPROTOCOL = "loreweave"
TOKEN_PROTOCOL = "bearer."
POLICY_VIOLATION = 1008  # of WebSockets
RECHECK_SECONDS = 5.0  # a token is revoked in another process: whoever stays open under it is looked after so often
STARTS = frozenset({"http.response.start", "websocket.http.response.start", "websocket.accept"})

OWN_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


class Guard:
    """Pure ASGI, so that bodies stream through it untouched."""

    def __init__(self, app: ASGIApp, policy: AccessPolicy, page: Page, access: AccessService) -> None:
        self._app = app
        self._policy = policy
        self._page = page
        self._access = access
        self._calls = ServiceCalls(reads=8)  # of its own: tools that wait must not keep anybody from being let in
        self._streams = _Streams(lambda: self._calls.read(access.living))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = partial(_send_with_headers, send, self._cors_headers(headers))
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
        token = await self._find_token(scope, headers)
        client = scope.get("client")
        # The bearer token's user, else the socket's peer; forwarding headers are never read.
        user = token.user if token else f"address {client[0] if client else 'unknown'}"
        may_read = token is not None or not self._policy.tokens_required
        scope.setdefault("state", {}).update(user=user, token=token.id if token else None, may_read=may_read)

    async def _find_token(self, scope: Scope, headers: Headers) -> AccessToken | None:
        secret = _given_secret(scope, headers)
        token = await self._calls.read(self._access.token_of, secret) if secret else None
        if token or (not secret and not self._policy.tokens_required) or self._is_open(scope, headers, secret):
            return token
        if secret:
            raise Unauthorized("This access token is not known or was revoked")
        raise Unauthorized("An access token is needed: send it as `Authorization: Bearer …`")

    def _is_open(self, scope: Scope, headers: Headers, secret: str) -> bool:
        """Whether strangers are answered; at the health check a token that is given must be a good one."""
        if scope["type"] != "http" or _is_preflight(scope, headers):
            return scope["type"] == "http"
        if scope["method"] not in ("GET", "HEAD"):
            return False
        return (scope["path"] == HEALTH and not secret) or self._page.holds(scope["path"])

    def _cors_headers(self, headers: Headers) -> dict[str, str]:
        origin = headers.get("origin")
        if not self._policy.origins:
            return {}
        if origin is None or not self._policy.allows_origin(origin):
            return {"Vary": "Origin"}
        return {"Vary": "Origin", "Access-Control-Allow-Origin": origin, **CORS}

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = scope["state"]["token"]
        if token is None:
            await self._tell(scope, receive, send)
            return

        async def watched(message: Message) -> None:
            if _stays_open(message):
                self._streams.hold(stream, token)
            await send(message)

        with anyio.CancelScope() as stream:
            try:
                await self._tell(scope, receive, watched)
            finally:
                self._streams.release(stream)
        if stream.cancelled_caught:
            await _hang_up(scope, send)

    async def _tell(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] in STARTS
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as trouble:
            response = unexpected_response(trouble)
            if started:
                raise  # half an answer is out: only cutting the connection tells the truth
            await response(scope, receive, send)


class _Streams:
    """What stays open under a token: it is ended soon after the token is revoked, by whichever process."""

    def __init__(self, living: Callable[[], Awaitable[frozenset[str]]]) -> None:
        self._living = living
        self._held: dict[anyio.CancelScope, str] = {}
        self._watch: asyncio.Task[None] | None = None

    def hold(self, stream: anyio.CancelScope, token: str) -> None:
        self._held[stream] = token
        if self._watch is None:
            self._watch = asyncio.create_task(self._until_none_is_left())

    def release(self, stream: anyio.CancelScope) -> None:
        self._held.pop(stream, None)

    async def _until_none_is_left(self) -> None:
        """One look for all of them; what cannot be looked up now is looked up the next time."""
        while self._held:
            await asyncio.sleep(RECHECK_SECONDS)
            with suppress(Exception):
                living = await self._living()
                for stream in [stream for stream, token in self._held.items() if token not in living]:
                    stream.cancel()
        self._watch = None


def _stays_open(message: Message) -> bool:
    if message["type"] == "http.response.start":
        return Headers(raw=list(message["headers"])).get("content-type", "").startswith("text/event-stream")
    return bool(message["type"] == "websocket.accept")


async def _hang_up(scope: Scope, send: Send) -> None:
    """A last word where it is heard; whoever does not listen is not waited for."""
    last: Message = {"type": "http.response.body", "body": b"", "more_body": False}
    if scope["type"] == "websocket":
        last = {"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "The access token was revoked"}
    with suppress(Exception), anyio.move_on_after(1):
        await send(last)


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


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    return scope.get("method") == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


async def _send_with_headers(send: Send, cors: dict[str, str], message: Message) -> None:
    """Adds what the answer did not say itself."""
    if message["type"] in ("http.response.start", "websocket.http.response.start"):
        said = {name for name, _ in message["headers"]}
        message["headers"] = [*message["headers"], *(line for line in OWN_HEADERS if line[0] not in said)]
        if cors:
            headers = MutableHeaders(scope=message)
            headers.add_vary_header(cors["Vary"])
            for name, value in cors.items():
                headers.setdefault(name, value)
    await send(message)
