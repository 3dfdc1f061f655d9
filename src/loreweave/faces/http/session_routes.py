"""Contract 004 over HTTP: sessions made, shown, answered, stopped and deleted."""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from loreweave.application import Application
from loreweave.contracts import session as answers
from loreweave.contracts.session_events import CommitInfo, Task
from loreweave.contracts.session_requests import GateRequest, QuestionRequest
from loreweave.faces.http.described_routes import described
from loreweave.faces.http.described_sessions import described_events, described_list, described_session, session_path
from loreweave.faces.http.error_responses import UnsupportedMediaType
from loreweave.faces.http.query_values import only_asked, whole_number
from loreweave.faces.http.request_bodies import MAX_JSON_BYTES, bounded_body, content_type, parse_object
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.faces.http.session_socket import PATH, SessionSocket, named_session
from loreweave.faces.request_values import read_request

PREFIX = "/api/sessions"
MOST_EVENTS = 1_000
Endpoint = Callable[[Request], Any]


def session_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    router = APIRouter(tags=["sessions"], redirect_slashes=False)
    routes = SessionRoutes(application, calls)
    one = PREFIX + "/{session_id}"
    # One route for all methods of an address, so that another is told of each; those below only describe it.
    router.routes.append(Route(PREFIX, routes.of_all, methods=["GET", "POST"], include_in_schema=False))
    router.routes.append(Route(one, routes.of_one, methods=["GET", "DELETE"], include_in_schema=False))

    def add(method: str, path: str, endpoint: Endpoint, description: dict[str, Any]) -> None:
        router.add_api_route(path, endpoint, methods=[method], **description)

    add("GET", PREFIX, routes.listed, described_list("sessions", answers.SessionSummary))
    add("POST", PREFIX, routes.create, described("create_session", answers.CreatedSession))
    add("GET", one, routes.get, described_session("session", answers.SessionAnswer))
    add("DELETE", one, routes.delete, described_session("delete_session", answers.DeletedSession))
    add("GET", one + "/events", routes.events, described_events("session_events", answers.EventPage, MOST_EVENTS))
    add("GET", one + "/tasks", routes.tasks, described_list("session_tasks", Task, session_path()))
    add("GET", one + "/git", routes.git, described_list("session_git", CommitInfo, session_path()))
    add("GET", one + "/tests", routes.tests, described_session("session_tests", answers.TestReport))
    add("POST", one + "/stop", routes.stop, described_session("stop_session", answers.StoppedSession))
    gate = described_session("answer_gate", answers.AnswerTaken, body=GateRequest)
    add("POST", one + "/gate", routes.gate, gate)
    question = described_session("answer_question", answers.AnswerTaken, body=QuestionRequest)
    add("POST", one + "/question", routes.question, question)
    socket = SessionSocket(application, calls)
    router.routes.append(WebSocketRoute(PATH, socket))
    router.routes.append(Route(PATH, socket.plain, methods=["GET"], include_in_schema=False))
    return router


class SessionRoutes:
    """An unknown session answers before its body is read."""

    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._sessions = application.sessions
        self._calls = calls

    async def of_all(self, request: Request) -> Response:
        return await (self.create if request.method == "POST" else self.listed)(request)

    async def of_one(self, request: Request) -> Response:
        return await (self.delete if request.method == "DELETE" else self.get)(request)

    async def listed(self, request: Request) -> Response:
        only_asked(request)
        return list_answer(await self._calls.read(self._sessions.list))

    async def create(self, request: Request) -> Response:
        only_asked(request)
        await optional_object(request)
        return json_answer(await self._calls.read(self._sessions.create))

    async def get(self, request: Request) -> Response:
        return json_answer(await self._read(request, self._sessions.get))

    async def delete(self, request: Request) -> Response:
        return json_answer(await self._read(request, self._sessions.delete))

    async def tasks(self, request: Request) -> Response:
        return list_answer(await self._read(request, self._sessions.tasks))

    async def git(self, request: Request) -> Response:
        return list_answer(await self._read(request, self._sessions.commits))

    async def tests(self, request: Request) -> Response:
        return json_answer(await self._read(request, self._sessions.tests))

    async def events(self, request: Request) -> Response:
        session_id = await self._known(request)
        only_asked(request, "since", "limit")
        since = whole_number(request, "since", 0)
        limit = whole_number(request, "limit", MOST_EVENTS, 1, MOST_EVENTS)
        return json_answer(await self._calls.read(self._sessions.events, session_id, since, limit))

    async def stop(self, request: Request) -> Response:
        session_id, _ = await self._told(request)
        return json_answer(await self._calls.read(self._sessions.stop, session_id))

    async def gate(self, request: Request) -> Response:
        session_id, value = await self._told(request)
        told = read_request(GateRequest, value, takes_nul=True)
        arguments = (told.approved, told.feedback, told.gate_id, told.task_id)
        return json_answer(await self._calls.read(self._sessions.answer_gate, session_id, *arguments))

    async def question(self, request: Request) -> Response:
        session_id, value = await self._told(request)
        told = read_request(QuestionRequest, value, takes_nul=True)
        arguments = (told.task_id, told.answers, told.question_id)
        return json_answer(await self._calls.read(self._sessions.answer_question, session_id, *arguments))

    async def _read(self, request: Request, call: Callable[[str], Any]) -> Any:
        session_id = named_session(request)
        only_asked(request)
        return await self._calls.read(call, session_id)

    async def _told(self, request: Request) -> tuple[str, dict[str, Any]]:
        session_id = await self._known(request)
        only_asked(request)
        return session_id, await optional_object(request)

    async def _known(self, request: Request) -> str:
        session_id = named_session(request)
        await self._calls.read(self._sessions.row, session_id)
        return session_id


async def optional_object(request: Request) -> dict[str, Any]:
    """The body as one JSON object; none means an empty one."""
    body = await bounded_body(request, MAX_JSON_BYTES)
    if not body.strip():
        return {}
    if content_type(request) != "application/json":
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])
    return parse_object(body)


def list_answer(values: Sequence[BaseModel]) -> Response:
    """A bare list, each entry serialised as everywhere."""
    entries = ",".join(value.model_dump_json() for value in values)
    return Response(f"[{entries}]\n".encode(), media_type="application/json")
