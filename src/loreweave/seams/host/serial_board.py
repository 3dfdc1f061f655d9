"""A board on a serial port: found by its USB id, written to by mpremote or esptool in a child process, and listened to.

Nothing of ours reaches a board but the files that are named: the child has no environment, no home and no folder of
ours. The port is open here too while the child writes, so that nothing the board says after its reset is lost.
"""

import errno
import os
import re
import secrets
import sys
import termios
import tty
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from loreweave.errors import Conflict
from loreweave.seams.host.run_process import ProcessOrder, run_process
from loreweave.seams.host.sandbox import MEBIBYTE, CommandLimits, CommandResult

_KNOWN = {"10C4:EA60": "ESP32 (CP210x)", "1A86:55D4": "ESP32 (CH9102)"}
_ESPRESSIF, _ESPRESSIF_BOARD = 0x303A, "ESP32 (native USB)"
_SILENCE = 10  # seconds without a byte after which a board is given up
_SLOWEST = 1_000  # bytes a second
_FIRMWARE_SECONDS = 300.0
_CHUNK = 65_536
_SHOWN = 300  # characters of what a program said when it failed
# mpremote waits for some answers for ever: its reads are watched.
_MPREMOTE = f"""
import os, signal, sys
import serial
def give_up(*_):
    os.write(2, b"\\nthe board is silent\\n")
    os._exit(3)
class Port(serial.Serial):
    def read(self, size=1):
        data = super().read(size)
        if data:
            signal.alarm({_SILENCE})
        return data
signal.signal(signal.SIGALRM, give_up)
signal.alarm({_SILENCE})
serial.Serial = Port
from mpremote.main import main
sys.exit(main())
"""
_MAKE_FOLDERS = "import os\nfor name in {!r}:\n try:\n  os.mkdir(name)\n except OSError:\n  pass"


@dataclass(frozen=True, slots=True)
class Board:
    """`kind` where its USB id tells it."""

    port: str
    kind: str | None = None


class BoardTrouble(Exception):
    """The board was not written, for a reason that a person can read."""


def find_board(configured: Sequence[str] = ()) -> Board | None:
    """The first configured port that is there, else the first port whose USB id is known. No port is opened."""
    found = _usb_ports()
    for port in configured:
        if os.path.exists(port):
            return Board(port, found.get(os.path.realpath(port)))
    return next((Board(port, kind) for port, kind in found.items() if kind is not None), None)


def has_board(port: str) -> bool:
    return _usb_ports().get(os.path.realpath(port)) is not None


def _usb_ports() -> dict[str, str | None]:
    from serial.tools.list_ports import comports

    return {each.device: board_kind(each.vid, each.pid) for each in sorted(comports())}


def board_kind(vid: int | None, pid: int | None) -> str | None:
    """What a USB id says; nothing for what is no board."""
    if vid is None or pid is None:
        return None
    return _ESPRESSIF_BOARD if vid == _ESPRESSIF else _KNOWN.get(f"{vid:04X}:{pid:04X}")


def missing_tools() -> list[str]:
    return [name for name in ("serial", "mpremote", "esptool") if find_spec(name) is None]


class BoardPort:
    """A port while it is open here. Opening it takes nothing from others: only a lock does."""

    def __init__(self, port: str) -> None:
        self.port = port
        try:
            self._descriptor = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as trouble:
            if trouble.errno == errno.EBUSY:
                raise port_busy(port) from None
            raise BoardTrouble(f"The port {port} cannot be opened: {trouble.strerror}.") from None
        try:
            tty.setraw(self._descriptor, termios.TCSANOW)
        except termios.error:
            self.close()
            raise BoardTrouble(f"{port} is no serial port.") from None

    def take(self) -> bool:
        """Locks it as other programs do; false where one of them has it."""
        try:
            flock(self._descriptor, LOCK_EX | LOCK_NB)
        except OSError:
            return False
        return True

    def hand_over(self) -> None:
        """Lets a child take it: it stays open here."""
        flock(self._descriptor, LOCK_UN)

    def listen(self) -> None:
        """From now on what the board says is ours to read; whoever wrote to it may have left the port otherwise."""
        with suppress(termios.error):
            tty.setraw(self._descriptor, termios.TCSANOW)
        self.take()

    def read(self) -> bytes | None:
        """What came since the last time; nothing at all once the board is gone."""
        try:
            return os.read(self._descriptor, _CHUNK) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


