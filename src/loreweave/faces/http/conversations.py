"""Conversations that last: /mcp behind our own door, and the log of a session as it grows."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from typing import cast

import anyio
from pydantic import BaseModel
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from loreweave.application import Application
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.http.asked_values import bounded_body, only_asked, refuse_other_than_json, whole_number
from loreweave.faces.http.error_responses import MethodNotAllowed, error_response, shape_response
from loreweave.faces.http.guard import SUBPROTOCOL
from loreweave.faces.http.sent_answers import ServiceCalls

METHODS = ["GET", "POST", "DELETE"]
MAX_MESSAGE_BYTES = 4 * 1024 * 1024


class McpMount:
    """What is no MCP message is refused in our shape before the protocol sees it."""

    def __init__(self, app: ASGIApp, refusal_of: Callable[[bytes], BaseModel | None]) -> None:
        self._app = app
        self._refusal_of = refusal_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await _message(Request(scope, receive))
        except LoreError as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        if body is None:
            await self._app(scope, receive, send)
            return
        refused = self._refusal_of(body)
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


async def _message(request: Request) -> bytes | None:
    """What is sent; a method without a body sends nothing."""
    if request.method not in METHODS:
        raise MethodNotAllowed("This address does not know that method", allow=METHODS)
    if request.method != "POST":
        return None
    refuse_other_than_json(request)
    return await bounded_body(request, MAX_MESSAGE_BYTES)


PATH = "/ws/session/{session_id}"
Frames = AsyncGenerator[Sequence[str], None]


def named_session(connection: HTTPConnection) -> str:
    return cast(str, connection.path_params["session_id"])


class SessionSocket:
    """A watcher holds nothing but a number: frames are read from the log when the last ones are out."""

    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._sessions = application.sessions
        self._calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(WebSocketDisconnect, OSError):  # it left before it was let in, or turned away
            await self._open(WebSocket(scope, receive, send))

    async def _open(self, socket: WebSocket) -> None:
        try:
            session_id = named_session(socket)
            await self._calls.read(self._sessions.row, session_id)
            only_asked(socket, "since")
            since = whole_number(socket, "since", 0)
        except LoreError as refusal:
            await socket.send_denial_response(error_response(refusal))
            return
        await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
        frames = cast(Frames, self._sessions.follow(session_id, since))
        async with aclosing(frames), anyio.create_task_group() as group:
            group.start_soon(_until_left, socket, group.cancel_scope)
            await _send_all(frames, socket)
            group.cancel_scope.cancel()

    async def plain(self, request: Request) -> Response:
        """Somebody opens the address without asking for a WebSocket."""
        await self._calls.read(self._sessions.row, named_session(request))
        raise InvalidInput("This address is a WebSocket: open it as one", field="Upgrade")


async def _send_all(frames: Frames, socket: WebSocket) -> None:
    """As fast as this watcher reads; then goodbye, as the session was deleted."""
    try:
        async for several in frames:
            for frame in several:
                await socket.send_text(frame)
        await socket.close(1000, "The session was deleted")
    except LoreError:
        await socket.close(1011, "The log cannot be read just now: come back with since")
    except (WebSocketDisconnect, RuntimeError):
        return  # it left while we were speaking


async def _until_left(socket: WebSocket, scope: anyio.CancelScope) -> None:
    """Whatever a watcher says is heard out and dropped, until it leaves."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    scope.cancel()
