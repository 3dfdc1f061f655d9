"""Contract 003 over the wire: what routing answers. Absent facts are null, never missing."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, RootModel, StringConstraints

from loreweave.contracts.route_values import (
    EntryScoring,
    GraphCheckup,
    Move,
    MovedBy,
    RouteContext,
    SkillEdge,
    SkillNode,
    ToolResult,
    TriggerKind,
)
from loreweave.contracts.wire import WireValue

Value = TypeVar("Value")


class ToldValue(RootModel[Value]):
    """An answer that is a value of routing as it is."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> Any:
        """The value's own shape, not a reference to it: clients of tools ask for an object."""
        return {**handler.resolve_ref_schema(handler(core_schema)), "title": cls.__name__}


class RouteCheckup(ToldValue[GraphCheckup]):
    pass


class RouteScoring(ToldValue[EntryScoring]):
    pass


class RouteSkill(WireValue):
    """A skill without its body, which is read on its own."""

    id: str
    description: str
    tools: list[str]
    trigger: TriggerKind
    end: bool
    resources: list[str]


class RouteGraphAnswer(WireValue):
    kind: Literal["flat", "tree"]
    entryBy: str
    skills: list[RouteSkill]
    nodes: list[SkillNode]
    edges: list[SkillEdge]
    mermaid: str
    checkup: GraphCheckup


class RouteNextAnswer(WireValue):
    """`reachable` is asked where the move lands."""

    nextSkill: str | None
    move: Move
    active: list[str]
    reachable: list[str]
    tools: list[str]


class RouteReachableAnswer(WireValue):
    currentSkillId: str | None
    reachable: list[str]


class RouteMermaidAnswer(WireValue):
    mermaid: str


class RouteSkillText(WireValue):
    id: str
    description: str
    body: str
    tools: list[str]
    resources: list[str]


class RouteFileText(WireValue):
    id: str
    path: str
    content: str


class RouteOutline(WireValue):
    """What a graph is made of, in numbers: whether rules lead through it, or links that only a model follows."""

    kind: Literal["flat", "tree"]
    entryBy: str
    skills: int
    entries: int
    ends: int
    rules: int
    links: int
    errors: int
    warnings: int


class RouteRule(WireValue):
    """What an edge waits for, in words and in parts. `edge` is its place among the edges of the graph."""

    edge: int
    says: str
    tool: str | None
    statuses: list[str]
    example: str | None = Field(description="a result that would do")
    question: str | None = Field(description="the name whose answer decides")
    carry: list[str]
    file: str | None
    line: int | None


class RouteRulesAnswer(WireValue):
    """`files` says where each skill stands."""

    rules: list[RouteRule]
    files: dict[str, str]


class RouteVerdict(WireValue):
    """What became of an edge that was looked at in a step."""

    edge: int
    verdict: Literal["won", "beaten", "no match", "not asked"]
    why: str


class WalkedStep(WireValue):
    """Where a step leads, why, and why not elsewhere. `holds` says whether it went as it was expected to."""

    told: str
    move: Move
    active: list[str]
    reachable: list[str]
    tools: list[str]
    path: list[str]
    state: dict[str, Any]
    scoring: EntryScoring | None
    considered: list[RouteVerdict]
    holds: bool | None


class RouteWalkAnswer(WireValue):
    steps: list[WalkedStep]


SkillId = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
GraphId = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
FilePath = Annotated[str, StringConstraints(min_length=1, max_length=4_096)]
ScoredBy = Literal["keyword", "relevance"]


class RouteSource(WireValue):
    """Where the skills are: a graph as ingested, or files by their path. One of the two."""

    graphId: GraphId | None = None
    files: dict[str, str] | None = Field(default=None, description='texts by path: {"refunds/SKILL.md": "…"}')


class RouteGraphRequest(RouteSource):
    pass


class RouteCheckRequest(RouteSource):
    knownTools: list[str] = Field(default_factory=list)


class RouteNextRequest(RouteSource):
    context: RouteContext = Field(default_factory=RouteContext)


class RouteReachableRequest(RouteSource):
    currentSkillId: SkillId | None = None


class RouteMermaidRequest(RouteSource):
    current: SkillId | None = None


class RouteScoreRequest(RouteSource):
    context: RouteContext = Field(default_factory=RouteContext)
    by: ScoredBy | None = None


class SkillToRead(WireValue):
    id: SkillId
    currentSkillId: SkillId | None = None
    path: FilePath | None = Field(default=None, description="a file of the skill instead of its body")


class RouteReadRequest(SkillToRead, RouteSource):
    pass


MOST_STEPS = 200
MOST_RESULTS = 50


class ExpectedMove(WireValue):
    """Where a step must lead: the skill, or the leaf of a tree; null is nowhere."""

    skill: SkillId | None
    by: MovedBy | None = None


class WalkStep(WireValue):
    """What happens before a move: a message begins a turn, tools return, the model picks, questions are answered."""

    message: str | None = None
    toolResults: list[ToolResult] = Field(default_factory=list, max_length=MOST_RESULTS)
    pick: SkillId | None = None
    answers: dict[str, bool] = Field(default_factory=dict)
    expect: ExpectedMove | None = None


class RouteWalkRequest(RouteSource):
    steps: list[WalkStep] = Field(max_length=MOST_STEPS)


class RouteTest(WireValue):
    """A walk as it is kept in a file, with what it must lead to."""

    name: str = ""
    graph: str | None = None
    steps: list[WalkStep] = Field(min_length=1, max_length=MOST_STEPS)


class RouteTool(WireValue):
    """A tool asks about a graph as ingested; by default the one ingested last."""

    graphId: GraphId | None = None


class NextSkillTool(RouteTool):
    context: RouteContext = Field(default_factory=RouteContext)


class ReachableSkillsTool(RouteTool):
    currentSkillId: SkillId | None = None


class ReadSkillTool(SkillToRead, RouteTool):
    pass


class RouteCheckupTool(RouteTool):
    pass
