"""A graph as a toolset, which routes its own tools, or as a capability, which routes every tool of its agent."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, WrapperToolset

from loreweave.routing.agent.route_run import RouteRun
from loreweave.routing.agent.routed_run import RoutedRun, Walk
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.explain_move import READ_SKILL
from loreweave.routing.graph_problems import SkillGraphError


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


@dataclass
class RoutedSkills(AbstractCapability[Any]):
    """Shows the agent's tools as its graph of skills allows.

    A graph gives each agent run a walk of its own; a `RouteRun` is used as it is, so the caller keeps the cursor.
    """

    graph_or_run: SkillGraph | RouteRun
    tools: Iterable[Any] = ()

    def __post_init__(self) -> None:
        self.tools = tuple(self.tools)
        self._given, self._brought = gather_tools(self.tools, graph_of(self.graph_or_run))

    def get_toolset(self) -> AbstractToolset[Any] | None:
        return FunctionToolset(list(self._given.values())) if self._given else None

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        """Called for each agent run with all its tools, so the walk is that run's own."""
        brought: FunctionToolset[Any] = FunctionToolset(list(self._brought.values()))
        return RoutedRun(toolset, Walk(run_of(self.graph_or_run)), brought)


def gather_tools(given: Iterable[Any], graph: SkillGraph) -> tuple[dict[str, Any], dict[str, Any]]:
    """By name: the tools given, and those that skills bring besides. One name means one function."""
    ours: dict[str, Any] = {}
    for tool in given:
        _add(ours, tool)
    theirs: dict[str, Any] = {}
    for skill in graph.skills:
        for name, tool in zip(skill.tool_names, skill.tools, strict=True):
            if isinstance(tool, str):
                continue
            if name not in ours:
                _add(theirs, tool)
            elif _function(ours[name]) != _function(tool):
                raise SkillGraphError(f'the tool "{name}" given to the agent is another one than that of "{skill.id}"')
    return ours, theirs


def _add(tools: dict[str, Any], tool: Any) -> None:
    if not isinstance(tool, Tool) and not callable(tool):
        raise SkillGraphError(f"a tool is a function or a Tool, not {type(tool).__name__}")
    name = tool.name if isinstance(tool, Tool) else tool.__name__
    if name == READ_SKILL:
        raise SkillGraphError(f'"{READ_SKILL}" is the graph\'s own tool; give yours another name')
    if name in tools and _function(tools[name]) != _function(tool):
        raise SkillGraphError(f'two tools are called "{name}"; give one of them another name')
    tools.setdefault(name, tool)


def _function(tool: Any) -> Any:
    return tool.function if isinstance(tool, Tool) else tool
