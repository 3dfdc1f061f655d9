"""The tools of one agent run: the graph moves before each request and decides which of them are seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import InstructionPart, ModelRequest
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, ToolsetTool, WrapperToolset

from loreweave.routing.agent.describe_position import describe_position
from loreweave.routing.agent.tool_returns import is_mid_turn, read_prompt, read_results
from loreweave.routing.explain_move import READ_SKILL
from loreweave.routing.route_run import RouteRun


@dataclass
class Walk:
    """What the steps of one agent run share."""

    run: RouteRun
    begun: bool = False
    names: set[str] = field(default_factory=set)  # of every tool seen, hidden ones too
    called: dict[str, str] = field(default_factory=dict)  # names by the ids of calls: others may put prefixes before

    def __post_init__(self) -> None:
        self.owned = frozenset(name for skill in self.run.graph.skills for name in skill.tool_names)
        self.reader: FunctionToolset[Any] = FunctionToolset([self.read_skill])

    async def read_skill(self, id: str) -> str:
        """Open another skill: its instructions and tools come with the next step.

        Args:
            id: The id of one of the skills listed.
        """
        return self.run.read_skill(id).text

    async def advance(self, ctx: RunContext[Any]) -> None:
        """Once a request: the first one starts the turn, each later one is a step."""
        if not self.begun:
            self.begun = True
            goes_on = self.run.iteration > 0 and ctx.prompt is None and is_mid_turn(ctx.messages)
            if not goes_on:
                await self.run.start(read_prompt(ctx.prompt, ctx.messages))
        elif isinstance(ctx.messages[-1], ModelRequest):  # else the calls of a resumed run are still to be made
            for result in read_results(ctx.messages, self.names, self.called):
                self.run.tool_returned(result)
            self.called.clear()
            self.run.step()


@dataclass
class RoutedRun(WrapperToolset[Any]):
    """`brought` are tools that skills own as functions; they give way to tools of the same name."""

    wrapped: AbstractToolset[Any]
    walk: Walk
    brought: FunctionToolset[Any] | None = None

    async def for_run_step(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        await self.walk.advance(ctx)
        wrapped = await self.wrapped.for_run_step(ctx)
        return self if wrapped is self.wrapped else replace(self, wrapped=wrapped)

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """Those that no skill owns, those of active skills, and the one that opens a skill."""
        walk = self.walk
        tools = await self.wrapped.get_tools(ctx)
        if READ_SKILL in tools:
            raise UserError(f"The graph's own tool is called {READ_SKILL!r}: give the agent's tool another name.")
        if self.brought is not None:
            tools = {**await self.brought.get_tools(ctx), **tools}
        walk.names.update(tools, (READ_SKILL,))
        hidden = walk.owned.difference(walk.run.tools)
        shown = {name: tool for name, tool in tools.items() if name not in hidden}
        return {**shown, **await walk.reader.get_tools(ctx)}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        if ctx.tool_call_id is not None:
            self.walk.called[ctx.tool_call_id] = name
        home: AbstractToolset[Any] = self.wrapped
        if name == READ_SKILL:
            home = self.walk.reader
        elif tool.toolset is self.brought:
            home = tool.toolset
        return await home.call_tool(name, tool_args, ctx, tool)

    async def get_instructions(self, ctx: RunContext[Any]) -> list[str | InstructionPart] | None:
        parts: list[str | InstructionPart] = []
        inner = await super().get_instructions(ctx)
        if inner is not None:
            parts += [inner] if isinstance(inner, str | InstructionPart) else inner
        own = describe_position(self.walk.run)
        if own is not None:
            parts.append(InstructionPart(own, dynamic=True))
        return parts or None
