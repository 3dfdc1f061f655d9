"""Shows the pages that builds made, on a port of their own: what they do there can reach nothing of ours."""

import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from loreweave.errors import LoreError
from loreweave.seams.host.confined_folder import ConfinedFolder

HOST = "127.0.0.1"
SECONDS = 30.0  # for a request, and for a reader who does not read
AT_ONCE = 64
LARGEST = 64 * 1024 * 1024  # bytes of a file
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
            super().process_request_thread(request, client_address)
        finally:
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
        path = unquote(urlsplit(self.path).path)
        session_id, slash, name = path.lstrip("/").partition("/")
        folder = self.server.pages.get(session_id)
        if folder is None or "\0" in path:
            return self._send(404, b"There is no such page.\n", "text/plain", with_body)
        if not slash:
            return self._send(308, b"", "text/plain", with_body, location=f"/{session_id}/")
        data = _read(folder, name + "index.html" if not name or name.endswith("/") else name)
        if data is None:
            return self._send(404, b"There is no such file.\n", "text/plain", with_body)
        kind = mimetypes.guess_type(name or "index.html")[0] or "application/octet-stream"
        if name.endswith("/") or not name:
            kind = "text/html"
        return self._send(200, data, kind, with_body)

    def _send(self, status: int, data: bytes, kind: str, with_body: bool, location: str = "") -> None:
        self.send_response(status)
        charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith(("javascript", "json")) else ""
        self.send_header("Content-Type", kind + charset)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if with_body:
            self.wfile.write(data)


def _read(folder: ConfinedFolder, path: str) -> bytes | None:
    """No dot-files, no links, no listings."""
    if any(part.startswith(".") for part in path.split("/")):
        return None
    try:
        return folder.read_bytes(path, LARGEST)
    except LoreError:
        return None
