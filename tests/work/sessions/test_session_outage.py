"""A database that goes away for a while ends no session."""

import asyncio
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.journeys.session_server import ask_step, output_step, plan_of
from tests.pace import PATIENCE
from tests.work.sessions.log_desk import on_a_loop

from loreweave.application import open_application
from loreweave.errors import Unavailable
from loreweave.settings import Settings


def cut_all_lines(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.holds("session.log.outage")
def test_sessions_outlive_a_database_that_was_away(tmp_path: Path, postgres_database: str) -> None:
    application = open_application(Settings(data_dir=tmp_path, database_url=postgres_database))
    steps = [ask_step(f"ask-{number}") for number in range(6)]
    session_id = application.skills.run(plan_of(*steps, output_step("{{ask-0}} {{ask-5}}"))).session_id

    def answer(step_id: str) -> None:
        while True:
            try:
                application.skills.answer(session_id, {"step_id": step_id, "answers": {"Which": step_id}})
            except Unavailable:  # whoever asks is told, and asks again
                continue
            return

    async def follow() -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        while not told or told[-1]["type"] not in ("skill_completed", "skill_error"):
            try:
                async for frames in application.sessions.follow(session_id, len(told), until_end=True):
                    told += [json.loads(frame) for frame in frames]
                    if told[-1]["type"] == "skill_question":
                        await asyncio.to_thread(cut_all_lines, postgres_database)
                        await asyncio.to_thread(answer, told[-1]["step_id"])
            except Unavailable:
                continue
        return told

    told = on_a_loop(asyncio.wait_for(follow(), PATIENCE))
    assert told[-1]["result"] == "ask-0 ask-5"
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    application.close()
