"""Chooses the sandbox: bubblewrap where it works here, limits where it does not or is not wanted."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from loreweave.errors import Unavailable
from loreweave.seams.host.bubblewrap_sandbox import BubblewrapSandbox
from loreweave.seams.host.programs import Programs, find_programs
from loreweave.seams.host.run_process import ProcessOrder, run_process
from loreweave.seams.host.sandbox import (
    SEEN_AS,
    Command,
    CommandLimits,
    CommandResult,
    Sandbox,
    SandboxKind,
    refuse_unfit,
)
from loreweave.seams.host.walk_below import remove_tree

_PROBE_SECONDS = 20.0


def open_sandbox(
    setting: str, programs: Programs | None = None, hidden: Sequence[Path] = (), limits: CommandLimits | None = None
) -> Sandbox:
    """`auto`, `required` or `off`. `hidden` are folders that no command may see, such as the data folder."""
    programs = programs or find_programs()
    if setting != "off":
        sandbox = _bubblewrap(programs, hidden, limits)
        if sandbox is not None:
            return sandbox
    if setting == "required":
        raise Unavailable("LORE_SANDBOX is required, but bubblewrap does not work on this computer")
    return LimitsSandbox(programs, limits)


def _bubblewrap(programs: Programs, hidden: Sequence[Path], limits: CommandLimits | None) -> Sandbox | None:
    """Installed is not enough: many systems forbid what it needs, so it is tried."""
    file = shutil.which("bwrap")
    if file is None:
        return None
    sandbox = BubblewrapSandbox(Path(file), programs, hidden, limits)
    return sandbox if _works(sandbox) else None


def _works(sandbox: BubblewrapSandbox) -> bool:
    with tempfile.TemporaryDirectory(prefix="lore-probe-") as folder:
        trial = Command((sys.executable, "-I", "-S", "-c", "print('walls')"), Path(folder))
        try:
            told = subprocess.run(
                sandbox.arguments(trial), capture_output=True, stdin=subprocess.DEVNULL, timeout=_PROBE_SECONDS, env={}
            )
        except (OSError, subprocess.SubprocessError):
            return False
    return told.returncode == 0 and told.stdout == b"walls\n"


class LimitsSandbox:
    """A clean environment, a scratch HOME, limits, and the end of all processes; no walls."""

    kind: SandboxKind = "limits"

    def __init__(self, programs: Programs, limits: CommandLimits | None = None) -> None:
        self._programs = programs
        self._limits = limits or CommandLimits()

    async def run(self, command: Command) -> CommandResult:
        refuse_unfit(command)
        home = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="lore-home-"))
        try:
            result = await run_process(self._order(command, home))
        finally:
            await asyncio.shield(asyncio.to_thread(_remove, home))
        return CommandResult(
            result.exit_code, _seen(result.output, command.folder), result.timed_out, result.over_limit
        )

    def _order(self, command: Command, home: Path) -> ProcessOrder:
        environment = {
            "PATH": self._programs.search_path,
            "LANG": "C.UTF-8",
            **command.environment,
            "HOME": str(home),
            "TMPDIR": str(home),
        }
        return ProcessOrder(
            *(command.argv, environment, command.folder, command.seconds, command.kept_bytes, self._limits),
            *([command.folder, home], str(home)),
        )


def _remove(home: Path) -> None:
    with suppress(OSError):  # whatever a command did to it is no fault of the command's result
        remove_tree(home)


def _seen(output: str, folder: Path) -> str:
    """Whoever reads the output learns nothing of where the folder is, and reads the same in every sandbox."""
    return output.replace(str(folder), SEEN_AS) if len(str(folder)) >= len(SEEN_AS) else output
