"""What a graph is asked and what it answers: frozen, compared by value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from loreweave.routing.read_only_dict import EMPTY, read_only

EdgeKind = Literal["entry", "predicate", "on-tool-return", "model"]
NodeKind = Literal["skill", "predicate"]
MovedBy = Literal["entry", "model-pick", "none", "route", "stay", "limit", "tree"]

STATUSES = ("success", "failure", "denied", "invalid", "partial", "pending", "absent")


@dataclass(frozen=True, slots=True)
class Message:
    """One line of the conversation so far."""

    role: str
    content: str
    tool_name: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returned, and how it went where that is known."""

    tool_name: str
    result: Any = field(default="", hash=False)
    status: str | None = None
    call_id: str | None = None

    @property
    def data(self) -> Any:
        """The result read as JSON; None where it is none. Read anew each time: nobody can change it for others."""
        if not isinstance(self.result, str | bytes | bytearray):
            return self.result if isinstance(self.result, dict | list | int | float) else None
        try:
            return json.loads(self.result, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteContext:
    """All that a graph may look at to say where it is next."""

    user_message: str = ""
    iteration: int = 1
    history: tuple[Message, ...] = ()
    current_skill_id: str | None = None
    last_tool_result: ToolResult | None = None
    tool_results: tuple[ToolResult, ...] | None = None
    pending_pick: str | None = None
    pinned_leaf: str | None = None
    entry_menu: bool = False
    path: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)
    answers: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "history", as_tuple(self.history))
        object.__setattr__(self, "path", as_tuple(self.path))
        if self.tool_results is not None:
            object.__setattr__(self, "tool_results", as_tuple(self.tool_results))
        object.__setattr__(self, "state", read_only(self.state))
        object.__setattr__(self, "answers", read_only(self.answers))


@dataclass(frozen=True, slots=True)
class SkillEdge:
    """A declared edge as it is drawn; `from_` is None where it starts outside."""

    from_: str | None
    to: str
    kind: EdgeKind
    label: str | None = None
    priority: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SkillNode:
    """A box for a skill or a diamond for a predicate."""

    id: str
    kind: NodeKind
    label: str


@dataclass(frozen=True, slots=True)
class PredicateError:
    """A predicate that raised, and so did not match: the ends of its edge, or the id of its diamond."""

    from_: str | None
    to: str | None
    error: str


@dataclass(frozen=True, slots=True)
class Fired:
    """A result of a batch and where its edge leads."""

    to: str
    tool_name: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Results of one batch that lead to different skills."""

    winner: Fired
    losers: tuple[Fired, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """Which limit refused the hop, and where it would have led."""

    code: Literal["max_hops", "max_visits"]
    blocked: str


@dataclass(frozen=True, slots=True)
class Move:
    """Where the graph is next, and why."""

    from_: str | None = None
    to: str | None = None
    by: MovedBy = "none"
    edge: SkillEdge | None = None
    leaf: str | None = None
    conflict: Conflict | None = None
    dropped_cursor: str | None = None
    rejected_pick: str | None = None
    superseded_pick: str | None = None
    predicate_errors: tuple[PredicateError, ...] = ()
    limit: Limit | None = None
    payload: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)
    ended: bool = False


def as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    return values if type(values) is tuple else tuple(values)
