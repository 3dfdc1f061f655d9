"""Killed at any moment, an engine's work goes on where it was: finished steps once, the one under way again."""

import pytest
from tests.seams.engine.engine_child import Household
from tests.waits import eventually


@pytest.mark.lengthy(2)
@pytest.mark.holds("session.engine.finished-steps-once", "session.engine.name")
@pytest.mark.parametrize("step", [0, 2])
def test_after_a_kill_only_the_step_under_way_runs_again(household: Household, step: int) -> None:
    first = household.open(kill=step)
    first.tell("start", "a")
    first.died()
    second = household.open()
    household.heard({"ended": "a"})
    assert second.executor_id == first.executor_id
    assert household.ran("a") == {"0": 1, "1": 1, "2": 1, "end": 1, str(step): 2}
    eventually(lambda: second.ask("unfinished", second.executor_id) == [], "the end of all work")


@pytest.mark.holds("session.engine.start-is-durable")
def test_a_start_that_was_acknowledged_outlives_its_process(household: Household) -> None:
    first = household.open(hold=0)
    first.ask("start", "a")
    first.die()
    household.open()
    eventually(lambda: "end" in household.ran("a"), "the end of a")


@pytest.mark.lengthy(2)
@pytest.mark.holds("session.engine.killed-anywhere")
@pytest.mark.parametrize("statement", [2, 60, 150])
def test_killed_in_the_midst_of_its_first_opening_it_opens_again(new_household: Household, statement: int) -> None:
    new_household.open(statement=("loreweave-engine", statement)).died()
    second = new_household.open()
    second.ask("start", "a")
    new_household.heard({"ended": "a"})
    assert new_household.ran("a") == {"0": 1, "1": 1, "2": 1, "end": 1}


@pytest.mark.lengthy(4)
@pytest.mark.holds("session.engine.killed-anywhere", "session.engine.finished-steps-once")
@pytest.mark.parametrize("statement", [3, 4, 8, 12, 15, 24])
def test_killed_before_any_word_to_its_database_work_goes_on(household: Household, statement: int) -> None:
    """Its start, each step and its end are several words each."""
    first = household.open(statement=("dbos-executor", statement))
    first.tell("start", "a")
    first.died()
    second = household.open()
    second.ask("start", "a")
    eventually(
        lambda: "end" in household.ran("a") and second.ask("unfinished", second.executor_id) == [],
        "the end of all work",
    )
    ran = household.ran("a")
    assert set(ran) == {"0", "1", "2", "end"}
    assert sum(ran.values()) <= 5
