"""The end of a build: rules, the page that is shown, portals, and what is exported."""

import io
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest
from tests.model_server import Asked, Turn, call, say
from tests.work.builds.build_desk import BuildDesk, Json, found, place, types, writes, wrote

from loreweave.errors import Conflict

PAGE = writes(index__html="<!doctype html><title>It</title>", src_of_app__js="1")
RULE = {"id": "r", "name": "No names", "prompt": "There are no names in it.", "trigger": "before_deploy"}


def fetched(url: str, host: str | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(url, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, b""


@pytest.mark.holds("build.deploy.page")
def test_a_page_is_shown_on_a_port_of_its_own_and_nothing_else_is(desk: BuildDesk) -> None:
    desk.agents["one"] = PAGE
    session_id = desk.start()
    log = desk.log(session_id)
    url = found(log, "deploy_complete")[0]["url"]
    assert url.endswith(f"/{session_id}/")
    folder = Path(found(log, "workspace_created")[0]["nugget_dir"])
    (folder / ".hidden").write_text("no")
    (folder / "link").symlink_to("/etc/passwd")
    assert fetched(url) == (200, b"<!doctype html><title>It</title>")
    assert fetched(url + "src/app.js") == (200, b"1")
    for path in (".hidden", ".git/HEAD", "link", "src/", "src", "../lore.db", "%2e%2e/lore.db", "nothing"):
        assert fetched(url + path)[0] == 404, path
    assert fetched(url, host="evil.example")[0] == 403
    assert types(log)[-1] == "session_complete"
    kinds = types(log, "deploy_started", "deploy_checklist", "deploy_progress", "deploy_complete")
    assert kinds[:2] == ["deploy_started", "deploy_checklist"]
    assert kinds[-1] == "deploy_complete"
    progress = [event["progress"] for event in found(log, "deploy_progress")]
    assert progress == sorted(progress)


@pytest.mark.holds("build.page.gates")
def test_at_a_gate_what_is_there_so_far_can_be_looked_at(desk: BuildDesk) -> None:
    desk.agents["one"] = PAGE
    session_id = desk.start({"workflow": {"human_gates": ["Good so far?"]}})
    desk.log(session_id, "human_gate")
    url = desk.application.sessions.get(session_id).url
    assert url is not None
    assert fetched(url)[0] == 200
    desk.application.sessions.answer_gate(session_id, True, "", None, None)
    assert found(desk.log(session_id), "deploy_complete")[0]["url"] == url


@pytest.mark.holds("build.deploy.no-page")
@pytest.mark.parametrize(("target", "outcome", "ends"), [("preview", "success", 1), ("web", "partial", 0)])
def test_without_a_page_a_preview_completes_and_a_website_does_not(
    desk: BuildDesk, target: str, outcome: str, ends: int
) -> None:
    log = desk.log(desk.start({"deployment": {"target": target}}))
    assert len(found(log, "deploy_complete")) == ends
    assert len(found(log, "error", recoverable=True)) == 1 - ends
    assert log[-1]["outcome"] == outcome


def checked(said: str) -> Json:
    def turn(asked: Asked) -> Turn:
        return say(said)

    return {"deploy-check": turn}


@pytest.mark.holds("build.deploy.rules")
@pytest.mark.parametrize(("approved", "outcome"), [(True, "success"), (False, "partial")])
def test_a_rule_that_may_not_be_kept_is_decided_at_a_gate(desk: BuildDesk, approved: bool, outcome: str) -> None:
    desk.agents = {"one": PAGE, **checked("FAIL: there is a name")}
    session_id = desk.start({"rules": [RULE]})
    log = desk.log(session_id, "human_gate")
    (gate,) = found(log, "human_gate")
    assert "there is a name" in gate["context"]
    assert desk.application.sessions.get(session_id).state == "reviewing"
    desk.application.sessions.answer_gate(session_id, approved, "", None, None)
    log = desk.log(session_id)
    assert log[-1]["outcome"] == outcome
    assert bool(found(log, "deploy_complete")) is approved
    tools = desk.requests(task_id="deploy-check")[0].tools
    assert "write_file" not in tools
    assert "read_file" in tools


@pytest.mark.holds("build.deploy.rules")
def test_what_a_check_may_not_do_is_told_of_a_task_that_people_know(desk: BuildDesk) -> None:
    def checks(asked: Asked) -> Turn:
        return say("PASS") if wrote(asked) else call(("read_file", {"path": "../secret"}))

    desk.agents["deploy-check"] = checks
    log = desk.log(desk.start({"rules": [RULE]}))
    (denied,) = found(log, "permission_auto_resolved", permission_type="file_read")
    assert (denied["task_id"], denied["decision"]) == ("one", "denied")
    assert log[-1]["outcome"] == "success"


@pytest.mark.holds("build.deploy.rules")
def test_a_rule_that_is_kept_asks_nobody(desk: BuildDesk) -> None:
    desk.agents = {"one": PAGE, **checked("PASS")}
    log = desk.log(desk.start({"rules": [RULE]}))
    assert not found(log, "human_gate")
    assert log[-1]["outcome"] == "success"
    assert found(log, "deploy_checklist")[0]["rules"] == [{"name": RULE["name"], "prompt": RULE["prompt"]}]


@pytest.mark.holds("build.portals")
def test_portals_run_in_order_and_one_that_fails_keeps_nobody_from_running(desk: BuildDesk) -> None:
    desk.agents["one"] = writes(
        first__py="import os\nprint('first', sorted(os.environ))",
        second__py="raise SystemExit(3)",
        third__py="print('third')",
    )
    names = ("first", "second", "third")
    portals = [
        {"id": name, "name": name, "mechanism": "cli", "cliConfig": {"command": "python", "args": [f"{name}.py"]}}
        for name in names
    ]
    portals[0]["cliConfig"]["env"] = {"COLOUR": "red"}  # type: ignore[index]
    log = desk.log(desk.start({"portals": portals}))
    steps = [event["step"] for event in found(log, "deploy_progress")]
    assert steps[0].startswith("first")
    assert "COLOUR" in steps[0]
    assert "ANTHROPIC" not in steps[0]
    assert "LORE" not in steps[0]
    assert "third" in steps
    (failed,) = found(log, "error")
    assert "'second'" in failed["message"]
    assert failed["recoverable"] is True
    assert place(log, "error") < place(log, "deploy_complete")
    assert log[-1]["outcome"] == "partial"


@pytest.mark.holds("build.export")
def test_what_was_built_is_exported_byte_for_byte(desk: BuildDesk) -> None:
    desk.agents["one"] = PAGE
    idle = desk.application.sessions.create().session_id
    with pytest.raises(Conflict):
        desk.application.builds.export(idle)
    session_id = desk.start()
    desk.log(session_id)
    first, second = (desk.application.builds.export(session_id) for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.namelist() == ["index.html", "src/app.js"]
        assert archive.read("src/app.js") == b"1"
