"""From declarations to a graph: compiled, checked as asked, and never changed again."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Literal

from loreweave.routing.declarations import Declarations
from loreweave.routing.describe_reach import TriggerKind, describe_reach
from loreweave.routing.draw_nodes import draw_nodes
from loreweave.routing.explain_move import active_after
from loreweave.routing.read_only_dict import ReadOnlyDict
from loreweave.routing.route_errors import CheckupFailed, SkillGraphError
from loreweave.routing.route_tables import RouteTables, compile_tables
from loreweave.routing.route_values import RouteContext
from loreweave.routing.skill import Skill, Trigger

if TYPE_CHECKING:
    from loreweave.routing.skill_graph import SkillGraph

CheckMode = Literal["throw", "warn", "off"]
LOGGER = logging.getLogger("loreweave.routing")


def build_graph(
    declared: Declarations,
    check: CheckMode = "throw",
    *,
    scope_tools: bool = True,
    known_tools: Iterable[str] = (),
) -> SkillGraph:
    """`throw` refuses a graph whose check-up has an error, `warn` logs what it found, `off` does not look."""
    from loreweave.routing.skill_graph import SkillGraph

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
