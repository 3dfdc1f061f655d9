"""Contract 003 over the wire: what routing answers. Absent facts are null, never missing."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from loreweave.contracts.wire import WireValue


class RouteValue(WireValue):
    """`from` is no name that Python lends out."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)


class RouteEdge(RouteValue):
    from_: str | None = Field(alias="from")
    to: str
    kind: Literal["entry", "predicate", "on-tool-return", "model"]
    label: str | None
    priority: int
    reason: str | None


class RouteNode(RouteValue):
    id: str
    kind: Literal["skill", "predicate"]
    label: str


class RouteProblem(RouteValue):
    kind: Literal["error", "warning", "note"]
    code: str
    message: str
    skill: str | None
    from_: str | None = Field(alias="from")
    to: str | None
    file: str | None
    line: int | None


class RouteCheckup(RouteValue):
    ok: bool
    problems: list[RouteProblem]
    notes: list[RouteProblem]


class RouteSkill(RouteValue):
    """A skill without its body, which is read on its own."""

    id: str
    description: str
    tools: list[str]
    trigger: Literal["always", "rule", "llm-activated"]
    end: bool
    resources: list[str]


class RouteGraphAnswer(RouteValue):
    kind: Literal["flat", "tree"]
    entryBy: str
    skills: list[RouteSkill]
    nodes: list[RouteNode]
    edges: list[RouteEdge]
    mermaid: str
    checkup: RouteCheckup


class RouteFired(RouteValue):
    to: str
    toolName: str
    callId: str | None


class RouteConflict(RouteValue):
    winner: RouteFired
    losers: list[RouteFired]


class RoutePredicateError(RouteValue):
    from_: str | None = Field(alias="from")
    to: str | None
    error: str


class RouteLimit(RouteValue):
    code: Literal["max_hops", "max_visits"]
    blocked: str


class RouteMove(RouteValue):
    from_: str | None = Field(alias="from")
    to: str | None
    by: Literal["entry", "model-pick", "none", "route", "stay", "limit", "tree"]
    edge: RouteEdge | None
    leaf: str | None
    conflict: RouteConflict | None
    droppedCursor: str | None
    rejectedPick: str | None
    supersededPick: str | None
    predicateErrors: list[RoutePredicateError]
    limit: RouteLimit | None
    payload: dict[str, Any]
    ended: bool


class RouteNextAnswer(RouteValue):
    """`reachable` is asked where the move lands."""

    nextSkill: str | None
    move: RouteMove
    active: list[str]
    reachable: list[str]
    tools: list[str]


class RouteReachableAnswer(RouteValue):
    currentSkillId: str | None
    reachable: list[str]


class RouteMermaidAnswer(RouteValue):
    mermaid: str


class RouteEntryScore(RouteValue):
    id: str
    score: float | None
    relevance: float


class RouteScoring(RouteValue):
    scorer: str
    chosen: str | None
    ranked: list[RouteEntryScore]
    margin: float | None
    tie: bool
    abstained: Literal["floor", "margin"] | None


class RouteSkillText(RouteValue):
    id: str
    description: str
    body: str
    tools: list[str]
    resources: list[str]


class RouteFileText(RouteValue):
    id: str
    path: str
    content: str
