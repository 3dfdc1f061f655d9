"""Connections of the server: what is no HTTP is refused in the one shape, and nobody holds a place by being slow.

Whoever owes us something (the head of a request, its body, the reading of an answer) has a limit. When all places are
taken, the one that has owed longest gives way; those that are being answered and those that watch never do.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.server import ServerProtocol

from loreweave.errors import InvalidInput, LoreError, Unavailable
from loreweave.faces.http.error_responses import TooSlow, error_response

GOING_AWAY = 1001

# What a stranger sends wrong is told to him; the log is not his to fill.
wire_log = logging.getLogger("loreweave.wire")
wire_log.setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the other side may take, and how many there may be."""

    most_connections: int
    most_bodies: int  # requests whose body is still coming
    accepted_at_once: int = 128  # connections taken in before any of them is counted
    head_seconds: float = 20.0
    body_seconds: float = 20.0  # in each of these so many bytes of a body must come
    body_bytes: int = 10 * 1024
    reading_seconds: float = 60.0  # an answer of which nothing is taken in for so long is nobody's


@dataclass(slots=True)
class Crowd:
    """Who owes us something, in the order in which they began to."""

    patience: Patience
    owing: "dict[HttpConnection, None]" = field(default_factory=dict)  # a head, a goodbye, the reading of an answer
    sending: "dict[HttpConnection, None]" = field(default_factory=dict)  # a body


class HttpConnection(H11Protocol):
    """One connection, and what is owed on it."""

    def __init__(self, *arguments: Any, crowd: Crowd, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.logger = wire_log
        self._crowd = crowd
        self._patience = crowd.patience
        self._place: dict[HttpConnection, None] | None = None
        self._due = 0.0
        self._received = 0  # of a body, in this stretch of time
        self._unread = -1  # bytes of answers, when we last looked
        self._timer: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self._patience.most_connections and not _give_way(self._crowd.owing):
            self._refuse(Unavailable("Too many connections are open", part="connections", retryAfter=5))
        else:
            self._follow()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._follow()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def _follow(self) -> None:
        """Finds the place among those who owe; a place that is kept keeps its limit too."""
        place = self._owed()
        if place is self._place or self.transport.get_protocol() is not self:
            return
        if self._place is not None:
            self._place.pop(self, None)
        self._place = place
        if place is None:
            return
        if place is self._crowd.sending and len(place) >= self._patience.most_bodies:
            _give_way(place)
        place[self] = None
        sending = place is self._crowd.sending
        self._expect(self._patience.body_seconds if sending else self._patience.head_seconds)

    def _owed(self) -> "dict[HttpConnection, None] | None":
        answered = self.cycle is None or self.cycle.response_complete
        if answered or self.flow.write_paused:
            return self._crowd.owing
        return self._crowd.sending if self.cycle.more_body else None

    def _expect(self, seconds: float) -> None:
        self._received = 0
        self._due = self.loop.time() + seconds
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        """The limit of something that was owed has come: it was paid, it is being paid, or it will not be."""
        self._timer = None
        unread, before = self.transport.get_write_buffer_size(), self._unread
        self._unread = unread or -1
        if unread and unread == before:
            self.transport.abort()
        elif unread:
            self._expect(self._patience.reading_seconds)
        elif self._place is None:
            return
        elif self.loop.time() < self._due:
            self._timer = self.loop.call_at(self._due, self._look)
        elif self._place is self._crowd.sending and self._is_body_coming():
            self._expect(self._patience.body_seconds)
        else:
            self.give_way()

    def _is_body_coming(self) -> bool:
        return self.flow.read_paused or self._received >= self._patience.body_bytes

    def give_way(self) -> None:
        """Ends a connection that owes us something; it is told why where that can be told."""
        begun = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        asked = self._place is self._crowd.sending or bool(self.conn.trailing_data[0])
        if begun or not asked or self.transport.is_closing() or self.transport.get_write_buffer_size():
            self._leave()
            self.transport.abort()
        else:
            self._refuse(TooSlow("The request took too long to arrive"))

    def _leave(self) -> None:
        if self._place is not None:
            self._place.pop(self, None)
        self._place = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _should_upgrade(self) -> bool:
        """Half a handshake is an ordinary request: the app says what is wrong with it."""
        if not super()._should_upgrade():
            return False
        scope = self.scope
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        return is_handshake(scope["method"].encode(), scope["raw_path"] + query, self.headers)

    def send_400_response(self, msg: str) -> None:
        self._refuse(InvalidInput("This is no HTTP request that can be read"))

    def _refuse(self, refusal: LoreError) -> None:
        response = error_response(refusal)
        own = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"), (b"connection", b"close")]
        lines = [name + b": " + value for name, value in [*response.raw_headers, *own]]
        status = f"HTTP/1.1 {response.status_code} {HTTPStatus(response.status_code).phrase}".encode()
        self.transport.write(b"\r\n".join([status, *lines, b"", bytes(response.body)]))
        self.transport.close()


def _give_way(place: dict[HttpConnection, None]) -> bool:
    """Whether somebody in this place made room: whoever has been there longest."""
    longest = next(iter(place), None)
    if longest is not None:
        longest.give_way()
        place.pop(longest, None)
    return longest is not None


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket: refused in the one shape, and never waited for when the server goes."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused: else the server would complain that nobody was let in

    def shutdown(self) -> None:
        """The server goes: said to whoever listens. A watcher that does not read is left behind."""
        self.stop_keepalive()
        if self.handshake_complete and not self.close_sent:
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": GOING_AWAY})
            self.conn.send_close(GOING_AWAY)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self._leave()

    def keepalive_timeout(self) -> None:
        """Closing politely would wait for a peer that has stopped reading, perhaps for ever."""
        super().keepalive_timeout()
        self._leave()

    def _leave(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


def is_handshake(method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the library would take it: what it refuses it refuses in its own words, and we do not let it."""
    lines = [method + b" " + target + b" HTTP/1.1", *(name + b": " + value for name, value in headers), b"", b""]
    trial = ServerProtocol()
    trial.receive_data(b"\r\n".join(lines))
    received = trial.events_received()
    return bool(received) and isinstance(received[0], Request) and trial.accept(received[0]).status_code == 101
