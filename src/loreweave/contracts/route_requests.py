"""Contract 003 over the wire: what routing is asked. Names and case are the contract's."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from loreweave.contracts.route_values import RouteContext
from loreweave.contracts.wire import WireValue

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


class RouteReadRequest(RouteSource):
    id: SkillId
    currentSkillId: SkillId | None = None
    path: FilePath | None = Field(default=None, description="a file of the skill instead of its body")


class RouteTool(WireValue):
    """A tool asks about a graph as ingested; by default the one ingested last."""

    graphId: GraphId | None = None


class NextSkillTool(RouteTool):
    context: RouteContext = Field(default_factory=RouteContext)


class ReachableSkillsTool(RouteTool):
    currentSkillId: SkillId | None = None


class ReadSkillTool(RouteTool):
    id: SkillId
    currentSkillId: SkillId | None = None
    path: FilePath | None = Field(default=None, description="a file of the skill instead of its body")


class RouteCheckupTool(RouteTool):
    pass
