"""What the generated document says of each address: schemas of the wire values, never written twice."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from loreweave.contracts import (
    ask,
    route,
    route_requests,
    session,
    session_events,
    session_requests,
    skill_plan,
    workspace,
)
from loreweave.contracts import graph_reports as reports
from loreweave.contracts import node_answers as nodes
from loreweave.contracts import skill_graph as asked
from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.disclosed_nodes import ScanAnswer, SearchAnswer
from loreweave.contracts.health import HealthAnswer
from loreweave.contracts.wire import ErrorShape

REFERENCE = "#/components/schemas/{model}"
NODE_ANSWERS: tuple[type[BaseModel], ...] = (
    nodes.NodeAnswer0,
    nodes.NodeAnswer1,
    nodes.NodeAnswer2,
    nodes.NodeAnswer3,
    nodes.NodeAnswer4,
)
EXPORT_TYPES = {
    "graphml": ("application/graphml+xml", "graphml"),
    "mermaid": ("text/plain", "mmd"),
    "dot": ("text/plain", "dot"),
}
REQUESTS: tuple[type[BaseModel], ...] = (
    asked.ScanRequest,
    asked.DrawnTraverseRequest,
    asked.DrawnContextRequest,
    asked.GraphRequest,
    asked.SearchRequest,
    asked.FuseRequest,
    asked.GithubIngestRequest,
    asked.ZipIngestFields,
    asked.DemoRequest,
    ask.AskRequest,
    ask.FeedbackRequest,
    route_requests.RouteGraphRequest,
    route_requests.RouteCheckRequest,
    route_requests.RouteNextRequest,
    route_requests.RouteReachableRequest,
    route_requests.RouteMermaidRequest,
    route_requests.RouteScoreRequest,
    route_requests.RouteReadRequest,
    session_requests.GateRequest,
    session_requests.QuestionRequest,
    skill_plan.SkillRunRequest,
    skill_plan.SkillAnswerRequest,
    workspace.WorkspaceSaveRequest,
    workspace.WorkspaceLoadRequest,
)
ANSWERS: tuple[type[BaseModel], ...] = (
    ScanAnswer,
    TraverseAnswer,
    ContextAnswer,
    SearchAnswer,
    *NODE_ANSWERS,
    reports.IngestAnswer,
    reports.ValidateAnswer,
    reports.StatsAnswer,
    reports.ChangesAnswer,
    reports.GraphList,
    reports.ExportAnswer,
    reports.DeleteAnswer,
    HealthAnswer,
    ask.SuggestionsResponse,
    ask.KeywordResponse,
    ask.GlossaryList,
    ask.SectionList,
    ask.KnowledgeNode,
    ask.OverviewAnswer,
    ask.FeedbackAnswer,
    ask.GapList,
    route.RouteGraphAnswer,
    route.RouteCheckup,
    route.RouteNextAnswer,
    route.RouteReachableAnswer,
    route.RouteMermaidAnswer,
    route.RouteScoring,
    route.RouteSkillText,
    route.RouteFileText,
    session.SessionSummary,
    session.CreatedSession,
    session.SessionAnswer,
    session.DeletedSession,
    session.EventPage,
    session.TestReport,
    session.StoppedSession,
    session.AnswerTaken,
    session_events.Task,
    session_events.CommitInfo,
    skill_plan.StartedSkill,
    workspace.SavedWorkspace,
    workspace.LoadedWorkspace,
    ErrorShape,
)
ERROR = {"$ref": REFERENCE.format(model="ErrorShape")}
SUMMARIES = {
    "ingest": "Read a ZIP or a GitHub repository into a graph",
    "demo": "Read the notes that come with the product into the graph `demo`",
    "scan": "Find notes by name, tags and description; level 1, never a body",
    "traverse": "Walk the links from a note within a token budget",
    "context": "Pack what a question needs into a token budget",
    "validate": "Grade a graph and list what is wrong with it",
    "search": "Search all fields, bodies too; answers level 1",
    "fuse": "Join several graphs into one",
    "stats": "Figures of a graph",
    "changes": "Which files the present revision added, changed and removed",
    "node": "One note at a level of disclosure",
    "graphs": "Every graph of this library",
    "export": "A graph as JSON, GraphML, Mermaid or DOT",
    "delete": "Delete a graph",
    "health": "Whether the server is ready",
    "suggestions": "Questions to begin with, and the model that answers",
    "ask": "Search sections, or stream an answer with checked citations",
    "glossary": "Every term that the documents define",
    "term": "One glossary entry, by term or alias",
    "sections": "Every section, or those of a group",
    "section": "One section: summary, verbatim facts, deep link",
    "overview": "The map of all sections and what the documents are about",
    "digest": "The digest as a file to commit",
    "feedback": "Say whether an answer helped",
    "gaps": "What was asked and not answered, most frequent first",
    "route_graph": "The routed graph of a folder of skills: skills, edges, diagram, check-up",
    "route_check": "What is wrong, or looks wrong, with a graph of skills",
    "route_next": "Which skill comes next, and why",
    "route_reachable": "Which skills the model may jump to",
    "route_mermaid": "The graph drawn as a Mermaid flowchart",
    "route_score": "Score the entries against a message",
    "route_read": "A skill, or one of its files, if it can be reached from here",
    "sessions": "The newest sessions, builds and skill runs",
    "create_session": "Make a build that waits for its start",
    "session": "One session: what its events come to",
    "delete_session": "Delete a session that does not run",
    "session_events": "Events of a session after a number",
    "session_tasks": "The tasks of a build",
    "session_git": "The commits of a build",
    "session_tests": "The test results of a build",
    "stop_session": "Stop a session; answers when its end is stored",
    "answer_gate": "Approve or reject what waits at a gate",
    "answer_question": "Answer what a task asks",
    "run_skill": "Run a plan of skills as a session",
    "answer_skill": "Answer what a step of a plan asks",
    "save_workspace": "Save design files into a folder of the workspace root",
    "load_workspace": "Load design files from a folder of the workspace root",
    "templates": "Templates to begin with; there are none yet",
}


def described(name: str, *answers: type[BaseModel], **extra: Any) -> dict[str, Any]:
    """Arguments for a route: its answer, and the one shape of every failure."""
    references = [{"$ref": REFERENCE.format(model=answer.__name__)} for answer in answers]
    return described_as(name, SUMMARIES[name], _one_of(references), **extra)


def described_as(name: str, summary: str, answer: dict[str, Any], **extra: Any) -> dict[str, Any]:
    responses = {
        "200": _answer("Done", answer),
        "4XX": _answer("Refused: what is wrong, and where", ERROR),
        "5XX": _answer("The fault is the server's, or a part of it is away", ERROR),
    }
    return {
        "operation_id": name,
        "summary": summary,
        "response_model": None,
        "openapi_extra": {**extra, "responses": responses},
    }


def _one_of(references: list[dict[str, str]]) -> dict[str, Any]:
    if len(references) == 1:
        return references[0]
    return {"oneOf": references} if references else {"type": "object"}


def _answer(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def described_body(name: str, model: type[BaseModel], *answers: type[BaseModel]) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": REFERENCE.format(model=model.__name__)}}}
    return described(name, *answers, requestBody={"required": True, "content": content})


def described_query(name: str, model: type[BaseModel] | None, *answers: type[BaseModel]) -> dict[str, Any]:
    return described(name, *answers, **({} if model is None else {"parameters": _fields(model, "query")}))


def described_reads(name: str, answer: type[BaseModel], path: str) -> dict[str, Any]:
    """A read of asking: names in its path, and the graph to ask."""
    names = [part.strip("{}").partition(":")[0] for part in path.split("/") if part.startswith("{")]
    text = {"type": "string"}
    parameters = [{"name": named, "in": "path", "required": True, "schema": text} for named in names]
    for named in ("graph", "group") if name == "sections" else ("graph",):
        parameters.append({"name": named, "in": "query", "required": False, "schema": text})
    return described(name, answer, parameters=parameters)


def described_answer() -> dict[str, Any]:
    """Keyword results, or the events of an answer."""
    route = described_body("ask", ask.AskRequest, ask.KeywordResponse)
    content = route["openapi_extra"]["responses"]["200"]["content"]
    content["text/event-stream"] = {"schema": {"type": "string"}}
    return route


def described_export() -> dict[str, Any]:
    """JSON, or one of the texts."""
    route = described_query("export", asked.ExportRequest, reports.ExportAnswer)
    content = route["openapi_extra"]["responses"]["200"]["content"]
    content.update({media_type: {"schema": {"type": "string"}} for media_type, _ in EXPORT_TYPES.values()})
    return route


def described_path(name: str, model: type[BaseModel], answer: type[BaseModel]) -> dict[str, Any]:
    return described(name, answer, parameters=_fields(model, "path"))


def _fields(model: type[BaseModel], place: str) -> list[dict[str, Any]]:
    schema = model.model_json_schema()
    return [
        {"name": field, "in": place, "required": field in schema["required"], "schema": value}
        for field, value in schema["properties"].items()
    ]


def described_ingest() -> dict[str, Any]:
    """Two ways in: a form for a ZIP, JSON for GitHub."""
    form = asked.ZipIngestFields.model_json_schema()
    form["properties"]["file"] = {"type": "string", "format": "binary", "description": "the ZIP itself"}
    form["required"] = [*form["required"], "file"]
    content = {
        "multipart/form-data": {"schema": form},
        "application/json": {"schema": {"$ref": REFERENCE.format(model="GithubIngestRequest")}},
    }
    return described("ingest", reports.IngestAnswer, requestBody={"required": True, "content": content})


def wire_schemas() -> dict[str, Any]:
    """The components that requests and answers refer to."""
    asked_for: list[tuple[type[BaseModel], Any]] = [(model, "validation") for model in REQUESTS]
    answered: list[tuple[type[BaseModel], Any]] = [(model, "serialization") for model in ANSWERS]
    _, schema = models_json_schema([*asked_for, *answered], ref_template=REFERENCE)
    return schema["$defs"]
