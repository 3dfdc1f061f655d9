"""One runner a session: who has lost it records nothing, asks nothing and begins nothing."""

import asyncio
from typing import Any

import pytest
from tests.work.sessions.log_desk import Desk, EveryStep, asked, on_a_loop, output
from tests.work.sessions.other_process import other_process

from loreweave.contracts.session_events import TokenUsage
from loreweave.work.sessions.session_run import SessionOver, SessionRun, take_session
from loreweave.work.sessions.session_runner import stopped


async def refuse_everything(run: SessionRun) -> None:
    begun = []

    async def work() -> Any:
        begun.append("work")

    with pytest.raises(SessionOver):
        await run.record("late", output("late"))
    with pytest.raises(SessionOver):
        await run.ask("late/question", asked, place="step", headers=[], timeout_s=None)
    with pytest.raises(SessionOver):
        await run.step("late", work)
    assert begun == []


@pytest.mark.holds("session.log.fence")
def test_who_has_lost_the_session_is_refused(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        old = await desk.run_of(session_id, "old")
        await old.record("a", output("old"))
        new = await desk.run_of(session_id, "new")
        await refuse_everything(old)
        await new.record("b", output("new"))
        assert not await old.is_over()

    on_a_loop(work())
    assert desk.told(session_id) == ["session_started", "old", "new"]


@pytest.mark.holds("session.log.fence")
def test_a_process_that_took_the_session_shuts_this_one_out(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        run = await desk.run_of(session_id)
        with other_process(desk.settings) as other:
            assert other.call(["take", session_id, "there"]) == [{"answer": True}]
            await refuse_everything(run)
            assert other.call(["record", session_id, "there", 1, "there"]) == [{"answer": 1}]

    on_a_loop(work())
    assert desk.told(session_id) == ["session_started", "there 0 a", "there 0 b"]


@pytest.mark.holds("session.log.fence")
def test_the_same_process_is_another_runner_each_time(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        before_the_crash = await desk.run_of(session_id)
        await desk.run_of(session_id)
        await refuse_everything(before_the_crash)

    on_a_loop(work())


@pytest.mark.holds("session.log.fence", "session.log.stop-ends-waits")
@pytest.mark.parametrize("way", ["stopped", "deleted"])
def test_after_the_end_nothing_begins(desk: Desk, way: str) -> None:
    session_id = desk.begun()

    async def work() -> None:
        run = await desk.run_of(session_id)
        ended = asyncio.ensure_future(run.ended())
        await asyncio.wrap_future(desk.log.end(session_id, stopped))
        if way == "deleted":
            await asyncio.to_thread(desk.service.delete, session_id)
        await ended
        await run.ended()
        await refuse_everything(run)
        assert await run.is_over()
        assert await take_session(desk.tools, session_id, EveryStep(), "here") is None

    on_a_loop(work())


@pytest.mark.holds("session.log.stop-ends-waits")
def test_a_session_ended_before_anybody_waited_for_it_is_noticed(desk: Desk) -> None:
    session_id, witness = desk.begun(), desk.begun()

    async def work() -> None:
        run = await desk.run_of(session_id)
        with desk.bell.attend(witness) as attention, other_process(desk.settings) as other:
            other.call(["stop", session_id], ["record", witness, "w", 1, "runner"])
            await attention.wait_past(1)  # what happened there was heard before anybody waits
            await run.ended()

    on_a_loop(work())


@pytest.mark.holds("session.log.key-once", "session.log.tokens-add-up")
def test_a_run_knows_what_was_recorded_and_spent_before_it(desk: Desk) -> None:
    session_id = desk.begun()
    usage = TokenUsage(agent_name="Ada", input_tokens=7, output_tokens=3, cost_usd=0.0)

    async def work() -> list[int]:
        first = await desk.run_of(session_id)
        await first.record("a", usage)
        await first.record("a", usage)
        spent = [first.spent()]
        again = await desk.run_of(session_id)
        await again.record("a", usage)
        spent.append(again.spent())
        await again.record("b", usage)
        return [*spent, again.spent()]

    assert on_a_loop(work()) == [10, 10, 20]
    assert desk.told(session_id) == ["session_started", "token_usage", "token_usage"]
