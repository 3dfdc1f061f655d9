"""The guide to sessions: its plans run, its requests are answered, its listener listens."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests import forked
from tests.faces.served import served
from tests.pace import PATIENCE

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "sessions.md").read_text(encoding="utf-8")
PLANS = re.findall(r"as\s`(\w+\.json)`:\n\n```json\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
REQUESTS = re.findall(
    r"^curl -s '?http://127\.0\.0\.1:8000([^\s']+)'?(?: -H 'Content-Type: application/json' \\\n +-d '(.*?)')?$",
    GUIDE,
    re.MULTILINE | re.DOTALL,
)
LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]
RESULTS = {
    "first.json": "traveller ends on the hill.",
    "composite.json": "Take boots for the hill.",
    "agent.json": "The demo model was asked: Write a haiku about the sea.",
}


@pytest.mark.holds("session.docs.guide")
@pytest.mark.parametrize(("name", "plan"), PLANS)
def test_a_plan_of_the_guide_runs_as_the_guide_says(name: str, plan: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(plan, encoding="utf-8")
    environment = {**os.environ, "LORE_DATA_DIR": str(tmp_path / "data")}
    assert f"lore run {name}" in GUIDE
    if f"LORE_MODEL=demo lore run {name}" in GUIDE:
        environment["LORE_MODEL"] = "demo"
    done = forked.run(
        [*LORE, "run", name], input="right\n", cwd=tmp_path, env=environment, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"] == RESULTS[name]


def test_every_plan_of_the_guide_is_tried_and_its_results_are_told() -> None:
    assert [name for name, _ in PLANS] == list(RESULTS)
    shown = re.search(r'^\{"session_id".*\}$', GUIDE, re.MULTILINE)
    assert shown is not None
    assert json.loads(shown[0])["result"] == RESULTS["first.json"]
    assert RESULTS["composite.json"] in GUIDE


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path / "data", LORE_EMBEDDER="none") as where:
        yield where


@pytest.mark.holds("session.docs.guide")
def test_the_requests_of_the_guide_are_answered_and_its_listener_hears_the_end(address: str) -> None:
    run, read, answer, events = REQUESTS
    session_id = str(send(address, *run)["session_id"])
    listening = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert listening is not None
    script = f"session_id = {session_id!r}\n" + listening[1].replace("127.0.0.1:8000", address.removeprefix("http://"))
    listener = forked.Popen([sys.executable, "-u", "-c", script], stdout=subprocess.PIPE, text=True)
    assert listener.stdout is not None
    heard = [listener.stdout.readline()]
    while "skill_question" not in heard[-1]:
        assert heard[-1]
        heard.append(listener.stdout.readline())
    assert send(address, *read, session_id)["questions"][0]["step_id"] == "ask"
    assert send(address, *answer, session_id) == {"status": "ok"}
    rest, _ = listener.communicate(timeout=PATIENCE)
    assert listener.returncode == 0
    told = send(address, *events, session_id)["events"]
    assert [*heard, *rest.splitlines(keepends=True)] == [f"{event['seq']} {event['type']}\n" for event in told]
    assert told[-1]["result"] == "tea: yes"


def send(address: str, path: str, body: str, session_id: str = "") -> dict[str, Any]:
    """As curl does: with a body it is a POST."""
    url = address + path.replace("/ID", f"/{session_id}")
    answer = httpx.post(url, json=json.loads(body)) if body else httpx.get(url)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content
