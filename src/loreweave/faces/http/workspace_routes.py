"""Contract 004 over HTTP: design files saved and loaded, and the list of templates."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts.workspace import LoadedWorkspace, SavedWorkspace, WorkspaceLoadRequest, WorkspaceSaveRequest
from loreweave.faces.http.described_routes import described_body
from loreweave.faces.http.described_sessions import described_list
from loreweave.faces.http.query_values import only_asked
from loreweave.faces.http.request_bodies import json_request
from loreweave.faces.http.service_calls import ServiceCalls, json_answer


def workspace_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    router = APIRouter(prefix="/api", tags=["workspace"], redirect_slashes=False)

    async def save(request: Request) -> Response:
        only_asked(request)
        asked = await json_request(request, WorkspaceSaveRequest)
        return json_answer(await calls.read(application.workspaces.save, asked))

    async def load(request: Request) -> Response:
        only_asked(request)
        asked = await json_request(request, WorkspaceLoadRequest)
        return json_answer(await calls.read(application.workspaces.load, asked.workspace_path))

    async def templates(request: Request) -> Response:
        only_asked(request)
        return Response(b"[]\n", media_type="application/json")

    saved = described_body("save_workspace", WorkspaceSaveRequest, SavedWorkspace)
    router.add_api_route("/workspace/save", save, methods=["POST"], **saved)
    loaded = described_body("load_workspace", WorkspaceLoadRequest, LoadedWorkspace)
    router.add_api_route("/workspace/load", load, methods=["POST"], **loaded)
    router.add_api_route("/templates", templates, methods=["GET"], **described_list("templates", None))
    return router
