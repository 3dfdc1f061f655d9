"""Listening: the socket is bound first, so that a taken port is one sentence and port 0 has a number."""

import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from loreweave.errors import InvalidInput, Unavailable
from loreweave.faces.http.error_responses import error_response
from loreweave.faces.http.socket_protocol import SocketProtocol, is_handshake

GOODBYE_SECONDS = 5  # for answers under way when the server is told to stop
MOST_HEARD = 64 * 1024  # bytes of one message of a watcher; all of them are dropped
PING_SECONDS = 20.0
PONG_SECONDS = 120.0  # a watcher may rest for a while; a dead one is noticed by then


def bound_socket(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        raise InvalidInput(f"{host} is no address of this computer", field="LORE_HOST") from None
    # The protocol must be named: asyncio sends small answers at once only on sockets it knows to be TCP.
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as trouble:
        listening.close()
        reason = (trouble.strerror or str(trouble)).lower()
        raise Unavailable(f"Cannot listen on {host} port {port}: {reason}", part="port") from None
    return listening


def serve_on(app: ASGIApp, listening: socket.socket, ready: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM."""
    # The server hands the signal on when it has stopped; a shell may have started us with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server_of(app, lambda: ready(address_of(listening))).run(sockets=[listening])


def server_of(app: ASGIApp, ready: Callable[[], None]) -> uvicorn.Server:
    """Headers of proxies are not believed: anybody can write them."""
    config = uvicorn.Config(
        app,
        http=_OneShape,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        lifespan="on",
        ws=SocketProtocol,
        ws_max_size=MOST_HEARD,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    return _Announcing(config, ready)


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


class _OneShape(H11Protocol):
    """What is no HTTP at all never reaches the app; it too is refused in the one shape."""

    def _should_upgrade(self) -> bool:
        """Half a handshake is an ordinary request: the app says what is wrong with it."""
        if not super()._should_upgrade():
            return False
        scope = self.scope
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        return is_handshake(scope["method"].encode(), scope["raw_path"] + query, self.headers)

    def send_400_response(self, msg: str) -> None:
        response = error_response(InvalidInput("This is no HTTP request that can be read"))
        headers = [*response.raw_headers, (b"x-content-type-options", b"nosniff"), (b"connection", b"close")]
        lines = [b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in headers), b"", b""]
        self.transport.write(b"\r\n".join(lines) + bytes(response.body))
        self.transport.close()
