"""Builds whose target is a board: compiled, flashed where that is wished for, and partial where there is none."""

import os

import pytest
from tests.waits import eventually, line_with
from tests.work.builds.build_desk import found, types, writes
from tests.work.hardware.board_desk import TICKING, BoardDesk, children_of

from loreweave.contracts.session_events import AgentOutput
from loreweave.errors import InvalidInput
from loreweave.work.sessions.session_log import NotTheRunner

BLINK = writes(main__py="from machine import Pin\nPin(2, Pin.OUT).on()\n", index__html="<!doctype html>")


@pytest.mark.holds("board.deploy")
def test_without_auto_flash_the_program_is_only_compiled(desk: BoardDesk) -> None:
    desk.build.agents["one"] = BLINK
    log = desk.build.log(desk.build.start({"deployment": {"target": "esp32"}}))
    assert (log[-1]["outcome"], found(log, "error")) == ("success", [])
    assert found(log, "deploy_complete")[0].get("url") is None
    assert "The program compiles" in [event["step"] for event in found(log, "deploy_progress")]
    desk.build.agents["one"] = writes(main__py="def broken(:\n", lib_of_fine__py="x = 1\n")
    log = desk.build.log(desk.build.start({"deployment": {"target": "esp32"}}))
    assert (log[-1]["outcome"], found(log, "deploy_complete")) == ("partial", [])
    (error,) = found(log, "error", recoverable=True)
    assert "main.py:1" in error["message"]


@pytest.mark.holds("board.deploy", "board.flash")
def test_with_auto_flash_the_board_runs_it_before_the_build_is_done(desk: BoardDesk) -> None:
    desk.socket.plug_in()
    desk.build.agents["one"] = writes(main__py=TICKING, index__html="<!doctype html>")
    session_id = desk.build.start({"deployment": {"target": "both", "auto_flash": True}})
    log = desk.build.log(session_id, "session_complete")
    assert log[-1]["outcome"] == "success"
    assert found(log, "deploy_complete")[0]["url"].endswith(f"/{session_id}/")
    assert types(log, "deploy_started", "deploy_complete") == ["deploy_started", "deploy_complete"]
    progress = [event["progress"] for event in found(log, "deploy_progress")]
    assert progress == sorted(progress)
    assert found(log, "teaching_moment", concept="flash")
    assert (desk.socket.flash / "main.py").read_text() == TICKING
    desk.hears(session_id, "tick 10")
    kinds = types(desk.application.sessions.events(session_id, 0).events)
    assert set(kinds[kinds.index("session_complete") + 1 :]) == {"serial_data"}


@pytest.mark.lengthy(1)
@pytest.mark.holds("board.deploy")
@pytest.mark.parametrize(("target", "ends"), [("esp32", 0), ("both", 1)])
def test_without_a_board_a_build_is_partial(desk: BoardDesk, target: str, ends: int) -> None:
    desk.build.agents["one"] = BLINK
    log = desk.build.log(desk.build.start({"deployment": {"target": target, "auto_flash": True}}))
    assert log[-1]["outcome"] == "partial"
    assert len(found(log, "deploy_complete")) == ends
    (error,) = found(log, "error", recoverable=True)
    assert error["message"].startswith("No board is connected")


@pytest.mark.holds("build.stop", "board.flash")
def test_a_build_that_is_stopped_while_it_flashes_leaves_no_process(desk: BoardDesk) -> None:
    board = desk.socket.plug_in("stalls")
    desk.build.agents["one"] = BLINK
    session_id = desk.build.start({"deployment": {"target": "esp32", "auto_flash": True}})
    line_with("writing main.py", board, board.stdout)
    assert any("mpremote" in words for words in children_of(os.getpid()))
    desk.application.sessions.stop(session_id)
    eventually(lambda: not any("mpremote" in words for words in children_of(os.getpid())), "mpremote to be ended")
    assert desk.application.sessions.get(session_id).outcome == "stopped"
    assert desk.application.hardware.flash(session_id).success


@pytest.mark.holds("board.after-the-end")
def test_nothing_else_follows_the_end(desk: BoardDesk) -> None:
    session_id = desk.finished()
    before = desk.application.sessions.get(session_id).last_seq
    output = AgentOutput(task_id="one", agent_name="Builder", content="late")
    with pytest.raises(NotTheRunner):
        desk.application.session_tools.log.follow_up(session_id, [output]).result()
    assert desk.application.sessions.get(session_id).last_seq == before


@pytest.mark.holds("board.detect")
def test_a_port_of_a_portal_must_be_allowed_or_have_a_board(desk: BoardDesk) -> None:
    def portal(port: str) -> dict[str, object]:
        return {"portals": [{"name": "board", "mechanism": "serial", "serialConfig": {"port": port}}]}

    with pytest.raises(InvalidInput) as refused:
        desk.build.start(portal("/dev/null"))
    assert "portals.0.serialConfig.port" in str(refused.value.facts["fields"])
    assert desk.build.log(desk.build.start(portal(str(desk.socket.port))))[-1]["outcome"] == "success"


@pytest.mark.holds("board.detect")
def test_a_configured_port_counts_as_detected_while_it_is_there(desk: BoardDesk) -> None:
    hardware = desk.application.hardware
    assert hardware.detect().model_dump(exclude_none=True) == {"detected": False}
    desk.socket.plug_in()
    assert hardware.detect().model_dump(exclude_none=True) == {"detected": True, "port": str(desk.socket.port)}
    desk.socket.pull_out()
    assert not hardware.detect().detected
