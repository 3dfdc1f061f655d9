"""Listening: the socket is bound first, so that a taken port is one sentence and port 0 has a number."""

import asyncio
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from loreweave.errors import InvalidInput, Unavailable
from loreweave.faces.http.connections import Crowd, HttpConnection, Patience, SocketProtocol

log = logging.getLogger("loreweave.http")

GOODBYE_SECONDS = 5  # for answers under way when the server is told to stop
MOST_HEARD = 64 * 1024  # bytes of one message of a watcher; all of them are dropped
PING_SECONDS = 20.0
PONG_SECONDS = 120.0  # a watcher may rest for a while; a dead one is noticed by then
MOST_CONNECTIONS = 2048
FEW_DESCRIPTORS = 64  # bodies that are still coming; connections accepted at once, before any of them is counted
MOST_QUEUED = 1024  # connections that wait to be taken in
TICK_SECONDS = 1.0
QUIET_SECONDS = 600.0  # between two lines about the same trouble


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


def usual_patience() -> Patience:
    """A quarter of our descriptors is left to databases and commands; a connection may hold a file too."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    limit = 8 * MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else limit
    few = min(FEW_DESCRIPTORS, limit // 16)
    places = max(8, min(MOST_CONNECTIONS, (limit - limit // 4 - 2 * few) // 2))
    return Patience(places, most_bodies=few, accepted_at_once=few)


def server_of(app: ASGIApp, ready: Callable[[], None], patience: Patience | None = None) -> uvicorn.Server:
    """Headers of proxies are not believed: anybody can write them."""
    patience = patience or usual_patience()
    config = uvicorn.Config(
        app,
        http=partial(HttpConnection, crowd=Crowd(patience)),  # type: ignore[arg-type]
        backlog=patience.accepted_at_once,
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
    """Says when it is ready, and looks up once a second, for the date, instead of ten times for its end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()
        super().__init__(config)
        self._ready = ready

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "should_exit" and value and self._loop is not None:  # perhaps from a signal or another thread
            self._loop.call_soon_threadsafe(self._ending.set)

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), TICK_SECONDS)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_TellOnce())
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(MOST_QUEUED)  # the number above is how many are accepted at once, not how many may knock
        if self.started:
            self._ready()


class _TellOnce:
    """Without a free descriptor the loop rests for a second and tries again, and each time would say so at length."""

    def __init__(self) -> None:
        self._told_at = -QUIET_SECONDS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "out of system resource" not in str(context.get("message")):
            loop.default_exception_handler(context)
        elif loop.time() - self._told_at >= QUIET_SECONDS:
            self._told_at = loop.time()
            log.warning("no new connection can be taken in: %s; trying again every second", context.get("exception"))
