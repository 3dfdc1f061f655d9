"""Boards for the faces and for builds: found, flashed, listened to, simulated."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.clock import Clock, format_milliseconds, instant
from loreweave.contracts.session import AnswerTaken, DetectedBoard, FlashAnswer, StartedSimulation
from loreweave.contracts.session_events import DeployProgress, SessionEvent
from loreweave.end_tasks import break_off_tasks
from loreweave.errors import Conflict, Unavailable
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.programs import Programs
from loreweave.seams.host.sandbox import Sandbox
from loreweave.seams.host.serial_board import (
    Board,
    BoardPort,
    BoardTrouble,
    Summons,
    find_board,
    has_board,
    hold_file,
    port_busy,
    write_files,
    write_firmware,
)
from loreweave.work.hardware.board_lines import SECONDS, TICK, Listeners
from loreweave.work.hardware.board_program import MAIN, BoardProgram, NoProgram, emptied, find_faults, read_program
from loreweave.work.hardware.run_simulator import STOP, Simulations
from loreweave.work.sessions.session_log import SessionLog
from loreweave.work.sessions.session_run import patiently
from loreweave.work.sessions.session_service import SessionService
from loreweave.work.workspaces.workspace_service import LISTENED, WorkspaceService

NO_BOARD = "No board is connected: plug one in, or name its port in LORE_SERIAL_PORTS."
YIELD_SECONDS = 3.0  # in which those who listen to a port have made room
CLOSE_SECONDS = 10.0


@dataclass(eq=False, repr=False)
class HardwareService:
    """Listening and simulating go on in the background of the process that began them; a file calls them off, so that
    every process of the same workspaces can. `ports`: those configured; `firmware`: a file, and where it goes."""

    sessions: SessionService
    log: SessionLog
    workspaces: WorkspaceService
    open_sandbox: Callable[[], Sandbox]
    open_programs: Callable[[], Programs]
    ports: Sequence[str]
    firmware: str
    clock: Clock

    def __post_init__(self) -> None:
        self._background = _Background()
        self._listeners = Listeners(self._tell, self._now)
        self._simulations = Simulations(self.open_sandbox, self._background.submit, self._tell, self._now)

    def detect(self) -> DetectedBoard:
        board = self._board()
        if board is None:
            return DetectedBoard(detected=False)
        return DetectedBoard(detected=True, port=board.port, board_type=board.kind)

    def knows_port(self, port: str) -> bool:
        """One that the operator allows, or that has a board."""
        return port in self.ports or has_board(port)

    def flash(self, session_id: str) -> FlashAnswer:
        """By hand, after the build is done; answers once the board has started, or did not take it."""
        folder = self._finished(session_id)
        answer = self._background.submit(self.write(session_id, folder)).result()
        if answer.success:
            self.log.follow_up(session_id, [DeployProgress(step=answer.message, progress=100.0)]).result()
        return answer

    async def write(self, session_id: str, folder: ConfinedFolder) -> FlashAnswer:
        """Writes the program in the folder to the board, and listens to it from then on."""
        board = await asyncio.to_thread(self._board)
        if board is None:
            return FlashAnswer(success=False, message=NO_BOARD)
        try:
            program = await asyncio.to_thread(read_program, folder)
            await self._write(session_id, board.port, program)
        except (NoProgram, BoardTrouble) as trouble:
            return FlashAnswer(success=False, message=str(trouble))
        count = "1 file is" if len(program.files) == 1 else f"{len(program.files)} files are"
        return FlashAnswer(success=True, message=f"{count} on the board at {board.port}.")

    async def faults(self, session_id: str, folder: ConfinedFolder) -> str:
        """Why the program in the folder could not run on a board; nothing where it compiles."""
        home = self._home(session_id).below("compiled")
        try:
            program = await asyncio.to_thread(read_program, folder)
            await asyncio.to_thread(emptied, home)
            return await find_faults(program, home, self.open_sandbox(), self.open_programs())
        except NoProgram as trouble:
            return str(trouble)
        finally:
            await asyncio.to_thread(self._home(session_id).remove, "compiled")

    def install_firmware(self) -> FlashAnswer:
        """Writes the firmware that the operator named in the settings; nobody else can name one."""
        file, _, offset = self.firmware.partition("@")
        board = self._board()
        if not file or not Path(file).is_file():
            return FlashAnswer(success=False, message="LORE_FIRMWARE names no file.")
        if board is None:
            return FlashAnswer(success=False, message=NO_BOARD)
        home = self.workspaces.port_file(board.port).parent

        async def write(port: str) -> None:
            await write_firmware(port, Path(file), offset or "0x1000", home)

        try:
            self._background.submit(self._holding(board.port, write)).result().close()
        except BoardTrouble as trouble:
            return FlashAnswer(success=False, message=str(trouble))
        return FlashAnswer(success=True, message=f"{file} is on the board at {board.port}.")

    def simulate(self, session_id: str, inputs: Mapping[str, float]) -> StartedSimulation:
        """Runs the program over stand-ins, in place of a run of it that is under way."""
        folder = self._finished(session_id)
        try:
            program = read_program(folder)
        except NoProgram as trouble:
            raise Conflict(str(trouble), session_id=session_id) from None
        self._simulations.start(session_id, self._home(session_id), program, inputs)
        return StartedSimulation()

    def set_input(self, session_id: str, pin: str, value: float) -> AnswerTaken:
        self.sessions.row(session_id)
        self._simulations.set_input(session_id, self.workspaces.board_home(session_id), pin, value)
        return AnswerTaken()

    def is_simulating(self, session_id: str) -> bool:
        """In whatever process."""
        return self._simulations.is_running(self.workspaces.board_home(session_id))

    def is_listening(self, session_id: str) -> bool:
        """In this process."""
        return self._listeners.are_on(session_id)

    def stop(self, session_id: str) -> None:
        """Ends listening and simulating, in whatever process they go on."""
        home = self.workspaces.board_home(session_id).path
        if home.is_dir():
            Summons(home / STOP).call()
            for file in self.workspaces.listened_ports():
                with suppress(OSError, ValueError):
                    if json.loads(file.read_text()).get("session_id") == session_id:
                        file.unlink()

    def close(self) -> None:
        self._background.close()

    def _board(self) -> Board | None:
        return find_board(self.ports)

    def _home(self, session_id: str) -> ConfinedFolder:
        self.workspaces.make_root()
        home = self.workspaces.board_home(session_id)
        home.make_folder(0o700)
        return home

    def _finished(self, session_id: str) -> ConfinedFolder:
        row = self.sessions.row(session_id)
        if row.kind != "build" or row.state != "done":
            raise Conflict("The session is no finished build", session_id=session_id, state=row.state)
        nugget_dir = self.sessions.get(session_id).nugget_dir
        if nugget_dir is None:
            raise Conflict("The build made nothing", session_id=session_id, state=row.state)
        return self.workspaces.folder_for(nugget_dir)

    async def _write(self, session_id: str, port: str, program: BoardProgram) -> None:
        home = self._home(session_id)
        stage = home.below("flash")
        await asyncio.to_thread(emptied, stage)
        await asyncio.to_thread(program.put_into, stage)
        paths = sorted(program.files, key=lambda path: (path == MAIN, path))  # half of a program does not start

        async def write(port: str) -> None:
            await write_files(port, stage.path, paths)

        opened = await self._holding(port, write)
        until = self.clock.now().timestamp() + SECONDS
        note = {"session_id": session_id, "port": port, "until": until}
        self.workspaces.port_file(port).with_suffix(LISTENED).write_text(json.dumps(note))
        self._begin_listening(session_id, opened, until)

    def listen_on(self) -> None:
        """Goes on listening where a process that ended did, for as long as was left of it."""
        for file in self.workspaces.listened_ports():
            with suppress(OSError, ValueError, KeyError, BoardTrouble, Conflict):
                note = json.loads(file.read_text())
                is_here = file == self.workspaces.port_file(note["port"]).with_suffix(LISTENED)
                is_known = self.workspaces.board_home(note["session_id"]).path.is_dir()  # else it was deleted
                if not is_here or not is_known or note["until"] <= self.clock.now().timestamp():
                    continue
                opened = BoardPort(note["port"])
                if opened.take():
                    self._begin_listening(note["session_id"], opened, note["until"])
                else:
                    opened.close()

    def _begin_listening(self, session_id: str, opened: BoardPort, until: float) -> None:
        home, file = self._home(session_id), self.workspaces.port_file(opened.port)
        called, stopped = Summons(file), Summons(home.path / STOP)

        def is_over() -> bool:
            return called.came() or stopped.came() or not home.path.is_dir()

        listening = self._listeners.begin(session_id, opened, is_over, until - self.clock.now().timestamp())

        async def listened() -> None:
            await listening
            if not called.came():  # whoever called has a note of their own
                file.with_suffix(LISTENED).unlink(missing_ok=True)

        self._background.submit(listened())

    async def _holding(self, port: str, write: Callable[[str], Coroutine[Any, Any, None]]) -> BoardPort:
        """Writes while nobody else of us does, and nobody listens; the port is open then, with what came since."""
        file = self.workspaces.port_file(port)
        held = hold_file(file.with_suffix(".lock"))
        if held is None:
            raise port_busy(port)
        try:
            Summons(file).call()
            opened = BoardPort(port)
            try:
                until = time.monotonic() + YIELD_SECONDS
                while not opened.take():
                    if time.monotonic() > until:
                        raise port_busy(port)
                    await asyncio.sleep(TICK)
                opened.hand_over()
                await write(port)
                opened.listen()
            except BaseException:
                opened.close()
                raise
            return opened
        finally:
            os.close(held)

    async def _tell(self, session_id: str, events: Sequence[SessionEvent]) -> None:
        await patiently(lambda: asyncio.wrap_future(self.log.follow_up(session_id, events)))

    def _now(self) -> str:
        return format_milliseconds(instant(self.clock.now()))


class _Background:
    """An event loop in a thread of its own, begun with the first work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        with self._lock:
            if self._closed:
                work.close()
                raise Unavailable("The server is being closed.", part="hardware")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="loreweave-boards", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Breaks off whatever is under way; no process of it is left."""
        with self._lock:
            self._closed = True
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(break_off_tasks(CLOSE_SECONDS), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)
        self._loop.close()
