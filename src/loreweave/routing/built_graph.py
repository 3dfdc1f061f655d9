"""The built graph: immutable, safe to share between threads; each question is a function over its tables."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from loreweave.contracts.route_values import (
    EntryScoring,
    GraphCheckup,
    Move,
    ReadOnlyDict,
    RouteContext,
    SkillEdge,
    SkillNode,
    TriggerKind,
)
from loreweave.routing.check_up import check_up
from loreweave.routing.declaring.decision_tree import DecisionPath
from loreweave.routing.declaring.declarations import Declarations, HopLimits
from loreweave.routing.declaring.skill import Skill, Trigger
from loreweave.routing.draw_mermaid import draw_mermaid, draw_nodes
from loreweave.routing.entry_scoring import score_entries
from loreweave.routing.entry_values import EntryPolicy
from loreweave.routing.explain_move import active_after, check_cursor, explain_move
from loreweave.routing.graph_problems import CheckupFailed, SkillGraphError, UnknownSkill
from loreweave.routing.route_tables import RouteTables, compile_tables

CheckMode = Literal["throw", "warn", "off"]
LOGGER = logging.getLogger("loreweave.routing")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SkillGraph:
    """Which skill an agent is in, what moves it on, and where the model may jump."""

    skills: tuple[Skill, ...]
    edges: tuple[SkillEdge, ...]
    nodes: tuple[SkillNode, ...]
    declarations: Declarations
    tables: RouteTables
    scope_tools: bool = True
    known_tools: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<SkillGraph {self.kind}: {len(self.skills)} skills, {len(self.edges)} edges>"

    @property
    def kind(self) -> Literal["flat", "tree"]:
        """`flat` or `tree`."""
        return "flat" if self.tables.tree is None else "tree"

    @property
    def entry_by(self) -> str:
        """Who chooses among the entries: `order`, `read`, or the name of the scorer."""
        choice = self.declarations.choice
        return choice.scorer.name if choice.kind == "scorer" else choice.kind

    @property
    def policy(self) -> EntryPolicy | None:
        return self.declarations.choice.policy

    @property
    def limits(self) -> HopLimits:
        return self.declarations.limits

    def next_skill(self, ctx: RouteContext) -> str | None:
        """The skill the graph is in after this iteration."""
        return explain_move(self.tables, ctx).to

    def explain_next_skill(self, ctx: RouteContext) -> Move:
        """The same, and why."""
        return explain_move(self.tables, ctx)

    def active_skills(self, ctx: RouteContext) -> tuple[str, ...]:
        """Where the graph lands, and the entries that always stand; in the order of registration."""
        return active_after(self.tables, ctx)

    def reachable_skills(self, current_skill_id: str | None = None) -> tuple[str, ...]:
        """Where the model may jump."""
        return self.tables.reachable(check_cursor(current_skill_id))

    @property
    def score_entries(self) -> Callable[[RouteContext], Awaitable[EntryScoring]] | None:
        """Scores the entries against the message; None where no scorer was given."""
        choice = self.declarations.choice
        if choice.kind != "scorer":
            return None
        return partial(score_entries, self.tables, self.declarations, choice.scorer, choice.policy)

    def checkup(self, known_tools: Iterable[str] = ()) -> GraphCheckup:
        """What is wrong, or looks wrong, with the declared graph."""
        return check_up(self.declarations, self.tables, self.known_tools.union(known_tools))

    def to_mermaid(self, current: str | None = None) -> str:
        """The declared graph, drawn."""
        return draw_mermaid(self.declarations, self.tables, self.nodes, self.edges, current)

    def skill(self, id: str) -> Skill:
        place = self.tables.positions.get(id)
        if place is None:
            raise UnknownSkill(f'there is no skill "{id}" in this graph')
        return self.skills[place]


def describe_reach(tables: RouteTables) -> dict[str, tuple[TriggerKind, ReadOnlyDict]]:
    """Of each skill: an entry before a conditioned route before a bare one, the first declared of its kind."""
    entered = {entry.declared.to: entry.edge for entry in reversed(tables.entries)}
    routed: dict[str, SkillEdge] = {}
    linked: dict[str, SkillEdge] = {}
    for edge in reversed(tables.edges):
        if edge.from_ in tables.positions:
            (linked if edge.kind == "model" else routed)[edge.to] = edge
    return {name: _describe(name, tables, entered, routed, linked) for name in tables.positions}


def _describe(
    name: str,
    tables: RouteTables,
    entered: dict[str, SkillEdge],
    routed: dict[str, SkillEdge],
    linked: dict[str, SkillEdge],
) -> tuple[TriggerKind, ReadOnlyDict]:
    if tables.tree is not None and name in tables.leaf_set:
        return "rule", _way("tree", path=DecisionPath(tables.tree, name))
    kind: TriggerKind = "rule" if name in entered or name in routed else "llm-activated"
    if name in tables.standing_set:
        kind = "always"
    for via, edges in (("entry", entered), ("route", routed), ("model", linked)):
        if name in edges:
            return kind, _way(via, edges[name].from_, edges[name].label)
    return kind, _way("model")


def _way(
    via: str, from_: str | None = None, label: str | None = None, path: DecisionPath | None = None
) -> ReadOnlyDict:
    return ReadOnlyDict({"via": via, "from": from_, "label": label, "path": path})


def build_graph(
    declared: Declarations, check: CheckMode = "throw", *, scope_tools: bool = True, known_tools: Iterable[str] = ()
) -> SkillGraph:
    """`throw` refuses a graph whose check-up has an error, `warn` logs what it found, `off` does not look."""
    if check not in ("throw", "warn", "off"):
        raise SkillGraphError(f"check must be throw, warn or off, not {check!r}")
    if isinstance(known_tools, str):
        raise SkillGraphError("known_tools is a list of names")
    tables = compile_tables(declared)
    reach = describe_reach(tables)
    graph = SkillGraph(
        skills=tuple(_copy(skill, *reach[skill.id], tables) for skill in declared.skills),
        edges=tables.edges,
        nodes=draw_nodes(declared, tables),
        declarations=declared,
        tables=tables,
        scope_tools=scope_tools,
        known_tools=frozenset(known_tools),
    )
    if check != "off":
        checkup = graph.checkup()
        if check == "throw" and not checkup.ok:
            raise CheckupFailed(checkup)
        if check == "warn" and checkup.problems:
            LOGGER.warning("%s", checkup)
    return graph


def _copy(skill: Skill, kind: TriggerKind, way: ReadOnlyDict, tables: RouteTables) -> Skill:
    """The graph's own: the one that was passed in stays as it is."""
    return Skill(
        skill.id,
        skill.description,
        skill.body,
        tools=skill.tools,
        end=skill.end,
        resources=skill.resources,
        metadata=ReadOnlyDict({**skill.metadata, "skillGraph": way}),
        trigger=Trigger(kind, partial(_is_active, tables, skill.id)),
    )


def _is_active(tables: RouteTables, name: str, ctx: RouteContext) -> bool:
    return name in active_after(tables, ctx)
