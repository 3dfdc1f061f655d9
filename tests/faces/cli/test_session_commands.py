"""`lore sessions`: what runs and what ran, in whatever process."""

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests import forked
from tests.faces.cli.running_plan import ASKING, LORE, OUT, run_plan, running_plan
from tests.faces.cli.terminal import on_terminal
from tests.pace import PATIENCE
from tests.waits import line_with

from loreweave.application import Application, open_application
from loreweave.contracts.wire import to_json
from loreweave.settings import Settings

SILENT = {"skillName": "Silent", "steps": [{**OUT, "template": "done\x1b[2J"}]}
MODULE = "loreweave.faces.cli.lore"


@pytest.fixture
def ended(tmp_path: Path) -> str:
    """The id of a session that is over."""
    done = run_plan(tmp_path, SILENT)
    return str(json.loads(done.stdout)["session_id"])


def frames(application: Application, session_id: str, since: int = 0) -> list[dict[str, Any]]:
    return application.sessions.events(session_id, since).events


@pytest.mark.holds("session.cli.list")
def test_sessions_are_listed_the_newest_first(lore: Any, tmp_path: Path, sqlite_application: Application) -> None:
    lore("token", "create")
    assert lore("sessions").out == b"[]\n"
    made = [json.loads(run_plan(tmp_path, SILENT).stdout)["session_id"] for _ in range(2)]
    listed = lore("sessions").json
    assert [each["id"] for each in listed] == made[::-1]
    assert listed == [each.model_dump(mode="json") for each in sqlite_application.sessions.list()]
    assert {(each["kind"], each["state"], each["goal"]) for each in listed} == {("skill", "done", "Silent")}


@pytest.mark.holds("session.cli.show-stop-delete")
def test_a_session_is_shown_as_it_is(lore: Any, ended: str, sqlite_application: Application) -> None:
    assert lore("sessions", "show", ended).out == to_json(sqlite_application.sessions.get(ended))


@pytest.mark.holds("session.cli.show-stop-delete")
def test_a_session_of_another_process_is_stopped_and_then_deleted(lore: Any, tmp_path: Path) -> None:
    with running_plan(tmp_path) as process:
        (running,) = lore("sessions").json
        refused = lore("sessions", "delete", running["id"], "--json")
        assert (refused.code, json.loads(refused.err)["code"]) == (1, "conflict")
        assert lore("sessions", "stop", running["id"]).json == {"status": "stopped"}
        assert process.wait(timeout=PATIENCE) == 1
    assert lore("sessions", "show", running["id"]).json["outcome"] == "stopped"
    assert lore("sessions", "delete", running["id"]).json == {"status": "deleted"}
    assert lore("sessions").json == []


@pytest.mark.holds("session.cli.watch")
def test_a_session_that_is_over_is_told_from_any_place(lore: Any, ended: str, sqlite_application: Application) -> None:
    for since in (0, 2, 1000):
        told = lore("sessions", "watch", ended, "--since", str(since))
        assert told.code == 0
        lines = [json.loads(line) for line in told.out.splitlines()]
        assert lines == frames(sqlite_application, ended, since)


@pytest.mark.holds("session.cli.watch")
def test_a_session_of_another_process_is_watched_to_its_end(
    lore: Any, tmp_path: Path, sqlite_application: Application
) -> None:
    with running_plan(tmp_path, ASKING) as process:
        (running,) = lore("sessions").json
        command = [*LORE, "sessions", "watch", running["id"], "--data", str(tmp_path / "data")]
        watcher = forked.Popen(command, stdout=subprocess.PIPE, text=True)
        seen = line_with('"skill_question"', watcher, watcher.stdout)
        process.communicate("left\n", timeout=PATIENCE)
        rest, _ = watcher.communicate(timeout=PATIENCE)
    assert watcher.returncode == 0
    told = [json.loads(line) for line in [*seen, *rest.splitlines()]]
    assert told == frames(sqlite_application, running["id"])
    assert told[-1]["type"] == "skill_completed"


@pytest.mark.holds("session.cli.show-stop-delete", "session.cli.watch")
@pytest.mark.parametrize("name", ["show", "stop", "delete", "watch", "answer"])
def test_an_unknown_session_is_a_refusal(lore: Any, name: str) -> None:
    done = lore("sessions", name, "ghost", "--json")
    assert (done.code, done.out) == (1, b"")
    assert json.loads(done.err)["code"] == "not_found"


