"""One line for all the work of a loop, opened once and closed once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.model_server import ModelServer, say
from tests.seams.models.test_provider_model import model_at, question

from loreweave.seams.models.language_model import LanguageModel, ModelLine
from loreweave.seams.models.open_model import SharedModel

pytestmark = pytest.mark.holds("session.agent.shared-line")


class CountedModel:
    """A real model whose openings and closings are counted."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name
        self.opened_times = 0
        self.closed_times = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ModelLine]:
        self.opened_times += 1
        async with self.model.opened() as line:
            yield line
        self.closed_times += 1


def test_all_the_work_of_a_loop_shares_one_line(model_server: ModelServer) -> None:
    model_server.script(*[say("a")] * 8)
    counted = CountedModel(model_at(model_server))
    shared = SharedModel(counted)

    async def ask() -> str:
        async with shared.opened() as line:
            return (await line.ask(question())).text

    async def run() -> list[str]:
        answers = await asyncio.gather(*[ask() for _ in range(8)])
        assert (counted.opened_times, counted.closed_times) == (1, 0)
        await shared.close()
        return answers

    assert asyncio.run(run()) == ["a"] * 8
    assert (counted.opened_times, counted.closed_times, shared.name) == (1, 1, counted.name)


def test_the_first_to_open_may_be_cancelled_without_harm_to_the_others(model_server: ModelServer) -> None:
    model_server.script(say("a"))
    counted = CountedModel(model_at(model_server))
    shared = SharedModel(counted)

    async def ask() -> str:
        async with shared.opened() as line:
            return (await line.ask(question())).text

    async def run() -> str:
        first, second = asyncio.create_task(ask()), asyncio.create_task(ask())
        await asyncio.sleep(0)
        first.cancel()
        answer = await second
        await shared.close()
        return answer

    assert asyncio.run(run()) == "a"
    assert (counted.opened_times, counted.closed_times) == (1, 1)


def test_work_on_another_loop_gets_a_line_of_its_own(model_server: ModelServer) -> None:
    model_server.script(say("a"), say("b"))
    counted = CountedModel(model_at(model_server))
    shared = SharedModel(counted)

    async def ask() -> str:
        async with shared.opened() as line:
            return (await line.ask(question())).text

    async def run() -> tuple[str, str]:
        here = await ask()
        there = await asyncio.to_thread(lambda: asyncio.run(ask()))
        await shared.close()
        return here, there

    assert asyncio.run(run()) == ("a", "b")
    assert (counted.opened_times, counted.closed_times) == (2, 2)


def test_closing_what_was_never_used_is_nothing(model_server: ModelServer) -> None:
    asyncio.run(SharedModel(model_at(model_server)).close())
    assert model_server.asked == []
