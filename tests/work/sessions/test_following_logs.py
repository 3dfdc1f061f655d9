"""Whoever follows a log gets what is stored after a number: all of it, once and in order."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import PATIENCE
from tests.work.sessions.log_desk import Desk, following, numbers, on_a_loop, output, take_frames
from tests.work.sessions.log_process import Hands
from tests.work.sessions.other_process import other_process

from loreweave.errors import NotFound
from loreweave.seams.storage.session_shelf import delete_session
from loreweave.work.sessions.session_bell import MOST, LogReader
from loreweave.work.sessions.session_runner import stopped

in_one_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(30))


@in_one_store
@given(stored=st.integers(0, 30), later=st.integers(1, 30), since=st.integers(0, 40))
@pytest.mark.holds("session.log.follow")
def test_a_follower_gets_exactly_what_comes_after_its_number(desk: Desk, stored: int, later: int, since: int) -> None:
    session_id = desk.begun()
    for number in range(stored):
        desk.record(session_id, f"stored {number}", output("x"))
    last = 1 + stored + later
    expected = list(range(since + 1, last + 1))

    async def work() -> list[str]:
        async with following(desk, session_id, since) as follower:
            taking = asyncio.ensure_future(take_frames(follower, len(expected)))
            writes = [desk.log.record(session_id, f"l {number}", [output("y")], "runner") for number in range(later)]
            await asyncio.gather(*map(asyncio.wrap_future, writes))
            return await taking

    frames = on_a_loop(work())
    assert numbers(frames) == expected
    assert frames == desk.frames(session_id)[since:]


@pytest.mark.holds("session.log.follow", "session.log.equal-frames")
def test_all_followers_get_equal_frames_while_two_processes_write(desk: Desk) -> None:
    session_id = desk.begun()
    hands = Hands(desk)

    async def work() -> list[list[str]]:
        async def follow(since: int) -> list[str]:
            async with following(desk, session_id, since) as follower:
                return await take_frames(follower, 1 + 2 * 200 - since)

        with ThreadPoolExecutor(8) as threads:
            loop = asyncio.get_running_loop()
            writes = [
                loop.run_in_executor(threads, hands.record, session_id, f"here {number}", 25, "runner")
                for number in range(4)
            ]
            taken = await asyncio.gather(*[follow(since) for since in (0, 0, 1, 50, 399)])
            await asyncio.gather(*writes)
        return taken

    with other_process(desk.settings) as other:
        other.begin(*[["record", session_id, f"there {number}", 25, "runner"] for number in range(4)])
        taken = on_a_loop(work())
        other.answers()
    stored = desk.frames(session_id)
    assert numbers(stored) == list(range(1, 402))
    assert taken == [stored, stored, stored[1:], stored[50:], stored[399:]]


@pytest.mark.holds("session.log.follow")
def test_a_follower_in_another_process_misses_nothing(desk: Desk) -> None:
    session_id = desk.begun()
    with other_process(desk.settings) as other:
        other.begin(["follow", session_id, 0, 101], ["follow", session_id, 40, 61])
        for number in range(100):
            desk.record(session_id, str(number), output("x"))
        whole, rest = (each["answer"] for each in other.answers())
    assert whole == desk.frames(session_id)
    assert rest == whole[40:]


@pytest.mark.holds("session.log.slow-follower")
def test_a_follower_that_pauses_costs_nobody_anything_and_misses_nothing(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> tuple[list[str], list[str]]:
        async with following(desk, session_id) as slow, following(desk, session_id) as quick:
            frames = await anext(slow)
            for number in range(1_200):
                desk.log.record(session_id, str(number), [output("x")], "runner")
            others = await take_frames(quick, 1_201)
            return frames + await take_frames(slow, 1_200), others

    slow, quick = on_a_loop(work())
    assert slow == quick == desk.frames(session_id)


@pytest.mark.holds("session.log.follow")
def test_a_follower_until_the_end_ends_with_the_last_event(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> list[str]:
        async def follow() -> list[str]:
            return [frame async for frames in desk.reader.follow(session_id, 0, until_end=True) for frame in frames]

        following = asyncio.ensure_future(follow())
        await asyncio.wrap_future(desk.log.record(session_id, "k", [output("x")], "runner"))
        await asyncio.wrap_future(desk.log.end(session_id, stopped))
        return await following

    assert on_a_loop(work()) == desk.frames(session_id)


class CountingReader(LogReader):
    looks = 0

    def page(self, session_id: str, after: int, limit: int = MOST) -> tuple[list[tuple[int, str]], int, bool]:
        self.looks += 1
        return super().page(session_id, after, limit)


@pytest.mark.holds("session.log.resting-followers")
def test_a_follower_of_an_ended_session_rests(desk: Desk) -> None:
    session_id, busy = desk.begun(), desk.begun()
    reader = CountingReader(desk.store, desk.bell)

    async def work() -> None:
        follower = reader.follow(session_id, 0)
        await anext(follower)
        await asyncio.wrap_future(desk.log.end(session_id, stopped))
        await anext(follower)
        waiting = asyncio.ensure_future(anext(follower))
        for number in range(50):  # time in which it could have looked very often
            await asyncio.wrap_future(desk.log.record(busy, str(number), [output("x")], "runner"))
        assert not waiting.done()
        waiting.cancel()

    on_a_loop(work())
    reader.close()
    assert reader.looks <= 5


@pytest.mark.holds("session.log.follow", "session.log.unknown")
def test_nobody_follows_what_is_not_there(desk: Desk) -> None:
    async def work() -> list[list[str]]:
        return [frames async for frames in desk.reader.follow("nobody", 0)]

    assert on_a_loop(work()) == []
    with pytest.raises(NotFound):
        desk.reader.page("nobody", 0)


@pytest.mark.holds("session.log.closing")
def test_followers_end_when_everything_is_closed(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> list[list[str]]:
        async def follow() -> list[list[str]]:
            return [frames async for frames in desk.reader.follow(session_id, 1)]

        following = [asyncio.ensure_future(follow()) for _ in range(3)]
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1, 0.1)
        await asyncio.to_thread(desk.bell.close)
        return [each for told in await asyncio.wait_for(asyncio.gather(*following), PATIENCE) for each in told]

    assert on_a_loop(work()) == []


@pytest.mark.holds("session.log.follow")
def test_a_deleted_session_ends_whoever_begins_to_follow_it(desk: Desk) -> None:
    session_id = desk.begun()
    desk.log.end(session_id, stopped).result()
    with desk.store.write() as connection:
        delete_session(connection, session_id)
    assert desk.service.list() == []

    async def work() -> list[list[str]]:
        return [frames async for frames in desk.reader.follow(session_id, 0)]

    assert on_a_loop(work()) == []
