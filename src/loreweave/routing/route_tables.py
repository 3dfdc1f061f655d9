"""A graph compiled for questions: what each skill leads to, looked up instead of searched."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from functools import cached_property

from loreweave.contracts.route_values import Move, SkillEdge
from loreweave.routing.declaring.decision_tree import FlatTree, flatten_tree, walk_leaves
from loreweave.routing.declaring.declarations import Declarations, DeclaredEntry, DeclaredRoute, HopLimits
from loreweave.routing.entry_values import EntryCandidate


@dataclass(frozen=True, slots=True)
class LiveRoute:
    """A conditioned edge between two skills of the graph, and what is drawn for it."""

    declared: DeclaredRoute
    edge: SkillEdge
    named_tool: str | None
    number: int


@dataclass(frozen=True, slots=True)
class LiveEntry:
    """An entry that is a skill of the graph, and what is drawn for it."""

    declared: DeclaredEntry
    edge: SkillEdge


@dataclass(frozen=True)
class RouteTables:
    """Everything that moving looks at. Only declarations between registered skills are in here."""

    positions: dict[str, int]
    ends: frozenset[str]
    edges: tuple[SkillEdge, ...]  # all that are drawn, those to unknown ids too
    entries: tuple[LiveEntry, ...]
    entry_ids: tuple[str, ...]
    out: dict[str, tuple[LiveRoute, ...]]  # by priority, then as declared
    successors: dict[str, dict[str, None]]
    standing: tuple[str, ...]  # in the order of registration
    limits: HopLimits
    by_read: bool
    asks_patterns: bool  # of files: all of them share what one question may take
    tree: FlatTree | None
    leaves: tuple[str, ...]
    # Filled as asked for. Equal whoever computes them, so threads may race here.
    _reachable: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    candidates: dict[str, EntryCandidate] = field(default_factory=dict, repr=False)
    _stays: dict[str, Move] = field(default_factory=dict, repr=False)
    _hops: dict[int, Move] = field(default_factory=dict, repr=False)

    @cached_property
    def limited(self) -> bool:
        return self.limits != HopLimits()

    @cached_property
    def entry_set(self) -> frozenset[str]:
        return frozenset(self.entry_ids)

    @cached_property
    def leaf_set(self) -> frozenset[str]:
        return frozenset(self.leaves)

    @cached_property
    def standing_set(self) -> frozenset[str]:
        return frozenset(self.standing)

    @cached_property
    def standing_positions(self) -> tuple[int, ...]:
        return tuple(self.positions[name] for name in self.standing)

    def reachable(self, cursor: str | None) -> tuple[str, ...]:
        """Where the model may jump: the targets of the cursor's edges, then the entries."""
        if self.tree is not None:
            return self.leaves
        if cursor is None or cursor not in self.positions:
            return self.entry_ids
        known = self._reachable.get(cursor)
        if known is None:
            found = {**self.successors.get(cursor, {}), **dict.fromkeys(self.entry_ids)}
            found.pop(cursor, None)
            known = self._reachable[cursor] = tuple(found)
        return known

    def may_jump(self, cursor: str, target: str) -> bool:
        return target != cursor and (target in self.entry_set or target in self.successors.get(cursor, ()))

    def stay(self, cursor: str) -> Move:
        """Staying where nothing else is to be told."""
        known = self._stays.get(cursor)
        if known is None:
            known = self._stays[cursor] = Move(cursor, cursor, "stay", ended=cursor in self.ends)
        return known

    def hop(self, route: LiveRoute) -> Move:
        """Taking an edge where nothing else is to be told."""
        known = self._hops.get(route.number)
        if known is None:
            declared = route.declared
            ended = declared.to in self.ends
            known = Move(declared.from_, declared.to, "route", route.edge, ended=ended)
            self._hops[route.number] = known
        return known

    def active_at(self, landed: str | None) -> tuple[str, ...]:
        """The skill landed on among the standing ones, in the order of registration."""
        if landed is None or landed in self.standing_set:
            return self.standing
        if not self.standing:
            return (landed,)
        place = bisect(self.standing_positions, self.positions[landed])
        return (*self.standing[:place], landed, *self.standing[place:])


def compile_tables(declared: Declarations) -> RouteTables:
    positions = {skill.id: place for place, skill in enumerate(declared.skills)}
    ends = frozenset(skill.id for skill in declared.skills if skill.end)
    entries = [LiveEntry(entry, entry.edge) for entry in declared.entries]
    route_edges = [route.edge for route in declared.routes]
    live = tuple(entry for entry in entries if entry.declared.to in positions)
    out, successors = _compile_routes(declared, route_edges, positions)
    tree = None
    if declared.tree is not None:
        named = (leaf for leaf in walk_leaves(declared.tree) if isinstance(leaf, str))
        tree = flatten_tree(declared.tree, {*positions, *declared.mentioned, *named})
    return RouteTables(
        positions=positions,
        ends=ends,
        edges=tree.edges if tree else (*(entry.edge for entry in entries), *route_edges),
        entries=live,
        entry_ids=tuple(dict.fromkeys(entry.declared.to for entry in live)),
        out=out,
        successors=successors,
        standing=tuple(sorted(standing_entries(declared, positions), key=positions.__getitem__)),
        limits=declared.limits,
        by_read=declared.choice.kind == "read",
        asks_patterns=bool(declared.files),
        tree=tree,
        leaves=tuple(name for name in tree.order if isinstance(name, str) and name in positions) if tree else (),
    )


def standing_entries(declared: Declarations, known: dict[str, int]) -> dict[str, None]:
    """Entries that are active wherever the graph is, as declared."""
    if not declared.choice.automatic:
        return {}
    return dict.fromkeys(
        entry.to for entry in declared.entries if entry.when is None and entry.always and entry.to in known
    )


def _compile_routes(
    declared: Declarations, edges: list[SkillEdge], positions: dict[str, int]
) -> tuple[dict[str, tuple[LiveRoute, ...]], dict[str, dict[str, None]]]:
    out: dict[str, list[LiveRoute]] = {}
    successors: dict[str, dict[str, None]] = {}
    for number, (route, edge) in enumerate(zip(declared.routes, edges, strict=True)):
        if route.from_ in positions and route.to in positions:
            successors.setdefault(route.from_, {}).setdefault(route.to)
            if route.conditioned:
                named = route.condition.named_tool if route.condition else None
                out.setdefault(route.from_, []).append(LiveRoute(route, edge, named, number))
    for routes in out.values():
        routes.sort(key=lambda route: -route.declared.priority)  # stable: then as declared
    return {name: tuple(routes) for name, routes in out.items()}, successors
