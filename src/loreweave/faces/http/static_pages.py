"""The built page: files of one folder, and the page itself for the addresses its own routes use."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from loreweave.application import Application
from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound
from loreweave.faces.http.error_responses import MethodNotAllowed, error_response
from loreweave.faces.http.sent_answers import ServiceCalls, matches

PAGE_FOLDER = Path(str(files("loreweave.faces.http"))) / "static"
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "worker-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "frame-src http://127.0.0.1:*"  # what builds made, each on a port that is only known when it is shown
)
NOT_BUILT = (
    "Loreweave is running, but its page is not built.\n\n"
    "Build it with `make install` in a checkout. The API works without it: try GET /api/health.\n"
)
# Besides the root, how addresses of the page itself begin; the last two are of old, and lead on.
PLACES = frozenset({"g", "ask", "memory", "routes", "studio", "sessions", "route"})
# What may stand behind them, whole; where `id` is in it, something must be called that.
ADDRESSES: dict[str, Callable[[Application, str], object]] = {
    r"(memory(/(inbox|all|trash|history))?)?": lambda app, name: None,
    r"g/(?P<id>[^/]+)(/(map|list|index|health|history|pack|read(/.*)?))?": lambda app, name: app.graphs.revision(name),
    r"routes?(/(~[^/]+|(?P<id>[^/]+)))?": lambda app, name: app.graphs.revision(name),
    r"ask(/(?P<id>[^/]+))?": lambda app, name: app.threads.read(name),
    r"(sessions|studio/run)(/(?P<id>[^/]+))?": lambda app, name: app.sessions.row(name),
    r"studio(/plan(/(new|(?P<id>[^/]+)))?)?": lambda app, name: app.workspaces.folder_for(
        f"designs/{name}"
    ).refuse_absent(),
}
CALLED = frozenset({"api", "ws", "mcp", "assets"})  # where programs call, and nobody looks round
FOREVER = "public, max-age=31536000, immutable"  # names in assets/ carry a hash of the content
MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Page:
    """What no route took: a file of the page, the page itself, or nothing."""

    def __init__(self, application: Application, folder: Path = PAGE_FOLDER) -> None:
        self._root = folder.resolve()
        self._application = application
        self._calls = ServiceCalls(reads=4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await error_response(NotFound("There is nothing at this address"))(scope, receive, send)
            return
        request, path = Request(scope, receive), scope["path"].removeprefix("/")
        # Strangers are not told what is there: to them every address is one where the page asks for a token.
        knows = self._knows if _is_place(path) and request.state.may_read else self.holds
        is_there = await self._calls.read(knows, path)
        await (self._answer if is_there else self._nowhere)(request, path)(scope, receive, send)

    def holds(self, path: str) -> bool:
        """Whether this is a file of the page or an address of its own; strangers may read these."""
        return _is_place(path := path.removeprefix("/")) or _file_below(self._root, path) is not None

    def _knows(self, path: str) -> bool:
        """Whether the page has something to show there: one look into the store at most."""
        for form, look in ADDRESSES.items():
            if found := re.fullmatch(form, path.rstrip("/")):
                try:
                    if name := found.groupdict().get("id"):
                        look(self._application, name)
                except LoreError as trouble:  # what cannot be asked just now is for the page to say
                    return not isinstance(trouble, Forbidden | InvalidInput | NotFound)
                return True
        return False

    def _answer(self, request: Request, path: str) -> Response:
        file = _file_below(self._root, path)
        if request.method not in ("GET", "HEAD"):
            raise MethodNotAllowed("This address does not know that method", allow=["GET", "HEAD"])
        if file is not None:
            return _file_response(request, file, FOREVER if path.startswith("assets/") else "no-cache")
        if path and not ("text/html" in (accepted := request.headers.get("accept", "*/*")) or "*/*" in accepted):
            raise NotFound("There is nothing at this address")
        index = _file_below(self._root, "index.html")
        if index is None:
            return PlainTextResponse(NOT_BUILT, status_code=404 if path else 200)
        return _file_response(request, index, "no-cache")

    def _nowhere(self, request: Request, path: str) -> Response:
        """Whoever looks round in a browser is shown the way back; whoever calls gets the usual shape."""
        index = _file_below(self._root, "index.html")
        looks = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if index is None or not looks or path.partition("/")[0] in CALLED:
            raise NotFound("There is nothing at this address")
        return FileResponse(index, 404, headers={"Cache-Control": "no-store", "Content-Security-Policy": POLICY})


def _is_place(path: str) -> bool:
    return not path or path.partition("/")[0] in PLACES


def _file_below(root: Path, path: str) -> Path | None:
    """A regular file really inside the folder, whatever the path tries."""
    if not path or "\0" in path or "\\" in path:
        return None
    try:
        file = (root / path).resolve()
        inside = file.is_relative_to(root) and file.is_file()
    except (OSError, ValueError):
        return None
    return file if inside else None


def _file_response(request: Request, file: Path, caching: str) -> Response:
    response = FileResponse(file, media_type=MEDIA_TYPES.get(file.suffix))
    response.headers["Cache-Control"] = caching
    response.headers["Content-Security-Policy"] = POLICY
    status = file.stat()
    tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
    response.headers["ETag"] = tag
    if matches(request.headers.getlist("if-none-match"), tag):
        kept = {name: response.headers[name] for name in ("Cache-Control", "Content-Security-Policy", "ETag")}
        return Response(status_code=304, headers=kept)
    return response
