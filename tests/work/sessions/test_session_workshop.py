"""The place where sessions are worked on: opened when needed, and closed for good."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.journeys.session_server import ask_step, plan_of
from tests.pace import PATIENCE

from loreweave.application import Application, open_application
from loreweave.errors import Unavailable
from loreweave.seams.storage.session_shelf import all_beats
from loreweave.settings import Settings
from loreweave.work.skill_plans.read_plan import keep_run, read_run


def until(holds: Callable[[], bool], what: str) -> None:
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up, f"waited in vain for {what}"
        time.sleep(0.02)


@pytest.mark.holds("session.log.closing")
def test_a_closed_workshop_is_not_opened_again(sqlite_application: Application) -> None:
    workshop = sqlite_application.workshop
    session_id = sqlite_application.skills.run(plan_of(ask_step())).session_id
    workshop.close()
    with pytest.raises(Unavailable):
        _ = workshop.engine
    workshop.open_soon()
    for thread in threading.enumerate():
        if thread.name == "loreweave-opening":
            thread.join(PATIENCE)
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"loreweave-engine", "loreweave-beat"}
    assert sqlite_application.sessions.get(session_id).state == "executing"  # for whoever opens it next


@pytest.mark.holds("session.crash.only-the-dead")
def test_an_open_workshop_gives_signs_of_life(application: Application) -> None:
    executor_id = application.workshop.engine.executor_id
    counts: set[int] = set()
    while len(counts) < 2:
        with application.store.read() as connection:
            counts.add(all_beats(connection).get(executor_id, 0))
    assert max(counts) >= 1


@pytest.fixture
def resting(settings: Settings) -> Iterator[Application]:
    """A server with nothing to do, which rests at once; another may wake it."""
    opened = open_application(settings)
    workshop = opened.workshop
    workshop._rest_after = 0.0
    _ = workshop.engine
    until(lambda: workshop.is_resting, "the workshop to rest")
    yield opened
    opened.close()


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_workshop_without_sessions_rests_without_a_thread_that_looks(resting: Application) -> None:
    names = {thread.name for thread in threading.enumerate()}
    assert "loreweave-beat" in names
    assert not {name for name in names if "engine" in name or "dbos" in name or "queue" in name}
    with resting.store.read() as connection:
        assert all_beats(connection) == {}


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_resting_workshop_runs_what_is_started_in_it(resting: Application) -> None:
    session_id = resting.skills.run(plan_of(ask_step())).session_id
    assert not resting.workshop.is_resting
    until(lambda: resting.sessions.get(session_id).skill is not None, "the plan to begin")
    resting.sessions.stop(session_id)
    until(lambda: resting.workshop.is_resting, "the workshop to rest again")


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_resting_workshop_wakes_for_what_another_process_wrote_down(resting: Application, settings: Settings) -> None:
    """The other is killed before it could start it: its session goes on here."""
    other = open_application(settings)
    given = keep_run(read_run(plan_of(ask_step())))
    session_id = other.session_tools.log.create("skill", "left", given, 1000).result()
    other.close()
    until(lambda: not resting.workshop.is_resting, "the news of a session to wake the workshop")
    resting.sessions.stop(session_id)


@pytest.mark.holds("house.clock.jumps")
def test_a_session_written_down_by_a_clock_that_ran_ahead_is_started_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process died before it could start it, and the clock was put right since."""
    monkeypatch.setattr("loreweave.work.sessions.workshop.DEAD_SECONDS", 0.5)
    clock = tmp_path / "clock"
    clock.write_text("2027-01-01T00:00:00Z", encoding="utf-8")
    settings = Settings(data_dir=tmp_path / "data", clock_file=clock, model="demo")
    dead = open_application(settings)
    given = keep_run(read_run(plan_of(ask_step())))
    session_id = dead.session_tools.log.create("skill", "left", given, 1000).result()
    dead.close()
    clock.write_text("2026-11-01T00:00:00Z", encoding="utf-8")
    living = open_application(settings)
    _ = living.workshop.engine
    until(lambda: living.sessions.get(session_id).skill is not None, "the forgotten session to be started")
    living.sessions.stop(session_id)
    living.close()
