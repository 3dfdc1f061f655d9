"""Contract 003 over the wire: what routing is asked. Names and case are the contract's."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from loreweave.contracts.wire import WireValue

SkillId = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
GraphId = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
FilePath = Annotated[str, StringConstraints(min_length=1, max_length=4_096)]
Status = Literal["success", "failure", "denied", "invalid", "partial", "pending", "absent"]
ScoredBy = Literal["keyword", "relevance"]


class RouteMessage(WireValue):
    role: str
    content: str
    toolName: str | None = None


class RouteToolResult(WireValue):
    toolName: str
    result: Any = ""
    status: Status | None = None
    callId: str | None = None


class RouteContextGiven(WireValue):
    """All that a graph may look at; everything may be left out."""

    userMessage: str = ""
    iteration: int = 1
    history: list[RouteMessage] = Field(default_factory=list)
    currentSkillId: SkillId | None = None
    lastToolResult: RouteToolResult | None = None
    toolResults: list[RouteToolResult] | None = None
    pendingPick: str | None = None
    pinnedLeaf: str | None = None
    entryMenu: bool = False
    path: list[str] = Field(default_factory=list)
    state: dict[str, Any] = Field(default_factory=dict)
    answers: dict[str, Any] = Field(default_factory=dict, description="what the named predicates of the files answer")


class RouteSource(WireValue):
    """Where the skills are: a graph as ingested, or files by their path. One of the two."""

    graphId: GraphId | None = None
    files: dict[str, str] | None = Field(default=None, description='texts by path: {"refunds/SKILL.md": "…"}')


class RouteGraphRequest(RouteSource):
    pass


class RouteCheckRequest(RouteSource):
    knownTools: list[str] = Field(default_factory=list)


class RouteNextRequest(RouteSource):
    context: RouteContextGiven = RouteContextGiven()


class RouteReachableRequest(RouteSource):
    currentSkillId: SkillId | None = None


class RouteMermaidRequest(RouteSource):
    current: SkillId | None = None


class RouteScoreRequest(RouteSource):
    context: RouteContextGiven = RouteContextGiven()
    by: ScoredBy | None = None


class RouteReadRequest(RouteSource):
    id: SkillId
    currentSkillId: SkillId | None = None
    path: FilePath | None = Field(default=None, description="a file of the skill instead of its body")


class RouteTool(WireValue):
    """A tool asks about a graph as ingested; by default the one ingested last."""

    graphId: GraphId | None = None


class NextSkillTool(RouteTool):
    context: RouteContextGiven = RouteContextGiven()


class ReachableSkillsTool(RouteTool):
    currentSkillId: SkillId | None = None


class ReadSkillTool(RouteTool):
    id: SkillId
    currentSkillId: SkillId | None = None
    path: FilePath | None = Field(default=None, description="a file of the skill instead of its body")


class RouteCheckupTool(RouteTool):
    pass
