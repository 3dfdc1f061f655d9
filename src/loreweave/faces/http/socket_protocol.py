"""WebSocket connections of the server: refused in the one shape, and never waited for when it goes."""

from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.server import ServerProtocol

GOING_AWAY = 1001


class SocketProtocol(WebSocketsSansIOProtocol):
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
