"""Many sessions in one process: little memory, quick reads, no thread a session, and a thousand events a second."""

import asyncio
from pathlib import Path

import httpx
import pytest
from tests.benchmarks.sessions_case import crowd_figures, measure_events, measure_steps
from tests.journeys.session_server import LAST, agent_step, ask_step, output_step, plan_of, session_server
from tests.pace import slowness, within

from loreweave.application import Application
from loreweave.errors import Conflict

CROWD = 80


@pytest.mark.holds("session.scale.memory", "session.scale.reads", "session.scale.threads")
def test_a_crowd_of_sessions_needs_little_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    found = crowd_figures(tmp_path, CROWD)
    assert found["memory"] < 1024
    assert found["threads"] < CROWD
    assert found["p50"] < 50 * slowness()


@pytest.mark.holds("session.scale.events")
def test_a_thousand_events_are_recorded_and_delivered_in_a_second(tmp_path: Path) -> None:
    runs = iter(range(1_000))
    within(1.0, lambda: measure_events(tmp_path / str(next(runs)), 20, 50, 1))


@pytest.mark.holds("session.scale.step")
def test_a_step_costs_tens_of_milliseconds(tmp_path: Path) -> None:
    measure_steps(tmp_path / "warm", 1)
    runs = iter(range(1_000))
    within(2.0, lambda: measure_steps(tmp_path / str(next(runs)), 20))


@pytest.mark.holds("session.scale.waiting")
def test_many_waiting_sessions_are_all_answered(application: Application) -> None:
    plan = plan_of(ask_step(), output_step("{{ask}}"))
    sessions = [application.skills.run(plan).session_id for _ in range(50)]

    async def follow(session_id: str, answer: str) -> None:
        async for frames in application.sessions.follow(session_id, until_end=True):
            if any('"type":"skill_question"' in frame for frame in frames):
                await asyncio.to_thread(
                    application.skills.answer, session_id, {"step_id": "ask", "answers": {"Which": answer}}
                )

    async def follow_all() -> None:
        await asyncio.gather(*[follow(each, f"answer {number}") for number, each in enumerate(sessions)])

    asyncio.run(follow_all())
    results = [application.sessions.get(each).skill for each in sessions]
    assert [each and each.result for each in results] == [f"answer {number}" for number in range(50)]


@pytest.mark.holds("session.scale.waiting")
def test_a_session_that_was_stopped_can_be_deleted_at_once(tmp_path: Path) -> None:
    with session_server(tmp_path, LORE_MODEL="demo") as server:
        for number in range(10):
            steps = [ask_step()] if number % 2 else [agent_step(f"agent-{place}") for place in range(50)]
            session_id = server.run(plan_of(*steps))
            server.watch_until(session_id, "skill_step")
            server.stop(session_id)
            assert httpx.delete(f"{server.address}/api/sessions/{session_id}").status_code == 200
        assert server.get("/api/sessions") == []
        last = server.run(plan_of(output_step("alive")))
        assert server.watch_until(last, *LAST)[-1]["result"] == "alive"


@pytest.mark.holds("session.scale.waiting")
def test_a_running_session_is_not_deleted(application: Application) -> None:
    session_id = application.skills.run(plan_of(ask_step())).session_id
    with pytest.raises(Conflict):
        application.sessions.delete(session_id)
    application.sessions.stop(session_id)
    application.sessions.delete(session_id)
