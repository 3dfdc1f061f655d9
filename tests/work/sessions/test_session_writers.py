"""Many writers at once, of several sessions and in two processes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.work.sessions.log_desk import Desk, output
from tests.work.sessions.log_process import Hands
from tests.work.sessions.other_process import other_process

from loreweave.contracts.session_events import SkillCompleted
from loreweave.work.sessions.session_log import NotTheRunner

WRITERS = 20
EACH = 5


@pytest.mark.holds("session.log.numbered", "session.log.all-or-nothing")
def test_numbers_have_no_gaps_however_many_write(desk: Desk) -> None:
    sessions = [desk.begun() for _ in range(3)]
    hands = Hands(desk)
    with other_process(desk.settings) as other, ThreadPoolExecutor(WRITERS) as threads:
        plans = [(sessions[number % 3], number) for number in range(WRITERS)]
        other.begin(*[["record", session_id, f"there {number}", EACH, "runner"] for session_id, number in plans])
        here = [threads.submit(hands.record, session, f"here {number}", EACH, "runner") for session, number in plans]
        assert [each.result() for each in here] == [EACH] * WRITERS
        assert other.answers() == [{"answer": EACH}] * WRITERS
    for session_id in sessions:
        told = desk.events(session_id)
        assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
        contents = [event["content"] for event in told[1:]]
        groups = [each.removesuffix(" a") for each in contents[::2]]
        assert contents[1::2] == [f"{each} b" for each in groups]  # what was recorded together stands together
        for where in ("here", "there"):
            for writer in (number for session, number in plans if session == session_id):
                own = [each for each in groups if each.startswith(f"{where} {writer} ")]
                assert own == [f"{where} {writer} {number}" for number in range(EACH)]
        assert len(groups) == 2 * EACH * sum(session == session_id for session, _ in plans)
        assert desk.saved(session_id) == desk.folded(session_id)


@pytest.mark.holds("session.log.key-once")
def test_a_key_that_several_record_at_once_records_once(desk: Desk) -> None:
    session_id = desk.begun()
    hands = Hands(desk)
    with other_process(desk.settings) as other, ThreadPoolExecutor(4) as threads:
        other.begin(*[["record", session_id, "same", EACH, "runner"]] * 4)
        here = [threads.submit(hands.record, session_id, "same", EACH, "runner") for _ in range(4)]
        assert [each.result() for each in here] == [EACH] * 4
        assert other.answers() == [{"answer": EACH}] * 4
    told = desk.told(session_id)[1:]
    assert told == [f"same {number} {half}" for number in range(EACH) for half in "ab"]


@pytest.mark.holds("session.log.one-end")
@pytest.mark.parametrize("_", range(5))
def test_of_a_stop_and_the_end_one_wins(desk: Desk, _: int) -> None:
    sessions = [desk.begun() for _ in range(20)]

    def end(session_id: str) -> bool:
        try:
            desk.record(session_id, "end", output("last words"), SkillCompleted(skill_id="s", result="r", frame=1))
        except NotTheRunner:
            return False
        return True

    with other_process(desk.settings) as other, ThreadPoolExecutor(20) as threads:
        other.begin(*[["stop", session_id] for session_id in sessions])
        ended = list(threads.map(end, sessions))
        assert other.answers() == [{"answer": {"status": "stopped"}}] * len(sessions)
    for session_id, by_itself in zip(sessions, ended, strict=True):
        last = ["last words", "skill_completed"] if by_itself else ["skill_error"]
        assert desk.told(session_id) == ["session_started", *last]
        assert desk.saved(session_id).outcome == ("success" if by_itself else "stopped")