async def write_files(port: str, folder: Path, paths: Sequence[str]) -> None:
    """Copies the files, holds each against its hash as the board reads it, and resets the board: `main.py` starts."""
    folders = sorted({"/".join(path.split("/")[:end]) for path in paths for end in range(1, path.count("/") + 1)})
    steps: list[tuple[str, ...]] = [("exec", _MAKE_FOLDERS.format(folders))] if folders else []
    steps += [("fs", "cp", f"./{path}", f":{path}") for path in paths]
    steps += [("fs", "sha256sum", *(f":{path}" for path in paths)), ("reset",)]
    arguments = ["connect", port, *(part for step in steps for part in ("+", *step))]
    wanted = [sha256((folder / path).read_bytes()).hexdigest() for path in paths]
    size = sum((folder / path).stat().st_size for path in paths)
    command = (sys.executable, "-I", "-c", _MPREMOTE, *arguments)
    done = await _run(command, folder, 2 * _SILENCE + size / _SLOWEST)
    if done.exit_code != 0:
        _explain(port, done)
    if re.findall(r"^[0-9a-f]{64}$", done.output, re.MULTILINE) != wanted:
        raise BoardTrouble("The board holds other bytes than were written to it.")


async def write_firmware(port: str, firmware: Path, offset: str, folder: Path) -> None:
    """Replaces the whole of what the board runs on, by a file that the operator named."""
    if find_spec("esptool") is None:
        raise BoardTrouble("esptool is not installed: install `loreweave[firmware]`.")
    arguments = ("--port", port, "--connect-attempts", "2", "write-flash", offset, str(firmware))
    done = await _run((sys.executable, "-I", "-m", "esptool", *arguments), folder, _FIRMWARE_SECONDS)
    if done.exit_code != 0:
        raise BoardTrouble(f"esptool could not write the firmware: {_last_line(done.output)}")


async def _run(argv: tuple[str, ...], folder: Path, seconds: float) -> CommandResult:
    mark = secrets.token_hex(16)
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(folder), "COMMAND": mark}
    order = ProcessOrder(argv, environment, folder, seconds, MEBIBYTE, CommandLimits(), [folder], mark)
    return await run_process(order)


def _explain(port: str, done: CommandResult) -> None:
    if "failed to access" in done.output:
        if os.path.exists(port):
            raise port_busy(port)
        raise BoardTrouble("The board is gone.")
    if done.exit_code == 3 or done.timed_out or "could not enter raw repl" in done.output:
        raise BoardTrouble("The board does not answer as MicroPython does: is it on the board?")
    if not os.path.exists(port) or "SerialException" in done.output or "Input/output error" in done.output:
        raise BoardTrouble("The board is gone.")
    if "No module named" in done.output:
        raise BoardTrouble("mpremote is not installed.")
    raise BoardTrouble(f"mpremote failed: {_last_line(done.output)}")


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return "".join(letter for letter in (lines or ["it said nothing"])[-1] if letter.isprintable())[:_SHOWN]


def port_busy(port: str) -> Conflict:
    return Conflict(f"The port {port} is busy: another program has it", port=port)


class Summons:
    """A file by which processes call one another: whoever began to listen before hears that somebody called."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._heard = self._text()

    def came(self) -> bool:
        return self._text() != self._heard

    def call(self) -> None:
        fresh = self._file.with_suffix(f".{secrets.token_hex(4)}")
        fresh.write_text(secrets.token_hex(8))
        os.replace(fresh, self._file)

    def _text(self) -> str:
        with suppress(OSError):
            return self._file.read_text()
        return ""


def hold_file(file: Path) -> int | None:
    """A descriptor that holds the file until it is closed or its process is dead; nothing where another has it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
