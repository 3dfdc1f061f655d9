"""Calls that are answered later or elsewhere, and agents that go on in the middle of a turn."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, Tool, ToolDenied, capture_run_messages
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import ExternalToolset
from tests.model_server import ModelServer, Turn, call, say
from tests.routing.agent.scripted_agent import instructions_of, scripted_model

from loreweave import RoutedSkills, RouteRun, SkillGraph, define_skill, skill_graph


def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


def look() -> str:
    """Looks around."""
    return "a shelf"


def till(entry: str = "till") -> SkillGraph:
    return (
        skill_graph()
        .skill(define_skill("hall", "Is a hall", "Go on."))
        .skill(define_skill("till", "Takes money", "Pay.", tools=("pay", "ask_shop")))
        .entry(entry, always=False)
        .route("hall", "till")
        .route("till", define_skill("shelf", "Shows", "Show."), on_tool_return="look")
        .route("till", define_skill("refused", "Denied", "Say sorry."), on_tool_return="pay", on_status="denied")
        .route("till", define_skill("receipts", "Prints", "Print."), on_tool_return="pay", on_status="success")
        .route("till", define_skill("shop", "Ships", "Ship."), on_tool_return="ask_shop", where="stock > 3")
        .build()
    )


def agent_over(model: Any, run: RouteRun) -> Agent[None, str | DeferredToolRequests]:
    stock = ToolDefinition(name="ask_shop", parameters_json_schema={"type": "object", "properties": {}})
    return Agent(
        model,
        output_type=[str, DeferredToolRequests],
        tools=[Tool(pay, requires_approval=True), look],
        toolsets=[ExternalToolset([stock])],
        capabilities=[RoutedSkills(run)],
    )


def resume(server: ModelServer, run: RouteRun, answer: Any, go_on: Callable[[RouteRun], RouteRun]) -> RouteRun:
    """One agent asks, and stops at the call; another one goes on with what came back."""

    async def talk() -> RouteRun:
        async with scripted_model(server) as model:
            first = await agent_over(model, run).run("Buy")
            assert isinstance(first.output, DeferredToolRequests)
            history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
            approvals = {one.tool_call_id: answer for one in first.output.approvals}
            calls = {one.tool_call_id: answer for one in first.output.calls}
            results = DeferredToolResults(approvals=approvals, calls=calls)
            going_on = go_on(run)
            await agent_over(model, going_on).run(message_history=history, deferred_tool_results=results)
            return going_on

    return asyncio.run(talk())


def restored(run: RouteRun) -> RouteRun:
    return RouteRun(run.graph, snapshot=run.snapshot())


@pytest.mark.lengthy(4)
@pytest.mark.holds("routing.agent.resumed")
@pytest.mark.parametrize("go_on", [restored, lambda run: run], ids=["restored", "same"])
@pytest.mark.parametrize(
    ("tool", "answer", "body", "path"),
    [
        ("pay", True, "Print.", ("till", "receipts")),
        ("pay", ToolDenied("No."), "Say sorry.", ("till", "refused")),
        ("ask_shop", {"stock": 5}, "Ship.", ("till", "shop")),
        ("ask_shop", {"stock": 1}, "Pay.", ("till",)),
    ],
)
def test_a_result_that_comes_later_routes_the_turn_that_goes_on(
    model_server: ModelServer, tool: str, answer: Any, body: str, path: tuple[str, ...], go_on: Any
) -> None:
    model_server.script(call((tool, {"amount": 3} if tool == "pay" else {})), say("Done."))
    going_on = resume(model_server, RouteRun(till()), answer, go_on)
    assert body in instructions_of(model_server.asked[1])
    assert (going_on.path, going_on.iteration) == (path, 2)


@pytest.mark.holds("routing.agent.resumed", "routing.agent.call-order")
@pytest.mark.parametrize("go_on", [restored, lambda run: run], ids=["restored", "same"])
@pytest.mark.parametrize("first", ["pay", "look"])
def test_results_of_one_batch_count_together_though_some_came_before_the_agent_stopped(
    model_server: ModelServer, first: str, go_on: Any
) -> None:
    calls = [("pay", {"amount": 3}), ("look", {})]
    model_server.script(
        call(("read_skill", {"id": "till"})),
        call(*(calls if first == "pay" else reversed(calls))),
        say("Done."),
    )
    run = RouteRun(till(entry="hall"))
    going_on = resume(model_server, run, True, go_on)
    assert going_on.path == ("hall", "till", "receipts" if first == "pay" else "shelf")
    assert going_on.iteration == 3


@pytest.mark.holds("routing.agent.resumed")
def test_a_request_that_failed_is_made_again_without_a_second_step(model_server: ModelServer) -> None:
    run = RouteRun(till(entry="hall"))

    async def talk() -> None:
        async with scripted_model(model_server) as model:
            with capture_run_messages() as messages, pytest.raises(ModelHTTPError):
                await agent_over(model, run).run("Buy")
            model_server.script(say("Done."))
            await agent_over(model, run).run(message_history=messages)

    model_server.script(call(("read_skill", {"id": "till"})), Turn(status=500))
    asyncio.run(talk())
    assert (run.path, run.iteration) == (("hall", "till"), 2)
    assert "pay" in model_server.asked[2].tools


@pytest.mark.holds("routing.agent.resumed")
def test_a_walk_of_its_own_starts_anew_with_the_words_in_the_history(model_server: ModelServer) -> None:
    model_server.script(call(("pay", {"amount": 3})), say("Done."))
    going_on = resume(model_server, RouteRun(till()), True, lambda _: RouteRun(till()))
    assert (going_on.path, going_on.iteration) == (("till", "receipts"), 2)
    assert going_on.snapshot()["message"] == "Buy"


@pytest.mark.holds("routing.agent.message")
def test_the_turn_starts_with_the_words_of_the_prompt(model_server: ModelServer) -> None:
    from pydantic_ai import ImageUrl
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    heard: list[str] = []

    def listen(ctx: Any) -> bool:
        heard.append(ctx.user_message)
        return True

    graph = skill_graph().entry(define_skill("a", "A", "A."), listen).build()

    async def talk() -> None:
        async with scripted_model(model_server) as model:
            agent = Agent(model, capabilities=[RoutedSkills(graph)])
            await agent.run("one")
            await agent.run(["two", ImageUrl("https://example.org/a.png"), "three"])
            await agent.run(message_history=[ModelRequest([UserPromptPart("four")])])

    model_server.script(say("1"), say("2"), say("3"))
    asyncio.run(talk())
    assert heard == ["one", "two\nthree", "four"]
