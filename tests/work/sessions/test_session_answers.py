"""Answers to questions: of several one wins, and whoever waits hears it, wherever it was given."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.pace import PATIENCE
from tests.waits import eventually
from tests.work.sessions.log_desk import Desk, asked, on_a_loop
from tests.work.sessions.log_process import Hands, told
from tests.work.sessions.other_process import other_process

from loreweave.errors import Conflict, NotFound
from loreweave.seams.storage.session_shelf import close_questions, grow_session
from loreweave.settings import Settings
from loreweave.work.sessions.session_log import NewQuestion, NotTheRunner
from loreweave.work.sessions.session_run import SessionOver, SessionRun
from loreweave.work.sessions.session_runner import stopped

ROUNDS = 10


async def ask(run: SessionRun, timeout_s: float | None = None, key: str = "0/question") -> dict[str, Any] | None:
    return await run.ask(key, asked, place="step", headers=["Header"], timeout_s=timeout_s)


@pytest.mark.holds("session.log.one-answer")
def test_of_twenty_answers_at_once_in_two_processes_exactly_one_wins(desk: Desk) -> None:
    hands = Hands(desk)
    with other_process(desk.settings) as other, ThreadPoolExecutor(10) as threads:
        for _ in range(ROUNDS):
            session_id = desk.begun()
            desk.ask(session_id)
            other.begin(*[["answer", session_id, "step", f"there {number}"] for number in range(10)])
            calls = [partial(hands.answer, session_id, "step", f"here {number}") for number in range(10)]
            answers = [*threads.map(told, calls), *other.answers()]
            given = [f"here {number}" for number in range(10)] + [f"there {number}" for number in range(10)]
            won = [said for said, answer in zip(given, answers, strict=True) if answer == {"answer": {"status": "ok"}}]
            assert len(won) == 1
            for answer in answers:
                if "refused" in answer:
                    assert answer["refused"]["code"] == "conflict"
                    assert answer["refused"]["answer"] == {"Header": won[0]}
            assert desk.told(session_id) == ["session_started", "skill_question", "question_answered"]
            assert desk.saved(session_id).questions == []


@pytest.mark.holds("session.log.answer-is-a-row")
def test_an_answer_given_to_another_process_reaches_whoever_waits(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> Any:
        asking = asyncio.ensure_future(ask(await desk.run_of(session_id)))
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1)
        with other_process(desk.settings) as other:
            assert await asyncio.to_thread(other.call, ["answer", session_id, "step", "blue"]) == [
                {"answer": {"status": "ok"}}
            ]
        return await asking

    assert on_a_loop(work()) == {"Header": "blue"}


@pytest.mark.holds("session.log.answer-is-a-row", "session.log.key-once")
def test_asked_again_after_a_crash_the_answer_is_already_there(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> list[Any]:
        first = await desk.run_of(session_id)
        asking = asyncio.ensure_future(ask(first))
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1)
        asking.cancel()  # as a crash would
        second = await desk.run_of(session_id)
        again = asyncio.ensure_future(ask(second))
        await asyncio.to_thread(desk.service.answer_step, session_id, "step", {"Header": "blue"})
        answers = [(await again)]
        third = await desk.run_of(session_id)
        return [*answers, (await ask(third))]

    assert on_a_loop(work()) == [{"Header": "blue"}] * 2
    assert desk.told(session_id) == ["session_started", "skill_question", "question_answered"]
    assert desk.events(session_id)[-1]["answers"] == {"Header": "blue"}


@pytest.mark.holds("session.log.answer-is-a-row", "session.log.half-characters")
@pytest.mark.parametrize("given", ["\0", "cut \ud83d here", ["a", "\ud83d"], {"deep": [None, 1.5, True]}, float("inf")])
def test_whatever_a_person_sends_is_an_answer(desk: Desk, given: Any) -> None:
    session_id = desk.begun()

    async def work() -> Any:
        asking = asyncio.ensure_future(ask(await desk.run_of(session_id)))
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1)
        await asyncio.to_thread(desk.service.answer_step, session_id, "step", {"Header": given})
        return await asking

    assert on_a_loop(work()) == {"Header": given}
    assert desk.told(session_id)[-1] == "question_answered"
    assert desk.saved(session_id) == desk.folded(session_id)


@pytest.mark.holds("session.log.nobody-answered")
def test_a_question_nobody_answers_is_given_up_at_its_time_and_stays_so(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> list[Any]:
        first = await ask(await desk.run_of(session_id), timeout_s=0.0)
        again = await ask(await desk.run_of(session_id), timeout_s=None)
        return [first, again]

    assert on_a_loop(work()) == [None, None]
    last = desk.events(session_id)[-1]
    assert (last["type"], last["timed_out"]) == ("question_answered", True)
    with pytest.raises(Conflict, match="in time"):
        desk.service.answer_step(session_id, "step", {"Header": "late"})
    assert desk.saved(session_id).questions == []


@pytest.mark.holds("session.log.nobody-answered", "session.log.one-answer")
def test_of_an_answer_and_giving_up_one_wins(desk: Desk) -> None:
    hands = Hands(desk)
    outcomes = set()
    with other_process(desk.settings) as other:
        for number in range(ROUNDS):
            session_id = desk.begun()
            question_id = desk.ask(session_id)
            if number == 0:
                hands.answer(session_id, "step", "there")
            other.begin(["answer", session_id, "step", "there"])
            settled = desk.log.give_up(session_id, question_id, "runner").result(PATIENCE)
            (answer,) = other.answers()
            is_answered = settled.status == "answered"
            if number:
                assert ("answer" in answer) == is_answered
            assert settled.answer == ({"Header": "there"} if is_answered else None)
            closing = [event for event in desk.events(session_id) if event["type"] == "question_answered"]
            assert [event.get("timed_out", False) for event in closing] == [not is_answered]
            outcomes.add(settled.status)
    assert "answered" in outcomes


@pytest.mark.holds("session.log.one-answer", "session.log.one-end")
def test_of_answers_and_stops_in_two_processes_nobody_waits_for_ever(desk: Desk) -> None:
    hands = Hands(desk)
    sessions = [desk.begun() for _ in range(20)]
    for session_id in sessions:
        desk.ask(session_id)
    with other_process(desk.settings) as other, ThreadPoolExecutor(20) as threads:
        other.begin(*[["stop", session_id] for session_id in sessions])
        calls = [partial(hands.answer, each, "step", "here") for each in sessions]
        answers = list(threads.map(told, calls))
        assert other.answers() == [{"answer": {"status": "stopped"}}] * len(sessions)
    for session_id, answer in zip(sessions, answers, strict=True):
        middle = ["question_answered"] if "answer" in answer else []
        assert desk.told(session_id) == ["session_started", "skill_question", *middle, "skill_error"]
        if "refused" in answer:
            assert answer["refused"]["code"] == "conflict"
            assert "over" in answer["refused"]["error"]


@pytest.mark.holds("session.log.one-order-of-locks")
@pytest.mark.parametrize("way", ["answered", "given up"])
def test_answering_and_ending_take_their_rows_in_one_order(tmp_path: Path, postgres_database: str, way: str) -> None:
    desk = Desk(Settings(data_dir=tmp_path, database_url=postgres_database))
    session_id = desk.begun()
    question_id = desk.ask(session_id)
    with desk.store.write() as ending:  # another process that is about to end the session
        grow_session(ending, session_id, 0)
        if way == "answered":
            settling: Future[Any] = desk.log.answer(session_id, question_id, {"Header": "x"})
        else:
            settling = desk.log.give_up(session_id, question_id, "runner")
        # Who is connected, as pg_stat_activity tells it, stays for a transaction what it was when first asked.
        ours = "SELECT pid FROM pg_locks JOIN pg_database ON database = oid WHERE datname = current_database()"
        waiting = f"SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN ({ours})"
        eventually(lambda: ending.rows(waiting), "somebody to wait for the row")
        assert not settling.done()
        close_questions(ending, session_id)
    settled = settling.result(PATIENCE)
    assert settled is not None
    assert settled.status == "over"
    desk.close()


@pytest.mark.holds("session.log.stop-ends-waits")
def test_a_stop_ends_the_wait_for_an_answer(desk: Desk) -> None:
    session_id = desk.begun()

    async def work() -> None:
        asking = asyncio.ensure_future(ask(await desk.run_of(session_id)))
        with desk.bell.attend(session_id) as attention:
            await attention.wait_past(1)
        with other_process(desk.settings) as other:
            await asyncio.to_thread(other.call, ["stop", session_id])
        with pytest.raises(SessionOver):
            await asking

    on_a_loop(work())
    assert desk.saved(session_id).questions == []


@pytest.mark.holds("session.log.unknown")
def test_an_answer_to_what_was_never_asked_is_no_answer(desk: Desk) -> None:
    session_id = desk.begun()
    with pytest.raises(NotFound):
        desk.log.answer(session_id, "nothing", {"Header": "x"}).result()
    with pytest.raises(NotFound):
        desk.log.answer("nobody", "nothing", {"Header": "x"}).result()
    assert desk.told(session_id) == ["session_started"]


@pytest.mark.holds("session.log.fence")
def test_who_has_lost_the_session_cannot_give_up_its_question(desk: Desk) -> None:
    session_id = desk.begun()
    question_id = desk.ask(session_id)
    assert desk.log.take(session_id, "another").result()
    with pytest.raises(NotTheRunner):
        desk.log.give_up(session_id, question_id, "runner").result()
    desk.service.answer_step(session_id, "step", {"Header": "still open"})


@pytest.mark.holds("session.log.nothing-after-the-end")
def test_questions_end_with_their_session(desk: Desk) -> None:
    session_id = desk.begun()
    question_id = desk.ask(session_id)
    desk.log.end(session_id, stopped).result()
    settled = desk.log.answer(session_id, question_id, {"Header": "x"}).result()
    assert settled is not None
    assert settled.status == "over"
    question = NewQuestion("q2", "question", "step", (), None, asked("q2"))
    with pytest.raises(NotTheRunner):
        desk.log.ask(session_id, "k", question, "runner").result()
