"""Chooses the sandbox: bubblewrap where it works here, limits where it does not or is not wanted.

Inside bubblewrap commands see the system and the interpreter of this computer, and may write one folder.
"""

import asyncio
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from loreweave.errors import Unavailable
from loreweave.seams.host.guard_network import HANDED_OVER, PROXY, STARTER
from loreweave.seams.host.programs import Programs, find_programs
from loreweave.seams.host.run_process import ProcessOrder, run_process
from loreweave.seams.host.sandbox import (
    BESIDE_AS,
    MEBIBYTE,
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
_HOME = "/tmp/home"
_USER = "1000"  # whoever runs the server is this one inside
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_CONFIGURATION = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_NETWORK = ("/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs", "/etc/ca-certificates")
_PROXIED = {
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), f"http://{PROXY}"),
    **dict.fromkeys(("no_proxy", "NO_PROXY"), "localhost,127.0.0.1,::1"),  # what the command itself serves
    "RSYNC_PROXY": PROXY,
}
_SPACES = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--uid", _USER, "--gid", _USER, "--cap-drop", "ALL"),
    *("--hostname", "sandbox", "--die-with-parent", "--new-session"),
)
_SHARED_MEMORY = 64 * MEBIBYTE
# A `bin` in one of these is no program's own.
_SHARED = {Path("/"), Path("/root"), Path("/opt"), Path(os.path.expanduser("~"))}


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


def _works(sandbox: "BubblewrapSandbox") -> bool:
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


class BubblewrapSandbox:
    """Own pid, network, user and mount space; dies with its supervisor. Out of its network leads a proxy alone."""

    kind: SandboxKind = "bubblewrap"

    def __init__(
        self, bubblewrap: Path, programs: Programs, hidden: Sequence[Path] = (), limits: CommandLimits | None = None
    ) -> None:
        self._bubblewrap = bubblewrap
        self._search_path = programs.search_path
        self._limits = limits or CommandLimits()
        self._walls = _walls(programs.files(), [path.resolve() for path in hidden], self._limits)

    async def run(self, command: Command) -> CommandResult:
        refuse_unfit(command)
        argv, mark = self.arguments(command), secrets.token_hex(16)
        return await run_process(
            ProcessOrder(
                *(argv, {"COMMAND": mark}, Path("/"), command.seconds, command.kept_bytes, self._limits),
                *([command.folder], mark, HANDED_OVER if command.network else 0),
            )
        )

    def arguments(self, command: Command) -> list[str]:
        """The whole argv. The root of the sandbox is made read-only last, when every mount is in place."""
        proxied = _PROXIED if command.network else {}
        environment = {"PATH": self._search_path, "LANG": "C.UTF-8", **proxied, **command.environment, "HOME": _HOME}
        return [
            *(str(self._bubblewrap), *_SPACES, *_cleared(environment), *self._walls),
            *(_read_only(_NETWORK) if command.network else ()),
            *(("--ro-bind", str(command.beside), BESIDE_AS) if command.beside else ()),
            *("--bind", str(command.folder), SEEN_AS, "--chdir", SEEN_AS, "--remount-ro", "/"),
            *("--", *((sys.executable, "-I", "-S", "-c", STARTER) if command.network else ()), *command.argv),
        ]


def _cleared(environment: Mapping[str, str]) -> list[str]:
    return ["--clearenv", *(part for name, value in environment.items() for part in ("--setenv", name, value))]


def _walls(programs: Iterable[Path], hidden: Sequence[Path], limits: CommandLimits) -> list[str]:
    """What every command sees. `/proc` is read-only: to the kernel, the root of a server is still root in there."""
    installed = _installations(programs, hidden)
    return [
        *(part for place in _SYSTEM if Path(place).exists() for part in _system(Path(place))),
        *_read_only(_CONFIGURATION),
        *("--proc", "/proc", "--remount-ro", "/proc"),
        *("--dev", "/dev", "--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        # Before what is installed, which may itself lie in /tmp.
        *("--size", str(limits.temporary_bytes), "--tmpfs", "/tmp", "--dir", _HOME),
        *_read_only(map(str, installed)),
        *(part for place in hidden for part in _covered(place, [Path("/usr"), *installed])),
    ]


def _system(place: Path) -> tuple[str, ...]:
    """On most systems `/bin` and its like are links into `/usr`, and stay such."""
    if place.is_symlink():
        return ("--symlink", str(place.readlink()), str(place))
    return ("--ro-bind", str(place), str(place))


def _read_only(places: Iterable[str]) -> list[str]:
    return [part for place in places for part in ("--ro-bind-try", place, place)]


def _covered(place: Path, shown: Sequence[Path]) -> tuple[str, ...]:
    """Hidden where it lies in something that is shown."""
    is_seen = place.is_dir() and any(place.is_relative_to(other) for other in shown)
    return ("--tmpfs", str(place), "--remount-ro", str(place)) if is_seen else ()


def _installations(programs: Iterable[Path], hidden: Sequence[Path]) -> list[Path]:
    """The interpreter (a virtual environment and what it was made from) and programs installed outside the system."""
    shown = [Path(system) for system in _SYSTEM]
    found = {
        place for file in programs for place in (_installation(file, hidden), _installation(file.resolve(), hidden))
    }
    for place in [Path(sys.prefix), Path(sys.base_prefix), Path(sys.base_prefix).resolve(), *sorted(found)]:
        if not any(place.is_relative_to(other) for other in shown):
            shown.append(place)
    return shown[len(_SYSTEM) :]


def _installation(file: Path, hidden: Sequence[Path]) -> Path:
    """The folder a program was installed in with all its parts; only its file where that folder holds other things."""
    folder = file.parent.parent
    is_shared = file.parent.name != "bin" or folder in _SHARED or folder.name == ".local"
    return file if is_shared or any(path.is_relative_to(folder) for path in hidden) else folder
