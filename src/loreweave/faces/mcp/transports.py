"""How the server is reached: stdio for a host that starts us, streamable HTTP for one that calls us."""

from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


def serve_stdio(server: Server[Any]) -> None:
    """Speaks the protocol on stdin and stdout until stdin ends; whatever else is printed goes to stderr."""

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)


def http_sessions(server: Server[Any]) -> StreamableHTTPSessionManager:
    """Streamable HTTP: `asgi_app` answers while `run()` is open. Host and Origin are the guard's business."""
    return StreamableHTTPSessionManager(server)
