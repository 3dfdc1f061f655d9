"""The built graph: immutable, safe to share between threads; each question is a function over its tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial

from loreweave.routing.check_up import check_up
from loreweave.routing.checkup_values import GraphCheckup
from loreweave.routing.declarations import Declarations, Limits
from loreweave.routing.draw_mermaid import draw_mermaid
from loreweave.routing.entry_scoring import score_entries
from loreweave.routing.entry_values import EntryPolicy, EntryScoring
from loreweave.routing.explain_move import active_after, check_cursor, explain_move
from loreweave.routing.route_errors import UnknownSkill
from loreweave.routing.route_tables import RouteTables
from loreweave.routing.route_values import Move, RouteContext, SkillEdge, SkillNode
from loreweave.routing.skill import Skill


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
    def kind(self) -> str:
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
    def limits(self) -> Limits:
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