@pytest.mark.holds("session.cli.short-ids")
def test_the_id_of_a_session_may_be_shortened_to_a_unique_beginning(lore: Any, ended: str) -> None:
    for short in (ended[:4], ended[:9].upper(), ended):
        assert lore("sessions", "show", short).json["id"] == ended
    assert lore("sessions", "watch", ended[:4]).out == lore("sessions", "watch", ended).out
    for name in ("answer", "resume"):
        assert "The session is over" in lore("sessions", name, ended[:6], *(["1"] if name == "answer" else [])).err
    assert lore("sessions", "show", ended[:3]).code == 1
    mistyped = lore("sessions", "stop", f"{ended[:20]}{ended[21:]}")
    assert (mistyped.code, f"Did you mean {ended}?" in mistyped.err) == (1, True)
    assert f"There is no session 'ghost': there is {ended}." in lore("sessions", "show", "ghost").err
    assert lore("sessions", "stop", ended[:6]).json == {"status": "stopped"}
    assert lore("sessions", "delete", ended[:6]).json == {"status": "deleted"}


@pytest.mark.holds("session.cli.short-ids")
def test_a_beginning_of_several_sessions_names_them_and_changes_nothing(
    lore: Any, tmp_path: Path, sqlite_application: Application
) -> None:
    made = [sqlite_application.sessions.create().session_id for _ in range(2)]
    ids = [f"abcd{number}234-0000-4000-8000-000000000000" for number in (1, 2)]
    with closing(sqlite3.connect(tmp_path / "data" / "lore.db")) as raw, raw:
        raw.executemany("UPDATE sessions SET session_id = ? WHERE session_id = ?", zip(ids, made, strict=True))
    refused = lore("sessions", "delete", "abcd")
    assert refused.err == f"error: ID 'abcd' is the beginning of several sessions: {', '.join(ids)}\n"
    assert (refused.code, len(lore("sessions").json)) == (2, 2)


@pytest.mark.holds("session.cli.watch")
@pytest.mark.parametrize("arguments", [["watch", "x", "--since", "-1"], ["watch", "x", "--since", "a"], ["show"]])
def test_wrong_usage_is_refused(lore: Any, arguments: list[str]) -> None:
    assert lore("sessions", *arguments).code == 2


@pytest.mark.holds("session.cli.list")
def test_an_option_in_the_wrong_place_is_not_passed_over(lore: Any, tmp_path: Path) -> None:
    done = lore("sessions", "--data", str(tmp_path / "other"), "show", "x")
    assert done.code == 2
    assert "after `show`" in done.err
    assert not (tmp_path / "other").exists()


@pytest.mark.holds("session.cli.list", "session.cli.watch")
def test_a_person_sees_tables_and_no_text_of_a_plan_moves_the_cursor(tmp_path: Path, ended: str) -> None:
    seen = ""
    for arguments in ([], ["show", ended], ["watch", ended]):
        with on_terminal(MODULE, "sessions", *arguments, LORE_DATA_DIR=str(tmp_path / "data"), columns=200) as screen:
            assert screen.finish() == 0
        seen += screen.seen
    assert "Silent" in seen
    assert "skill_completed" in seen
    assert "\x1b[2J" not in seen


def left_by_a_killed_run(lore: Any, folder: Path, plan: Any = ASKING) -> str:
    with running_plan(folder, plan) as process:
        process.kill()
        process.wait(timeout=PATIENCE)
    (left,) = lore("sessions", "list").json
    assert (left["state"], left["waits"]) == ("executing", True)
    return str(left["id"])


def resumed(folder: Path, session_id: str, typed: str) -> "subprocess.CompletedProcess[str]":
    command = [*LORE, "sessions", "resume", session_id, "--data", str(folder / "data")]
    return forked.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.holds("session.cli.answer")
def test_a_question_is_answered_from_another_terminal(lore: Any, tmp_path: Path) -> None:
    with running_plan(tmp_path) as process:
        (running,) = lore("sessions").json
        assert lore("sessions", "answer", running["id"], "2").json == {"status": "ok"}
        assert process.wait(timeout=PATIENCE) == 0
        out, _ = process.communicate(timeout=PATIENCE)
    assert json.loads(out)["result"] == "went right"
    over = lore("sessions", "answer", running["id"], "2", "--json")
    assert (over.code, json.loads(over.err)["code"]) == (1, "conflict")


