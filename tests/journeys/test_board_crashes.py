"""A server is killed while it writes to a board: afterwards the board is written again, and nothing is left behind."""

from pathlib import Path

import pytest
from tests import forked
from tests.faces.served import LORE
from tests.journeys.session_server import Json, SessionServer, model_settings, session_server
from tests.model_server import Asked, ModelServer, Turn, call, say
from tests.pace import PATIENCE
from tests.waits import eventually, line_with
from tests.work.hardware.board_desk import TICKING, Socket, children_of, socket_in

PLAN = {
    "tasks": [{"id": "a", "name": "Blink", "description": "", "agent_name": "Builder", "dependencies": []}],
    "agents": [],
    "plan_explanation": "One program.",
}
SPEC = {"project": {"goal": "A lamp"}, "deployment": {"target": "esp32", "auto_flash": True}}


def played(asked: Asked) -> Turn:
    purpose = asked.headers["x-lore-purpose"]
    if purpose == "plan":
        return call(("final_result", PLAN))
    if purpose == "narrate":
        return call(("final_result", {"text": "Hm.", "mood": "excited"}))
    if "tool_result" in asked.text:
        return say("done")
    files = {"main.py": TICKING, "lib/names.py": "NAMES = 1\n"}
    return call(*(("write_file", {"path": path, "content": text}) for path, text in files.items()))


def killed_while_writing(server: SessionServer, socket: Socket) -> None:
    board = socket.board
    assert board is not None
    line_with("writing main.py", board, board.stdout)
    children = children_of(server.process.pid)
    assert any("mpremote" in words for words in children)
    assert not any("sk-ant-test" in words for words in children)
    server.kill()


@pytest.mark.holds("board.crash", "board.flash")
def test_a_flash_that_was_killed_is_done_again(tmp_path: Path, model_server: ModelServer, database_url: str) -> None:
    """A build, a server, and three of its lives take their time."""
    model_server.script(*[played] * 100)
    with socket_in(tmp_path) as socket:
        environment = {
            **model_settings(model_server),
            "LORE_DATABASE_URL": database_url,
            "LORE_SERIAL_PORTS": str(socket.port),
        }
        socket.plug_in("stalls")
        with session_server(tmp_path / "data", **environment) as server:
            session_id = server.post("/api/sessions").json()["session_id"]
            assert server.post(f"/api/sessions/{session_id}/start", {"spec": SPEC}).status_code == 200
            killed_while_writing(server, socket)
        with session_server(tmp_path / "data", **environment) as server:
            log = server.watch_until(session_id, "session_complete")
            assert log[-1]["outcome"] == "success"
            assert [event["type"] for event in log].count("deploy_complete") == 1
            assert (socket.flash / "main.py").read_text() == TICKING
            server.watch_until(session_id, "serial_data", since=log[-1]["seq"])
            socket.plug_in("stalls")  # another one, as empty as the first was
            (socket.flash / "main.py").unlink()
            _flash_in_background(server, session_id)
            killed_while_writing(server, socket)
        with session_server(tmp_path / "data", **environment) as server:
            assert server.get("/api/hardware/detect") == {"detected": True, "port": str(socket.port)}
            flashed = server.post(f"/api/hardware/flash/{session_id}").json()
            assert flashed == {"success": True, "message": f"2 files are on the board at {socket.port}."}
            assert (socket.flash / "main.py").read_text() == TICKING
            last = server.session(session_id)["last_seq"]
            server.watch_until(session_id, "serial_data", since=last)
            server.stop(session_id)
            eventually(lambda: not _is_told(server, session_id), "listening to end")


def _flash_in_background(server: SessionServer, session_id: str) -> None:
    import threading
    from contextlib import suppress

    import httpx

    def flash() -> None:
        with suppress(httpx.HTTPError):  # its server is killed
            server.post(f"/api/hardware/flash/{session_id}")

    threading.Thread(target=flash, daemon=True).start()


def _is_told(server: SessionServer, session_id: str) -> bool:
    """Whether another line comes within a few of the board's own."""
    import threading

    before = server.session(session_id)["last_seq"]
    threading.Event().wait(0.3)
    return bool(server.session(session_id)["last_seq"] != before)


@pytest.mark.holds("board.commands")
def test_boards_are_flashed_and_simulated_from_the_command_line(tmp_path: Path, model_server: ModelServer) -> None:
    """A cold build and three cold commands take their time."""
    model_server.script(*[played] * 100)
    with socket_in(tmp_path) as socket:
        environment = {**model_settings(model_server), "LORE_DATA_DIR": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
        environment["LORE_EMBEDDER"] = "none"
        spec = tmp_path / "spec.json"
        spec.write_text('{"project": {"goal": "A lamp"}}')
        built = _command(environment, "build", str(spec))
        session_id = built["session_id"]
        program = Path(built["nugget_dir"]) / "main.py"
        program.write_text("print('hello', end='')\n")
        assert _command(environment, "hardware", "detect", code=1) == {"detected": False}
        board = socket.plug_in()
        environment["LORE_SERIAL_PORTS"] = str(socket.port.readlink())
        assert _command(environment, "hardware", "detect") == {
            "detected": True,
            "port": environment["LORE_SERIAL_PORTS"],
        }
        assert _command(environment, "hardware", "flash", session_id[:8])["success"]
        line_with("reset", board, board.stdout)
        program.write_text(
            "from machine import Pin\nimport time\npin = Pin(12, Pin.IN)\n"
            "while not pin.value():\n    time.sleep_ms(10)\nprint('pressed')\n"
        )
        told = forked.run(
            [*LORE, "hardware", "simulate", session_id],
            input="12 1\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=environment,
        )
        assert (told.returncode, told.stderr) == (0, "")
        assert '"line": "pressed"' in told.stdout
        assert '"line": "[the program ended]"' in told.stdout


def _command(environment: dict[str, str], *arguments: str, code: int = 0) -> Json:
    import json

    done = forked.run([*LORE, *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert done.returncode == code, done.stderr
    found: Json = json.loads(done.stdout)
    return found
