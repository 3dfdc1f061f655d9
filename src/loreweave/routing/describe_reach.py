"""How each skill of a graph can be reached: its kind of trigger, and the way there for whoever shows it."""

from __future__ import annotations

from typing import Literal

from loreweave.routing.read_only_dict import ReadOnlyDict
from loreweave.routing.route_tables import RouteTables
from loreweave.routing.route_values import SkillEdge
from loreweave.routing.tree_walk import DecisionPath

TriggerKind = Literal["always", "rule", "llm-activated"]


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
