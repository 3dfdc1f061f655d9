"""The programs that commands may name, found once: a name means one file, whatever a workspace holds."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_PYTHON = ("python", "python3")
_MODULES = {"pip": "pip", "pip3": "pip", "mpremote": "mpremote", "esptool": "esptool"}
# A module of the same name in the workspace is not meant; but tests import their neighbours from there.
_PYTEST = "import sys, pytest; sys.path.insert(0, ''); sys.exit(pytest.console_main())"
_FILES = (
    *("ls", "cat", "head", "tail", "wc", "sort", "uniq", "grep", "find", "diff", "stat", "pwd", "tree", "echo"),
    *("mkdir", "cp", "mv", "rm", "touch", "node", "npm", "npx", "git", "arduino-cli", "mpy-cross"),
    *("curl", "wget", "ssh", "scp", "rsync", "nc"),
)


class Programs:
    """From the first word of a command to the files that run it."""

    def __init__(self, found: Mapping[str, tuple[str, ...]]) -> None:
        self._found = dict(found)

    def resolve(self, argv: Sequence[str]) -> tuple[str, ...] | None:
        """The command with its program as an absolute file; nothing where the program is unknown or not installed."""
        if not argv or argv[0] not in self._found:
            return None
        return (*self._found[argv[0]], *argv[1:])

    def files(self) -> set[Path]:
        """Every file that is started, as it was found."""
        return {Path(start[0]) for start in self._found.values()}

    @property
    def search_path(self) -> str:
        """A PATH for commands: the product's own interpreter first, then the system, then where else programs are."""
        own = [str(Path(sys.executable).parent), *_SYSTEM_PATH]
        return ":".join(dict.fromkeys([*own, *sorted(str(file.parent) for file in self.files())]))


def find_programs(outside: Iterable[Path] = ()) -> Programs:
    """Looks for each program; one that lies in a folder `outside` of which it must be is none."""
    forbidden = [path.resolve() for path in outside]
    found: dict[str, tuple[str, ...]] = dict.fromkeys(_PYTHON, (sys.executable,))
    for name, module in _MODULES.items():
        if importlib.util.find_spec(module) is not None:
            found[name] = (sys.executable, "-P", "-m", module)
    if importlib.util.find_spec("pytest") is not None:
        found["pytest"] = (sys.executable, "-P", "-c", _PYTEST)
    for name in _FILES:
        file = shutil.which(name)
        if file is not None and os.path.isabs(file) and not _is_below(Path(file), forbidden):
            found[name] = (file,)
    return Programs(found)


def _is_below(file: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders for path in (file, file.resolve()))


def git_version() -> str | None:
    """Its version, such as 2.39.5; nothing where there is none that runs."""
    file = shutil.which("git")
    if file is None:
        return None
    try:
        told = subprocess.run([file, "--version"], capture_output=True, text=True, timeout=10, check=True, env={})
    except (OSError, subprocess.SubprocessError):
        return None
    return told.stdout.strip().removeprefix("git version ").partition(" ")[0] or None
