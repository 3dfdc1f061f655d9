"""A finished build, and boards on pseudo-terminals that are plugged in and pulled out."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.model_server import ModelServer
from tests.waits import eventually, line_with
from tests.work.builds.build_desk import BuildDesk, build_desk, writes

from loreweave.application import Application

Json = dict[str, Any]
PROGRAM = Path(__file__).with_name("pseudo_board.py")
TICKING = "import time\nnumber = 0\nwhile True:\n    print('tick', number)\n    number += 1\n    time.sleep(0.05)\n"


class Socket:
    """Where boards are plugged in and pulled out; `port` is there while one is in."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "port"
        self.flash = folder / "flash"
        self.flash.mkdir()
        self.board: subprocess.Popen[str] | None = None

    def plug_in(self, *manners: str) -> "subprocess.Popen[str]":
        self.pull_out()
        self.board = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(self.flash), *manners], stdout=subprocess.PIPE, text=True
        )
        self.connect("/dev/")
        return self.board

    def connect(self, word: str) -> None:
        """Waits for the line with this word, which ends with the name of the board's terminal."""
        assert self.board is not None
        name = line_with(word, self.board, self.board.stdout)[-1].split()[-1]
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(name)

    def pull_out(self) -> None:
        if self.board is not None:
            self.port.unlink()  # first: the kernel gives the name of its terminal to whoever asks next
            self.board.terminate()
            self.board.wait()
            assert self.board.stdout is not None
            self.board.stdout.close()
            self.board = None


class BoardDesk:
    """A build to flash, and the socket that its application knows."""

    def __init__(self, build: BuildDesk, socket: Socket) -> None:
        self.build = build
        self.socket = socket
        self.application: Application = build.application

    def finished(self, spec: Json | None = None, **files: str) -> str:
        """The id of a build that made these files."""
        self.build.otherwise = writes(**(files or {"main__py": TICKING}))
        session_id = self.build.start(spec)
        assert self.build.log(session_id)[-1]["type"] == "session_complete"
        return session_id

    def folder(self, session_id: str) -> Path:
        return Path(self.application.sessions.get(session_id).nugget_dir or "")

    def said(self, session_id: str, *kinds: str) -> list[Json]:
        """What the log holds of boards."""
        events = self.application.sessions.events(session_id, 0).events
        return [event for event in events if event["type"] in (kinds or ("serial_data",))]

    def hears(self, session_id: str, text: str, **fields: Any) -> Json:
        """Waits for a line that holds the text."""
        found: list[Json] = []

        def is_said() -> bool:
            found[:] = [
                event
                for event in self.said(session_id)
                if text in event["line"] and all(event.get(name) == value for name, value in fields.items())
            ]
            return bool(found)

        eventually(is_said, f"the line {text!r}")
        return found[0]

    def pins(self, session_id: str) -> Json:
        states = self.said(session_id, "board_state")
        return states[-1]["pins"] if states else {}


@contextmanager
def board_desk(folder: Path, model: ModelServer, **settings: Any) -> Iterator[BoardDesk]:
    ports = {"serial_ports": (str(folder / "port"),)}
    with socket_in(folder) as socket, build_desk(folder / "data", model, **ports, **settings) as build:
        yield BoardDesk(build, socket)


@contextmanager
def socket_in(folder: Path) -> Iterator[Socket]:
    socket = Socket(folder)
    try:
        yield socket
    finally:
        socket.pull_out()


def children_of(process: int) -> list[str]:
    """The command lines of all that came of a process and is alive."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found += [words, *children_of(int(entry.name))]
        except (OSError, ValueError, IndexError):
            continue
    return found
