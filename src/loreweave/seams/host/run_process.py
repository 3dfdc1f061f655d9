"""Runs a command under its supervisor, off the event loop and out of the server's memory."""

import asyncio
import json
import math
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from loreweave.end_tasks import unhurried
from loreweave.seams.host.sandbox import MEBIBYTE, CommandLimits, CommandResult

_NAMES = __package__.split(".")
_PLACES = {".".join(_NAMES[: -n or None]): str(Path(__file__).parents[n]) for n in range(len(_NAMES))}
# Its own parts and nothing else of the product: the packages around them stay empty.
_SUPERVISOR = f"""
import sys, types
for name, place in {_PLACES!r}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [place]
from {__package__}.supervise import main
main()
"""
_GRACE = 5.0  # seconds in which a supervisor must have ended everything
_HUNTS = 1000
_LOST = "The process that watched the command was ended from outside."


@dataclass(frozen=True, slots=True)
class ProcessOrder:
    """What the supervisor is told."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path  # in which it starts
    seconds: float
    kept_bytes: int
    limits: CommandLimits
    disk: Sequence[Path]  # where it writes
    mark: str  # a value of its environment that no other command has
    network: int = 0  # the descriptor by which the command hands out its network, where it has one

    def line(self) -> bytes:
        limits = {**asdict(self.limits), "cpu_seconds": math.ceil(self.seconds) * (os.cpu_count() or 1) + 1}
        told: dict[str, Any] = {
            "argv": list(self.argv),
            "environment": dict(self.environment),
            "folder": str(self.folder),
            "disk": [str(folder) for folder in self.disk],
            "kept_bytes": self.kept_bytes,
            "network": self.network,
            "seconds": self.seconds,
            "limits": limits,
        }
        return json.dumps(told).encode() + b"\n"


async def run_process(order: ProcessOrder) -> CommandResult:
    """Returns, or lets a cancellation through, only when every process of the command is gone."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-B", "-c", _SUPERVISOR,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env={}, cwd="/", start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    answer = asyncio.ensure_future(process.stdout.read())
    try:
        process.stdin.write(order.line())
        await asyncio.wait({answer}, timeout=order.seconds + _GRACE)  # it keeps the time itself
        is_late = not answer.done()
    finally:
        await unhurried(_end(process, answer, order.mark))
    return _result(answer.result(), is_late, order.limits)


async def _end(process: asyncio.subprocess.Process, answer: asyncio.Future[bytes], mark: str) -> None:
    """Closes the supervisor's input, which is its word to end; one that does not hear it is ended itself."""
    assert process.stdin is not None
    process.stdin.close()
    await asyncio.wait({answer}, timeout=_GRACE)
    if not answer.done():
        with suppress(ProcessLookupError):
            process.kill()
    if await process.wait() != 0:
        await asyncio.to_thread(_hunt, mark.encode())
    await answer


def _hunt(mark: bytes) -> None:
    """Ends what outlived a supervisor that was killed, until nothing is found, or what is found does not die."""
    for _ in range(_HUNTS):
        found = [entry for entry in Path("/proc").glob("[0-9]*") if _has_mark(entry, mark)]
        for entry in found:
            with suppress(OSError):
                os.kill(int(entry.name), signal.SIGKILL)
        if not found:
            return


def _has_mark(entry: Path, mark: bytes) -> bool:
    with suppress(OSError):
        return any(value.endswith(mark) for value in (entry / "environ").read_bytes().split(b"\0"))
    return False


def _result(answer: bytes, is_late: bool, limits: CommandLimits) -> CommandResult:
    try:
        told = json.loads(answer)
    except ValueError:  # nothing, or half of it
        return CommandResult(None, "", is_late, "" if is_late else _LOST)
    is_over = told["cause"] not in ("", "stopped", "time")
    return CommandResult(
        exit_code=told["exit_code"],
        output=told["output"],
        timed_out=told["cause"] == "time",
        over_limit=_sentence(told["cause"], limits) if is_over else "",
    )


def _sentence(cause: str, limits: CommandLimits) -> str:
    room = f"{limits.workspace_bytes // MEBIBYTE:,} MiB or {limits.workspace_files:,} files"
    return {
        "disk": "It was ended because the disk is nearly full.",
        "memory": f"It used more than {limits.memory_bytes // MEBIBYTE:,} MiB of memory and was ended.",
        "processes": f"It had more than {limits.processes} processes and was ended.",
        "workspace": f"It filled its folder with more than {room} and was ended.",
    }.get(cause, "It did so much that it could not be watched, and was ended.")
