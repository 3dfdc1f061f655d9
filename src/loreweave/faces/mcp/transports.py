"""How the server is reached: stdio for a host that starts us, streamable HTTP for one that calls us."""

import logging
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from starlette.types import Receive, Scope, Send

from loreweave.faces.mcp.toolsets import Tool
from loreweave.faces.mcp.unreadable_messages import answer_to, unclear_call

# Who is refused is told so; the log is not his to fill.
logging.getLogger("mcp.server.streamable_http_manager").setLevel(logging.ERROR)

GOODBYE_SECONDS = 60  # for answers under way when the other side stops sending
IDLE_SECONDS = 30 * 60.0  # a session over HTTP in which nothing is asked and nobody listens
MOST_SESSIONS = 1000
Incoming = SessionMessage | Exception


def serve_stdio(server: Server[Any], tools: Sequence[Tool]) -> None:
    """Speaks the protocol on stdin and stdout until stdin ends; whatever else is printed goes to stderr."""
    anyio.run(_serve_stdio, server, {tool.name: tool for tool in tools})


async def _serve_stdio(server: Server[Any], tools: Mapping[str, Tool]) -> None:
    open_requests = _OpenRequests(tools)
    to_server, for_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_server, to_host = anyio.create_memory_object_stream[SessionMessage](0)
    refused, refusals = anyio.create_memory_object_stream[SessionMessage](0)
    lines = _ClearLines(_own_stdin(), tools, refused)
    async with stdio_server(stdin=lines) as (incoming, outgoing), anyio.create_task_group() as relays:  # type: ignore[arg-type]
        relays.start_soon(open_requests.relay_in, incoming, to_server, outgoing)
        relays.start_soon(open_requests.relay_out, to_host, outgoing)
        relays.start_soon(_pass_on, refusals, outgoing)
        await server.run(for_server, from_server, server.create_initialization_options())


def _own_stdin() -> "anyio.AsyncFile[str]":
    """The wire under a descriptor of its own: whatever else reads stdin meanwhile finds it empty."""
    wire = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    return anyio.wrap_file(os.fdopen(wire, encoding="utf-8", errors="replace", closefd=False))


class _ClearLines:
    """The lines of the host, but for those that cannot be meant as they stand: these are answered at once."""

    def __init__(self, lines: Any, tools: Mapping[str, Tool], refused: MemoryObjectSendStream[SessionMessage]) -> None:
        self._lines = lines
        self._tools = tools
        self._refused = refused

    async def __aiter__(self) -> AsyncIterator[str]:
        async with self._refused:
            async for line in self._lines:
                answer = unclear_call(line, self._tools)
                if answer is None:
                    yield line
                else:
                    await self._refused.send(SessionMessage(answer))


async def _pass_on(answers: MemoryObjectReceiveStream[SessionMessage], outgoing: Any) -> None:
    async for answer in answers:
        await outgoing.send(answer)


class _OpenRequests:
    """The library drops what is under way when stdin ends; we end only when all is answered."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = tools
        self._numbers: set[str | int] = set()
        self._changed = anyio.Event()

    async def relay_in(self, incoming: Any, to_server: MemoryObjectSendStream[Incoming], outgoing: Any) -> None:
        """The library would drop what it could not read, and whoever sent it would wait for ever."""
        async with to_server:
            async for item in incoming:
                if isinstance(item, Exception):
                    answer = answer_to(item, self._tools)
                    if answer is not None:
                        await outgoing.send(SessionMessage(answer))
                    continue
                self._note_incoming(item.message)
                await to_server.send(item)
            with anyio.move_on_after(GOODBYE_SECONDS):
                while self._numbers:
                    await self._changed.wait()

    async def relay_out(self, to_host: MemoryObjectReceiveStream[SessionMessage], outgoing: Any) -> None:
        async with outgoing:
            async for item in to_host:
                await outgoing.send(item)
                if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                    self._settle(item.message.id)

    def _note_incoming(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._numbers.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def _settle(self, number: Any) -> None:
        self._numbers.discard(number)
        self._changed.set()
        self._changed = anyio.Event()


class HttpSessions:
    """Streamable HTTP: `asgi_app` answers while `run()` is open. Host, Origin and tokens are the guard's business.

    A session belongs to the token that opened it, else to the address; to everybody else it does not exist.
    """

    def __init__(self, server: Server[Any], idle_seconds: float = IDLE_SECONDS, most: int = MOST_SESSIONS) -> None:
        self._manager = StreamableHTTPSessionManager(server, session_idle_timeout=idle_seconds, max_sessions=most)
        self.run = self._manager.run

    async def asgi_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = scope["state"]
        owner = f"token {caller['token']}" if caller["token"] else caller["user"]
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=owner, scopes=[]))
        await self._manager.asgi_app(scope, receive, send)
