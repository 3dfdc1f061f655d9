"""Whatever a model calls, an agent walks as a loop of one's own would."""

import asyncio
import json
import random
from typing import Any

import pytest
from pydantic_ai import Agent, ModelRetry
from tests.model_server import ModelServer, Turn, call, say
from tests.routing.agent.scripted_agent import scripted_model

from loreweave import RoutedSkills, RouteRun, SkillGraph, ToolResult, define_skill, skill_graph

NAMES = ("a", "b", "c", "d")
TOOLS = ("probe", "fix", "fail")


def probe(level: int) -> dict[str, int]:
    """Looks."""
    return {"level": level}


def fix() -> str:
    """Repairs."""
    return "fixed"


def fail() -> str:
    """Never works."""
    raise ModelRetry("broken")


def random_graph(dice: random.Random) -> SkillGraph:
    builder = skill_graph()
    for name in NAMES:
        owned = dice.sample(TOOLS, dice.randint(0, 2))
        builder.skill(define_skill(name, f"About {name}", f"Do {name}.", tools=owned))
    builder.entry(dice.choice(NAMES), always=dice.random() < 0.5)
    for _ in range(8):
        start, to = dice.sample(NAMES, 2)
        condition: dict[str, Any] = dice.choice(
            [
                {},
                {"on_tool_return": "probe", "where": "level > 5", "carry": ("level",)},
                {"on_tool_return": "fix", "priority": 1},
                {"on_status": "failure"},
            ]
        )
        builder.route(start, to, **condition)
    return builder.build(check="off")


def random_batch(dice: random.Random) -> list[tuple[str, dict[str, Any]]]:
    choices: list[tuple[str, dict[str, Any]]] = [
        ("probe", {"level": dice.randint(0, 10)}),
        ("fix", {}),
        ("fail", {}),
        ("read_skill", {"id": dice.choice((*NAMES, "nobody"))}),
    ]
    return [dice.choice(choices) for _ in range(dice.randint(1, 3))]


def expected_result(name: str, arguments: dict[str, Any], run: RouteRun) -> ToolResult:
    """What the tool does, done by hand."""
    if name == "read_skill":
        return ToolResult(name, run.read_skill(arguments["id"]).text, "success")
    if name == "fail":
        return ToolResult(name, "broken", "failure")
    return ToolResult(name, json.dumps({"level": arguments["level"]}) if name == "probe" else "fixed", "success")


@pytest.mark.lengthy(5)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.holds("routing.agent.results", "routing.agent.hidden", "routing.agent.call-order")
def test_an_agent_walks_like_a_loop_of_ones_own(model_server: ModelServer, seed: int) -> None:
    dice = random.Random(seed)
    graph = random_graph(dice)
    batches = [random_batch(dice) for _ in range(6)]
    by_hand = RouteRun(graph)
    owned = {name for one in graph.skills for name in one.tool_names}
    seen: list[list[str]] = []

    def shown() -> list[str]:
        return sorted({*TOOLS, "read_skill"} - (owned - set(by_hand.tools)))

    asyncio.run(by_hand.start("go"))
    seen.append(shown())
    for batch in batches:
        for name, arguments in batch:
            if name in shown():
                by_hand.tool_returned(expected_result(name, arguments, by_hand))
        by_hand.step()
        seen.append(shown())

    run = RouteRun(graph)
    turns: list[Turn] = [call(*batch) for batch in batches]
    model_server.script(*turns, say("Done."))

    async def talk() -> None:
        async with scripted_model(model_server) as model:
            agent = Agent(model, tools=[probe, fix, fail], retries=100, capabilities=[RoutedSkills(run)])
            await agent.run("go")

    asyncio.run(talk())
    assert [sorted(asked.tools) for asked in model_server.asked] == seen
    assert run.snapshot() == by_hand.snapshot()
