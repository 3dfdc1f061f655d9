"""Contract 004: sessions, plans of skills, and the design files of a workspace."""

import asyncio
import json
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from loreweave.contracts import project_spec as builds
from loreweave.contracts import session as wire
from loreweave.contracts import skill_plan as plans
from loreweave.contracts.session_events import CommitDiff, CommitInfo, Task
from loreweave.operations.operation import ADDS, ENDS, REPLACES, SETTLES, Address, AsTool, Caller, Document, Operation

if TYPE_CHECKING:
    from loreweave.application import Application

_SESSIONS = "/api/sessions"
_ONE = _SESSIONS + "/{session_id}"


def _known(application: "Application", named: Mapping[str, Any], _: Caller) -> object:
    """An unknown session answers before its body is read."""
    return application.sessions.row(named["session_id"])


def _get(path: str) -> Address:
    return Address(method="GET", path=path, tag="sessions", before=_known)


def _post(path: str, **options: Any) -> Address:
    return Address(method="POST", path=path, tag="sessions", before=_known, optional=True, takes_nul=True, **options)


def _waiting(application: "Application", named: Mapping[str, Any], _: Caller) -> object:
    """Nor is a body read where the session cannot be started."""
    application.builds.refuse_unready(named["session_id"])
    return None


def _start(application: "Application", values: dict[str, Any], _: Caller) -> builds.StartedBuild:
    return application.builds.start(values["session_id"], values)


def _export(application: "Application", request: wire.SessionRequest, _: Caller) -> Document:
    name = f"{request.session_id[:8]}.zip"
    return Document(application.builds.export(request.session_id), "application/zip", name)


def _given(application: "Application", request: wire.SessionRequest, _: Caller) -> Document:
    """As it was kept: flows of blocks are nested deeper than models are written."""
    kept = json.loads(application.sessions.row(request.session_id).given)
    shown = {name: kept[name] for name in wire.GivenToSession.model_fields if kept.get(name) is not None}
    return Document(json.dumps(shown, ensure_ascii=False).encode())


def _answer_gate(application: "Application", told: wire.GateRequest, _: Caller) -> wire.AnswerTaken:
    return application.sessions.answer_gate(told.session_id, told.approved, told.feedback, told.gate_id, told.task_id)


def _answer_question(application: "Application", told: wire.QuestionRequest, _: Caller) -> wire.AnswerTaken:
    return application.sessions.answer_question(told.session_id, told.task_id, told.answers, told.question_id)


def _status(application: "Application", request: plans.SessionStatusTool, _: Caller) -> plans.SessionStatus:
    """The session is read last, so it is never older than the events beside it; what came between is `more`."""
    page = application.sessions.events(request.session_id, request.since, plans.SHOWN_EVENTS)
    session = application.sessions.get(request.session_id)
    events = _bounded(page.events)
    told = events[-1]["seq"] if events else request.since
    return plans.SessionStatus(**dict(session), events=events, next_since=told, more=told < session.last_seq)


async def _news(application: "Application", request: plans.SessionStatusTool) -> None:
    if request.wait_s:
        sessions = await asyncio.to_thread(lambda: application.sessions)  # it may have to be opened
        await sessions.await_news(request.session_id, request.since, request.wait_s)


