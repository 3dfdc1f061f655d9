"""Contract 004 over HTTP: plans of skills, run and answered."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.contracts.session import AnswerTaken
from loreweave.contracts.skill_plan import SkillAnswerRequest, SkillRunRequest, StartedSkill
from loreweave.faces.http.described_routes import described_body
from loreweave.faces.http.described_sessions import described_session
from loreweave.faces.http.query_values import only_asked
from loreweave.faces.http.request_bodies import json_object
from loreweave.faces.http.service_calls import ServiceCalls, json_answer
from loreweave.faces.http.session_socket import named_session

PREFIX = "/api/skills"


def skill_run_router(application: Application) -> APIRouter:
    """Plans and answers are read by their own reader, which looks at every limit before it goes deeper."""
    calls = ServiceCalls()
    router = APIRouter(prefix=PREFIX, tags=["skills"], redirect_slashes=False)

    async def run(request: Request) -> Response:
        only_asked(request)
        return json_answer(await calls.read(application.skills.run, await json_object(request)))

    async def answer(request: Request) -> Response:
        session_id = named_session(request)
        await calls.read(application.sessions.row, session_id)
        only_asked(request)
        return json_answer(await calls.read(application.skills.answer, session_id, await json_object(request)))

    router.add_api_route("/run", run, methods=["POST"], **described_body("run_skill", SkillRunRequest, StartedSkill))
    answered = described_session("answer_skill", AnswerTaken, body=SkillAnswerRequest)
    router.add_api_route("/{session_id}/answer", answer, methods=["POST"], **answered)
    return router
