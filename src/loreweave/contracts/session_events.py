"""Contract 004: what a session tells its watchers. Every event has `seq` and `ts` once it is stored."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from loreweave.contracts.wire import WireValue, absent_when_none

SessionKind = Literal["build", "skill"]
Outcome = Literal["success", "partial", "failed", "stopped"]
TaskStatus = Literal["pending", "in_progress", "done", "failed"]
FailureReason = Literal["attempts", "dependency", "budget", "stopped"]
AgentRole = Literal["builder", "tester", "reviewer", "custom"]
AgentStatus = Literal["idle", "working", "done", "error", "waiting"]
TestsFollow = Literal["tasks", "gates"]  # the last task, or where gates are wished for their answers
StepStatus = Literal["started", "completed", "failed"]
Mood = Literal["excited", "encouraging", "concerned", "celebrating"]
PermissionType = Literal["file_read", "file_write", "command", "network"]
PermissionDecision = Literal["approved", "denied", "escalated"]


def _additive(**options: Any) -> Any:
    """A field that is left out rather than sent as null."""
    return Field(default=None, exclude_if=absent_when_none, **options)


class Agent(WireValue):
    name: str
    role: AgentRole
    persona: str
    status: AgentStatus


class Provenance(WireValue):
    """What a task's work rests on."""

    nodes: list[str] = Field(default_factory=list)
    memories: list[str] = Field(default_factory=list)
    commit: str | None = None
    remembered: str | None = Field(default=None, exclude_if=absent_when_none)  # the memory of what it came to


class Task(WireValue):
    id: str
    name: str
    description: str
    status: TaskStatus
    agent_name: str
    dependencies: list[str]
    acceptance_criteria: list[str]
    retry_count: int
    error: str | None = None
    reason: FailureReason | None = None
    summary: str | None = None
    commit: str | None = None
    revision_of: str | None = None
    provenance: Provenance = Field(default_factory=Provenance)


class QuestionOption(WireValue):
    label: str
    description: str


class QuestionPayload(WireValue):
    question: str
    header: str
    options: list[QuestionOption]
    multiSelect: bool


class CommitInfo(WireValue):
    sha: str
    message: str
    agent_name: str
    task_id: str
    timestamp: str
    files_changed: list[str]


class CommitDiff(WireValue):
    """What a commit changed, as git tells it; `sha` is `all` for the whole of a build. `cut`: there was more."""

    sha: str
    files_changed: list[str]
    diff: str
    cut: bool


class DeployRule(WireValue):
    name: str
    prompt: str


class ContextNode(WireValue):
    id: str
    level: int
    tokens: int


# The session's own life


class SessionStarted(WireValue):
    type: Literal["session_started"] = "session_started"
    session_id: str
    kind: SessionKind
    warnings: list[str] | None = _additive()


class PlanningStarted(WireValue):
    """The build was started. `warnings` name what in its spec means nothing here; `tests_follow` where it is tested."""

    type: Literal["planning_started"] = "planning_started"
    max_budget: int | None = _additive()  # of tokens
    tests_follow: TestsFollow | None = _additive()
    warnings: list[str] | None = _additive()


class PlanReady(WireValue):
    type: Literal["plan_ready"] = "plan_ready"
    tasks: list[Task]
    agents: list[Agent]
    explanation: str
    deployment_target: str | None = _additive()
    revision: int | None = _additive()


class WorkspaceCreated(WireValue):
    type: Literal["workspace_created"] = "workspace_created"
    nugget_dir: str


class SessionComplete(WireValue):
    type: Literal["session_complete"] = "session_complete"
    summary: str
    outcome: Outcome


class SessionError(WireValue):
    """`outcome` where the session ends with it."""

    type: Literal["error"] = "error"
    message: str
    recoverable: bool
    outcome: Outcome | None = _additive()


# Tasks


class TaskStarted(WireValue):
    type: Literal["task_started"] = "task_started"
    task_id: str
    agent_name: str


class TaskResumed(WireValue):
    type: Literal["task_resumed"] = "task_resumed"
    task_id: str


class TaskCompleted(WireValue):
    type: Literal["task_completed"] = "task_completed"
    task_id: str
    summary: str
    provenance: Provenance | None = _additive(description="what its work rests on")


class TaskFailed(WireValue):
    type: Literal["task_failed"] = "task_failed"
    task_id: str
    error: str
    retry_count: int
    reason: FailureReason | None = _additive()


# Agents


class AgentOutput(WireValue):
    type: Literal["agent_output"] = "agent_output"
    task_id: str
    agent_name: str
    content: str


class AgentStatusChanged(WireValue):
    type: Literal["agent_status"] = "agent_status"
    agent: Agent


class AgentMessage(WireValue):
    type: Literal["agent_message"] = "agent_message"
    sender: str = Field(alias="from", serialization_alias="from")
    to: str
    content: str


class TokenUsage(WireValue):
    """What was spent since the last one of this agent."""

    type: Literal["token_usage"] = "token_usage"
    agent_name: str
    input_tokens: int
    output_tokens: int
    cost_usd: float


class BudgetWarning(WireValue):
    type: Literal["budget_warning"] = "budget_warning"
    total_tokens: int
    max_budget: int
    cost_usd: float


class MinionStateChange(WireValue):
    type: Literal["minion_state_change"] = "minion_state_change"
    agent_name: str
    old_status: AgentStatus
    new_status: AgentStatus


class NarratorMessage(WireValue):
    type: Literal["narrator_message"] = "narrator_message"
    sender: str = Field(alias="from", serialization_alias="from")
    text: str
    mood: Mood
    related_task_id: str | None = _additive()