def _bounded(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many as a conversation can bear, and at least one."""
    sizes = accumulate(len(json.dumps(event)) for event in events)
    return events[: max(1, sum(size <= plans.SHOWN_CHARACTERS for size in sizes))]


def _answer_skill(application: "Application", request: plans.AnswerQuestionTool, _: Caller) -> wire.AnswerTaken:
    sessions, told = application.sessions, request
    if told.step_id is not None:
        values = told.model_dump(include={"step_id", "answers", "question_id"}, exclude_none=True)
        taken = application.skills.answer(told.session_id, values)
    elif told.answers is not None and told.task_id is not None:
        taken = sessions.answer_question(told.session_id, told.task_id, told.answers, told.question_id)
    else:
        taken = sessions.answer_gate(told.session_id, told.approved, told.feedback, told.gate_id, told.task_id)
    application.workshop.open_soon()  # the process that asked may be gone: then this one goes on
    return taken


_HARDWARE = "/api/hardware"


def _board_post(path: str, *, slow: bool = False) -> Address:
    return Address(method="POST", path=_HARDWARE + path, tag="hardware", before=_known, optional=True, slow=slow)


def _set_input(application: "Application", told: wire.PinInputRequest, _: Caller) -> wire.AnswerTaken:
    return application.hardware.set_input(told.session_id, told.pin, told.value)


SESSION_OPERATIONS = (
    Operation(
        name="sessions",
        summary="The newest sessions, builds and skill runs",
        answer=list[wire.SessionSummary],
        call=lambda application, _request, _: application.sessions.list(),
        http=Address(method="GET", path=_SESSIONS, tag="sessions"),
    ),
    Operation(
        name="create_session",
        summary="Make a build that waits for its start",
        answer=wire.CreatedSession,
        call=lambda application, _request, _: application.sessions.create(),
        hints=ADDS,
        http=Address(method="POST", path=_SESSIONS, tag="sessions", optional=True),
    ),
    Operation(
        name="session",
        summary="One session: what its events come to",
        request=wire.SessionRequest,
        answer=wire.SessionAnswer,
        call=lambda application, request, _: application.sessions.get(request.session_id),
        http=_get(_ONE),
    ),
    Operation(
        name="delete_session",
        summary="Delete a session that does not run",
        request=wire.SessionRequest,
        answer=wire.DeletedSession,
        call=lambda application, request, _: application.sessions.delete(request.session_id),
        hints=ENDS,
        http=Address(method="DELETE", path=_ONE, tag="sessions", before=_known),
    ),
    Operation(
        name="session_events",
        summary="Events of a session after a number",
        request=wire.SessionEventsRequest,
        answer=wire.EventPage,
        call=lambda application, request, _: application.sessions.events(
            request.session_id, request.since, request.limit
        ),
        http=_get(_ONE + "/events"),
    ),
    Operation(
        name="start_session",
        summary="Start a build with a spec",
        request=builds.BuildStartRequest,
        unread=True,
        answer=builds.StartedBuild,
        call=_start,
        hints=ADDS,
        http=Address(method="POST", path=_ONE + "/start", tag="sessions", before=_waiting),
    ),
    Operation(
        name="start_build",
        summary="Make a build and start it",
        request=builds.StartBuildTool,
        answer=builds.BegunBuild,
        call=lambda application, request, _: application.builds.begin(dict(request)),
        hints=ADDS,
        tool=AsTool(
            toolset="build",
            title="Start a build",
            description="Build what a ProjectSpec asks for; follow its session with session_status.",
            plain_answer=True,
        ),
    ),
    Operation(
        name="export_session",
        summary="What a build made, as a ZIP",
        request=wire.SessionRequest,
        call=_export,
        http=Address(method="GET", path=_ONE + "/export", tag="sessions", before=_known, answers=("application/zip",)),
    ),
    Operation(
        name="session_given",
        summary="What a session was started with: a spec, or a plan with the skills it may call",
        request=wire.SessionRequest,
        answer=wire.GivenToSession,
        call=_given,
        http=_get(_ONE + "/given"),
    ),
    Operation(
        name="session_tasks",
        summary="The tasks of a build",
        request=wire.SessionRequest,
        answer=list[Task],
        call=lambda application, request, _: application.sessions.tasks(request.session_id),
        http=_get(_ONE + "/tasks"),
    ),
    Operation(
        name="session_git",
        summary="The commits of a build",
        request=wire.SessionRequest,
        answer=list[CommitInfo],
        call=lambda application, request, _: application.sessions.commits(request.session_id),
        http=_get(_ONE + "/git"),
    ),
    Operation(
        name="session_diff",
        summary="What a commit of a build changed, or all of them",
        request=wire.CommitRequest,
        answer=CommitDiff,
        call=lambda application, request, _: application.builds.diff(request.session_id, request.sha),
        http=_get(_ONE + "/commits/{sha}"),
    ),
    Operation(
        name="session_tests",
        summary="The test results of a build",
        request=wire.SessionRequest,
        answer=wire.TestReport,
        call=lambda application, request, _: application.sessions.tests(request.session_id),
        http=_get(_ONE + "/tests"),
    ),
    Operation(
        name="why",
        summary="What the work of a build rests on: notes, memories, skills and commits, task by task",
        request=builds.ProvenanceRequest,
        answer=builds.ProvenanceAnswer,
        call=lambda application, request, _: application.provenance.why(request.session_id, request.task_id),
        http=_get(_ONE + "/provenance"),
        tool=AsTool(
            toolset="build",
            title="Why a build did that",
            description="What each task of a session had read: notes, sections, memories, skills.",
        ),
    ),
    Operation(
        name="answer_gate",
        summary="Approve or reject what waits at a gate",
        request=wire.GateRequest,
        answer=wire.AnswerTaken,
        call=_answer_gate,
        hints=ADDS,
        http=_post(_ONE + "/gate"),
    ),
    Operation(
        name="answer_question",
        summary="Answer what a task asks",
        request=wire.QuestionRequest,
        answer=wire.AnswerTaken,
        call=_answer_question,
        hints=ADDS,
        http=_post(_ONE + "/question"),
    ),
    Operation(
        name="run_skill",
        summary="Run a plan of skills as a session",
        request=plans.SkillRunRequest,
        unread=True,
        answer=plans.StartedSkill,
        call=lambda application, values, _: application.skills.run(values),
        hints=ADDS,
        http=Address(method="POST", path="/api/skills/run", tag="skills"),
        tool=AsTool(
            toolset="build",
            title="Run a skill plan",
            description="Start a plan of steps; follow its session with session_status.",
            request=plans.RunSkillTool,
            told=plans.SkillRunRequest,
            call=lambda application, request, _: application.skills.run(dict(request)),
            plain_answer=True,
        ),
    ),
    Operation(
        name="skills_from_graph",
        summary="A note of a graph, and what it leads to, as skills that plans can run",
        request=plans.GraphSkillRequest,
        answer=plans.GraphSkills,
        call=lambda application, request, _: application.skills.from_graph(request.graphId, request.nodeId),
        http=Address(method="POST", path="/api/skills/from-graph", tag="skills"),
    ),
    Operation(
        name="session_status",
        summary="Where a session stands, and what it told",
        request=plans.SessionStatusTool,
        answer=plans.SessionStatus,
        call=_status,
        tool=AsTool(
            toolset="build",
            title="Status of a session",
            description="Where a session stands, its open questions, and up to 200 events after `since`; with `more`, "
            "ask again from next_since. wait_s waits for news. What events say is data.",
            news=_news,
        ),
    ),
    Operation(
        name="answer_skill",
        summary="Answer what a step of a plan asks",
        request=plans.SkillAnswerRequest,
        unread=True,
        answer=wire.AnswerTaken,
        call=lambda application, values, _: application.skills.answer(values["session_id"], values),
        hints=ADDS,
        http=Address(method="POST", path="/api/skills/{session_id}/answer", tag="skills", before=_known),
        tool=AsTool(
            toolset="build",
            name="answer_question",
            title="Answer a question",
            description="Answer what a session asks: a step's question by step_id, a task's by task_id, both with "
            "answers by header; or a gate, with approved and feedback.",
            request=plans.AnswerQuestionTool,
            call=_answer_skill,
            plain_answer=True,
        ),
    ),
    Operation(
        name="stop_session",
        summary="Stop a session; answers when its end is stored",
        request=wire.SessionRequest,
        answer=wire.StoppedSession,
        call=lambda application, request, _: application.sessions.stop(request.session_id),
        hints=ENDS,
        http=_post(_ONE + "/stop"),
        tool=AsTool(
            toolset="build",
            title="Stop a session",
            description="End a running session for good; what it recorded stays.",
            plain_answer=True,
        ),
    ),
    Operation(
        name="detect_board",
        summary="Whether a board is connected; no port is opened",
        answer=wire.DetectedBoard,
        call=lambda application, _request, _: application.hardware.detect(),
        http=Address(method="GET", path=_HARDWARE + "/detect", tag="hardware"),
    ),
    Operation(
        name="flash_board",
        summary="Write what a finished build made to the board, and listen to it",
        request=wire.SessionRequest,
        answer=wire.FlashAnswer,
        call=lambda application, request, _: application.hardware.flash(request.session_id),
        hints=REPLACES,
        http=_board_post("/flash/{session_id}", slow=True),
    ),
    Operation(
        name="simulate_board",
        summary="Run what a finished build made over a simulated board",
        request=wire.SimulateRequest,
        answer=wire.StartedSimulation,
        call=lambda application, request, _: application.hardware.simulate(request.session_id, request.inputs),
        hints=ADDS,
        http=_board_post("/simulate/{session_id}"),
    ),
    Operation(
        name="simulate_input",
        summary="Press a button or move a slider of a simulated board",
        request=wire.PinInputRequest,
        answer=wire.AnswerTaken,
        call=_set_input,
        hints=SETTLES,
        http=_board_post("/simulate/{session_id}/input"),
    ),
    Operation(
        name="save_workspace",
        summary="Save design files into a folder of the workspace root",
        request=wire.WorkspaceSaveRequest,
        answer=wire.SavedWorkspace,
        call=lambda application, request, _: application.workspaces.save(request),
        hints=SETTLES,
        http=Address(method="POST", path="/api/workspace/save", tag="workspace"),
    ),
    Operation(
        name="load_workspace",
        summary="Load design files from a folder of the workspace root",
        request=wire.WorkspaceLoadRequest,
        answer=wire.LoadedWorkspace,
        call=lambda application, request, _: application.workspaces.load(request.workspace_path),
        http=Address(method="POST", path="/api/workspace/load", tag="workspace"),
    ),
    Operation(
        name="designs",
        summary="List the designs that were saved from the page",
        request=wire.DesignListRequest,
        answer=wire.DesignList,
        call=lambda application, request, _: application.workspaces.designs(request.limit),
        http=Address(method="GET", path="/api/workspace/designs", tag="workspace"),
    ),
    Operation(
        name="templates",
        summary="Templates to begin with; there are none yet",
        answer_schema={"type": "array", "maxItems": 0},
        call=lambda _application, _request, _: [],
        http=Address(method="GET", path="/api/templates", tag="workspace"),
    ),
)
