"""The HTTP face: one app with everything that is served on one port."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import Route
from starlette.types import ASGIApp

from loreweave import __version__
from loreweave.application import Application
from loreweave.faces.http.access_policy import access_policy
from loreweave.faces.http.ask_routes import ask_router
from loreweave.faces.http.compressed_answers import CompressedAnswers
from loreweave.faces.http.described_routes import wire_schemas
from loreweave.faces.http.docs_routes import docs_router
from loreweave.faces.http.error_responses import install_error_handlers
from loreweave.faces.http.guard import Guard
from loreweave.faces.http.health_routes import health_router
from loreweave.faces.http.mcp_mount import McpMount
from loreweave.faces.http.memory_routes import memory_router
from loreweave.faces.http.route_routes import route_router
from loreweave.faces.http.session_routes import session_router
from loreweave.faces.http.skill_graph_routes import skill_graph_router
from loreweave.faces.http.skill_run_routes import skill_run_router
from loreweave.faces.http.static_pages import PAGE_FOLDER, Page
from loreweave.faces.http.workspace_routes import workspace_router

Running = Callable[[], AbstractAsyncContextManager[Any]]


def create_app(
    application: Application,
    *,
    mcp: ASGIApp | None = None,
    running: Running = nullcontext,
    page_folder: Path = PAGE_FOLDER,
) -> FastAPI:
    """The app over these services. `mcp` is served at /mcp; `running` is held open while the app runs."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with running():
            yield

    app = FastAPI(
        title="Loreweave",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.include_router(health_router(application))
    app.include_router(skill_graph_router(application))
    app.include_router(ask_router(application))
    app.include_router(memory_router(application))
    app.include_router(route_router(application))
    app.include_router(session_router(application))
    app.include_router(skill_run_router(application))
    app.include_router(workspace_router(application))
    app.include_router(docs_router(application))
    if mcp is not None:
        app.router.routes.append(Route("/mcp", McpMount(mcp), include_in_schema=False))
    page = Page(page_folder)
    app.router.default = page
    install_error_handlers(app)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    app.add_middleware(CompressedAnswers)
    policy = access_policy(application.settings)
    app.add_middleware(Guard, policy=policy, page=page, access=application.access)
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """The framework's document over our own schemas: we read and write bodies ourselves."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, routes=app.routes)
        document["components"] = {"schemas": dict(sorted(wire_schemas().items()))}
        app.openapi_schema = document
    return app.openapi_schema