class PermissionAutoResolved(WireValue):
    """`task_id` is the step's id in a skill run."""

    type: Literal["permission_auto_resolved"] = "permission_auto_resolved"
    task_id: str
    permission_type: PermissionType
    decision: PermissionDecision
    reason: str
    grant: str | None = _additive()  # of one that a person is asked about: what holding for the session would cover


class ContextLoaded(WireValue):
    type: Literal["context_loaded"] = "context_loaded"
    task_id: str
    graph_id: str
    nodes: list[ContextNode]
    tokens: int
    budget: int


# What a build makes


class CommitCreated(CommitInfo):
    type: Literal["commit_created"] = "commit_created"


class TestResult(WireValue):
    __test__ = False  # no test of ours, whatever its name

    type: Literal["test_result"] = "test_result"
    test_name: str
    passed: bool
    details: str


class CoverageUpdate(WireValue):
    type: Literal["coverage_update"] = "coverage_update"
    percentage: float
    details: dict[str, Any] | None = _additive()


# Skills


class SkillStarted(WireValue):
    """`frame` is 1 for the plan itself and grows with each skill that a skill invokes."""

    type: Literal["skill_started"] = "skill_started"
    skill_id: str
    skill_name: str
    frame: int


class SkillStep(WireValue):
    type: Literal["skill_step"] = "skill_step"
    skill_id: str
    step_id: str
    step_type: str
    status: StepStatus


class SkillQuestion(WireValue):
    type: Literal["skill_question"] = "skill_question"
    skill_id: str
    step_id: str
    question_id: str
    questions: list[QuestionPayload]
    deadline: str | None = _additive()


class SkillOutput(WireValue):
    type: Literal["skill_output"] = "skill_output"
    skill_id: str
    step_id: str
    content: str


class SkillCompleted(WireValue):
    type: Literal["skill_completed"] = "skill_completed"
    skill_id: str
    result: str
    frame: int


class SkillError(WireValue):
    """The root's, and the last event of its run."""

    type: Literal["skill_error"] = "skill_error"
    skill_id: str
    message: str
    outcome: Outcome


# Deploying


class DeployStarted(WireValue):
    type: Literal["deploy_started"] = "deploy_started"
    target: str


class DeployProgress(WireValue):
    type: Literal["deploy_progress"] = "deploy_progress"
    step: str
    progress: float


class DeployChecklist(WireValue):
    type: Literal["deploy_checklist"] = "deploy_checklist"
    rules: list[DeployRule]


class DeployComplete(WireValue):
    type: Literal["deploy_complete"] = "deploy_complete"
    target: str
    url: str | None = _additive()


class SerialData(WireValue):
    """A line that a board said. `source`: the simulator, where it is no board on a port."""

    type: Literal["serial_data"] = "serial_data"
    line: str
    timestamp: str
    source: Literal["simulator"] | None = _additive()


class PinState(WireValue):
    """`value`: a level, 0 to 4095 where it is analogue, 0 to 65535 for a duty. `colours`: of a strip, as #rrggbb."""

    mode: Literal["in", "out", "adc", "dac", "pwm", "neopixel"]
    value: int
    colours: list[str] | None = _additive()


class BoardState(WireValue):
    """The pins of a simulated board that its program uses, by their numbers."""

    type: Literal["board_state"] = "board_state"
    pins: dict[str, PinState]


# People


class HumanGate(WireValue):
    type: Literal["human_gate"] = "human_gate"
    task_id: str
    question: str
    context: str
    gate_id: str


class GateAnswered(WireValue):
    type: Literal["gate_answered"] = "gate_answered"
    gate_id: str
    approved: bool
    feedback: str


class UserQuestion(WireValue):
    type: Literal["user_question"] = "user_question"
    task_id: str
    question_id: str
    questions: list[QuestionPayload]
    deadline: str | None = _additive()


class QuestionAnswered(WireValue):
    """The question is open no more: it has its answers, or `timed_out` says that nobody gave any."""

    type: Literal["question_answered"] = "question_answered"
    question_id: str
    answers: dict[str, Any] | None = _additive()
    timed_out: bool | None = _additive()


class TeachingMoment(WireValue):
    type: Literal["teaching_moment"] = "teaching_moment"
    concept: str
    headline: str
    explanation: str
    tell_me_more: str | None = _additive()
    related_concepts: list[str] | None = _additive()


SessionEvent = Annotated[
    SessionStarted
    | PlanningStarted
    | PlanReady
    | WorkspaceCreated
    | SessionComplete
    | SessionError
    | TaskStarted
    | TaskResumed
    | TaskCompleted
    | TaskFailed
    | AgentOutput
    | AgentStatusChanged
    | AgentMessage
    | TokenUsage
    | BudgetWarning
    | MinionStateChange
    | NarratorMessage
    | PermissionAutoResolved
    | ContextLoaded
    | CommitCreated
    | TestResult
    | CoverageUpdate
    | SkillStarted
    | SkillStep
    | SkillQuestion
    | SkillOutput
    | SkillCompleted
    | SkillError
    | DeployStarted
    | DeployProgress
    | DeployChecklist
    | DeployComplete
    | SerialData
    | BoardState
    | HumanGate
    | GateAnswered
    | UserQuestion
    | QuestionAnswered
    | TeachingMoment,
    Field(discriminator="type"),
]

SESSION_EVENTS: TypeAdapter[SessionEvent] = TypeAdapter(SessionEvent)
