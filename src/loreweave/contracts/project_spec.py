"""Contract 004: what a build is asked for, and what its work rests on.

The goal alone has no default; what nobody knows is kept and named.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from loreweave.contracts.session import SessionRequest, WorkspacePath
from loreweave.contracts.session_events import AgentRole
from loreweave.contracts.skill_plan import Label, PlanValue, SkillCategory, TemplateText
from loreweave.contracts.wire import WireValue, storable_text

MOST_ENTRIES = 50
DeployTarget = Literal["preview", "web", "esp32", "both"]
RuleTrigger = Literal["always", "on_task_complete", "on_test_fail", "before_deploy"]
PortalMechanism = Literal["mcp", "cli", "serial", "auto"]


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


GoalText = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(storable_text), AfterValidator(_filled)]


class SpecValue(PlanValue):
    """Null is what was left out: editors send it so."""

    @field_validator("*", mode="before")
    @classmethod
    def _absent(cls, value: Any, info: Any) -> Any:
        if value is not None or info.field_name is None:
            return value
        known = cls.model_fields[info.field_name]
        return None if known.is_required() else known.get_default(call_default_factory=True)


class SpecProject(SpecValue):
    goal: GoalText
    description: TemplateText = ""
    type: Label = "general"


class SpecRequirement(SpecValue):
    type: Label = "feature"
    description: TemplateText = ""


class SpecStyle(SpecValue):
    visual: TemplateText | None = None
    personality: TemplateText | None = None


class SpecAgent(SpecValue):
    name: Label = ""
    role: AgentRole = "builder"
    persona: TemplateText = ""


class SpecHardware(SpecValue):
    target: Label = "esp32"
    components: list[dict[str, Any]] = Field(default_factory=list, max_length=MOST_ENTRIES)


class SpecDeployment(SpecValue):
    target: DeployTarget = "preview"
    auto_flash: bool = False


class FlowHint(SpecValue):
    type: Literal["sequential", "parallel"] = "sequential"
    descriptions: list[TemplateText] = Field(default_factory=list, max_length=MOST_ENTRIES)


class SpecWorkflow(SpecValue):
    review_enabled: bool = False
    testing_enabled: bool = False
    human_gates: list[TemplateText] = Field(default_factory=list, max_length=MOST_ENTRIES)
    flow_hints: list[FlowHint] = Field(default_factory=list, max_length=MOST_ENTRIES)
    iteration_conditions: list[TemplateText] = Field(default_factory=list, max_length=MOST_ENTRIES)


class BuildSkill(SpecValue):
    id: Label = ""
    name: Label = ""
    prompt: TemplateText = ""
    category: SkillCategory = "feature"
    workspace: dict[str, Any] | None = None


class BuildRule(SpecValue):
    id: Label = ""
    name: Label = ""
    prompt: TemplateText = ""
    trigger: RuleTrigger = "always"


class PortalProgram(SpecValue):
    command: Label = ""
    args: list[TemplateText] = Field(default_factory=list, max_length=MOST_ENTRIES)
    env: dict[Label, TemplateText] = Field(default_factory=dict, max_length=MOST_ENTRIES)


class PortalPort(SpecValue):
    port: Label = ""


class Portal(SpecValue):
    id: Label = ""
    name: Label = ""
    description: TemplateText = ""
    mechanism: PortalMechanism = "auto"
    cliConfig: PortalProgram | None = None
    mcpConfig: PortalProgram | None = None
    serialConfig: PortalPort | None = None


class Permissions(SpecValue):
    """What the person who started the session allows its agents."""

    auto_approve_workspace_writes: bool = True
    allow_network: bool = False
    escalation_threshold: int = Field(default=3, ge=1, le=1_000)


class SpecKnowledge(SpecValue):
    graphId: Label = ""


class ProjectSpec(SpecValue):
    project: SpecProject
    requirements: list[SpecRequirement] = Field(default_factory=list, max_length=MOST_ENTRIES)
    style: SpecStyle = Field(default_factory=SpecStyle)
    agents: list[SpecAgent] = Field(default_factory=list, max_length=MOST_ENTRIES)
    hardware: SpecHardware | None = None
    deployment: SpecDeployment = Field(default_factory=SpecDeployment)
    workflow: SpecWorkflow = Field(default_factory=SpecWorkflow)
    skills: list[BuildSkill] = Field(default_factory=list, max_length=MOST_ENTRIES)
    rules: list[BuildRule] = Field(default_factory=list, max_length=MOST_ENTRIES)
    portals: list[Portal] = Field(default_factory=list, max_length=MOST_ENTRIES)
    permissions: Permissions = Field(default_factory=Permissions)
    knowledge: SpecKnowledge | None = None


class BuildStartRequest(SessionRequest):
    """As a stranger is told it; the service reads the values itself and names the place of whatever is wrong."""

    spec: ProjectSpec
    workspace_path: WorkspacePath | None = None
    workspace_json: dict[str, Any] | None = None
    continues: str | None = Field(default=None, description="the session whose work is taken further")


class StartBuildTool(WireValue):
    spec: Any
    workspace_path: Any = None
    workspace_json: Any = None
    continues: Any = None


class StartedBuild(WireValue):
    status: Literal["started"] = "started"


class BegunBuild(WireValue):
    session_id: str


# Why it did that


class KnownThen(WireValue):
    """What was known when the build began, and is read as it was then."""

    graph_id: str
    revision: int
    content_hash: str
    digest: str = Field(description="hash of what was distilled of the graph; empty where nothing was")
    memory_revision: int


class ReadNode(WireValue):
    id: str
    level: int
    tokens: int
    reason: str
    sections: list[str] = Field(description="anchors of what was shown of it; none where all of it was")


class ReadMemory(WireValue):
    id: str
    name: str


class TakenLook(WireValue):
    """One look at notes, memories or skills; attempt 0 is what was read before the first."""

    attempt: int
    tool: Literal["context", "search_docs", "recall", "read_skill"]
    asked: str
    at: str
    nodes: list[ReadNode] = Field(default_factory=list)
    memories: list[ReadMemory] = Field(default_factory=list)
    skill: str | None = None


class TaskProvenance(WireValue):
    task_id: str
    name: str
    status: str
    agent_name: str
    attempts: int
    commit: str | None
    remembered_as: str | None = Field(description="the memory of what the task came to")
    looks: list[TakenLook]


class ProvenanceRequest(SessionRequest):
    task_id: str | None = None


class ProvenanceAnswer(WireValue):
    session_id: str
    goal: str
    knowledge: KnownThen | None
    plan: list[TakenLook] = Field(description="what the planner was shown before there were tasks")
    tasks: list[TaskProvenance]
