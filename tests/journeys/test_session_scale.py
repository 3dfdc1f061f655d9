"""Many sessions in one process: little memory, no thread a session, and each answered on its own."""

import asyncio
from pathlib import Path

import httpx
import pytest
from tests.benchmarks.sessions_case import crowd_figures
from tests.journeys.session_server import LAST, agent_step, ask_step, output_step, plan_of, session_server

from loreweave.application import Application
from loreweave.errors import Conflict

CROWD = 60


@pytest.mark.holds("session.scale.memory", "session.scale.threads")
def test_a_crowd_of_sessions_needs_little_memory_and_no_thread_each(tmp_path: Path) -> None:
    found = crowd_figures(tmp_path, CROWD)
    assert found["memory"] < 1024
    assert found["threads"] < CROWD


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
