"""Nodes as they are drawn: what was declared, no more and no less."""

from __future__ import annotations

from loreweave.routing.declarations import Declarations
from loreweave.routing.route_tables import RouteTables
from loreweave.routing.route_values import SkillNode


def draw_nodes(declared: Declarations, tables: RouteTables) -> tuple[SkillNode, ...]:
    """Skills in the order of registration; a tree in pre-order, then what is no leaf of it."""
    if tables.tree is None:
        return tuple(SkillNode(skill.id, "skill", skill.id) for skill in declared.skills)
    found = []
    for reference in tables.tree.order:
        if not isinstance(reference, str):
            diamond = tables.tree.diamonds[reference]
            found.append(SkillNode(diamond.id, "predicate", diamond.label))
        elif reference in tables.positions:
            found.append(SkillNode(reference, "skill", reference))
    rest = (skill.id for skill in declared.skills if skill.id not in tables.leaf_set)
    return (*found, *(SkillNode(name, "skill", name) for name in rest))


def unknown_ids(declared: Declarations, tables: RouteTables) -> tuple[str, ...]:
    """Ids that declarations name and nobody registered, as first named."""
    if tables.tree is not None:
        named = [name for name in tables.tree.order if isinstance(name, str)]
    else:
        named = [entry.to for entry in declared.entries]
        named += [name for route in declared.routes for name in (route.from_, route.to)]
    return tuple(dict.fromkeys(name for name in (*named, *declared.mentioned) if name not in tables.positions))
