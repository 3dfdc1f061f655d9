"""Which files of a build are the program of a board, and whether they could run there."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from loreweave.errors import LoreError
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.programs import Programs
from loreweave.seams.host.sandbox import MEBIBYTE, Command, Sandbox

MAIN = "main.py"
MOST_FILES = 200
MOST_BYTES = 2 * MEBIBYTE  # a board has little more
COMPILE_SECONDS = 60.0
_SHOWN = 500  # characters of what is wrong
_NOT_FLASHED = {"tests", "node_modules", "__pycache__"}
_MARK = "compiled "
# Compiled and not run. Names that are no Python are the board's own affair.
_COMPILE = f"""
import json, sys
faults = []
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as fault:
        line = getattr(fault, "lineno", None)
        faults.append(f"{{path}}{{':' + str(line) if line else ''}}: {{getattr(fault, 'msg', None) or fault}}")
print({_MARK!r} + json.dumps(faults))
"""


@dataclass(frozen=True, slots=True)
class BoardProgram:
    """Paths as they are on the board, with their bytes."""

    files: dict[str, bytes]

    def put_into(self, folder: ConfinedFolder) -> None:
        for path, data in self.files.items():
            folder.write_bytes(path, data)


def emptied(folder: ConfinedFolder) -> None:
    """Made anew: whatever an earlier run, or a killed one, left in it is gone."""
    ConfinedFolder(folder.path.parent).remove(folder.path.name)
    folder.make_folder(0o700)


class NoProgram(Exception):
    """There is nothing that a board could run, in words for a person."""


def read_program(folder: ConfinedFolder) -> BoardProgram:
    """Every `.py` outside tests, dot-folders and caches; `src` is the root where it alone has a `main.py`."""
    paths = folder.list_files(limit=20 * MOST_FILES)
    root = "" if MAIN in paths else "src/"
    if f"{root}{MAIN}" not in paths:
        raise NoProgram(f"There is no {MAIN} that a board could run.")
    chosen = [path for path in paths if path.startswith(root) and _is_meant(path.removeprefix(root))]
    if len(chosen) > MOST_FILES:
        raise NoProgram(f"The program has more than {MOST_FILES} files.")
    files: dict[str, bytes] = {}
    for path in chosen:
        try:
            files[path.removeprefix(root)] = folder.read_bytes(path, MOST_BYTES)
        except LoreError as trouble:
            raise NoProgram(trouble.message) from None
    if sum(map(len, files.values())) > MOST_BYTES:
        raise NoProgram(f"The program is larger than {MOST_BYTES:,} bytes.")
    return BoardProgram(files)


def _is_meant(path: str) -> bool:
    parts = path.split("/")
    return parts[-1].endswith(".py") and not any(part.startswith(".") or part in _NOT_FLASHED for part in parts)


async def find_faults(program: BoardProgram, folder: ConfinedFolder, sandbox: Sandbox, programs: Programs) -> str:
    """Why the program cannot be compiled; nothing where it can. `folder` is empty and for this alone. What MicroPython
    reads otherwise than Python is seen by its own compiler, where that is installed."""
    await asyncio.to_thread(program.put_into, folder)
    paths = sorted(program.files)
    told = await sandbox.run(_command((sys.executable, "-I", "-S", "-B", "-c", _COMPILE, *paths), folder))
    faults = _faults(told.output)
    if faults is None:
        return told.over_limit or "The program could not be compiled in time."
    if not faults:
        faults = [fault for path in paths if (fault := await _cross_fault(path, folder, sandbox, programs))]
    return "\n".join(faults)[:_SHOWN]


def _command(argv: Sequence[str], folder: ConfinedFolder) -> Command:
    return Command(tuple(argv), folder.path, seconds=COMPILE_SECONDS)


def _faults(output: str) -> list[str] | None:
    for line in output.splitlines():
        if line.startswith(_MARK):
            return list(map(str, json.loads(line.removeprefix(_MARK))))
    return None


async def _cross_fault(path: str, folder: ConfinedFolder, sandbox: Sandbox, programs: Programs) -> str:
    argv = programs.resolve(("mpy-cross", "-o", "/dev/null", path))
    if argv is None:
        return ""
    told = await sandbox.run(_command(argv, folder))
    return "" if told.exit_code == 0 else f"{path}: {told.output.strip()}"
