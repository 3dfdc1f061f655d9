"""Contract 004: sessions as they are asked for, and the answers people give them."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from loreweave.contracts.session_events import Agent, Outcome, QuestionPayload, SessionKind, Task, TestsFollow
from loreweave.contracts.wire import WireValue, absent_when_none

SessionState = Literal["idle", "planning", "executing", "testing", "deploying", "reviewing", "done"]


class SpentTokens(WireValue):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    max_budget: int
    cost_usd: float


class SkillProgress(WireValue):
    skill_id: str
    status: Literal["running", "completed", "failed"]
    result: str | None
    error: str | None


class OpenGate(WireValue):
    """`opened_in`: the state to which the build goes back when it is answered."""

    gate_id: str
    task_id: str
    question: str
    context: str
    opened_in: SessionState = "executing"


class OpenQuestion(WireValue):
    """Asked by a task of a build, or by a step of a skill run. Without a `deadline` it waits for ever."""

    question_id: str
    task_id: str | None = Field(default=None, exclude_if=absent_when_none)
    step_id: str | None = Field(default=None, exclude_if=absent_when_none)
    questions: list[QuestionPayload]
    deadline: str | None = Field(default=None, exclude_if=absent_when_none)


class SessionView(WireValue):
    """What the events of a session come to."""

    id: str
    kind: SessionKind
    state: SessionState
    outcome: Outcome | None
    error: str | None
    tasks: list[Task]
    agents: list[Agent]
    explanation: str | None
    deployment_target: str | None
    nugget_dir: str | None
    url: str | None
    gates: list[OpenGate]
    questions: list[OpenQuestion]
    tokens: SpentTokens | None
    skill: SkillProgress | None
    warnings: list[str]
    created_at: str
    ended_at: str | None
    tests_follow: TestsFollow | None = Field(default=None, exclude_if=absent_when_none)


class SessionAnswer(SessionView):
    """The whole of a session: what it was started with, and how far its log goes."""

    spec: dict[str, Any] | None
    last_seq: int


class SessionSummary(WireValue):
    """`waits`: a question or a gate is open, and a person is needed."""

    id: str
    kind: SessionKind
    state: SessionState
    outcome: Outcome | None
    waits: bool
    goal: str
    created_at: str


class CreatedSession(WireValue):
    session_id: str


class GivenToSession(WireValue):
    """What is absent was not given."""

    spec: dict[str, Any] | None = Field(default=None, exclude_if=absent_when_none)
    plan: dict[str, Any] | None = Field(default=None, exclude_if=absent_when_none)
    allSkills: list[dict[str, Any]] | None = Field(default=None, exclude_if=absent_when_none)
    fromGraph: dict[str, Any] | None = Field(default=None, exclude_if=absent_when_none)
    continues: str | None = Field(default=None, exclude_if=absent_when_none)


class StoppedSession(WireValue):
    status: Literal["stopped"] = "stopped"


class DeletedSession(WireValue):
    status: Literal["deleted"] = "deleted"


class AnswerTaken(WireValue):
    status: Literal["ok"] = "ok"


class EventPage(WireValue):
    """Events as they were sent, with the number of the last one there is."""

    events: list[dict[str, Any]]
    last_seq: int


class TestOutcome(WireValue):
    __test__ = False  # no test of ours, whatever its name

    test_name: str
    passed: bool
    details: str


class TestReport(WireValue):
    __test__ = False

    tests: list[TestOutcome]
    passed: int
    failed: int
    total: int
    coverage_pct: float | None
    coverage_details: dict[str, Any] | None


class DetectedBoard(WireValue):
    """`port` as it is configured, where it is."""

    detected: bool
    port: str | None = Field(default=None, exclude_if=absent_when_none)
    board_type: str | None = Field(default=None, exclude_if=absent_when_none)


class FlashAnswer(WireValue):
    success: bool
    message: str


class StartedSimulation(WireValue):
    status: Literal["started"] = "started"


LONGEST_FEEDBACK = 5_000
MOST_EVENTS = 1_000
MOST_DESIGNS = 500

SessionId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class SessionRequest(WireValue):
    session_id: SessionId


class CommitRequest(SessionRequest):
    """`all` for everything that the build changed; else a commit, or a beginning of it that no other has."""

    sha: str = Field(default="all", min_length=3, max_length=64)


class SessionEventsRequest(SessionRequest):
    since: int = Field(default=0, ge=0)
    limit: int = Field(default=MOST_EVENTS, ge=1, le=MOST_EVENTS)


class GateRequest(SessionRequest):
    """The gate named, else the oldest open one; what is left out approves without a word."""

    approved: bool = True
    feedback: str = Field(default="", max_length=LONGEST_FEEDBACK)
    gate_id: str | None = None
    task_id: str | None = None


class QuestionRequest(SessionRequest):
    """Answers by header."""

    task_id: str
    answers: dict[str, Any]
    question_id: str | None = None


PinName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.]{1,20}$")]
PinValue = Annotated[float, Field(ge=-1e6, le=1e6)]


class SimulateRequest(SessionRequest):
    """`inputs`: how buttons and sliders stand when it begins, by the numbers of their pins."""

    inputs: dict[PinName, PinValue] = Field(default_factory=dict, max_length=64)


class PinInputRequest(SessionRequest):
    """What a person presses or moves: a level, or 0 to 4095 where it is analogue."""

    pin: PinName
    value: PinValue


class ReadinessAnswer(WireValue):
    """What strangers are told where tokens are needed."""

    status: Literal["ready", "degraded"]


class HealthAnswer(ReadinessAnswer):
    """Ready: what needs a model could run now. `sandbox`: what keeps commands of agents apart."""

    apiKey: Literal["valid", "invalid", "missing", "unchecked"]
    apiKeyError: str | None = Field(default=None, exclude_if=absent_when_none)
    agentSdk: Literal["available", "not_found"]
    version: str
    database: str
    embedder: str
    model: str
    sandbox: Literal["bubblewrap", "limits", "unavailable"]
    git: str | None
    storage: str | None = Field(default=None, exclude_if=absent_when_none)  # why nothing can be stored just now


LONGEST_PATH = 500  # characters


def _an_object(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return value


def _a_list(value: Any) -> Any:
    if not isinstance(value, list):
        raise ValueError("must be a list of objects")
    return value


JsonObject = Annotated[dict[str, Any], BeforeValidator(_an_object)]
JsonObjects = Annotated[list[JsonObject], BeforeValidator(_a_list)]
WorkspacePath = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]


class WorkspaceSaveRequest(WireValue):
    """What is absent or null is left as it is."""

    workspace_path: WorkspacePath
    workspace_json: JsonObject | None = None
    skills: JsonObjects | None = None
    rules: JsonObjects | None = None
    portals: JsonObjects | None = None


class SavedWorkspace(WireValue):
    status: Literal["saved"] = "saved"


class WorkspaceLoadRequest(WireValue):
    workspace_path: WorkspacePath


class DesignListRequest(WireValue):
    limit: int = Field(default=100, ge=1, le=MOST_DESIGNS)


class ListedDesign(WireValue):
    """`name` as a person would call it: the plan's, or the goal of what is to be built."""

    id: str
    name: str
    kind: Literal["plan", "build"]
    saved_at: str


class DesignList(WireValue):
    """Those saved last come first. `total` counts the folders, readable or not."""

    designs: list[ListedDesign]
    total: int


class LoadedWorkspace(WireValue):
    """Empty where there was no file."""

    workspace: dict[str, Any]
    skills: list[dict[str, Any]]
    rules: list[dict[str, Any]]
    portals: list[dict[str, Any]]
