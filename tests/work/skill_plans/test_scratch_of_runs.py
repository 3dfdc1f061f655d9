"""A run leaves nothing behind in the workspace root."""

import asyncio
import os
from pathlib import Path

import pytest

from loreweave.application import open_application
from loreweave.settings import Settings


@pytest.mark.holds("session.workspace.scratch")
def test_the_folder_of_an_agent_is_gone_when_its_run_is_over(tmp_path: Path) -> None:
    application = open_application(Settings(data_dir=tmp_path / "data", model="demo"))
    step = {"type": "run_agent", "id": "a", "prompt": "Look around.", "storeAs": "seen"}
    session_id = application.skills.run({"plan": {"skillName": "Look", "steps": [step]}}).session_id

    async def until_over() -> None:
        async for _ in application.sessions.follow(session_id, until_end=True):
            pass

    asyncio.run(until_over())
    while application.engine.unfinished(application.engine.executor_id):
        pass  # the last event is told before the folder is cleared, and the work ends after that
    assert application.sessions.get(session_id).outcome == "success"
    assert os.listdir(tmp_path / "data" / "workspaces" / ".lore" / "scratch") == []
    application.close()
