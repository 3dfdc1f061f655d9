"""The tools that skills bring along as functions, beside those given by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic_ai import Tool

from loreweave.routing.explain_move import READ_SKILL
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.skill_graph import SkillGraph


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
