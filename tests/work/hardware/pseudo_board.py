"""A board on a pseudo-terminal: a program that speaks MicroPython's raw REPL over a folder that is its flash.

Started as a process of its own it says its port, then what happens to it, one line each. What it is sent it runs as
Python, with an `os` and an `open` that know its folder alone; after a hard reset it runs the `main.py` it was given.
"""

import hashlib
import os
import pty
import select
import signal
import subprocess
import sys
import time
import traceback
import tty
from contextlib import redirect_stdout, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

BANNER = b"raw REPL; CTRL-B to exit\r\n>"
REFUSED = b"R\x00"  # of the faster way to send
ERRNO = {2: "ENOENT", 17: "EEXIST", 20: "ENOTDIR", 21: "EISDIR"}


class HardReset(BaseException):
    pass


class Stalled(BaseException):
    pass


class PseudoBoard:
    """`manners`: `silent` never answers, `stalls` once it is to write its `main.py`, the first time, so that a test
    finds it in the midst, `vanishes` then, `lies` keeps other bytes than it is given, `returns` from a reset under
    another name."""

    def __init__(self, flash: Path, manners: set[str]) -> None:
        self.flash = flash
        self.manners = manners
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.is_raw = False
        self.pending = bytearray()
        self.names: dict[str, Any] = {}
        self.running: subprocess.Popen[bytes] | None = None

    def serve(self) -> None:
        print(os.ttyname(self.slave), flush=True)
        while True:
            waiting = [self.master]
            if self.running is not None and self.running.stdout is not None:
                waiting.append(self.running.stdout.fileno())
            ready, _, _ = select.select(waiting, [], [])
            if self.master in ready:
                self.hear(os.read(self.master, 4096))
            elif ready:
                self.pass_on(os.read(ready[0], 4096))

    def hear(self, data: bytes) -> None:
        if "silent" in self.manners:
            return
        for number in data:
            if self.is_raw:
                self.hear_raw(bytes([number]))
            elif number == 3:
                self.interrupt()
            elif number == 1:
                self.is_raw = True
                self.say(BANNER)

    def hear_raw(self, byte: bytes) -> None:
        if self.pending.startswith(b"\x05"):
            self.pending += byte
            if len(self.pending) == 3:
                self.pending.clear()
                self.say(REFUSED)
        elif byte == b"\x01":
            self.pending.clear()
            self.say(BANNER)
        elif byte == b"\x02":
            self.is_raw = False
            self.pending.clear()
            self.say(b"\r\n>>> ")
        elif byte == b"\x03":
            self.pending.clear()
        elif byte == b"\x04":
            code = bytes(self.pending)
            self.pending.clear()
            self.execute(code.lstrip(b"\r"))
        else:
            self.pending += byte

    def execute(self, code: bytes) -> None:
        if not code:
            self.names = {}
            self.say(b"OK\r\nMPY: soft reboot\r\n" + BANNER)
            return
        self.say(b"OK")
        printed, fault = BytesIO(), b""
        self.names.setdefault("__builtins__", {**vars(__import__("builtins")), **self.surroundings()})
        text = TextIOWrapper(printed, encoding="utf-8", newline="\r\n", write_through=True)
        try:
            with redirect_stdout(text):
                exec(compile(code, "<stdin>", "exec"), self.names)
        except HardReset:
            self.restart()
            return
        except Stalled:
            return
        except OSError as trouble:
            fault = f"Traceback:\r\nOSError: [Errno {trouble.errno}] {ERRNO.get(trouble.errno or 0, '?')}\r\n".encode()
        except Exception:
            fault = traceback.format_exc().encode()
        self.say(printed.getvalue() + b"\x04" + fault + b"\x04>")

    def surroundings(self) -> dict[str, Any]:
        """What a program of the board finds around it."""
        place = self.flash.joinpath

        def reset() -> None:
            raise HardReset

        def opened(path: str, mode: str = "r") -> Any:
            file = open(place(path), mode)  # noqa: SIM115
            if "w" in mode:
                print(f"writing {path}", file=sys.__stdout__, flush=True)
            if "w" in mode and path == "main.py" and self.manners & {"stalls", "vanishes"}:
                self.manners.discard("stalls")
                raise SystemExit if "vanishes" in self.manners else Stalled
            if "w" in mode and "lies" in self.manners:
                return SimpleNamespace(write=lambda data: file.write(data[:-1] + b"!"), close=file.close)
            return file

        known = {
            "os": SimpleNamespace(mkdir=lambda path: os.mkdir(place(path)), stat=lambda path: os.stat(place(path))),
            "hashlib": hashlib,
            "machine": SimpleNamespace(reset=reset),
            "time": SimpleNamespace(sleep_ms=lambda milliseconds: time.sleep(milliseconds / 1000)),
        }
        return {"open": opened, "__import__": lambda name, *_: known[name]}

    def restart(self) -> None:
        time.sleep(0.05)  # what was sent before it went down is lost
        while select.select([self.master], [], [], 0)[0]:
            os.read(self.master, 4096)
        self.is_raw, self.names = False, {}
        self.say(b"rst:0x1 (POWERON_RESET)\r\n")
        if "returns" in self.manners:
            os.close(self.slave)
            os.close(self.master)
            self.master, self.slave = pty.openpty()
            tty.setraw(self.slave)
            print(f"again {os.ttyname(self.slave)}", flush=True)
        print("reset", flush=True)
        if (self.flash / "main.py").is_file():
            self.running = subprocess.Popen(
                [sys.executable, "-u", "main.py"], cwd=self.flash, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )

    def pass_on(self, data: bytes) -> None:
        if data:
            self.say(data.replace(b"\n", b"\r\n"))
        else:
            self.interrupt()

    def interrupt(self) -> None:
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            assert self.running.stdout is not None
            self.running.stdout.close()
            self.running = None

    def say(self, data: bytes) -> None:
        with suppress(OSError):
            os.write(self.master, data)


if __name__ == "__main__":
    board = PseudoBoard(Path(sys.argv[1]), set(sys.argv[2:]))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # pulled out, it takes its program with it
    try:
        board.serve()
    finally:
        board.interrupt()
