"""The app on a real port of this process, and logs that tests write by hand."""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from tests.pace import PATIENCE
from websockets.sync.client import ClientConnection, connect

from loreweave.application import Application
from loreweave.contracts.session_events import AgentOutput, SessionEvent
from loreweave.faces.http.connections import Patience
from loreweave.faces.http.serving import address_of, bound_socket, server_of
from loreweave.faces.one_port import one_port_app

RUNNER = "the test"


@dataclass(frozen=True)
class Loopback:
    address: str
    server: uvicorn.Server
    application: Application

    def watch(self, session_id: str, since: int | str | None = None, **options: Any) -> ClientConnection:
        query = "" if since is None else f"?since={since}"
        address = self.address.replace("http", "ws", 1)
        return connect(f"{address}/ws/session/{session_id}{query}", open_timeout=PATIENCE, **options)

    def watch_without_reading(self, session_id: str) -> ClientConnection:
        """A watcher that takes next to nothing in until it is read from; whoever opens it closes it."""
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", urlsplit(self.address).port))
        return self.watch(session_id, sock=narrow, max_queue=1, close_timeout=0.1)

    def new_log(self) -> str:
        """A session whose events the test records itself."""
        session_id = self.application.sessions.create().session_id
        assert self._log.take(session_id, RUNNER).result()
        return session_id

    def record(self, session_id: str, key: str, *events: SessionEvent) -> None:
        self._log.record(session_id, key, events, RUNNER).result()

    def say(self, session_id: str, first: int, count: int, size: int = 1) -> None:
        """Many outputs, each an event of its own."""
        said = [said_event(number, size) for number in range(first, first + count)]
        for start in range(0, count, 100):
            self.record(session_id, f"{first}/{start}", *said[start : start + 100])

    @property
    def _log(self) -> Any:
        return self.application.session_tools.log


def said_event(number: int, size: int = 1) -> SessionEvent:
    return AgentOutput(task_id="task", agent_name="Ada", content=f"{number}".ljust(size, "."))


def frames(socket: ClientConnection, count: int) -> list[str]:
    received = [socket.recv(timeout=PATIENCE) for _ in range(count)]
    return [frame for frame in received if isinstance(frame, str)]


def numbers(received: Sequence[str]) -> list[int]:
    return [json.loads(frame)["seq"] for frame in received]


@contextmanager
def on_loopback(application: Application, patience: Patience | None = None) -> Iterator[Loopback]:
    with bound_socket("127.0.0.1", 0) as listening:
        ready = threading.Event()
        server = server_of(one_port_app(application), ready.set, patience)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield Loopback(address_of(listening), server, application)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()
