"""Toolsets by name."""

from collections.abc import Callable, Iterable

from loreweave.application import Application
from loreweave.errors import InvalidInput
from loreweave.faces.mcp.ask_tools import ask_tools
from loreweave.faces.mcp.build_tools import build_tools
from loreweave.faces.mcp.graph_tools import CountIngest, graph_tools
from loreweave.faces.mcp.memory_tools import memory_tools
from loreweave.faces.mcp.route_tools import route_tools
from loreweave.faces.mcp.tool import Tool

TOOLSETS: dict[str, Callable[..., list[Tool]]] = {
    "graph": graph_tools,
    "memory": memory_tools,
    "ask": ask_tools,
    "route": route_tools,
    "build": build_tools,
}


def open_toolsets(
    application: Application,
    names: Iterable[str] = tuple(TOOLSETS),
    *,
    folders: bool = True,
    count_ingest: CountIngest | None = None,
) -> list[Tool]:
    """The tools of these toolsets, in the order given."""
    tools: list[Tool] = []
    for name in dict.fromkeys(names):
        if name not in TOOLSETS:
            known = ", ".join(TOOLSETS)
            raise InvalidInput(f"There is no toolset {name!r}; known: {known}", field="toolsets")
        tools += TOOLSETS[name](application, folders=folders, count_ingest=count_ingest)
    return tools
