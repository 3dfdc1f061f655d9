"""WS /ws/session/{id}: the log of a session, from any number on, and what is added to it as it comes."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import cast

import anyio
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from loreweave.application import Application
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.http.error_responses import error_response
from loreweave.faces.http.guard import SUBPROTOCOL
from loreweave.faces.http.query_values import only_asked, whole_number
from loreweave.faces.http.service_calls import ServiceCalls

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
