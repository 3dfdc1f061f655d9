"""A server that speaks contract 002 by a script: one answer to every question, and what was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.pace import PATIENCE

Event = tuple[str, dict[str, Any]]


@dataclass
class ScriptedEndpoint:
    """Answers with events, or with a status and a JSON body; `stalls` keeps the stream open without an end."""

    address: str = ""
    events: tuple[Event, ...] = ()
    status: int = 200
    body: dict[str, Any] | None = None
    stalls: bool = False
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)


@contextmanager
def scripted_endpoint() -> Iterator[ScriptedEndpoint]:
    script = ScriptedEndpoint()
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    listening.daemon_threads = True
    script.address = f"http://127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def _handler(script: ScriptedEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.asked.append((self.path, body))
            self.send_response(script.status)
            if script.body is not None:
                payload = json.dumps(script.body).encode()
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)
                return
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b": still here\n\n")
            for event, data in script.events:
                self.wfile.write(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())
                self.wfile.flush()
            if script.stalls:
                self.connection.settimeout(PATIENCE)
                if self.connection.recv(1) == b"":
                    script.gone.set()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
