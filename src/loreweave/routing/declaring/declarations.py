"""What was declared, before it is checked and compiled. Ids need not exist yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from loreweave.contracts.route_values import EMPTY, EdgeKind, GraphProblem, SkillEdge
from loreweave.routing.declaring.conditions import Predicate, check_predicate, requires_second
from loreweave.routing.declaring.decision_tree import TreeDecision
from loreweave.routing.declaring.result_condition import ResultCondition, SearchPattern, read_result_condition
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.graph_problems import BadCondition, SkillGraphError


@dataclass(frozen=True, slots=True)
class Place:
    """Where a declaration stands, if in a file."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class DeclaredEntry:
    """A place to start."""

    to: str
    when: Predicate | None = None
    label: str | None = None
    always: bool = True
    place: Place | None = None

    @property
    def from_(self) -> None:
        return None

    @property
    def edge(self) -> SkillEdge:
        return SkillEdge(None, self.to, "entry", self.label)

    @property
    def condition_key(self) -> object:
        return ("when", self.when) if self.when is not None else None


@dataclass(frozen=True, slots=True)
class DeclaredRoute:
    """An edge; without a condition only the model takes it."""

    from_: str
    to: str
    when: Predicate | None = None
    condition: ResultCondition | None = None
    asks_context: bool = False  # `when` takes the context beside the result
    priority: int = 0
    label: str | None = None
    carry: tuple[str, ...] = ()
    reason: str | None = None
    place: Place | None = None

    @property
    def conditioned(self) -> bool:
        return self.when is not None or self.condition is not None

    @property
    def edge(self) -> SkillEdge:
        kind: EdgeKind = "predicate" if self.when is not None else "on-tool-return" if self.condition else "model"
        label = self.label
        if label is None and self.condition is not None:
            label = self.condition.label(self.priority)
        return SkillEdge(self.from_, self.to, kind, label, self.priority, self.reason)

    @property
    def condition_key(self) -> object:
        if self.when is not None:
            return "when", self.when
        return self.condition.key if self.condition is not None else None


@dataclass(frozen=True, slots=True)
class HopLimits:
    """How far one turn may go."""

    max_hops: int | None = None
    max_visits: int | None = None

    def __post_init__(self) -> None:
        for name, value, least in (("max_hops", self.max_hops, 0), ("max_visits", self.max_visits, 1)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise SkillGraphError(f"{name} must be a whole number of at least {least}, or None")


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """Who chooses among the entries: their order, the model, or a scorer."""

    kind: Literal["order", "read", "scorer"] = "order"
    scorer: Any = None
    policy: Any = None

    @property
    def automatic(self) -> bool:
        return self.kind == "order"


@dataclass(frozen=True, slots=True)
class Declarations:
    """Everything a graph is made of. `findings` are problems and notes that the reader of files adds."""

    skills: tuple[Skill, ...] = ()
    entries: tuple[DeclaredEntry, ...] = ()
    routes: tuple[DeclaredRoute, ...] = ()
    tree: TreeDecision | Skill | str | None = None
    choice: EntryChoice = EntryChoice()
    limits: HopLimits = HopLimits()
    mentioned: tuple[str, ...] = ()  # ids that were to be registered, by id alone
    findings: tuple[GraphProblem, ...] = ()
    files: Mapping[str, str] = field(default_factory=lambda: EMPTY, hash=False)  # where each skill stands, by id


def declare_entry(
    to: str, when: Predicate | None, label: str | None, always: bool, place: Place | None = None
) -> DeclaredEntry:
    if when is not None:
        check_predicate(when, f'the entry "{to}"')
    return DeclaredEntry(to, when, _label(label), bool(always), place)


def declare_route(
    from_: str,
    to: str,
    *,
    when: Predicate | None = None,
    on_tool_return: str | SearchPattern | None = None,
    on_status: str | Iterable[str] | None = None,
    where: str | None = None,
    priority: int = 0,
    label: str | None = None,
    carry: str | Iterable[str] = (),
    reason: str | None = None,
    place: Place | None = None,
) -> DeclaredRoute:
    """Refuses conditions that contradict each other or cannot be asked."""
    what = f'the route from "{from_}" to "{to}"'
    condition = read_result_condition(on_tool_return, on_status, where)
    if when is not None:
        if condition is not None:
            raise BadCondition(f"{what} has `when` beside another condition; use one or the other")
        check_predicate(when, what)
    if not isinstance(priority, int) or isinstance(priority, bool):
        raise SkillGraphError(f"{what} needs a whole number as its priority")
    carried = (carry,) if isinstance(carry, str) else tuple(carry)
    if not all(isinstance(name, str) and name for name in carried):
        raise SkillGraphError(f"{what} must carry names of fields")
    asks_context = when is not None and requires_second(when)
    return DeclaredRoute(from_, to, when, condition, asks_context, priority, _label(label), carried, reason, place)


def _label(label: str | None) -> str | None:
    """A blank label is none: nothing could be drawn."""
    return label if label is not None and str(label).strip() else None
