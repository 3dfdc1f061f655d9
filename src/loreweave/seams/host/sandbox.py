"""What running a command means: one argv, one folder it may write, and the end of every process it started."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from loreweave.errors import InvalidInput, Unavailable
from loreweave.language.strange_text import is_unicode

SandboxKind = Literal["bubblewrap", "limits"]
SEEN_AS = "/workspace"  # what a command, and whoever reads its output, calls its folder
BESIDE_AS = "/beside"  # and what it calls the folder of ours that it may read
MEBIBYTE = 1024 * 1024
_LONGEST_ARGUMENT = 120_000  # bytes; the kernel takes a little more
_LONGEST_ARGV = 1_000_000


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """How much of the computer one command may take, all its processes together; a file and the CPU time for each."""

    memory_bytes: int = 1024 * MEBIBYTE
    processes: int = 256
    file_bytes: int = 512 * MEBIBYTE
    workspace_bytes: int = 2048 * MEBIBYTE  # of its folder, all files together
    workspace_files: int = 100_000
    temporary_bytes: int = 256 * MEBIBYTE  # of the private /tmp
    open_files: int = 4096
    free_disk_bytes: int = 100 * MEBIBYTE  # what must be left on the disk it writes to


@dataclass(frozen=True, slots=True)
class Command:
    """A program, by its absolute file, and its arguments. There is no shell."""

    argv: tuple[str, ...]
    folder: Path  # the only place it may write
    network: bool = False
    seconds: float = 60.0
    environment: Mapping[str, str] = field(default_factory=dict)  # besides PATH, HOME and LANG
    kept_bytes: int = 65_536  # of what it prints
    beside: Path | None = None  # a folder that it is shown read-only, where there are walls


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How it ended. `exit_code` is 128 + the signal's number after a signal, and none where the sandbox ended it."""

    exit_code: int | None
    output: str  # standard output and errors together
    timed_out: bool = False
    over_limit: str = ""  # the sentence that says which limit ended it


class Sandbox(Protocol):
    """Runs commands. When a call ends, returned or cancelled, no process of the command is alive."""

    @property
    def kind(self) -> SandboxKind: ...

    async def run(self, command: Command) -> CommandResult: ...


def refuse_unfit(command: Command) -> None:
    """What no kernel would take, refused before anything is started."""
    if not command.argv or not command.argv[0].startswith("/"):
        raise InvalidInput("A command begins with the absolute file of its program", field="argv")
    total = 0
    for text in (*command.argv, *command.environment, *command.environment.values()):
        size = len(_encoded(text))
        total += size + 1
        if size > _LONGEST_ARGUMENT:
            raise InvalidInput(f"An argument must have at most {_LONGEST_ARGUMENT:,} bytes", field="argv")
    if total > _LONGEST_ARGV:
        raise InvalidInput(f"A command must have at most {_LONGEST_ARGV:,} bytes", field="argv")
    if not command.folder.is_absolute() or not command.folder.is_dir():
        raise Unavailable("The folder of the command does not exist")
    if any("=" in name or not name for name in command.environment):
        raise InvalidInput("The name of a variable is not empty and holds no '='", field="environment")


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise InvalidInput("A command must not contain the character NUL", field="argv")
    if not is_unicode(text):
        raise InvalidInput("A command must be valid Unicode", field="argv")
    return text.encode()
