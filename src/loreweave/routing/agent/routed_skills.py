"""A capability that routes every tool of its agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from loreweave.routing.agent.gather_tools import gather_tools
from loreweave.routing.agent.routed_run import RoutedRun, Walk
from loreweave.routing.agent.routed_toolset import graph_of, run_of
from loreweave.routing.route_run import RouteRun
from loreweave.routing.skill_graph import SkillGraph


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
