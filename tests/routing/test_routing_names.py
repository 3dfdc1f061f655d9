"""Public names: all from the package, each loaded when it is first asked for."""

import json
import subprocess
import sys

import pytest

import loreweave
import loreweave.routing
from loreweave import errors

NAMES = [
    "BadCondition",
    "CheckupFailed",
    "Conflict",
    "decide",
    "define_skill",
    "DuplicateSkill",
    "embedding_scorer",
    "EntryPolicy",
    "EntryScore",
    "EntryScoring",
    "Fired",
    "fit_entry_policy",
    "GraphCheckup",
    "GraphProblem",
    "keyword_scorer",
    "keywords",
    "Limit",
    "Message",
    "ModeConflict",
    "Move",
    "NotASkill",
    "pattern",
    "PredicateError",
    "RouteContext",
    "Skill",
    "skill_graph",
    "SkillEdge",
    "SkillFileError",
    "SkillGraph",
    "SkillGraphBuilder",
    "SkillGraphError",
    "SkillNode",
    "softmax",
    "ToolResult",
    "UnknownSkill",
]

USE = """
import asyncio, json, sys
before = set(sys.modules)
import loreweave
bare = set(sys.modules) - before
from loreweave import *
from loreweave import RouteContext, ToolResult, decide, define_skill, fit_entry_policy, keyword_scorer, skill_graph
a, b = define_skill("a", "about a", "body"), define_skill("b", "about b", "body")
graph = skill_graph().entry(a).route(a, b, on_tool_return="t").entry_by(keyword_scorer()).build()
graph.next_skill(RouteContext(current_skill_id="a", last_tool_result=ToolResult("t")))
asyncio.run(graph.score_entries(RouteContext(user_message="a")))
asyncio.run(fit_entry_policy(graph, [("a", "a")]))
graph.checkup(), graph.to_mermaid(), skill_graph().tree(decide(bool, a, b)).build()
print(json.dumps([sorted(bare), sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def _loaded() -> tuple[list[str], set[str]]:
    ran = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, check=True)
    bare, used = json.loads(ran.stdout)
    return bare, set(used)


@pytest.mark.holds("routing.names.cheap")
def test_using_the_library_loads_no_framework_database_engine_or_protocol() -> None:
    bare, used = _loaded()
    assert [name for name in bare if name.startswith("loreweave")] == ["loreweave"]
    heavy = """
        pydantic pydantic_ai pydantic_core fastapi starlette uvicorn httpx mcp sqlite3 psycopg dbos numpy yaml
        anthropic openai rich typer Stemmer watchfiles
    """
    assert used & set(heavy.split()) == set()


@pytest.mark.holds("routing.names.public", "routing.names.home")
@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_at_home_in_routing_and_comes_from_the_package_too(name: str) -> None:
    value = getattr(loreweave.routing, name)
    assert value is getattr(loreweave, name)
    assert value.__name__ == ("RouteConflict" if name == "Conflict" else name)
    assert name in dir(loreweave.routing)


@pytest.mark.holds("routing.names.home")
def test_general_names_do_not_stand_in_the_listing_of_the_package() -> None:
    general = {"Conflict", "Limit", "Message", "Move"}
    for name in general:
        getattr(loreweave, name)  # what was asked for once is not listed either
    assert set(NAMES) - set(dir(loreweave)) == general
    assert loreweave.Conflict is not errors.Conflict
    assert loreweave.Conflict.__name__ != errors.Conflict.__name__


@pytest.mark.holds("routing.names.home")
def test_taking_every_name_hides_none_of_pythons_own() -> None:
    names: dict[str, object] = {}
    exec("from loreweave import *", names)
    assert set(names) - {"__builtins__"} == {"__version__"}


@pytest.mark.holds("routing.names.public")
def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = loreweave.nothing_like_it  # type: ignore[attr-defined]
