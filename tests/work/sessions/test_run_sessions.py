"""However the work of a session ends, the session is over then, and only its own runner says so."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.work.sessions.log_desk import Desk, EveryStep, on_a_loop, output
from tests.work.sessions.other_process import other_process

from loreweave.contracts.session_events import SkillCompleted
from loreweave.seams.engine.engine import TakenOver
from loreweave.work.sessions.session_run import SessionRun
from loreweave.work.sessions.session_runner import SessionRunner

Body = Callable[[SessionRun], Awaitable[None]]


class Room:
    """A runner with one body, which notes what it cleared away."""

    def __init__(self, desk: Desk, body: Body) -> None:
        self.cleared: list[str] = []
        self._runner = SessionRunner(desk.tools, {"skill": body}, lambda: "here", self.cleared.append)

    async def work(self, session_id: str) -> None:
        await self._runner(session_id, EveryStep())


async def finish(run: SessionRun) -> None:
    await run.record("end", SkillCompleted(skill_id="s", result="r", frame=1))


@pytest.mark.holds("session.log.one-end")
def test_work_that_ends_well_ends_once(desk: Desk) -> None:
    session_id = desk.begun()
    room = Room(desk, finish)
    on_a_loop(room.work(session_id))
    on_a_loop(room.work(session_id))  # as after a crash just before its end was noted
    assert desk.told(session_id) == ["session_started", "skill_completed"]
    assert room.cleared == [session_id] * 2


@pytest.mark.holds("session.log.always-ends")
@pytest.mark.parametrize("way", ["raises", "returns"])
def test_work_that_breaks_ends_its_session(desk: Desk, way: str, caplog: pytest.LogCaptureFixture) -> None:
    async def break_down(run: SessionRun) -> None:
        if way == "raises":
            raise ZeroDivisionError("secret words")

    session_id = desk.begun()
    room = Room(desk, break_down)
    on_a_loop(room.work(session_id))
    last = desk.events(session_id)[-1]
    assert (last["type"], last["outcome"]) == ("skill_error", "failed")
    assert "secret" not in last["message"]
    assert room.cleared == [session_id]
    assert ("broke off" in caplog.text) == (way == "raises")


@pytest.mark.holds("session.log.fence", "session.log.always-ends")
def test_work_that_breaks_after_another_took_it_ends_nothing(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    session_id = desk.begun()

    async def lose_it(run: SessionRun) -> None:
        with other_process(desk.settings) as other:
            await asyncio.to_thread(other.call, ["take", session_id, "there"])
        raise FileNotFoundError("the folder is gone, as the other has finished with it")

    room = Room(desk, lose_it)
    with pytest.raises(TakenOver):
        on_a_loop(room.work(session_id))
    assert desk.told(session_id) == ["session_started"]
    desk.record(session_id, "there", output("goes on"), runner="there")
    assert room.cleared == []
    assert "broke off" in caplog.text


@pytest.mark.holds("session.log.stop-ends-waits")
def test_a_stop_breaks_the_work_off_wherever_it_stands(desk: Desk) -> None:
    session_id = desk.begun()
    broken_off = []

    async def work_for_ever(run: SessionRun) -> None:
        await run.record("begun", output("begun"))
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            broken_off.append(run.session_id)
            raise

    room = Room(desk, work_for_ever)

    async def work() -> None:
        working = asyncio.ensure_future(room.work(session_id))
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1)
        with other_process(desk.settings) as other:
            await asyncio.to_thread(other.call, ["stop", session_id])
        await working

    on_a_loop(work())
    assert broken_off == room.cleared == [session_id]
    assert desk.told(session_id) == ["session_started", "begun", "skill_error"]


@pytest.mark.holds("session.log.closing")
def test_work_that_hears_nothing_more_is_left_for_others(desk: Desk) -> None:
    session_id = desk.begun()

    async def close_the_bell(run: SessionRun) -> None:
        await asyncio.to_thread(desk.bell.close)
        await asyncio.get_running_loop().create_future()

    with pytest.raises(TakenOver):
        on_a_loop(Room(desk, close_the_bell).work(session_id))
    assert desk.told(session_id) == ["session_started"]
