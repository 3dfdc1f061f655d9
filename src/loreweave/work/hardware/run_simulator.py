"""The program of a board, run in the sandbox over stand-ins, as the board would run it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from loreweave.contracts.session_events import BoardState, PinState, SerialData, SessionEvent
from loreweave.errors import Conflict, NotFound, Unavailable
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.sandbox import Command, CommandResult, Sandbox
from loreweave.seams.host.serial_board import Summons, hold_file
from loreweave.work.hardware import simulated_board
from loreweave.work.hardware.board_lines import LONGEST, SECONDS, TICK, cleaned, listen
from loreweave.work.hardware.board_program import BoardProgram, emptied

MOST_PINS = 64
MOST_COLOURS = 300
MOST_AT_ONCE = 8  # of one process
YIELD_SECONDS = 6.0  # in which a simulation that is called off has ended
STOP, _CALLED, _FILES, _INPUTS = "stop", "simulator", "files", "inputs.json"
_RUNS = "simulator.lock"  # held by whoever runs one
STATE_SECONDS = 0.1  # between two events that tell of pins
_CHUNK = 65_536
_STATE = simulated_board.STATE.encode()
_PIN = re.compile(r"[A-Za-z0-9_.]{1,20}")
_COLOUR = re.compile("#[0-9a-f]{6}")
Tell = Callable[[str, Sequence[SessionEvent]], Awaitable[None]]


@dataclass(eq=False, repr=False)
class Simulations:
    """Those that this process runs; a file in the home of a board says that one runs, in whatever process."""

    open_sandbox: Callable[[], Sandbox]
    submit: Callable[[Coroutine[Any, Any, Any]], Any]
    tell: Tell
    now: Callable[[], str]

    def __post_init__(self) -> None:
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._setting = threading.Lock()

    def start(self, session_id: str, home: ConfinedFolder, program: BoardProgram, inputs: Mapping[str, float]) -> None:
        held = _taken(home.path / _RUNS, Summons(home.path / _CALLED))
        if held is None:
            raise Conflict("A simulation of this build does not end", session_id=session_id)
        if not self._places.acquire(blocking=False):
            os.close(held)
            raise Unavailable(f"{MOST_AT_ONCE} simulations run already", part="simulator")
        emptied(home.below(_FILES))
        _write_inputs(home, inputs)
        called, stopped = Summons(home.path / _CALLED), Summons(home.path / STOP)
        simulation = Simulation(home.below(_FILES), partial(self.tell, session_id), self.now)

        async def run() -> None:
            def is_over() -> bool:
                return called.came() or stopped.came() or not home.path.is_dir()

            try:
                with suppress(NotFound):  # the session was deleted
                    await simulation.run(program, await asyncio.to_thread(self.open_sandbox), is_over)
            finally:
                self._places.release()
                os.close(held)

        self.submit(run())

    def set_input(self, session_id: str, home: ConfinedFolder, pin: str, value: float) -> None:
        if not self.is_running(home):
            raise Conflict("No simulation of this build runs", session_id=session_id)
        with self._setting:
            _write_inputs(home, {**json.loads(home.read_text(_INPUTS)), pin: value})

    def is_running(self, home: ConfinedFolder) -> bool:
        if not home.path.is_dir():
            return False
        free = hold_file(home.path / _RUNS)
        if free is not None:
            os.close(free)
        return free is None


def _write_inputs(home: ConfinedFolder, inputs: Mapping[str, float]) -> None:
    """What is kept outside the sandbox is ours; the copy inside is the program's to read."""
    told = json.dumps(dict(inputs))
    home.write_text(_INPUTS, told)
    home.below(_FILES).write_text(simulated_board.INPUTS, told)


def _taken(lock: Path, summons: Summons) -> int | None:
    """Held as soon as whoever has it let go, being called; nothing where they do not."""
    until = time.monotonic() + YIELD_SECONDS
    while (held := hold_file(lock)) is None and time.monotonic() < until:
        summons.call()
        time.sleep(TICK)
    return held


class Simulation:
    """One run. `now` gives the time as events tell it."""

    def __init__(
        self, folder: ConfinedFolder, tell: Callable[[Sequence[SessionEvent]], Awaitable[None]], now: Callable[[], str]
    ) -> None:
        self._folder = folder
        self._tell_events = tell
        self._now = now
        self._rest = b""
        self._pins: dict[str, PinState] = {}
        self._told: dict[str, PinState] | None = None
        self._told_at = 0.0

    async def run(self, program: BoardProgram, sandbox: Sandbox, is_over: Callable[[], bool]) -> None:
        await asyncio.to_thread(program.put_into, self._folder)
        pipe = self._folder.path / simulated_board.PIPE
        os.mkfifo(pipe, 0o600)
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        source = Path(simulated_board.__file__).read_text(encoding="utf-8")
        argv = (sys.executable, "-I", "-S", "-B", "-c", source)
        running = asyncio.ensure_future(sandbox.run(Command(argv, self._folder.path, seconds=SECONDS)))
        try:
            await listen(self._read, self._tell, lambda: running.done() or is_over())
            why = _why(running.result()) if running.done() else "stopped"
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            os.close(self._pipe)
        await self._tell_state(at_once=True)
        await self._tell([f"[{why}]"[:LONGEST]])

    def _read(self) -> bytes:
        """What was printed since; what was told of pins between is taken out."""
        try:
            data = os.read(self._pipe, _CHUNK)
        except BlockingIOError:
            return b""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _CHUNK:
            whole.append(self._rest)
            self._rest = b""
        for line in whole:
            if line.startswith(_STATE):
                self._pins = _pins(line[len(_STATE) :])
        return b"".join(line + b"\n" for line in whole if not line.startswith(_STATE))

    async def _tell(self, lines: Sequence[str]) -> None:
        if lines:
            now = self._now()
            await self._tell_events([SerialData(line=line, timestamp=now, source="simulator") for line in lines])
        await self._tell_state()

    async def _tell_state(self, *, at_once: bool = False) -> None:
        if self._pins != self._told and (at_once or time.monotonic() - self._told_at >= STATE_SECONDS):
            self._told, self._told_at = self._pins, time.monotonic()
            await self._tell_events([BoardState(pins=self._pins)])


def _why(result: CommandResult) -> str:
    if result.timed_out:
        return f"ended after {SECONDS / 60:g} minutes"
    if result.over_limit:
        return result.over_limit
    if result.exit_code != 0:
        return cleaned(f"the program broke off: {result.output.strip()[-200:]}".replace("\n", " "))
    return "the program ended"


def _pins(told: bytes) -> dict[str, PinState]:
    """A stranger's word: what is no state of a pin is left out."""
    try:
        given: Any = json.loads(told)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, PinState] = {}
    for name, state in list(given.items())[:MOST_PINS] if isinstance(given, dict) else ():
        with suppress(ValueError):
            pin = PinState.model_validate(state)
            colours = pin.colours or []
            if _PIN.fullmatch(name) and len(colours) <= MOST_COLOURS and all(map(_COLOUR.fullmatch, colours)):
                found[name] = pin
    return found
