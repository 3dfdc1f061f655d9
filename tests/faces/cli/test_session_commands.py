"""`lore sessions`: what runs and what ran, in whatever process."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.faces.cli.running_plan import ASKING, LORE, OUT, run_plan, running_plan
from tests.faces.cli.terminal import on_terminal
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.contracts.wire import to_json

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
        watcher = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert watcher.stdout is not None
        seen = [watcher.stdout.readline()]
        while '"skill_question"' not in seen[-1]:
            seen.append(watcher.stdout.readline())
        process.communicate("left\n", timeout=PATIENCE)
        rest, _ = watcher.communicate(timeout=PATIENCE)
    assert watcher.returncode == 0
    told = [json.loads(line) for line in [*seen, *rest.splitlines()]]
    assert told == frames(sqlite_application, running["id"])
    assert told[-1]["type"] == "skill_completed"


@pytest.mark.holds("session.cli.show-stop-delete", "session.cli.watch")
@pytest.mark.parametrize("name", ["show", "stop", "delete", "watch"])
def test_an_unknown_session_is_a_refusal(lore: Any, name: str) -> None:
    done = lore("sessions", name, "ghost", "--json")
    assert (done.code, done.out) == (1, b"")
    assert json.loads(done.err)["code"] == "not_found"


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
