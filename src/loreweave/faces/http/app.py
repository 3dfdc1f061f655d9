"""The HTTP face: one app with everything that is served on one port."""

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp

from loreweave.access.access_policy import access_policy
from loreweave.application import Application
from loreweave.faces.http.answer_route import AnswerRoute, ChatRoute
from loreweave.faces.http.conversations import PATH, SessionSocket
from loreweave.faces.http.docs_pages import docs_routes
from loreweave.faces.http.error_responses import ERROR_HANDLERS
from loreweave.faces.http.guard import Guard
from loreweave.faces.http.ingest_route import IngestRoute, MemoryImport
from loreweave.faces.http.openapi_document import openapi_document
from loreweave.faces.http.operation_routes import operation_routes
from loreweave.faces.http.sent_answers import CompressedAnswers, ServiceCalls
from loreweave.faces.http.static_pages import PAGE_FOLDER, Page
from loreweave.operations.operation import Operation
from loreweave.operations.table import OPERATIONS

SEARCHED_AT_ONCE = 4  # ranking is work for a core: more at once would only take turns, and some wait long
Running = Callable[[], AbstractAsyncContextManager[Any]]


def create_app(
    application: Application,
    *,
    mcp: ASGIApp | None = None,
    running: Running = nullcontext,
    page_folder: Path = PAGE_FOLDER,
    operations: Sequence[Operation] = OPERATIONS,
) -> Starlette:
    """The app over these services. `mcp` is served at /mcp; `running` is held open while the app runs."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with running():
            yield

    application.memory  # noqa: B018  opened before anything is served: what has expired goes first
    routes = [*_routes(application, operations)]
    if mcp is not None:
        routes.append(Route("/mcp", mcp, include_in_schema=False))
    page, policy = Page(application, page_folder), access_policy(application.settings)
    guard = Middleware(Guard, policy=policy, page=page, access=application.access)
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=ERROR_HANDLERS,
        middleware=[guard, Middleware(CompressedAnswers)],
    )
    app.router.redirect_slashes = False
    app.router.default = page
    return app


def _routes(application: Application, operations: Sequence[Operation]) -> list[BaseRoute]:
    """What the table offers; beside it the description, pages for people, and the log as it grows."""
    pools: defaultdict[str, ServiceCalls] = defaultdict(ServiceCalls)
    pools["house"] = ServiceCalls(reads=2)  # whether the server is well is told however busy it is
    by_hand = {
        "ingest": IngestRoute(application, pools["skill graph"]).endpoint,
        "import_memories": MemoryImport(application, pools["memory"]).endpoint,
        "ask": AnswerRoute(application, ServiceCalls(reads=SEARCHED_AT_ONCE)).endpoint,
        "chat": ChatRoute(application).endpoint,
    }
    socket = SessionSocket(application, pools["sessions"])
    return [
        *operation_routes(application, operations, pools, by_hand),
        Route("/api/openapi.json", _description(operations, pools["docs"])),
        *docs_routes(application, pools["docs"]),
        WebSocketRoute(PATH, socket),
        Route(PATH, socket.plain, methods=["GET"]),
    ]


def _description(operations: Sequence[Operation], calls: ServiceCalls) -> Callable[[Request], Awaitable[Response]]:
    """Written when first asked for, and once: it takes a while."""
    written = cache(lambda: JSONResponse(openapi_document(operations)).body)

    async def description(_: Request) -> Response:
        return Response(await calls.read(written), media_type="application/json")

    return description