@pytest.mark.holds("session.cli.answer")
def test_an_answer_that_means_nothing_is_refused_and_the_question_stays(lore: Any, tmp_path: Path) -> None:
    wrong = [
        (["3"], 2, "There is no option 3"),
        (["left", "right"], 2, "one answer for each of: Way"),
        (["left", "--step", "ghost"], 1, "'ghost' asks nothing"),
    ]
    with running_plan(tmp_path):
        (running,) = lore("sessions").json
        for arguments, code, named in wrong:
            refused = lore("sessions", "answer", running["id"], *arguments)
            assert (refused.code, refused.out) == (code, b"")
            assert named in refused.err
            assert lore("sessions").json[0]["waits"]


@pytest.mark.holds("session.cli.resume", "session.cli.answer")
def test_what_a_killed_run_left_is_answered_and_then_taken_up_here(lore: Any, tmp_path: Path) -> None:
    asking = ASKING["steps"][0]
    steps = [asking, {**asking, "id": "next", "header": "Next", "storeAs": "next"}]
    plan = {"skillName": "Two", "steps": [*steps, {**OUT, "template": "{{way}} {{next}}"}]}
    left = left_by_a_killed_run(lore, tmp_path, plan)
    answered = lore("sessions", "answer", left, "left")
    assert answered.json == {"status": "ok"}
    assert f"lore sessions resume {left}" in answered.err
    done = resumed(tmp_path, left, "2\n")
    assert json.loads(done.stdout) == {"session_id": left, "outcome": "success", "result": "left right"}
    assert (done.returncode, done.stderr) == (0, "Which way? [Next]\n  1) left\n  2) right\n")


@pytest.mark.holds("session.cli.resume")
def test_an_open_question_of_a_killed_run_is_asked_where_it_is_resumed(lore: Any, tmp_path: Path) -> None:
    left = left_by_a_killed_run(lore, tmp_path)
    assert json.loads(resumed(tmp_path, left, "7\n1\n").stdout)["result"] == "went left"
    kinds = [event["type"] for event in map(json.loads, lore("sessions", "watch", left).out.splitlines())]
    assert kinds.count("skill_question") == 1
    again = resumed(tmp_path, left, "1\n")
    assert (again.returncode, again.stdout) == (1, "")
    assert "The session is over" in again.stderr


@pytest.mark.holds("session.cli.resume")
def test_a_resumed_build_tells_what_came_of_it_as_a_build_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = open_application(Settings(data_dir=tmp_path / "data", model="demo", embedder="none"))
    session_id = left.builds.begin({"spec": {"project": {"goal": "A page"}}}).session_id
    left.close()
    monkeypatch.setenv("LORE_MODEL", "none")  # so that its end comes at once
    told = json.loads(resumed(tmp_path, session_id, "").stdout)
    assert list(told) == ["session_id", "outcome", "summary", "nugget_dir", "url"]
    assert (told["session_id"], told["outcome"]) == (session_id, "failed")
    assert "LORE_MODEL" in told["summary"]


@pytest.mark.holds("session.cli.resume")
def test_what_a_living_process_runs_is_not_taken_from_it(lore: Any, tmp_path: Path) -> None:
    with running_plan(tmp_path) as process:
        (running,) = lore("sessions").json
        refused = resumed(tmp_path, running["id"], "")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "runs in another process" in refused.stderr
        out, _ = process.communicate("1\n", timeout=PATIENCE)
    assert json.loads(out)["result"] == "went left"


@pytest.mark.holds("session.cli.list", "session.cli.answer")
def test_on_a_terminal_the_list_says_who_waits_and_an_answer_is_asked_for(lore: Any, tmp_path: Path) -> None:
    left = left_by_a_killed_run(lore, tmp_path)
    data = str(tmp_path / "data")
    with on_terminal(MODULE, "sessions", "list", LORE_DATA_DIR=data, columns=200) as screen:
        assert screen.finish() == 0
    assert "waits for you" in screen.seen
    with on_terminal(MODULE, "sessions", "show", left, LORE_DATA_DIR=data) as screen:
        assert screen.finish() == 0
    for shown in (
        "waits for you",
        "Which way? [Way]\n  1) left\n  2) right\n",
        f"lore sessions answer {left} ANSWER\n",
    ):
        assert shown in screen.seen
    with on_terminal(MODULE, "sessions", "answer", left, LORE_DATA_DIR=data) as screen:
        screen.read_until("> ")
        screen.press(b"9\n")
        screen.read_until("There is no option 9")
        screen.press(b"right\n")
        assert screen.finish() == 0
    assert lore("sessions").json[0]["waits"] is False
