"""Nobody sleeps through what happened, in whichever process and at whichever moment."""

import asyncio
import threading

import pytest
from tests.pace import PATIENCE
from tests.work.sessions.log_desk import Desk, on_a_loop, output
from tests.work.sessions.other_process import other_process

from loreweave.work.sessions.session_bell import Standing, heard_standing
from loreweave.work.sessions.session_runner import stopped


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_what_another_process_wrote_between_a_look_and_the_wait_is_not_missed(desk: Desk) -> None:
    looked_at, witness = desk.begun(), desk.begun()

    async def work() -> None:
        with desk.bell.attend(looked_at) as attention, desk.bell.attend(witness) as beside:
            _, seq, _ = desk.reader.page(looked_at, 0)
            with other_process(desk.settings) as other:
                other.call(["record", looked_at, "w", 1, "runner"])
                other.call(["record", witness, "w", 1, "runner"])
            assert await beside.wait_past(1)  # by now this process has heard of both
            assert await attention.wait_past(seq)

    on_a_loop(work())


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_what_this_process_wrote_between_a_look_and_the_wait_is_not_missed(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        with desk.bell.attend(session_id) as attention:
            _, seq, _ = desk.reader.page(session_id, 0)
            await asyncio.to_thread(desk.record, session_id, "k", output("x"))
            assert await attention.wait_past(seq)

    on_a_loop(work())


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_a_reader_and_a_writer_that_take_turns_never_stop(desk: Desk) -> None:
    """Each writes only when it has seen the other's last word, so one lost sign would end the talk."""
    here, there = desk.begun(), desk.begun()

    async def answer(heard: str, said: str, first: bool) -> None:
        with desk.bell.attend(heard) as attention:
            for number in range(150):
                if first:
                    await asyncio.wrap_future(desk.log.record(said, str(number), [output("x")], "runner"))
                while desk.reader.page(heard, 0, 1_000)[1] < number + 2:
                    await attention.wait_past(number + 1)
                if not first:
                    await asyncio.wrap_future(desk.log.record(said, str(number), [output("x")], "runner"))

    speaking = threading.Thread(target=lambda: on_a_loop(answer(here, there, True)))  # a loop of its own
    speaking.start()
    on_a_loop(answer(there, here, False))
    speaking.join(PATIENCE)
    assert desk.reader.page(here, 0)[1] == desk.reader.page(there, 0)[1] == 151


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_the_end_wakes_whoever_waits_only_for_it(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        with desk.bell.attend(session_id) as attention:
            waiting = asyncio.ensure_future(attention.wait_for_end())
            await asyncio.to_thread(desk.record, session_id, "k", output("x"))
            assert await attention.wait_past(1)
            assert not waiting.done()
            with other_process(desk.settings) as other:
                other.call(["stop", session_id])
            assert await waiting

    on_a_loop(work())


@pytest.mark.holds("session.log.resting-followers")
def test_whoever_waits_for_more_than_the_end_rests(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        with desk.bell.attend(session_id) as attention:
            await asyncio.to_thread(desk.log.end(session_id, stopped).result)
            assert await attention.wait_for_end()
            waiting = asyncio.ensure_future(attention.wait_past(2))
            assert await attention.wait_past(1)
            await asyncio.sleep(0)
            assert not waiting.done()
            waiting.cancel()

    on_a_loop(work())


@pytest.mark.holds("session.log.closing")
def test_closing_wakes_everybody_and_says_so(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        with desk.bell.attend(session_id) as attention:
            waiting = [asyncio.ensure_future(attention.wait_past(1)) for _ in range(3)]
            await asyncio.sleep(0)
            await asyncio.to_thread(desk.bell.close)
            assert await asyncio.gather(*waiting) == [False] * 3
            assert not await attention.wait_past(1)

    on_a_loop(work())


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_waiting_ends_with_its_time(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        with desk.bell.attend(session_id) as attention:
            assert await attention.wait_past(1, 0.0)
            assert await attention.wait_past(1, -1.0)

    on_a_loop(work())


@pytest.mark.holds("session.log.no-lost-wakeup")
def test_what_is_announced_is_what_is_heard() -> None:
    standing = Standing("an id with blanks", 7, True)
    assert heard_standing(standing.told()) == standing
