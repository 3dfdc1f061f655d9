"""A toolset that shows the tools of the skill the graph is in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, WrapperToolset

from loreweave.routing.agent.gather_tools import gather_tools
from loreweave.routing.agent.routed_run import RoutedRun, Walk
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.route_run import RouteRun
from loreweave.routing.skill_graph import SkillGraph


class RoutedToolset(WrapperToolset[Any]):
    """Routes its own tools: those given and those that skills bring as functions.

    A graph gives each agent run a walk of its own; a `RouteRun` is used as it is, so the caller keeps the cursor.
    """

    def __init__(
        self, graph_or_run: SkillGraph | RouteRun, tools: Iterable[Any] = (), *, id: str | None = None
    ) -> None:
        self.graph_or_run = graph_or_run
        ours, theirs = gather_tools(tools, graph_of(graph_or_run))
        super().__init__(FunctionToolset([*ours.values(), *theirs.values()], id=id))

    @property
    def id(self) -> str | None:
        return self.wrapped.id

    async def for_run(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        return RoutedRun(await self.wrapped.for_run(ctx), Walk(run_of(self.graph_or_run)))

    def visit_and_replace(self, visitor: Callable[[AbstractToolset[Any]], AbstractToolset[Any]]) -> RoutedToolset:
        copied = copy.copy(self)
        copied.wrapped = self.wrapped.visit_and_replace(visitor)
        return copied


def graph_of(graph_or_run: SkillGraph | RouteRun) -> SkillGraph:
    if isinstance(graph_or_run, RouteRun):
        return graph_or_run.graph
    if not isinstance(graph_or_run, SkillGraph):
        raise SkillGraphError(f"a built graph or a RouteRun is needed, not {type(graph_or_run).__name__}")
    return graph_or_run


def run_of(graph_or_run: SkillGraph | RouteRun) -> RouteRun:
    return graph_or_run if isinstance(graph_or_run, RouteRun) else RouteRun(graph_or_run)
