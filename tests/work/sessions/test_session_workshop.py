"""The place where sessions are worked on: opened when needed, and closed for good."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.journeys.session_server import ask_step, plan_of
from tests.waits import eventually

from loreweave.application import Application, open_application
from loreweave.errors import Unavailable
from loreweave.seams.engine.engine import Durable, Engine
from loreweave.seams.engine.open_engine import open_engine
from loreweave.seams.storage.session_shelf import all_beats
from loreweave.settings import Settings
from loreweave.work.sessions.workshop import Workshop
from loreweave.work.skill_plans.read_plan import keep_run, read_run


@pytest.mark.holds("session.log.closing")
def test_a_closed_workshop_is_not_opened_again(sqlite_application: Application) -> None:
    workshop = sqlite_application.workshop
    session_id = sqlite_application.skills.run(plan_of(ask_step())).session_id
    workshop.close()
    with pytest.raises(Unavailable):
        _ = workshop.engine
    workshop.open_soon()
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


@dataclass
class Bench:
    """A workshop that rests as soon as it can, over the parts of a real application; its work is noted, not done."""

    application: Application
    workshop: Workshop
    begun: list[str]

    def is_resting(self) -> bool:
        names = {thread.name for thread in threading.enumerate()}
        with self.application.store.read() as connection:
            return "loreweave-engine" not in names and all_beats(connection) == {}

    def write_down(self) -> str:
        return leave_a_session(self.application)


def leave_a_session(application: Application) -> str:
    """As a process leaves it that dies before it could start it."""
    given = keep_run(read_run(plan_of(ask_step())))
    return application.session_tools.log.create("skill", "left", given, 1000).result()


@pytest.fixture
def bench(application: Application, settings: Settings) -> Iterator[Bench]:
    begun: list[str] = []

    async def work(session_id: str, durable: Durable) -> None:
        begun.append(session_id)

    def start() -> Engine:
        return open_engine(settings.data_dir, settings.database_url, work)

    workshop = Workshop(application.session_tools, start, takes_work=True, rest_after=0.0)
    yield Bench(application, workshop, begun)
    workshop.close()


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_workshop_without_sessions_rests_without_a_thread_that_looks(bench: Bench) -> None:
    _ = bench.workshop.engine
    eventually(bench.is_resting, "the workshop to rest")
    names = {thread.name for thread in threading.enumerate()}
    assert "loreweave-beat" in names
    assert not {name for name in names if "engine" in name or "dbos" in name or "queue" in name}


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_resting_workshop_runs_what_is_started_in_it(bench: Bench) -> None:
    bench.workshop.open_soon()
    session_id = bench.write_down()
    bench.workshop.engine.start(session_id)
    eventually(lambda: bench.begun == [session_id], "the session to begin")
    bench.application.sessions.stop(session_id)
    eventually(bench.is_resting, "the workshop to rest again")


@pytest.mark.holds("house.idle.costs-nothing")
def test_a_workshop_that_never_opened_an_engine_wakes_for_what_another_process_wrote_down(
    bench: Bench, settings: Settings
) -> None:
    bench.workshop.open_soon()
    assert bench.is_resting()
    other = open_application(settings)
    session_id = leave_a_session(other)
    other.close()
    eventually(lambda: not bench.is_resting(), "the news of a session to wake the workshop")
    bench.application.sessions.stop(session_id)


@pytest.mark.holds("session.crash.taken-over")
def test_a_workshop_opens_by_itself_where_a_session_was_left(bench: Bench) -> None:
    session_id = bench.write_down()
    bench.workshop.open_soon()
    eventually(lambda: not bench.is_resting(), "the engine to be opened")
    bench.application.sessions.stop(session_id)


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
    session_id = leave_a_session(dead)
    dead.close()
    clock.write_text("2026-11-01T00:00:00Z", encoding="utf-8")
    living = open_application(settings)
    _ = living.workshop.engine
    eventually(lambda: living.sessions.get(session_id).skill is not None, "the forgotten session to be started")
    living.sessions.stop(session_id)
    living.close()
