"""Notes → routed skill → build → memory → the next build: one story, with a crash in its midst, on both databases."""

import json
import os
from pathlib import Path

import pytest
from tests import forked
from tests.faces.served import LORE
from tests.journeys.session_server import model_settings, session_server
from tests.journeys.test_build_crashes import LAST
from tests.model_server import Asked, ModelServer, Turn, call, say

NOTES = {
    "firmware/SKILL.md": '---\nname: firmware\ndescription: Write firmware\nmetadata:\n  skillgraph.entry: "keywords: '
    'firmware"\n  skillgraph.routes: flashing\n---\nRead [[Debounce]] first.\n',
    "flashing/SKILL.md": "---\nname: flashing\ndescription: Flash a board\n---\nHold the boot button.\n",
    "Debounce.md": "---\ndescription: Buttons bounce\n---\nA button is read twice, 20 milliseconds apart.\n",
}
TASK = {"id": "button", "name": "Firmware", "description": "Write firmware that debounces a button"}
PLAN = {"tasks": [{**TASK, "agent_name": "Builder", "dependencies": []}], "agents": [], "plan_explanation": "One."}
SUMMARY = "The firmware debounces the button after 20 milliseconds."


def played(asked: Asked) -> Turn:
    if asked.headers["x-lore-purpose"] == "plan":
        return call(("final_result", PLAN))
    if asked.headers["x-lore-purpose"] == "narrate":
        return call(("final_result", {"text": "Hm.", "mood": "excited"}))
    if "tool_result" not in asked.text:
        return call(
            ("search_docs", {"query": "how far apart is a button read"}),
            ("read_skill", {"id": "flashing"}),
            ("write_file", {"path": "main.py", "content": "print(20)\n"}),
        )
    return say(SUMMARY)


@pytest.mark.holds("one.journey")
@pytest.mark.timeout(300)
def test_what_is_known_feeds_a_build_and_what_is_built_is_remembered(
    tmp_path: Path, database_url: str, model_server: ModelServer
) -> None:
    vault = tmp_path / "vault"
    for path, text in NOTES.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text)
    told = {**model_settings(model_server), "LORE_DATABASE_URL": database_url, "LORE_NARRATOR_DEBOUNCE_S": "3600"}
    model_server.script(*[played] * 100)
    spec = {"project": {"goal": "A button"}, "knowledge": {"graphId": "vault"}}

    def lore(*arguments: str) -> str:
        command = [*LORE, *arguments, "--data", str(tmp_path / "data")]
        environment = {**os.environ, "LORE_EMBEDDER": "none", **told}
        return str(forked.run(command, capture_output=True, text=True, env=environment, check=True).stdout)

    lore("ingest", str(vault))
    with session_server(tmp_path / "data", **told, LORE_FAILPOINT="build.committed") as server:
        first = server.post("/api/sessions").json()["session_id"]
        assert server.post(f"/api/sessions/{first}/start", {"spec": spec}).json() == {"status": "started"}
        server.process.wait(120)  # it dies between the commit and the end of the task
    (vault / "Debounce.md").write_text(NOTES["Debounce.md"].replace("20", "99"))
    lore("ingest", str(vault))
    with session_server(tmp_path / "data", **told) as server:
        server.watch_until(first, *LAST)
        log = server.events(first)
        assert [event["type"] for event in log].count("context_loaded") == 1
        assert log[-1]["outcome"] == "success"
        (task,) = server.get(f"/api/sessions/{first}/tasks")
        (why,) = server.get(f"/api/sessions/{first}/provenance")["tasks"]
        memory = why["remembered_as"]
        assert task["provenance"]["memories"] == [memory]
        assert {"skill:debounce"} <= set(task["provenance"]["nodes"])
        assert [look["skill"] for look in why["looks"] if look["skill"]] == ["firmware", "flashing"]
        prompt = json.dumps(
            next(asked for asked in model_server.asked if asked.headers["x-lore-purpose"] == "agent").body
        )
        assert "20 milliseconds apart" in prompt
        assert "Read [[Debounce]] first." in prompt
        second = server.post("/api/sessions").json()["session_id"]
        assert server.post(f"/api/sessions/{second}/start", {"spec": spec}).json() == {"status": "started"}
        server.watch_until(second, *LAST)
        (again,) = server.get(f"/api/sessions/{second}/provenance?task_id=button")["tasks"]
        recalled = [found["id"] for look in again["looks"] for found in look["memories"]]
        assert recalled == [memory]
        assert again["remembered_as"] in (memory, None)  # the same words are the same memory
    said = lore("why", second, "button")
    assert memory in said
    assert "skill:debounce" in said
