"""Contract 004: skills, plans of steps, and the calls that run and answer them. Names and case are the contract's."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from loreweave.contracts.session import LONGEST_FEEDBACK, SessionAnswer, SessionId
from loreweave.contracts.wire import WireValue, absent_when_none, storable_text

SkillCategory = Literal["agent", "feature", "style", "composite"]

MOST_STEPS = 50  # in one list
MOST_OPTIONS = 50
MOST_SKILLS = 50


Identity = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(storable_text)]
Label = Annotated[str, StringConstraints(max_length=200), AfterValidator(storable_text)]
RequestName = Annotated[str, StringConstraints(min_length=1, max_length=128), AfterValidator(storable_text)]
ShortText = Annotated[str, StringConstraints(max_length=500), AfterValidator(storable_text)]
QuestionText = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(storable_text)]
TemplateText = Annotated[str, StringConstraints(max_length=5_000), AfterValidator(storable_text)]


class PlanValue(WireValue):
    """What an editor sends may carry keys of its own; they mean nothing here, and the session's warnings name them."""

    model_config = ConfigDict(extra="ignore")


class SkillSpec(PlanValue):
    """A prompt, or with category `composite` a flow of blocks. `template: false`: the prompt is taken as it stands."""

    id: Identity
    name: Label
    prompt: TemplateText
    category: SkillCategory
    workspace: dict[str, Any] | None = Field(default=None, exclude_if=absent_when_none)
    template: bool = True


class AskUserStep(PlanValue):
    type: Literal["ask_user"] = "ask_user"
    id: Identity
    question: QuestionText
    header: Label
    options: Annotated[list[ShortText], Field(max_length=MOST_OPTIONS)]
    storeAs: Label


class BranchStep(PlanValue):
    type: Literal["branch"] = "branch"
    id: Identity
    contextKey: Label
    matchValue: ShortText
    thenSteps: Annotated[list["SkillStep"], Field(max_length=MOST_STEPS)]


class InvokeSkillStep(PlanValue):
    type: Literal["invoke_skill"] = "invoke_skill"
    id: Identity
    skillId: Label
    storeAs: Label


class RunAgentStep(PlanValue):
    type: Literal["run_agent"] = "run_agent"
    id: Identity
    prompt: TemplateText
    storeAs: Label


class SetContextStep(PlanValue):
    type: Literal["set_context"] = "set_context"
    id: Identity
    key: Label
    value: TemplateText


class OutputStep(PlanValue):
    type: Literal["output"] = "output"
    id: Identity
    template: TemplateText


SkillStep = Annotated[
    AskUserStep | BranchStep | InvokeSkillStep | RunAgentStep | SetContextStep | OutputStep, Field(discriminator="type")
]


STEP_TYPES: dict[str, type[PlanValue]] = {
    "ask_user": AskUserStep,
    "branch": BranchStep,
    "invoke_skill": InvokeSkillStep,
    "run_agent": RunAgentStep,
    "set_context": SetContextStep,
    "output": OutputStep,
}


class SkillPlan(PlanValue):
    """Without `skillId` the id of the session that runs it stands in."""

    skillId: Label | None = None
    skillName: Label
    steps: Annotated[list[SkillStep], Field(max_length=MOST_STEPS)]


class GraphSkillRequest(WireValue):
    graphId: Identity
    nodeId: Identity


class SkillRunRequest(PlanValue):
    """Sent again with its `request_id`, it gives the session that it gave before."""

    plan: SkillPlan
    allSkills: Annotated[list[SkillSpec], Field(max_length=MOST_SKILLS)] = Field(default_factory=list)
    fromGraph: GraphSkillRequest | None = Field(
        default=None,
        exclude_if=absent_when_none,
        description="a note whose skills, however many, are taken as they are now",
    )
    request_id: RequestName | None = Field(default=None, description="sent again, no second run")


class CutLink(WireValue):
    """A link that would have led back to a skill on the way here, deeper than skills may call one another, or to more
    skills than a graph may make."""

    source: str
    target: str


class GraphSkills(WireValue):
    """`root`: the id of the one that was asked for; `skills` holds all. A plan runs it with `fromGraph`, or with
    up to 50 of them in `allSkills`."""

    root: str
    skills: list[SkillSpec]
    cut: list[CutLink]
    revision: int


class SkillAnswerRequest(PlanValue):
    step_id: str
    answers: dict[str, Any]


class StartedSkill(WireValue):
    session_id: str


SHOWN_EVENTS = 200
LONGEST_WAIT = 60  # seconds; clients and proxies give up on calls that take longer
SHOWN_CHARACTERS = 400_000  # of events; one that is longer is still told
GREATEST_SEQ = 2**53 - 1

StepId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class RunSkillTool(WireValue):
    """All are looked at by the reader of plans, which names the place of whatever is wrong."""

    plan: Any
    allSkills: Any = None
    fromGraph: Any = None
    request_id: Any = None


class SessionStatusTool(WireValue):
    session_id: SessionId
    since: int = Field(default=0, ge=0, le=GREATEST_SEQ, description="events after this number")
    wait_s: float = Field(default=0.0, ge=0, le=LONGEST_WAIT, description="seconds to wait for news")


class AnswerQuestionTool(WireValue):
    session_id: SessionId
    step_id: StepId | None = None
    task_id: StepId | None = None
    gate_id: str | None = None
    answers: dict[str, Any] | None = Field(default=None, description="by header: {header: answer}")
    question_id: str | None = None
    approved: bool = True
    feedback: str = Field(default="", max_length=LONGEST_FEEDBACK)


class SessionStatus(SessionAnswer):
    """The session as HTTP answers it, and what it told after `since`; with `more`, ask again from `next_since` on."""

    events: list[dict[str, Any]]
    next_since: int
    more: bool
