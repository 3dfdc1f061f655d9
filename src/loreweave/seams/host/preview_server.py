"""Shows the pages that builds made, on a port of their own: what they do there can reach nothing of ours."""

import mimetypes
import os
import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO
from urllib.parse import unquote

from loreweave.errors import LoreError, NotFound
from loreweave.seams.host.confined_folder import ConfinedFolder

HOST = "127.0.0.1"
SECONDS = 30.0  # for a request and its answer, however they are read
AT_ONCE = 64
PIECE = 64 * 1024  # bytes of a file that are in memory
_NAMES = (HOST, "localhost", "[::1]")


class PreviewServer:
    """Opened with the first page that is shown. Every page lies below the id of its session."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._pages: dict[str, ConfinedFolder] = {}

    def show(self, session_id: str, folder: ConfinedFolder, root: str) -> str:
        """The address at which the page is shown from now on, until this process ends."""
        with self._lock:
            self._pages[session_id] = folder if root == "." else folder.below(root)
            if self._server is None:
                self._server = _Server((HOST, 0), _Handler)
                self._server.pages = self._pages
                threading.Thread(target=self._server.serve_forever, name="loreweave-preview", daemon=True).start()
            return f"http://{HOST}:{self._server.server_address[1]}/{session_id}/"

    def shown(self, session_id: str) -> bool:
        with self._lock:
            return session_id in self._pages

    def close(self) -> None:
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: dict[str, ConfinedFolder]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            ending = threading.Timer(SECONDS, _end, (request,))
            ending.daemon = True
            ending.start()
            super().process_request_thread(request, client_address)
        finally:
            ending.cancel()
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who left is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = SECONDS
    server_version = "preview"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: Any) -> None:
        """What strangers' pages ask for is not written down."""

    def _answer(self, *, with_body: bool) -> None:
        host = (self.headers.get("Host") or "").rsplit(":", 1)[0]
        if host not in _NAMES:
            return self._send(403, b"", "text/plain", with_body)
        path = unquote(self.path.partition("?")[0])
        session_id, slash, name = path.lstrip("/").partition("/")
        folder = self.server.pages.get(session_id)
        if folder is None or "\0" in path:
            return self._send(404, b"There is no such page.\n", "text/plain", with_body)
        if not slash:
            return self._send(308, b"", "text/plain", with_body, location=f"/{session_id}/")
        if not name or name.endswith("/"):
            name += "index.html"
        try:
            # No dot-files, no links, no listings.
            if any(part.startswith(".") for part in name.split("/")):
                raise NotFound("Dot-files are not shown")
            stream = folder.open_file(name)
        except LoreError:
            return self._send(404, b"There is no such file.\n", "text/plain", with_body)
        with stream:
            return self._send_file(stream, name, with_body)

    def _send_file(self, stream: BinaryIO, name: str, with_body: bool) -> None:
        """Piece by piece: a reader who does not read costs one of them."""
        left = os.fstat(stream.fileno()).st_size
        self._begin(200, left, mimetypes.guess_type(name)[0] or "application/octet-stream")
        while with_body and left > 0 and (piece := stream.read(min(left, PIECE))):
            self.wfile.write(piece)
            left -= len(piece)

    def _send(self, status: int, data: bytes, kind: str, with_body: bool, location: str = "") -> None:
        self._begin(status, len(data), kind, location)
        if with_body:
            self.wfile.write(data)

    def _begin(self, status: int, size: int, kind: str, location: str = "") -> None:
        self.send_response(status)
        charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith(("javascript", "json")) else ""
        self.send_header("Content-Type", kind + charset)
        self.send_header("Content-Length", str(size))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if location:
            self.send_header("Location", location)
        self.end_headers()


def _end(request: socket.socket) -> None:
    """Whoever waits for it, or for whom it waits, waits no longer."""
    with suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)
