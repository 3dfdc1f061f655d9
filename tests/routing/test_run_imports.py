"""A walk needs nothing but the library; only agents load pydantic-ai."""

import subprocess
import sys

import pytest

WALK = """
import asyncio, sys
import loreweave
from loreweave import RouteRun, ToolResult, define_skill, skill_graph
graph = skill_graph().entry(define_skill("a", "A", "A")).build()
run = RouteRun(graph)
asyncio.run(run.start("hello"))
run.tool_returned(ToolResult("x"))
RouteRun(graph, snapshot=run.snapshot()).step()
heavy = {"pydantic", "pydantic_ai", "fastapi", "starlette", "sqlite3", "psycopg", "mcp", "httpx", "numpy", "yaml"}
print(sorted(heavy & set(sys.modules)))
loreweave.RoutedSkills
print("pydantic_ai" in sys.modules)
"""


@pytest.mark.holds("routing.run.imports")
def test_a_walk_loads_no_framework_until_an_agent_is_asked_for() -> None:
    said = subprocess.run([sys.executable, "-c", WALK], capture_output=True, text=True, check=True, timeout=600)
    assert said.stdout.split("\n")[:2] == ["[]", "True"]
