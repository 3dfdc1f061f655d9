"""What a graph of skills is asked and what it answers: frozen, compared by value, and sent as they are.

Routing is a library that loads nothing beside itself, so these are plain dataclasses. The wire's models hold them:
there their names are camelCase, `from_` is `from`, types are exact and unknown fields refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NoReturn, get_args

EdgeKind = Literal["entry", "predicate", "on-tool-return", "model"]
NodeKind = Literal["skill", "predicate"]
MovedBy = Literal["entry", "model-pick", "none", "route", "stay", "limit", "tree"]
TriggerKind = Literal["always", "rule", "llm-activated"]
Status = Literal["success", "failure", "denied", "invalid", "partial", "pending", "absent"]
STATUSES: tuple[Status, ...] = get_args(Status)


class ReadOnlyDict(dict[str, Any]):
    """Refuses to change, so that frozen values may hold one and JSON still writes it. Equals any dict of its items."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make a dict of it first")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> ReadOnlyDict:
        return self

    def __reduce__(self) -> tuple[type[ReadOnlyDict], tuple[dict[str, Any]]]:
        return ReadOnlyDict, (dict(self),)


EMPTY = ReadOnlyDict()


def read_only(mapping: Mapping[str, Any] | None) -> ReadOnlyDict:
    """A copy that stays as it is now."""
    if isinstance(mapping, ReadOnlyDict):
        return mapping
    return ReadOnlyDict(mapping) if mapping else EMPTY


def _wire_name(name: str) -> str:
    """`dropped_cursor` is `droppedCursor`, and `from_` is `from`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


class SentAsIs:
    """How pydantic reads and writes a value; nothing of it is loaded for that."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "alias_generator": _wire_name,
        "serialize_by_alias": True,
        "extra": "forbid",
        "strict": True,
        "json_schema_serialization_defaults_required": True,
    }

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Its fields are strict; the value itself may come as an object of JSON."""
        schema = handler(source)
        handler.resolve_ref_schema(schema)["strict"] = False
        return schema


@dataclass(frozen=True, slots=True)
class Message(SentAsIs):
    """One line of the conversation so far."""

    role: str
    content: str
    tool_name: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult(SentAsIs):
    """What a tool returned, and how it went where that is known."""

    tool_name: str
    result: Any = field(default="", hash=False)
    status: Status | None = None
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
class RouteContext(SentAsIs):
    """All that a graph may look at to say where it is next; everything may be left out."""

    user_message: str = ""
    iteration: int = 1
    history: Sequence[Message] = ()
    current_skill_id: str | None = None
    last_tool_result: ToolResult | None = None
    tool_results: Sequence[ToolResult] | None = None
    pending_pick: str | None = None
    pinned_leaf: str | None = None
    entry_menu: bool = False
    path: Sequence[str] = ()
    state: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)
    answers: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "history", _as_tuple(self.history))
        object.__setattr__(self, "path", _as_tuple(self.path))
        if self.tool_results is not None:
            object.__setattr__(self, "tool_results", _as_tuple(self.tool_results))
        object.__setattr__(self, "state", read_only(self.state))
        object.__setattr__(self, "answers", read_only(self.answers))


def _as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    return values if type(values) is tuple else tuple(values)


@dataclass(frozen=True, slots=True)
class SkillEdge(SentAsIs):
    """A declared edge as it is drawn; `from_` is None where it starts outside."""

    from_: str | None
    to: str
    kind: EdgeKind
    label: str | None = None
    priority: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SkillNode(SentAsIs):
    """A box for a skill or a diamond for a predicate."""

    id: str
    kind: NodeKind
    label: str


@dataclass(frozen=True, slots=True)
class PredicateError(SentAsIs):
    """A predicate that raised, and so did not match: the ends of its edge, or the id of its diamond."""

    from_: str | None
    to: str | None
    error: str


@dataclass(frozen=True, slots=True)
class Fired(SentAsIs):
    """A result of a batch and where its edge leads."""

    to: str
    tool_name: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class RouteConflict(SentAsIs):
    """Results of one batch that lead to different skills."""

    winner: Fired
    losers: tuple[Fired, ...]


@dataclass(frozen=True, slots=True)
class Limit(SentAsIs):
    """Which limit refused the hop, and where it would have led."""

    code: Literal["max_hops", "max_visits"]
    blocked: str


@dataclass(frozen=True, slots=True)
class Move(SentAsIs):
    """Where the graph is next, and why."""

    from_: str | None = None
    to: str | None = None
    by: MovedBy = "none"
    edge: SkillEdge | None = None
    leaf: str | None = None
    conflict: RouteConflict | None = None
    dropped_cursor: str | None = None
    rejected_pick: str | None = None
    superseded_pick: str | None = None
    predicate_errors: tuple[PredicateError, ...] = ()
    limit: Limit | None = None
    payload: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)
    ended: bool = False


@dataclass(frozen=True, slots=True)
class EntryScore(SentAsIs):
    """A candidate's score as it came, and its share among all of them."""

    id: str
    score: float
    relevance: float


@dataclass(frozen=True, slots=True)
class EntryScoring(SentAsIs):
    """Which entry was chosen, or why none was. `margin` is the best score less the second."""

    scorer: str
    chosen: str | None
    ranked: tuple[EntryScore, ...] = ()
    margin: float | None = None
    tie: bool = False
    abstained: Literal["floor", "margin"] | None = None


@dataclass(frozen=True, slots=True)
class GraphProblem(SentAsIs):
    """One finding of a check-up and what it is about."""

    kind: Literal["error", "warning", "note"]
    code: str
    message: str
    skill: str | None = None
    from_: str | None = None
    to: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GraphCheckup(SentAsIs):
    """`ok` unless there is an error; warnings and notes never spoil it."""

    ok: bool
    problems: tuple[GraphProblem, ...] = ()
    notes: tuple[GraphProblem, ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"  [{found.kind}] {found.code}: {found.message}" for found in self.problems)
