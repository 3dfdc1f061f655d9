"""Several processes on one data: each runs its own work, and what a dead one left runs once, by whoever takes it."""

import pytest
from tests.seams.engine.engine_child import Household
from tests.waits import eventually

ONCE = {"0": 1, "1": 1, "2": 1, "end": 1}


@pytest.mark.holds("session.engine.name", "session.engine.own-work")
def test_two_processes_have_two_names_and_run_their_own_work(household: Household) -> None:
    one, two = household.open(hold=1), household.open(hold=1)
    assert one.executor_id != two.executor_id
    one.ask("start", "a")
    two.ask("start", "b")
    household.heard({"holds": "a"}, {"holds": "b"})
    assert two.ask("unfinished", one.executor_id) == ["a"]
    assert one.ask("unfinished", two.executor_id) == ["b"]
    assert one.ask("executors_with_work") == sorted([one.executor_id, two.executor_id])
    one.ask("go")
    household.heard({"ended": "a"})
    assert household.ran("b") == {"0": 1, "1": 1}
    two.ask("go")
    household.heard({"ended": "b"})
    assert (household.ran("a"), household.ran("b")) == (ONCE, ONCE)


@pytest.mark.holds("session.engine.take-over")
def test_a_living_process_goes_on_with_a_dead_ones_work(household: Household) -> None:
    living = household.open()
    dead = household.open(hold=1)
    dead.ask("start", "a")
    household.heard({"holds": "a"})
    dead.die()
    assert living.ask("executors_with_work") == [dead.executor_id]
    assert living.ask("take_over", dead.executor_id) == 1
    household.heard({"ended": "a"})
    assert household.ran("a") == {**ONCE, "1": 2}
    assert living.ask("take_over", dead.executor_id) == 0


@pytest.mark.holds("session.engine.take-up")
def test_of_what_a_dead_process_left_one_work_alone_is_taken_up(household: Household) -> None:
    other = household.open(takes_work=False)  # holds the lowest name
    dead = household.open(hold=1)
    for session_id in ("a", "b"):
        dead.ask("start", session_id)
    household.heard({"holds": "a"}, {"holds": "b"})
    assert (other.ask("holder", "a"), other.ask("has_gone", dead.executor_id)) == (dead.executor_id, False)
    assert other.ask("take_up", "a") is False
    dead.die()
    assert other.ask("has_gone", dead.executor_id)
    assert other.ask("take_over", dead.executor_id) == 2
    assert other.ask("take_up", "a")
    household.heard({"ended": "a"})
    assert household.ran("a") == {**ONCE, "1": 2}
    assert (household.ran("b"), other.ask("holder", "b")) == ({"0": 1, "1": 1}, None)
    assert [other.ask("take_up", name) for name in ("a", "unknown")] == [False, False]


@pytest.mark.holds("session.engine.take-over")
def test_when_two_take_over_at_once_each_work_goes_on_once(household: Household) -> None:
    left = [f"s{number}" for number in range(8)]
    living = [household.open(), household.open()]
    dead = household.open(hold=1)
    for session_id in left:
        dead.ask("start", session_id)
    household.heard(*({"holds": session_id} for session_id in left))
    dead.die()
    for process in living:
        process.tell("take_over", dead.executor_id)
    assert sum(process.answer() for process in living) == len(left)
    household.heard(*({"ended": session_id} for session_id in left))
    assert [household.ran(session_id) for session_id in left] == [{**ONCE, "1": 2}] * len(left)


@pytest.mark.holds("session.engine.taken-over")
def test_a_process_that_was_taken_for_dead_records_nothing_more(household: Household) -> None:
    slow, other = household.open(hold=1, takes_work=False), household.open()
    slow.ask("start", "a")
    household.heard({"holds": "a"})
    assert other.ask("take_over", slow.executor_id) == 1
    household.heard({"ended": "a"})
    slow.ask("go")
    household.heard({"taken": "a"})
    assert household.ran("a") == {**ONCE, "1": 2}
    eventually(lambda: other.ask("executors_with_work") == [], "nobody to have work")
    slow.ask("start", "b")  # nothing is wrong with it otherwise
    household.heard({"ended": "b"})


@pytest.mark.holds("session.engine.taken-over")
def test_a_process_that_gets_its_own_work_again_runs_it_once_at_a_time(household: Household) -> None:
    slow, other = household.open(hold=1), household.open(takes_work=False)
    slow.ask("start", "a")
    household.heard({"holds": "a"})
    assert other.ask("take_over", slow.executor_id) == 1
    household.heard({"holds": "a"})
    slow.ask("go")
    household.heard({"ended": "a"})
    slow.ask("start", "b")
    household.heard({"ended": "b"})  # and not a second end of the other
    assert household.ran("a") == {**ONCE, "1": 2}


@pytest.mark.holds("session.engine.environment", "session.engine.silent")
def test_nothing_in_the_environment_changes_the_engine_and_it_says_nothing(household: Household) -> None:
    environment = {
        "DBOS__CLOUD": "true",
        "DBOS__VMID": "another",
        "DBOS__APPVERSION": "another",
        "DBOS_SYSTEM_DATABASE_URL": "postgresql://nobody@nowhere/none",
        "DBOS_APP_NAME": "another",
    }
    first = household.open(environment, hold=1)
    first.ask("start", "a")
    household.heard({"holds": "a"})
    assert first.close() == ""
    second = household.open()
    household.heard({"ended": "a"})
    assert second.executor_id == first.executor_id
    assert second.close() == ""
