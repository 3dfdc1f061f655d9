"""Listening: the socket is bound first, so that a taken port is one sentence and port 0 has a number."""

import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from loreweave.errors import InvalidInput, Unavailable

GOODBYE_SECONDS = 5  # for answers under way when the server is told to stop


def bound_socket(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        raise InvalidInput(f"{host} is no address of this computer", field="LORE_HOST") from None
    listening = socket.socket(family, kind)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as trouble:
        listening.close()
        reason = (trouble.strerror or str(trouble)).lower()
        raise Unavailable(f"Cannot listen on {host} port {port}: {reason}", part="port") from None
    return listening


def serve_on(app: ASGIApp, listening: socket.socket, ready: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM. Headers of proxies are not believed: anybody can write them."""
    config = uvicorn.Config(
        app,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    # The server hands the signal on when it has stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _Announcing(config, lambda: ready(address_of(listening))).run(sockets=[listening])


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Announcing(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()
