"""What the sheet says of prompts, attempts, gates, tests and what is left behind, sentence by sentence."""

import io
import urllib.request
import zipfile
from pathlib import Path

import pytest
from tests.model_server import Asked, Turn, call, say
from tests.seams.host.command_runs import living_with
from tests.waits import eventually
from tests.work.builds.build_desk import BuildDesk, OpenDesk, found, place, planned, task, writes, wrote

from loreweave.errors import Conflict, NotFound
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.builds.deploy_build import page_folder


@pytest.mark.holds("build.prompts.carried")
def test_a_prompt_carries_what_was_wished_what_others_did_and_what_is_there(desk: BuildDesk) -> None:
    categories = ("agent", "feature", "style", "composite")
    spec = {
        "project": {"goal": "A lamp", "description": "It shines."},
        "requirements": [{"type": "constraint", "description": "No mains."}],
        "style": {"visual": "nature", "personality": "calm"},
        "skills": [{"name": each, "prompt": f"skilled in {each}", "category": each} for each in categories],
        "rules": [{"name": each, "prompt": f"rule {each}", "trigger": each} for each in ("always", "on_task_complete")],
    }
    desk.plan = planned(task("a"), task("b", "a"), task("c", "b", acceptance_criteria=["It is bright."]))
    desk.agents["a"] = lambda asked: say(" ".join(["far"] * 600))
    desk.agents["b"] = writes(b__txt="b")
    assert desk.log(desk.start(spec))[-1]["outcome"] == "success"
    told = desk.requests(task_id="c")[0].text
    carried = ["A lamp", "It shines.", "No mains.", "nature", "calm", "It is bright.", "- b.txt"]
    carried += [each["prompt"] for each in (*spec["skills"], *spec["rules"])]  # type: ignore[misc]
    assert [each for each in carried if each not in told] == []
    assert told.index("done: b") < told.index("far far")
    assert told.count("far") == 500


@pytest.mark.holds("build.prompts.carried")
def test_the_next_attempt_is_told_the_error_and_what_the_last_one_changed(desk: BuildDesk) -> None:
    turns = iter([call(("write_file", {"path": "half.txt", "content": "half\n"})), Turn(status=400), say("done")])
    desk.agents["one"] = lambda asked: next(turns)
    log = desk.log(desk.start())
    assert log[-1]["outcome"] == "success"
    told = desk.requests(task_id="one")[2].text
    assert "The model provider refused the request." in told
    assert "+half" in told
    assert "Attempt 1 failed" in found(log, "agent_output")[0]["content"]
    assert not found(log, "commit_created"), "what changes nothing is no commit"


