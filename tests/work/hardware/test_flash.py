"""A board on a pseudo-terminal is flashed by the real mpremote, and listened to."""

import fcntl
import os
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.waits import eventually, line_with
from tests.work.hardware.board_desk import TICKING, BoardDesk, board_desk

from loreweave.application import open_application
from loreweave.errors import Conflict, NotFound


@pytest.mark.holds("board.flash", "board.monitor", "board.after-the-end")
def test_a_build_is_flashed_byte_for_byte_and_its_board_is_heard(desk: BoardDesk) -> None:
    session_id = desk.finished(
        main__py="import lib.names\n" + TICKING,
        lib_of_names__py="NAMES = 'ümlaut'\n" * 100,
        lib_of_deep_of_more__py="",
        tests_of_test_it__py="assert False\n",
        _hidden_of_x__py="y\n",
        notes__txt="no program\n",
    )
    made = desk.folder(session_id)
    (made / ".cache").mkdir()
    (made / ".cache" / "old.py").write_text("no\n")
    (made / "lib" / "names.py").write_bytes(bytes(range(256)) * 20 + b"'''\r\n\x00")
    (made / "main.py").write_text(TICKING)
    board = desk.socket.plug_in()
    answer = desk.application.hardware.flash(session_id)
    assert (answer.success, answer.message) == (True, f"4 files are on the board at {desk.socket.port}.")
    flashed = {path.relative_to(desk.socket.flash).as_posix() for path in desk.socket.flash.rglob("*.py")}
    assert flashed == {"main.py", "lib/names.py", "lib/deep/more.py", "_hidden/x.py"}
    assert all((desk.socket.flash / path).read_bytes() == (made / path).read_bytes() for path in flashed)
    line_with("reset", board, board.stdout)
    first = desk.hears(session_id, "tick 0")
    assert "source" not in first
    desk.hears(session_id, "tick 3")
    log = desk.application.sessions.events(session_id, 0).events
    end = [event["type"] for event in log].index("session_complete")
    assert {event["type"] for event in log[end + 1 :]} == {"serial_data", "deploy_progress"}
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert desk.application.sessions.get(session_id).state == "done"


@pytest.mark.holds("board.flash")
def test_src_is_the_root_where_it_alone_has_a_main(desk: BoardDesk) -> None:
    session_id = desk.finished(src_of_main__py="print('from src')\n", setup__py="x\n")
    desk.socket.plug_in()
    assert desk.application.hardware.flash(session_id).success
    assert [path.name for path in desk.socket.flash.iterdir()] == ["main.py"]
    desk.hears(session_id, "from src")


@pytest.mark.holds("board.monitor")
def test_listening_ends_at_a_stop_at_the_next_flash_and_when_the_board_is_pulled_out(desk: BoardDesk) -> None:
    session_id = desk.finished()
    desk.socket.plug_in()
    hardware = desk.application.hardware
    assert hardware.flash(session_id).success
    desk.hears(session_id, "tick 1")
    assert hardware.flash(session_id).success  # the port was ours, and is free for us
    desk.application.sessions.stop(session_id)
    port = os.open(desk.socket.port, os.O_RDWR | os.O_NOCTTY)
    eventually(lambda: _is_free(port), "the port to be let go")
    os.close(port)
    assert hardware.flash(session_id).success
    desk.socket.pull_out()
    eventually(lambda: not hardware.is_listening(session_id), "nobody to listen to a board that is gone")
    assert hardware.flash(session_id).message.startswith("No board is connected")


@pytest.mark.lengthy
@pytest.mark.holds("board.monitor")
def test_a_board_that_goes_with_its_reset_is_heard_when_it_is_back(desk: BoardDesk) -> None:
    session_id = desk.finished()
    desk.socket.plug_in("returns")
    assert desk.application.hardware.flash(session_id).success
    desk.socket.connect("again ")
    desk.hears(session_id, "tick")


@pytest.mark.lengthy
@pytest.mark.holds("board.monitor", "board.flash")
def test_another_process_that_flashes_the_board_is_let_in(desk: BoardDesk) -> None:
    session_id = desk.finished()
    desk.socket.plug_in()
    assert desk.application.hardware.flash(session_id).success
    desk.hears(session_id, "tick 1")
    other = open_application(desk.application.settings, takes_work=False)
    try:
        assert other.hardware.flash(session_id).success
        eventually(lambda: not desk.application.hardware.is_listening(session_id), "the first to make room")
        assert other.hardware.is_listening(session_id)
        desk.application.sessions.stop(session_id)
        eventually(lambda: not other.hardware.is_listening(session_id), "a stop to be heard in the other")
    finally:
        other.close()


