"""A build from its spec to its end, over a scripted model, a real git and a real sandbox."""

import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import Asked, Turn, call, say
from tests.pace import PATIENCE
from tests.work.builds.build_desk import (
    BuildDesk,
    found,
    place,
    planned,
    task,
    types,
    writes,
    writes_own_file,
    wrote,
)

from loreweave.contracts.session_events import SESSION_EVENTS
from loreweave.errors import Conflict, InvalidInput
from loreweave.work.sessions.apply_event import apply_event, first_view


def git(folder: str, *arguments: str) -> str:
    return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.holds("build.order.events")
def test_a_build_tells_its_story_in_order(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"), task("c", "a"), task("d", "b", "c", agent="Tester"))
    session_id = desk.start()
    log = desk.log(session_id)
    assert types(log)[:4] == ["session_started", "planning_started", "token_usage", "plan_ready"]
    assert types(log)[4:6] == ["teaching_moment", "workspace_created"]
    for one in "abcd":
        kinds = [
            event["type"]
            for event in log
            if one in (event.get("task_id"), event.get("content", "").removeprefix("done: "))
        ]
        assert kinds[0] == "task_started"
        assert kinds[-3:] == ["commit_created", "agent_message", "task_completed"]
    assert place(log, "task_completed", task_id="a") < place(log, "task_started", task_id="b")
    last = log[-1]
    assert (last["type"], last["outcome"]) == ("session_complete", "success")
    view = desk.application.sessions.get(session_id)
    assert {each.id: each.status for each in view.tasks} == dict.fromkeys("abcd", "done")
    folder = view.nugget_dir or ""
    assert git(folder, "log", "--format=%s").splitlines()[-2:] == [
        "Builder: Make a",
        "Loreweave: what was there before",
    ]
    assert git(folder, "status", "--porcelain") == ""
    assert sorted(path.name for path in Path(folder).glob("*.txt")) == ["a.txt", "b.txt", "c.txt", "d.txt"]


def states(log: list[dict[str, Any]]) -> list[str]:
    """Those that whoever follows the log sees, one after the other."""
    view = first_view("id", "build", 0, "")
    seen = [view.state]
    for frame in log:
        event = SESSION_EVENTS.validate_python({name: frame[name] for name in frame.keys() - {"seq", "ts"}})
        view = apply_event(view, event, frame["ts"])
        seen += [view.state] if view.state != seen[-1] else []
    return seen


@pytest.mark.holds("build.states")
@pytest.mark.parametrize(
    ("plan", "gates", "asked"),
    [(("a", "b"), [], []), (("a",), ["Good?"], [""]), (("a", "b"), ["Good?"], [""]), (("a",), ["Good?"], ["blue"])],
    ids=["no gate", "a gate after the only task", "a gate between two", "a gate that wishes a revision"],
)
def test_a_build_is_testing_from_its_last_task_or_gate_until_it_is_deployed(
    desk: BuildDesk, plan: tuple[str, ...], gates: list[str], asked: list[str]
) -> None:
    desk.plan = planned(*(task(name, *plan[:place]) for place, name in enumerate(plan)))
    session_id = desk.start({"workflow": {"testing_enabled": True, "human_gates": gates}})
    for feedback in asked:
        desk.log(session_id, "human_gate")
        desk.application.sessions.answer_gate(session_id, not feedback, feedback, None, None)
    around = ["reviewing", "executing"] * len(gates)
    if gates and len(plan) == 1 and not any(asked):
        around.pop()
    expected = ["idle", "planning", "executing", *around, "testing", "deploying", "done"]
    assert states(desk.log(session_id)) == expected


@pytest.mark.holds("build.attempts.conflict")
def test_two_tasks_that_edit_one_file_lose_nobodys_work(desk: BuildDesk) -> None:
    """Both have written before either is done, so one of them must meet the other's work."""
    both_wrote = threading.Barrier(2, timeout=PATIENCE)

    def edits(asked: Asked) -> Turn:
        name = asked.headers["x-lore-task"]
        is_second = "The last attempt at this task failed" in asked.text
        if wrote(asked):
            if not is_second:
                both_wrote.wait()
            return say(f"done: {name}")
        other = {"a": "b", "b": "a"}[name]
        if is_second:
            return call(("edit_file", {"path": "same.txt", "old": f"{other}\n", "new": f"{other}\n{name}\n"}))
        return call(("write_file", {"path": "same.txt", "content": f"{name}\n"}))

    desk.plan = planned(task("a"), task("b"))
    desk.otherwise = edits
    log = desk.log(desk.start())
    assert log[-1]["outcome"] == "success"
    folder = found(log, "workspace_created")[0]["nugget_dir"]
    assert sorted(Path(folder, "same.txt").read_text().split()) == ["a", "b"]
    (again,) = [event for event in found(log, "agent_output") if "failed" in event["content"]]
    assert "Others changed the same lines meanwhile, in same.txt." in again["content"]
    assert len(found(log, "commit_created")) == 2


@pytest.mark.holds("build.attempts.exhausted")
def test_a_task_that_fails_three_times_waits_at_a_gate_and_its_dependants_are_given_up(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b"), task("c", "b"), task("d", "c"))
    desk.agents["b"] = lambda asked: Turn(status=400)
    session_id = desk.start()
    log = desk.log(session_id, "human_gate")
    (gate,) = found(log, "human_gate")
    assert found(log, "task_failed", task_id="b")[0]["retry_count"] == 2
    assert len(desk.requests(task_id="b")) == 3
    desk.application.sessions.answer_gate(session_id, True, "", gate["gate_id"], None)
    log = desk.log(session_id)
    failed = {event["task_id"]: event for event in found(log, "task_failed")}
    assert failed["c"]["reason"] == failed["d"]["reason"] == "dependency"
    assert "'b'" in failed["c"]["error"]
    assert log[-1]["outcome"] == "partial"


@pytest.mark.holds("build.attempts.exhausted")
def test_a_rejected_failure_is_done_over_with_what_was_said(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"))
    desk.agents["a"] = lambda asked: Turn(status=400)
    session_id = desk.start()
    desk.log(session_id, "human_gate")
    desk.application.sessions.answer_gate(session_id, False, "use less glue", None, None)
    log = desk.log(session_id)
    changed = found(log, "plan_ready", revision=1)[0]
    tasks = {each["id"]: each for each in changed["tasks"]}
    assert tasks["a-r1"]["revision_of"] == "a"
    assert tasks["b"]["dependencies"] == ["a-r1"]
    assert "use less glue" in desk.requests(task_id="a-r1")[0].text
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.gates.wished", "build.gates.once")
def test_wished_gates_open_at_their_counts_and_nothing_is_launched_meanwhile(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"), task("c", "b"), task("d", "c"))
    desk.agents["b"] = lambda asked: say("Make b is done.") if wrote(asked) else writes_own_file(asked)
    session_id = desk.start({"workflow": {"human_gates": ["Good so far?"]}})
    log = desk.log(session_id, "human_gate")
    (gate,) = found(log, "human_gate")
    assert (gate["question"], gate["task_id"]) == ("Good so far?", "b")
    assert gate["context"] == "Make b is done."  # not told twice whose word it is
    view = desk.application.sessions.get(session_id)
    assert view.state == "reviewing"
    assert [each.status for each in view.tasks] == ["done", "done", "pending", "pending"]
    desk.application.sessions.answer_gate(session_id, True, "more blue", None, None)
    with pytest.raises(Conflict):
        desk.application.sessions.answer_gate(session_id, True, "", gate["gate_id"], None)
    log = desk.log(session_id)
    assert "more blue" in desk.requests(task_id="c")[0].text
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.questions")
def test_a_question_of_a_task_is_answered_by_header(desk: BuildDesk) -> None:
    question = {"question": "Which?", "header": "Colour", "options": [{"label": "red"}, {"label": "blue"}]}

    def asks(asked: Asked) -> Turn:
        return say("done") if wrote(asked) else call(("ask_user", {"questions": [question]}))

    desk.agents["one"] = asks
    session_id = desk.start()
    log = desk.log(session_id, "minion_state_change", 2)
    assert log[-1]["new_status"] == "waiting"
    with pytest.raises(InvalidInput):
        desk.application.sessions.answer_question(session_id, "one", {"Other": "x"}, None)
    desk.application.sessions.answer_question(session_id, "one", {"Colour": "blue"}, None)
    log = desk.log(session_id)
    assert "blue" in desk.requests(task_id="one")[1].text
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.stop")
def test_stop_means_stop(desk: BuildDesk) -> None:
    desk.agents["one"] = lambda asked: Turn(fault="stall")
    session_id = desk.start()
    log = desk.log(session_id, "minion_state_change")
    desk.application.sessions.stop(session_id)
    log = desk.log(session_id)
    assert (log[-1]["type"], log[-1]["outcome"], log[-1]["recoverable"]) == ("error", "stopped", False)
    assert desk.application.sessions.get(session_id).tasks[0].reason == "stopped"


@pytest.mark.holds("build.tests")
def test_tests_are_run_and_what_fails_is_mended(desk: BuildDesk) -> None:
    desk.agents["one"] = writes(
        thing__py="def one():\n    return 2\n",
        tests_of_test_thing__py="from thing import one\n\n\ndef test_one():\n    assert one() == 1\n",
    )
    desk.agents["fix-1"] = writes(thing__py="def one():\n    return 1\n")
    session_id = desk.start(
        {
            "workflow": {"testing_enabled": True},
            "rules": [{"name": "mend", "prompt": "mend it", "trigger": "on_test_fail"}],
        }
    )
    log = desk.log(session_id)
    results = found(log, "test_result")
    assert [(each["test_name"], each["passed"]) for each in results] == [
        ("tests/test_thing.py::test_one", False),
        ("tests/test_thing.py::test_one", True),
    ]
    assert "mend it" in desk.requests(task_id="fix-1")[0].text
    assert "mend it" not in desk.requests(task_id="one")[0].text
    assert found(log, "coverage_update")[-1]["percentage"] == 100.0
    report = desk.application.sessions.tests(session_id)
    assert (report.passed, report.failed, report.total, report.coverage_pct) == (1, 0, 1, 100.0)
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.plan.rules")
def test_a_plan_that_cannot_be_used_is_mended_once(desk: BuildDesk) -> None:
    desk.plan = [planned(task("a", "nobody")), planned(task("a"))]
    log = desk.log(desk.start())
    assert log[-1]["outcome"] == "success"
    assert "'nobody'" in desk.requests("plan")[1].text
    desk.plan = [planned(task("a", "a")), planned()]
    session_id = desk.start()
    log = desk.log(session_id)
    assert types(log)[-1] == "error"
    assert not found(log, "plan_ready")
    assert not found(log, "session_complete")
    assert desk.application.sessions.get(session_id).outcome == "failed"


@pytest.mark.holds("build.plan.cut")
def test_a_plan_that_was_cut_off_is_asked_for_again_in_fewer_words(desk: BuildDesk) -> None:
    cut = Turn(calls=(("final_result", {}),), raw_arguments='{"tasks": [{"id"', stop="max_tokens")
    desk.plan = [cut, planned(task("a"))]
    session_id = desk.start()
    assert desk.log(session_id)[-1]["outcome"] == "success"
    assert "plan fewer tasks" in desk.requests("plan")[1].text
    paid = [event for event in desk.log(session_id) if event.get("agent_name") == "planner"]
    assert len(paid) == 2


@pytest.mark.holds("build.plan.cut")
def test_a_planner_that_declines_is_asked_once_and_the_person_told_what_to_do(desk: BuildDesk) -> None:
    desk.plan = Turn(pieces=("No.",), stop="refusal")
    last = desk.log(desk.start())[-1]
    assert last["message"] == (
        "No plan could be made: The model declined to answer. "
        "Nothing was made: once that is mended, or with the goal in other words, start it again."
    )
    assert len(desk.requests("plan")) == 1


@pytest.mark.holds("build.tests")
def test_what_to_do_about_failing_tests_is_told_to_nobody_else(desk: BuildDesk) -> None:
    rules = [
        {"name": "mend", "prompt": "mend it gently", "trigger": "on_test_fail"},
        {"name": "short", "prompt": "keep it short", "trigger": "always"},
    ]
    log = desk.log(desk.start({"rules": rules, "workflow": {"testing_enabled": True}}))
    assert log[-1]["outcome"] == "success"
    assert "keep it short" in desk.requests("plan")[0].text
    assert not [asked for asked in desk.model.asked if "mend it gently" in asked.text]


@pytest.mark.holds("build.git.person")
def test_a_persons_folder_keeps_its_branch_index_and_uncommitted_files(desk: BuildDesk, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    folder.mkdir(parents=True)
    subprocess.run(
        "git init -q -b main && git config user.email a@b && git config user.name n && echo hi > README.md && "
        "echo secret > .gitignore && git add -A && git commit -qm x && echo more >> README.md && echo s > secret && "
        "echo staged > staged && git add staged",
        shell=True,
        cwd=folder,
        check=True,
    )
    before = git(str(folder), "rev-parse", "HEAD"), git(str(folder), "diff", "--cached", "--name-only")
    session_id = desk.start(workspace_path="mine")
    log = desk.log(session_id)
    assert log[-1]["outcome"] == "success"
    assert (git(str(folder), "rev-parse", "HEAD"), git(str(folder), "diff", "--cached", "--name-only")) == before
    assert git(str(folder), "branch", "--show-current") == "main"
    branch = f"lore/{session_id[:8]}"
    assert git(str(folder), "show", f"{branch}:README.md") == "hi\nmore"
    assert "secret" not in git(str(folder), "ls-tree", "-r", "--name-only", branch).splitlines()
    assert (folder / "one.txt").read_text() == "one\n"
    assert (folder / "README.md").read_text() == "hi\nmore\n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.holds("build.git.name-taken")
def test_a_branch_of_a_person_that_is_in_the_way_gives_the_builds_another_name(
    desk: BuildDesk, tmp_path: Path, packed: bool
) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    folder.mkdir(parents=True)
    subprocess.run(
        "git init -q -b lore && git config user.email a@b && git config user.name n && echo hi > README.md && "
        "git add -A && git commit -qm x" + " && git pack-refs --all" * packed,
        shell=True,
        cwd=folder,
        check=True,
    )
    before = git(str(folder), "rev-parse", "lore")
    session_id = desk.start(workspace_path="mine")
    log = desk.log(session_id)
    name = f"lore-{session_id[:8]}"
    assert [event["message"] for event in found(log, "error")] == [
        f"The folder has a branch 'lore', so the build's is called '{name}'."
    ]
    assert all(event["recoverable"] for event in found(log, "error"))
    assert log[-1]["outcome"] == "success"
    assert git(str(folder), "show", f"{name}:one.txt") == "one"
    assert git(str(folder), "rev-parse", "lore") == before
    assert git(str(folder), "for-each-ref", "--format=%(refname:short)").splitlines() == ["lore", name]


@pytest.mark.holds("build.git.name-taken")
def test_version_control_that_cannot_be_shared_is_told(desk: BuildDesk, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    folder.mkdir(parents=True)
    (folder / ".git").write_text("gitdir: /elsewhere\n")
    log = desk.log(desk.start(workspace_path="mine"))
    assert [event["message"] for event in found(log, "error")] == [
        "The version control of the folder cannot be shared: the build's commits are not in it."
    ]
    assert log[-1]["outcome"] == "success"
    assert (folder / "one.txt").read_text() == "one\n"


@pytest.mark.holds("build.order.events")
def test_a_revision_whose_predecessors_failed_comes_to_an_end(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"), task("c", "b"), task("d", "c"))
    desk.otherwise = lambda asked: Turn(status=400)
    session_id = desk.start({"workflow": {"human_gates": ["Good so far?"]}})
    for count, approved in ((1, True), (2, False)):  # go on without a; but have b done over
        log = desk.log(session_id, until="human_gate", count=count)
        assert found(log, "human_gate")[-1]["task_id"] == ("a" if approved else "b")
        desk.application.sessions.answer_gate(session_id, approved, "", None, None)
    log = desk.log(session_id)
    ended = {event["task_id"]: event["reason"] for event in found(log, "task_failed")}
    assert ended == {"a": "attempts", **dict.fromkeys(("b", "c", "d", "b-r1"), "dependency")}
    assert log[-1]["outcome"] == "failed"
