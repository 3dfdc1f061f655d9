"""Commands with limits alone: for computers without bubblewrap. What a command reads is not held back."""

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path

from loreweave.seams.host.programs import Programs
from loreweave.seams.host.remove_tree import remove_tree
from loreweave.seams.host.run_process import ProcessOrder, run_process
from loreweave.seams.host.sandbox import SEEN_AS, Command, CommandResult, Limits, SandboxKind, refuse_unfit


class LimitsSandbox:
    """A clean environment, a scratch HOME, limits, and the end of all processes; no walls."""

    kind: SandboxKind = "limits"

    def __init__(self, programs: Programs, limits: Limits | None = None) -> None:
        self._programs = programs
        self._limits = limits or Limits()

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
        environment = {"PATH": self._programs.search_path, "LANG": "C.UTF-8", **command.environment, "HOME": str(home)}
        return ProcessOrder(
            *(command.argv, environment, command.folder, command.seconds, command.kept_bytes, self._limits),
            *(command.folder, str(home)),
        )


def _remove(home: Path) -> None:
    with suppress(OSError):  # whatever a command did to it is no fault of the command's result
        remove_tree(home)


def _seen(output: str, folder: Path) -> str:
    """Whoever reads the output learns nothing of where the folder is, and reads the same in every sandbox."""
    return output.replace(str(folder), SEEN_AS) if len(str(folder)) >= len(SEEN_AS) else output
