"""HTTP, MCP and the page together: what `lore serve` offers on one port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup, TaskStatus
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from loreweave.access.access_policy import access_policy
from loreweave.application import Application
from loreweave.faces.http.app import create_app
from loreweave.faces.http.conversations import McpMount

if TYPE_CHECKING:
    from loreweave.faces.mcp.transports import HttpSessions


def one_port_app(application: Application) -> Starlette:
    conversations = _Conversations(application)
    return create_app(application, mcp=conversations, running=conversations.run)


class _Conversations:
    """/mcp, opened by whoever speaks to it first: the protocol takes as long to load as all the rest together, and
    few servers are spoken to in it."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._mount: McpMount | None = None
        self._opening = anyio.Lock()
        self._ending = anyio.Event()
        self._sessions: TaskGroup | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._sessions:
            yield
            self._ending.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._opening:
            if self._mount is None:
                self._mount = await self._opened()
        await self._mount(scope, receive, send)

    async def _opened(self) -> McpMount:
        mount, sessions = await anyio.to_thread.run_sync(_open_mcp, self._application)
        assert self._sessions is not None, "nothing is asked of an app that does not run"
        await self._sessions.start(self._keep_open, sessions)
        return mount

    async def _keep_open(self, sessions: "HttpSessions", *, task_status: TaskStatus[None]) -> None:
        async with sessions.run():
            task_status.started()
            await self._ending.wait()


def _open_mcp(application: Application) -> tuple[McpMount, "HttpSessions"]:
    """Folders of this computer are read over /mcp only while the server is open on loopback."""
    from loreweave.faces.mcp.resources import SectionResources
    from loreweave.faces.mcp.server import create_server
    from loreweave.faces.mcp.toolsets import open_toolsets
    from loreweave.faces.mcp.transports import HttpSessions
    from loreweave.faces.mcp.unreadable_messages import refusal_of

    tools = open_toolsets(application, folders=access_policy(application.settings).open_on_loopback)
    sessions = HttpSessions(create_server(tools, SectionResources(application)))
    return McpMount(sessions.asgi_app, refusal_of), sessions
