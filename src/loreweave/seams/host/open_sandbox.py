"""Chooses the sandbox: bubblewrap where it works here, limits where it does not or is not wanted."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from loreweave.errors import Unavailable
from loreweave.seams.host.bubblewrap_sandbox import BubblewrapSandbox
from loreweave.seams.host.limits_sandbox import LimitsSandbox
from loreweave.seams.host.programs import Programs, find_programs
from loreweave.seams.host.sandbox import Command, Limits, Sandbox

_PROBE_SECONDS = 20.0


def open_sandbox(
    setting: str, programs: Programs | None = None, hidden: Sequence[Path] = (), limits: Limits | None = None
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


def _bubblewrap(programs: Programs, hidden: Sequence[Path], limits: Limits | None) -> Sandbox | None:
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