@pytest.mark.holds("build.attempts.revisions")
def test_a_task_is_done_over_three_times_and_then_nobody_is_asked_any_more(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"))
    desk.otherwise = lambda asked: Turn(status=400)
    session_id = desk.start()
    for count in (1, 2, 3):
        desk.log(session_id, "human_gate", count)
        desk.application.sessions.answer_gate(session_id, False, "", None, None)
    log = desk.log(session_id)
    assert len(found(log, "human_gate")) == 3
    told = [(event["task_id"], event["reason"], event["retry_count"]) for event in found(log, "task_failed")]
    assert told == [*((f"a{each}", "attempts", 2) for each in ("", "-r1", "-r2", "-r3")), ("b", "dependency", 0)]


@pytest.mark.holds("build.attempts.revisions")
def test_work_that_is_rejected_at_a_gate_is_done_over_after_itself_and_not_asked_about_again(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"))
    session_id = desk.start({"workflow": {"human_gates": ["Good so far?"]}})
    desk.log(session_id, "human_gate")
    desk.application.sessions.answer_gate(session_id, False, "more blue", None, None)
    log = desk.log(session_id)
    (changed,) = found(log, "plan_ready", revision=1)
    after = {each["id"]: each["dependencies"] for each in changed["tasks"]}
    assert after == {"a": [], "b": ["a-r1"], "a-r1": ["a"]}
    assert "more blue" in desk.requests(task_id="a-r1")[0].text
    assert len(found(log, "human_gate")) == 1
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.gates.once")
def test_an_answer_to_no_gate_is_refused_and_one_that_comes_late_hears_what_was_answered(desk: BuildDesk) -> None:
    session_id = desk.start({"workflow": {"human_gates": ["Good so far?"]}})
    (gate,) = found(desk.log(session_id, "human_gate"), "human_gate")
    answer = desk.application.sessions.answer_gate
    for gate_id, task_id in (("nothing", None), (None, "nobody")):
        with pytest.raises(NotFound):
            answer(session_id, True, "", gate_id, task_id)
    assert [each.gate_id for each in desk.application.sessions.get(session_id).gates] == [gate["gate_id"]]
    answer(session_id, True, "nice", None, "one")
    with pytest.raises(Conflict) as late:
        answer(session_id, False, "", gate["gate_id"], None)
    assert late.value.facts["answer"] == {"approved": True, "feedback": "nice"}


@pytest.mark.holds("build.tests.fixes")
def test_failing_tests_are_mended_twice_at_most(desk: BuildDesk) -> None:
    first = "import test from 'node:test'\nimport assert from 'node:assert'\n"
    desk.agents["one"] = writes(
        tests_of_bad__mjs=f"{first}test('bad', () => assert.equal(1, 2))\n",
        tests_of_good__mjs=f"{first}test('adds', () => assert.equal(2, 2))\n",
    )
    session_id = desk.start({"workflow": {"testing_enabled": True, "iteration_conditions": ["until it is good"]}})
    log = desk.log(session_id)
    results = [(event["test_name"], event["passed"]) for event in found(log, "test_result")]
    assert results == [("tests/bad.mjs::bad", False), ("tests/good.mjs::adds", True)] * 3
    assert [event["task_id"] for event in found(log, "task_completed")] == ["one", "fix-1", "fix-2"]
    told = desk.requests(task_id="fix-2")[0].text
    assert "until it is good" in told
    assert "tests/bad.mjs::bad" in told
    assert place(log, "task_completed", task_id="one") < place(log, "test_result") < place(log, "deploy_started")
    assert (log[-1]["outcome"], log[-1]["summary"]) == ("partial", "3 of 3 tasks are done. Not all tests pass.")


@pytest.mark.holds("build.deploy.root")
def test_the_page_is_that_of_the_first_usual_folder(tmp_path: Path) -> None:
    folder, seen = ConfinedFolder(tmp_path), []
    for name in (".", "src", "public", "build", "dist"):
        (tmp_path / name).mkdir(exist_ok=True)
        assert page_folder(folder) == (seen[-1] if seen else None)
        (tmp_path / name / "index.html").write_text("<p>")
        seen.append(name)
    assert page_folder(folder) == "dist"


@pytest.mark.holds("build.deploy.root")
def test_after_a_restart_the_page_is_shown_again(open_desk: OpenDesk) -> None:
    with open_desk() as desk:
        desk.agents["one"] = writes(index__html="<p>It</p>")
        session_id = desk.start()
        first = found(desk.log(session_id), "deploy_complete")[0]["url"]
    with open_desk() as desk:
        url = desk.application.sessions.get(session_id).url or ""
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert answer.read() == b"<p>It</p>"
    assert url.rpartition("/")[0].endswith(session_id)
    assert url.partition(session_id)[2] == first.partition(session_id)[2]


@pytest.mark.holds("build.export")
def test_what_is_there_so_far_is_exported_without_what_is_nobodys_work(desk: BuildDesk) -> None:
    code = "import os\nos.symlink('kept.txt', 'link')\nos.makedirs('__pycache__')\nopen('__pycache__/x.pyc', 'w')\n"
    files = {"kept.txt": "1", "node_modules/m/x.js": "1", ".env": "1", "make.py": code}

    def agent(asked: Asked) -> Turn:
        if wrote(asked):
            return say("done")
        made = (("write_file", {"path": path, "content": text}) for path, text in files.items())
        return call(*made, ("run_command", {"argv": ["python", "make.py"]}))

    desk.plan = planned(task("a"), task("b", "a"))
    desk.agents["a"] = agent
    session_id = desk.start({"workflow": {"human_gates": ["Wait?"]}})
    desk.log(session_id, "human_gate")
    with zipfile.ZipFile(io.BytesIO(desk.application.builds.export(session_id))) as archive:
        assert archive.namelist() == [".env", "kept.txt", "make.py"]
    desk.application.sessions.stop(session_id)


SLEEPS = "import time\ntime.sleep(600)\n"


@pytest.mark.holds("build.stop")
@pytest.mark.parametrize("at", ["command", "portal"])
def test_a_stop_ends_the_processes_of_a_build(desk: BuildDesk, at: str, unguessable: str) -> None:
    run = ("python", "s.py", unguessable)
    spec = {}
    if at == "portal":
        desk.agents["one"] = writes(s__py=SLEEPS)
        program = {"command": run[0], "args": list(run[1:])}
        spec = {"portals": [{"mechanism": "cli", "cliConfig": program}]}
    else:
        written = ("write_file", {"path": "s.py", "content": SLEEPS})
        desk.agents["one"] = lambda asked: (
            say("done") if wrote(asked) else call(written, ("run_command", {"argv": list(run)}))
        )
    session_id = desk.start(spec)
    eventually(lambda: bool(living_with(unguessable)), "its program to run")
    desk.application.sessions.stop(session_id)
    eventually(lambda: not living_with(unguessable), "its program to end")
    log = desk.log(session_id)
    assert (log[-1]["type"], log[-1]["outcome"]) == ("error", "stopped")
    assert not {event["type"] for event in log} & {"deploy_complete", "session_complete", "task_failed"}