def _is_free(port: int) -> bool:
    try:
        fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    fcntl.flock(port, fcntl.LOCK_UN)
    return True


@pytest.mark.holds("board.flash.refusals")
def test_what_cannot_be_flashed_is_refused_or_fails_with_a_reason(desk: BoardDesk) -> None:
    hardware = desk.application.hardware
    with pytest.raises(NotFound):
        hardware.flash("00000000-0000-0000-0000-000000000000")
    waiting = desk.application.sessions.create().session_id
    with pytest.raises(Conflict):
        hardware.flash(waiting)
    session_id = desk.finished(page__html="no program\n")
    answer = hardware.flash(session_id)
    assert not answer.success
    assert answer.message.startswith("No board is connected")
    desk.socket.plug_in("lies")
    assert hardware.flash(session_id).message == "There is no main.py that a board could run."
    (desk.folder(session_id) / "main.py").write_text("print(1)\n")
    assert hardware.flash(session_id).message == "The board holds other bytes than were written to it."
    assert desk.said(session_id) == []


@pytest.mark.holds("board.flash.refusals")
def test_a_port_that_another_program_has_is_busy(desk: BoardDesk) -> None:
    session_id = desk.finished()
    desk.socket.plug_in()
    port = os.open(desk.socket.port, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(port, fcntl.LOCK_EX)
    with pytest.raises(Conflict) as refused:
        desk.application.hardware.flash(session_id)
    assert "busy" in refused.value.message
    os.close(port)
    assert desk.application.hardware.flash(session_id).success


@pytest.mark.holds("board.flash.silent")
def test_a_silent_board_fails_in_time(desk: BoardDesk) -> None:
    """The board is waited for, ten seconds; half a minute is the promise."""
    session_id = desk.finished()
    desk.socket.plug_in("silent")
    answer = desk.application.hardware.flash(session_id)
    assert (answer.success, "does not answer" in answer.message) == (False, True)
    desk.socket.pull_out()
    desk.socket.plug_in()
    assert desk.application.hardware.flash(session_id).success


@pytest.mark.holds("board.flash.silent")
def test_a_board_that_vanishes_while_it_is_written_fails(desk: BoardDesk) -> None:
    session_id = desk.finished()
    board = desk.socket.plug_in("vanishes")
    answer = desk.application.hardware.flash(session_id)
    assert (answer.success, answer.message) == (False, "The board is gone.")
    assert board.wait() == 0


@pytest.mark.holds("board.firmware")
def test_only_the_firmware_that_the_operator_names_is_written(tmp_path: Path, model_server: ModelServer) -> None:
    """esptool tries the silent port for a while."""
    with board_desk(tmp_path, model_server) as desk:
        answer = desk.application.hardware.install_firmware()
        assert (answer.success, answer.message) == (False, "LORE_FIRMWARE names no file.")
    named = tmp_path / "named"
    named.mkdir()
    (named / "esp32.bin").write_bytes(b"\xe9" * 64)
    with board_desk(named, model_server, firmware=f"{named / 'esp32.bin'}@0x1000") as desk:
        assert desk.application.hardware.install_firmware().message.startswith("No board is connected")
        desk.socket.plug_in("silent")
        answer = desk.application.hardware.install_firmware()
        assert not answer.success
        assert answer.message.startswith("esptool could not write the firmware: ")


@pytest.mark.holds("board.monitor")
def test_a_board_is_listened_to_by_the_next_server_for_what_is_left_of_the_time(desk: BoardDesk) -> None:
    session_id = desk.finished()
    desk.socket.plug_in()
    first = open_application(desk.application.settings, takes_work=False)
    try:
        assert first.hardware.flash(session_id).success
        desk.hears(session_id, "tick 1")
    finally:
        first.close()
    before = len(desk.said(session_id))
    hardware = desk.application.hardware
    hardware.listen_on()
    assert hardware.is_listening(session_id)
    eventually(lambda: len(desk.said(session_id)) > before + 2, "more of what the board says")
    desk.application.sessions.stop(session_id)
    eventually(lambda: not hardware.is_listening(session_id), "a stop to be heard")
    hardware.listen_on()
    assert not hardware.is_listening(session_id), "what was stopped is not begun again"
