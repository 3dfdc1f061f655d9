"""Runs commands in a sandbox, and looks at what stands around their folder."""

import asyncio
import os
import secrets
import signal
import stat
import sys
from pathlib import Path
from typing import Any

from loreweave.seams.host.sandbox import Command, CommandResult, Sandbox


def run(sandbox: Sandbox, folder: Path, *argv: str, **order: Any) -> CommandResult:
    return asyncio.run(sandbox.run(Command(argv, folder, **order)))


def python(sandbox: Sandbox, folder: Path, code: str, *arguments: str, **order: Any) -> CommandResult:
    return run(sandbox, folder, sys.executable, "-c", code, *arguments, **order)


class Surroundings:
    """A folder with secrets and, in it, the workspace of a command."""

    def __init__(self, place: Path) -> None:
        self.secret = secrets.token_hex(16)
        self.outside = place / "outside"
        self.workspace = self.outside / "workspaces" / "mine"
        self.other = self.outside / "workspaces" / "theirs"
        for folder in (self.workspace, self.other, self.outside / "data"):
            folder.mkdir(parents=True)
        (self.outside / "secret.txt").write_text(self.secret)
        (self.outside / "data" / "lore.db").write_text(self.secret)
        (self.other / "notes.txt").write_text(self.secret)
        (self.other / "run.sh").write_text("true")
        (self.other / "run.sh").chmod(0o640)

    def snapshot(self) -> dict[str, tuple[Any, ...]]:
        """Everything outside the workspace: names, kinds, modes, contents, how many names a file has."""
        found: dict[str, tuple[Any, ...]] = {}
        for path in sorted(self.outside.rglob("*")):
            if path.is_relative_to(self.workspace) and path != self.workspace:
                continue
            about = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(about.st_mode) else b""
            names = about.st_nlink if stat.S_ISREG(about.st_mode) else 0
            found[str(path.relative_to(self.outside))] = (about.st_mode, about.st_uid, names, content)
        return found


def survivors(token: str) -> list[int]:
    """The same, ended: a test that fails leaves nothing behind, and nobody waiting for them."""
    found = living_with(token)
    for process in found:
        os.kill(process, signal.SIGKILL)
    return found


def living_with(token: str) -> list[int]:
    """The processes of this computer that carry a word in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if token.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            continue
    return found
